"""Labels of the app store's downloads and of the apps that come from it, of photos, maps and music."""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, tuple[str, str]] = {
    # store
    "Discover": ("Entdecken", "发现"),
    "Updates": ("Updates", "更新"),
    "Update all": ("Alle aktualisieren", "全部更新"),
    "All apps are up to date.": ("Alle Apps sind aktuell.", "所有应用均为最新版本。"),
    "Updating {}": ("{} wird aktualisiert", "正在更新 {}"),
    "Update": ("Aktualisieren", "更新"),
    "{} MB": ("{} MB", "{} MB"),
    "Downloading": ("Wird geladen", "正在下载"),
    "Update available": ("Update verfügbar", "有可用更新"),
    "{} stars, {} MB": ("{} Sterne, {} MB", "{} 星，{} MB"),
    "You gave it {} of 5 stars": ("Ihre Bewertung: {} von 5 Sternen", "您的评分：{} 星（满分 5 星）"),
    "Not rated yet": ("Noch nicht bewertet", "尚未评分"),
    "Rate this app": ("App bewerten", "为此应用评分"),
    "Rate {}": ("{} bewerten", "为 {} 评分"),
    "How many stars do you give it?": ("Wie viele Sterne geben Sie?", "您给几颗星？"),
    "{} updated": ("{} aktualisiert", "已更新 {}"),
    "Thank you for your rating": ("Danke für Ihre Bewertung", "感谢您的评分"),
    "Games": ("Spiele", "游戏"),
    "Tools": ("Werkzeuge", "工具"),
    "Media": ("Medien", "影音"),
    "Lifestyle": ("Alltag", "生活"),
    "You opened this for the first time today.": ("Heute zum ersten Mal geöffnet.", "您今天第一次打开此内容。"),
    "Touch an entry of {} to open it. Everything is kept on this phone.": (
        "Tippen Sie in {} auf einen Eintrag. Alles bleibt auf diesem Telefon.",
        "在 {} 中点按条目即可打开。所有内容都保存在本机。"
    ),
}  # fmt: skip
