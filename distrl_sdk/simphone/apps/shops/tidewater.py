"""Tidewater: chips that sort and filter above every list, options that must be chosen, steppers in the cart."""

from __future__ import annotations

from distrl_sdk.simphone.apps.shops.catalogue import BANDS, BRANDS, KINDS, PRODUCTS, Product
from distrl_sdk.simphone.apps.shops.ledger import ShopAccount, written
from distrl_sdk.simphone.apps.shops.shop import (
    Shop,
    Wall,
    Where,
    checkout,
    chip,
    goods,
    listing,
    option_chips,
    settings_of,
    to_order,
)
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.widgets import ROW, WIDTH, Rect, Widget

_ROWS = 8
_BAND_NAMES = {"low": "$", "middle": "$$", "high": "$$$"}


def _lay_out(page: PageBuilder, where: Where, account: ShopAccount) -> None:
    match where:
        case ("results" | "category", subject, *_):
            _controls(page, settings_of(where))
            page.header(f"{subject}: {len(goods(where))} found")
            _rows(page, goods(where)[:_ROWS])
        case ("product", name):
            _product(page, PRODUCTS[name], account)
        case ("cart",):
            _cart(page, account)
        case ("wishes",):
            _wishes(page, account)
        case ("checkout", *_):
            checkout(page, account, to_order(account, where), ("Review your order", "Confirm and pay"))
        case ("orders",):
            listing(page, "Purchases", account.orders)
        case _:
            _front(page, account)


def _front(page: PageBuilder, account: ShopAccount) -> None:
    page.chips(
        ("cart", f"Trolley: {account.count}", False, ("shop", "cart")),
        ("wishes", "Saved items", False, ("shop", "wishes")),
        ("orders", "Purchases", False, ("shop", "orders")),
    )
    page.field("query", "What do you need today?")
    page.button("search", "Look for it", ("search",), "flat_wide")
    for name, kinds in KINDS.items():
        page.row(f"category:{name}", name, ("shop", "category", name), ", ".join(kinds[:3]), icon=name)


def _controls(page: PageBuilder, settings: Where) -> None:
    page.chips(
        chip("sort:cheapest", "Cheap first", "sort=cheapest", settings),
        chip("sort:rated", "Best first", "sort=rated", settings),
        *(chip(f"price:{band}", _BAND_NAMES[band], f"price={band}", settings) for band in BANDS),
        *(chip(f"brand:{brand}", brand, f"brand={brand}", settings) for brand in BRANDS),
    )


def _rows(page: PageBuilder, products: tuple[Product, ...]) -> None:
    for one in products:
        detail = f"{one.price} - {one.stars} of 5"
        page.row(f"product:{one.name}", one.name, ("shop", "product", one.name), detail, icon=one.name)


def _product(page: PageBuilder, product: Product, account: ShopAccount) -> None:
    name, wished = product.name, product.name in account.wishes
    page.header(name)
    page.row("picture", f"{product.price} per piece", (), f"{product.stars} of 5 stars", icon=name)
    option_chips(page, product, must_choose=True)
    page.button("add_cart", "Into the trolley", ("add", name))
    page.button("buy", "Pay right away", ("buy", name), "flat_wide")
    page.button("wish", "Saved. Tap to forget" if wished else "Save for later", ("wish", name), "flat_wide")
    page.button("cart", "Go to the trolley", ("shop", "cart"), "flat_wide")
    page.paragraph(f"Made by {product.brand}. Sent from our harbour store the same day.")


def _cart(page: PageBuilder, account: ShopAccount) -> None:
    page.header(f"Trolley, {written(sum(line.cents for line in account.cart))}")
    for at, line in enumerate(account.cart):
        name, which = line.product, ", ".join((*line.options, written(line.cents)))
        body, box = Rect(0, 0, 900, ROW), Rect(900, 0, WIDTH, ROW)
        page.place(Widget(body, "row", name, which, f"line:{name}", "item", ("shop", "product", name), icon=name))
        page.place(Widget(box, "cross", f"Drop {name}", "", f"remove:{name}", "button", ("remove", str(at))))
        page.skip(ROW)
        less, more = (("quantity", str(at), str(line.quantity + step)) for step in (-1, 1))
        page.stepper(f"quantity:{name}", f"{name.split()[-1]}s", str(line.quantity), less, more)
    if not account.cart:
        page.paragraph("Nothing in here yet.")
        return
    page.button("checkout", "Proceed to payment", ("shop", "checkout"))
    page.button("empty", "Drop everything", ("dialog", "empty"), "flat_wide")
    if page.screen.dialog:
        page.ask("Drop everything?", "The trolley will be empty afterwards.",
                 ("cancel", "No", ("close",)), ("confirm", "Yes", ("empty",)))  # fmt: skip


def _wishes(page: PageBuilder, account: ShopAccount) -> None:
    page.header("Saved items")
    for name in account.wishes:
        body, box = Rect(0, 0, 900, ROW), Rect(900, 0, WIDTH, ROW)
        page.place(Widget(body, "row", name, PRODUCTS[name].price, f"product:{name}", "item",
                          ("shop", "product", name), icon=name))  # fmt: skip
        page.place(Widget(box, "cross", f"Forget {name}", "", f"unwish:{name}", "button", ("wish", name)))
        page.skip(ROW)
    if not account.wishes:
        page.paragraph("Nothing saved.")


_SIGN_IN = Wall("Who is buying?", "Please sign in before you pay.", "Sign in", "Not now")
SHOP = Shop("Tidewater", "tidewater.com", _lay_out, sign_in=_SIGN_IN, private=("checkout",), must_choose=True)
