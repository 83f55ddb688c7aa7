"""Labels of the dialer, the shade and what belongs to the system but is no app."""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, tuple[str, str]] = {
    # dialer
    "Keypad": ("Tastatur", "拨号键盘"),
    "Recents": ("Anrufliste", "最近通话"),
    "People": ("Personen", "联系人列表"),
    "Number": ("Nummer", "号码"),
    "Erase": ("Ziffer löschen", "删除数字"),
    "Missed call": ("Verpasster Anruf", "未接来电"),
    "Incoming call": ("Eingehender Anruf", "来电"),
    "Outgoing call": ("Ausgehender Anruf", "去电"),
    "Mute": ("Stumm", "静音"),
    "Speaker": ("Lautsprecher", "免提"),
    "Call ended": ("Anruf beendet", "通话已结束"),
    "Enter a telephone number": ("Eine Telefonnummer eingeben", "请输入电话号码"),
    # shade
    "Quick settings": ("Schnelleinstellungen", "快捷设置"),
    "Flashlight": ("Taschenlampe", "手电筒"),
    "Nothing new": ("Nichts Neues", "没有新通知"),
    "Clear all": ("Alle löschen", "全部清除"),
    "Dismiss: {}": ("Verwerfen: {}", "忽略：{}"),
    "No notifications left": ("Keine Mitteilungen mehr", "通知已全部清除"),
    "Message received": ("Nachricht erhalten", "收到新信息"),
    "App updated": ("App aktualisiert", "应用已更新"),
    "Storage almost full": ("Speicher fast voll", "存储空间不足"),
    "Upcoming event": ("Bevorstehender Termin", "即将开始的日程"),
    "Download complete": ("Download abgeschlossen", "下载完成"),
}
