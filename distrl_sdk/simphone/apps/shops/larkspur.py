"""Larkspur Living: tiles in two columns, tabs of categories, one page for all filters, a bag whose lines have pages."""

from __future__ import annotations

from distrl_sdk.simphone.apps.shops.catalogue import BANDS, BRANDS, KINDS, NO_BRAND, PRODUCTS, Product
from distrl_sdk.simphone.apps.shops.ledger import CartLine, ShopAccount, written
from distrl_sdk.simphone.apps.shops.shop import (
    Shop,
    Wall,
    Where,
    checkout,
    chip,
    described,
    goods,
    listing,
    option_chips,
    to_order,
)
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.widgets import NOWHERE, Widget

_TILES = 8
_NEW = tuple(f"{brand} Classic {kind}" for brand, kind in zip(BRANDS, ("Lamp", "Vase", "Mug", "Pillow"), strict=False))
_BAND_NAMES = {"low": "Under 30", "middle": "30 to 60", "high": "Over 60"}


def _lay_out(page: PageBuilder, where: Where, account: ShopAccount) -> None:
    match where:
        case ("results" | "category", subject, *settings):
            found = goods(where)
            page.header(f"{subject}, {len(found)} articles")
            page.chips(("filter", "Filter and sort", bool(settings), ("shop", "filter", *where)))
            _tiles(page, found[:_TILES])
        case ("filter", _, _, *settings):
            _filters(page, tuple(settings))
        case ("product", name):
            _product(page, PRODUCTS[name], account)
        case ("cart",):
            _bag(page, account)
        case ("line", name):
            _line(page, name, account)
        case ("wishes",):
            page.header("Favourites")
            _tiles(page, tuple(PRODUCTS[name] for name in account.wishes))
        case ("checkout", *_):
            checkout(page, account, to_order(account, where), ("Almost done", "Buy"))
        case ("orders",):
            listing(page, "Past orders", account.orders)
        case _:
            _front(page, account)


def _front(page: PageBuilder, account: ShopAccount) -> None:
    page.grid(4, 120, *(
        Widget(NOWHERE, "tab", name, "", f"category:{name}", "tab", ("shop", "category", name)) for name in KINDS
    ))  # fmt: skip
    page.field("query", "Find something beautiful")
    page.chips(
        ("search", "Find it", False, ("search",)),
        ("wishes", "Favourites", False, ("shop", "wishes")),
        ("cart", f"Bag ({account.count})", False, ("shop", "cart")),
        ("orders", "Past orders", False, ("shop", "orders")),
    )
    page.header("New in")
    _tiles(page, tuple(PRODUCTS[name] for name in _NEW))


def _tiles(page: PageBuilder, products: tuple[Product, ...]) -> None:
    page.grid(2, 430, *(
        Widget(NOWHERE, "goods", one.name, f"{one.price}, {one.stars} stars", f"product:{one.name}", "item",
               ("shop", "product", one.name), icon=one.name)
        for one in products
    ))  # fmt: skip


def _filters(page: PageBuilder, settings: Where) -> None:
    page.header("Sort by")
    page.chips(
        chip("sort:cheapest", "Price, low to high", "sort=cheapest", settings),
        chip("sort:dearest", "Price, high to low", "sort=dearest", settings),
        chip("sort:rated", "Customer rating", "sort=rated", settings),
    )
    page.header("Price in dollars")
    page.chips(*(chip(f"price:{band}", _BAND_NAMES[band], f"price={band}", settings) for band in BANDS))
    page.header("Brand")
    page.chips(*(chip(f"brand:{brand}", brand, f"brand={brand}", settings) for brand in (*BRANDS, NO_BRAND)))
    page.header("Rating")
    page.chips(chip("stars", "4 stars and more", "stars=4", settings))
    page.button("apply", "Show results", ("apply",))


def _product(page: PageBuilder, product: Product, account: ShopAccount) -> None:
    name, wished = product.name, product.name in account.wishes
    cell = Widget(NOWHERE, "goods", name, "", "picture", "image", icon=name)
    page.grid(1, 520, cell)
    page.header(f"{product.price}, rated {product.stars}")
    option_chips(page, product, must_choose=False)
    page.chips(
        ("wish", "Favourite" if wished else "Save to favourites", wished, ("wish", name)),
        ("cart", "Open bag", False, ("shop", "cart")),
    )
    page.button("add_cart", "Add to bag", ("add", name))
    page.button("buy", "Buy it now", ("buy", name), "flat_wide")
    page.paragraph(f"By {product.brand}. Free returns within thirty days.")


def _bag(page: PageBuilder, account: ShopAccount) -> None:
    page.header(f"Your bag, {written(sum(line.cents for line in account.cart))}")
    for line in account.cart:
        page.row(f"line:{line.product}", line.product, ("shop", "line", line.product), described(line))
    if not account.cart:
        page.paragraph("Your bag is empty.")
        return
    page.button("checkout", "Go to checkout", ("shop", "checkout"))
    page.button("empty", "Clear bag", ("dialog", "empty"), "flat_wide")
    if page.screen.dialog:
        page.ask("Clear the bag?", "All pieces will be taken out.",
                 ("cancel", "Leave it", ("close",)), ("confirm", "Clear it", ("empty",)))  # fmt: skip


def _line(page: PageBuilder, name: str, account: ShopAccount) -> None:
    """What can be done with what of a product is in the bag."""
    page.header(name)
    for at, line in _lines_of(name, account):
        page.row(f"product:{name}", "See the product", ("shop", "product", name), described(line))
        less, more = (("quantity", str(at), str(line.quantity + step)) for step in (-1, 1))
        page.stepper("quantity", "How many", str(line.quantity), less, more)
        page.button(f"remove:{name}", "Take it out", ("remove", str(at)), "flat_wide")
    if not _lines_of(name, account):
        page.paragraph("It is not in the bag any more.")


def _lines_of(name: str, account: ShopAccount) -> list[tuple[int, CartLine]]:
    return [(at, line) for at, line in enumerate(account.cart) if line.product == name]


_COOKIES = Wall("Cookies?", "We bake a few to remember your bag and to count visits.", "Allow all", "Only needed")
SHOP = Shop("Larkspur Living", "larkspurliving.com", _lay_out, cookies=_COOKIES)
