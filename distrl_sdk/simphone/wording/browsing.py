"""Labels of the browser and of the shop in it."""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, tuple[str, str]] = {
    "Pebble Market": ("Pebble Market", "Pebble Market"),
    "Search or type an address": ("Suchen oder Adresse eingeben", "搜索或输入网址"),
    "Go": ("Los", "前往"),
    "Bookmarks": ("Lesezeichen", "书签"),
    "{} cannot be reached. Check the address.": (
        "{} ist nicht erreichbar. Bitte die Adresse prüfen.", "无法访问 {}。请检查网址。"
    ),
    "{}: {}": ("{}: {}", "{}：{}"),
    "This is the {} section of {}. There is nothing new today.": (
        "Dies ist der Bereich {} von {}. Heute gibt es nichts Neues.", "这里是“{}”栏目，来自 {}。今天没有新内容。"
    ),
    "Back to {}": ("Zurück zu {}", "返回 {}"),
    "Welcome to {}. Choose a section.": ("Willkommen bei {}. Wählen Sie einen Bereich.", "欢迎访问 {}。请选择栏目。"),
    "Search products": ("Produkte suchen", "搜索商品"),
    "{} results for {}": ("{} Treffer für {}", "{} 个结果：{}"),
    "A {} that lasts. Delivered in two days.": (
        "{}: hält lange. Lieferung in zwei Tagen.", "{}，经久耐用。两天内送达。"
    ),
    "Add to cart": ("In den Warenkorb", "加入购物车"),
    "Put in basket": ("In den Korb legen", "放入购物篮"),
    "View cart": ("Warenkorb ansehen", "查看购物车"),
    "Basket": ("Einkaufskorb", "购物篮"),
    "Cart: {} items": ("Warenkorb: {} Artikel", "购物车：{} 件商品"),
    "Cart ({})": ("Warenkorb ({})", "购物车（{}）"),
    "Remove {}": ("{} entfernen", "移除 {}"),
    "Today's offers": ("Angebote des Tages", "今日优惠"),
    "What are you looking for?": ("Wonach suchen Sie?", "您想找什么？"),
    "Added to cart": ("Im Warenkorb", "已加入购物车"),
}  # fmt: skip
