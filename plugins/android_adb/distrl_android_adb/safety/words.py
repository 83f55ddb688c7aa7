"""What buttons say that send, call, pay, delete or uninstall, and what says no, in the languages that phones speak.

One line a language or a group of them: en, de, fr, es, pt, it, nl, sv da nb, fi, pl, cs, hu ro, ru, uk, tr, el, ar, he,
fa, hi, th, vi, id ms, ja, ko, zh. A phrase is meant with its words in a row, whatever stands before and behind it;
scripts without blanks are searched as they are. Turkish 'ara' is missing: it also means to search.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

Danger: TypeAlias = Literal["send", "call", "pay", "delete", "uninstall"]
DANGERS: tuple[Danger, ...] = get_args(Danger)

_SEND = """
send, submit, post, publish, tweet, resend; senden, absenden, versenden, abschicken, schicken, veröffentlichen, posten
envoyer, publier, soumettre, expédier; enviar, publicar, mandar; invia, inviare, pubblica, manda
verzenden, verzend, versturen, verstuur, plaatsen; skicka, publicera, afsend, udgiv; lähetä, julkaise
wyślij, prześlij, opublikuj; odeslat, poslat, zveřejnit; küldés, elküld, trimite, postează
отправить, послать, опубликовать; надіслати, відправити, опублікувати; gönder, yayınla
αποστολή, στείλτε, δημοσίευση; إرسال, ارسال, أرسل, ارسل, نشر; שלח, שליחה, פרסם; بفرست, انتشار
भेजें, पोस्ट करें; ส่ง, โพสต์; gửi, đăng; kirim, hantar; 送信, 送る, 投稿; 보내기, 전송, 게시
发送, 發送, 傳送, 发布, 發佈, 提交, 寄出
"""
_CALL = """
call, dial, redial, video call, voice call, sos, emergency; anrufen, anruf, videoanruf, notruf
appeler, appel, appel vidéo; llamar, llamada, videollamada; ligar, chamar, chamada, chamada de vídeo
chiama, chiamare, chiamata, videochiamata; bellen, bel, videogesprek; ring, ring op, videosamtal; soita, videopuhelu
zadzwoń, połącz; zavolat, volat; hívás, apelează, sună; позвонить, вызов, набрать; зателефонувати, подзвонити, виклик
çağrı, görüntülü arama; κλήση, καλέστε; اتصال, اتصل, مكالمة; התקשר, חייג, שיחה; تماس; कॉल, कॉल करें; โทร; gọi
panggil, telepon, hubungi; 発信, 電話をかける, 通話; 전화, 통화; 拨打, 撥打, 呼叫, 通话, 拨号, 撥號
"""
_PAY = """
buy, pay, purchase, checkout, check out, place order, order now, order at once, submit order, confirm order, subscribe
donate, book now, top up, to the till, onward to the order, complete order
kaufen, bestellen, bezahlen, zahlen, zur kasse, kasse, abonnieren, spenden, buchen
acheter, payer, commander, passer la commande, valider la commande, abonner, faire un don
comprar, pagar, realizar pedido, hacer pedido, tramitar pedido, finalizar compra, suscribirse, donar
fazer pedido, encomendar, assinar, doar; acquista, compra, paga, ordina, effettua ordine, abbonati, dona
kopen, koop, betalen, betaal, afrekenen, bestel, abonneren, doneren
köp, betala, beställ, till kassan, prenumerera, køb, betal, bestil, til kassen, kjøp, bestill
osta, maksa, tilaa, kassalle; kup, kupuję, zapłać, złóż zamówienie, zamów, subskrybuj, do kasy
koupit, zaplatit, objednat, odeslat objednávku, k pokladně, předplatit; vásárlás, fizetés, megrendelés
cumpără, plătește, comandă; купить, оплатить, заплатить, заказать, оформить заказ, подписаться
купити, оплатити, сплатити, замовити, оформити замовлення; satın al, öde, ödeme yap, sipariş ver, abone ol
αγορά, αγοράστε, πληρωμή, πληρώστε, παραγγελία, παραγγείλτε; شراء, اشتر, ادفع, دفع, اطلب, إتمام الشراء, اشترك
קנה, קנייה, שלם, תשלום, בצע הזמנה; خرید, پرداخت, سفارش; खरीदें, भुगतान, ऑर्डर करें; ซื้อ, ชำระเงิน, จ่าย
mua, thanh toán, đặt hàng; beli, bayar, pesan sekarang, langganan; 購入, 買う, 支払, 注文, レジに進む
구매, 결제, 주문, 구독; 购买, 購買, 付款, 支付, 下单, 下單, 结算, 結帳, 结账, 订购, 訂購, 充值
"""
_DELETE = """
delete, remove, erase, trash, discard, wipe, clear data, clear all, clear history, factory reset, move to bin
löschen, entfernen, verwerfen, zurücksetzen, in den papierkorb, leeren
supprimer, effacer, retirer, vider, corbeille, réinitialiser; eliminar, borrar, quitar, suprimir, descartar, vaciar
restablecer; excluir, apagar, remover, limpar, redefinir; elimina, cancella, rimuovi, svuota, scarta
verwijderen, verwijder, wissen, wis, leegmaken; ta bort, radera, släng, rensa, slet, fjern, slett
poista, tyhjennä, hylkää; usuń, skasuj, wyczyść, odrzuć; smazat, odstranit, vymazat, odebrat; törlés, șterge
удалить, стереть, очистить, убрать, сбросить; видалити, стерти, очистити, вилучити; sil, kaldır, temizle
διαγραφή, κατάργηση, αφαίρεση, εκκαθάριση; حذف, احذف, إزالة, مسح; מחק, מחיקה, הסר, נקה; پاک کردن
हटाएं, हटाएँ, मिटाएं; ลบ, นำออก, ล้าง; xóa, xoá, gỡ bỏ; hapus, buang, padam; 削除, 消去, 破棄
삭제, 제거, 지우기; 删除, 刪除, 移除, 清除, 清空, 抹掉, 丢弃
"""
_UNINSTALL = """
uninstall, deinstall, remove app; deinstallieren, app entfernen; désinstaller; desinstalar; disinstalla; deïnstalleren
avinstallera, afinstaller, avinstaller; poista asennus; odinstaluj; odinstalovat; eltávolítás, dezinstalează
деинсталлировать, удалить приложение; видалити програму; yüklemeyi kaldır; απεγκατάσταση; إلغاء التثبيت
إزالة التثبيت; הסרת התקנה; حذف نصب; अनइंस्टॉल; ถอนการติดตั้ง; gỡ cài đặt; copot, copot pemasangan
アンインストール; 앱 삭제; 卸载, 卸載, 解除安裝, 解除安装
"""
_NO = """
cancel, no, not now, keep, close, dismiss, later, back, no thanks; abbrechen, nein, behalten, schließen, später, zurück
annuler, non, garder, fermer, plus tard, retour; cancelar, no, conservar, cerrar, ahora no; não, fechar, agora não
annulla, no, chiudi, non ora; annuleren, nee, sluiten; avbryt, nej, stäng, annuller, luk, nei, lukk; peruuta, ei, sulje
anuluj, nie, zamknij; zrušit, ne, zavřít; mégse, nem, anulează, nu; отмена, отменить, нет, закрыть; скасувати, ні
iptal, hayır, vazgeç, kapat; ακύρωση, όχι, κλείσιμο; إلغاء, لا, إغلاق; ביטול, לא, סגור; لغو, خیر, بستن; रद्द करें, नहीं
ยกเลิก, ไม่, ปิด; hủy, không, đóng; batal, tidak, tutup; キャンセル, いいえ, 閉じる, 戻る; 취소, 아니요, 닫기
取消, 否, 关闭, 關閉, 返回, 保留, 以后再说
"""

_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]")
"""Accents, and the points of Hebrew and Arabic."""


def _plain(text: str) -> str:
    """Small letters without accents: what a label says, however it is spelled."""
    return _MARKS.sub("", unicodedata.normalize("NFKD", text).casefold()).replace("ı", "i")  # Turkish capitals


def _spoken(text: str) -> str:
    """The words of a label, without what stands between them."""
    return " ".join(_WORD.findall(_plain(text)))


def _phrases(listed: str) -> frozenset[str]:
    return frozenset(spoken for each in re.split(r"[,;\n]", listed) if (spoken := _spoken(each)))


def _unspaced(phrase: str) -> bool:
    """Whether its script writes words without blanks: Thai, kana, Han; Hangul and Devanagari add endings to words."""
    return any("\u0900" <= sign <= "\u0e7f" or "\u1100" <= sign <= "\u11ff" or sign >= "\u3040" for sign in phrase)


PHRASES: dict[Danger, frozenset[str]] = {
    "send": _phrases(_SEND),
    "call": _phrases(_CALL),
    "pay": _phrases(_PAY),
    "delete": _phrases(_DELETE),
    "uninstall": _phrases(_UNINSTALL),
}
NO = _phrases(_NO)
_LONGEST = max(len(phrase.split()) for phrases in PHRASES.values() for phrase in phrases)


@lru_cache(maxsize=8192)
def dangers_said(text: str) -> frozenset[Danger]:
    """The dangers that a label names."""
    spoken = _spoken(text)
    words = spoken.split()
    runs = {" ".join(words[at : at + count]) for count in range(1, _LONGEST + 1) for at in range(len(words))}
    return frozenset(
        danger
        for danger, phrases in PHRASES.items()
        if runs & phrases or any(phrase in spoken for phrase in phrases if _unspaced(phrase))
    )


def says_no(text: str) -> bool:
    """Whether a label says nothing but no."""
    return _spoken(text) in NO


def count_words(text: str) -> int:
    """The words of a label; one of a script without blanks counts as one."""
    return len(_spoken(text).split())
