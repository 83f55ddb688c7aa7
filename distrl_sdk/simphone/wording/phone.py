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
    # calculator
    "Sum": ("Rechnung", "算式"),
    "C": ("C", "C"),
    "Del": ("Entf", "退格"),
    "History": ("Verlauf", "历史记录"),
    "No sums yet": ("Noch keine Rechnungen", "暂无计算"),
    "Clear": ("Leeren", "清空"),
    "Clear the history?": ("Verlauf leeren?", "清空历史记录？"),
    "All sums will be gone.": ("Alle Rechnungen werden gelöscht.", "所有计算都将被删除。"),
    "This is no sum": ("Das ist keine Rechnung", "这不是有效的算式"),
    "Division by zero is not possible": ("Durch null kann man nicht teilen", "不能除以零"),
    # pop-ups
    "Free up some space to keep the phone fast.": (
        "Schaffen Sie Platz, damit das Telefon schnell bleibt.",
        "请清理空间，以保持手机流畅。",
    ),
    "Manage": ("Verwalten", "管理"),
    "Decline": ("Ablehnen", "拒接"),
    "Pick up": ("Annehmen", "接听"),
    "{} isn't responding": ("{} reagiert nicht", "{} 没有响应"),
    "Wait for it, or close it.": ("Warten Sie, oder schließen Sie die App.", "您可以等待或关闭它。"),
    "Close app": ("App schließen", "关闭应用"),
    "Wait": ("Warten", "等待"),
    "Allow {} to access your location?": ("Darf {} auf den Standort zugreifen?", "允许 {} 访问您的位置信息？"),
    "Location access": ("Zugriff auf Standort", "位置权限"),
    "While using": ("Bei Nutzung", "仅使用期间"),
    "Allow {} to take pictures?": ("Darf {} Bilder aufnehmen?", "允许 {} 拍摄照片？"),
    # contacts
    "Edit": ("Bearbeiten", "编辑"),
    "Edit contact": ("Kontakt bearbeiten", "编辑联系人"),
    "Number until now: {}": ("Bisherige Nummer: {}", "当前号码：{}"),
    "New number": ("Neue Nummer", "新号码"),
    "Search contacts": ("Kontakte suchen", "搜索联系人"),
    "Contact saved": ("Kontakt gesichert", "联系人已保存"),
    # clock
    "Label": ("Bezeichnung", "标签"),
    "Label: {}": ("Bezeichnung: {}", "标签：{}"),
    "World": ("Weltuhr", "世界时钟"),
    "Watch": ("Stoppuhr", "秒表"),
    "The stopwatch is running": ("Die Stoppuhr läuft", "秒表正在运行"),
    "Reset": ("Zurücksetzen", "重置"),
    "UTC{}": ("UTC{}", "UTC{}"),
    "Add city": ("Stadt hinzufügen", "添加城市"),
    "Search cities": ("Städte suchen", "搜索城市"),
    # shade
    "Quick settings": ("Schnellzugriff", "快捷设置"),
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
