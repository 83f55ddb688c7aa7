"""Pebble Market: everything on cards below one another; what sorts them stands in a dialog."""

from __future__ import annotations

from distrl_sdk.simphone.apps.shops.catalogue import KINDS, PRODUCTS, Product
from distrl_sdk.simphone.apps.shops.ledger import ShopAccount, written
from distrl_sdk.simphone.apps.shops.shop import (
    Shop,
    Where,
    checkout,
    described,
    goods,
    listing,
    option_chips,
    quantity,
    to_order,
)
from distrl_sdk.simphone.names import THINGS
from distrl_sdk.simphone.page import PageBuilder

_RESULTS = 8


def _lay_out(page: PageBuilder, where: Where, account: ShopAccount) -> None:
    match where:
        case ("results" | "category", subject, *_):
            found = goods(where)
            page.header(page.say("{} results for {}", len(found), subject))
            page.chips(("sort", "Sort", any(one.startswith("sort=") for one in where[2:]), ("dialog", "sort")))
            _cards(page, found[:_RESULTS])
        case ("product", name):
            _product(page, PRODUCTS[name], account)
        case ("cart",):
            _cart(page, account)
        case ("wishes",):
            page.header("Wish list")
            for name in account.wishes:
                _cards(page, (PRODUCTS[name],))
                page.button(f"unwish:{name}", page.say("Remove {}", name), ("wish", name), "flat_wide")
        case ("checkout", *_):
            checkout(page, account, to_order(account, where), ("Check out", "Place order"))
        case ("orders",):
            listing(page, "Your orders", account.orders)
        case _:
            _front(page, account)
    _dialogs(page)


def _front(page: PageBuilder, account: ShopAccount) -> None:
    page.header("Pebble Market")
    page.field("query", "Search products")
    page.button("search", "Search", ("search",))
    page.chips(
        ("cart", page.say("Cart ({})", account.count), False, ("shop", "cart")),
        ("wishes", "Wish list", False, ("shop", "wishes")),
        ("orders", "Orders", False, ("shop", "orders")),
    )
    page.header("Departments")
    page.chips(*((f"category:{name}", name, False, ("shop", "category", name)) for name in KINDS))
    page.header("Today's offers")
    _cards(page, tuple(PRODUCTS[f"Silver {thing}"] for thing in THINGS[:4]))


def _cards(page: PageBuilder, products: tuple[Product, ...]) -> None:
    for one in products:
        detail = page.say("{}, {} stars", one.price, one.stars)
        page.card(f"product:{one.name}", one.name, detail, ("shop", "product", one.name), one.name)


def _product(page: PageBuilder, product: Product, account: ShopAccount) -> None:
    name, count = product.name, quantity(page.screen)
    page.card("picture", name, page.say("{}, {} stars", product.price, product.stars), (), name)
    page.paragraph(page.say("{} lasts for years. Delivered in two days.", name))
    option_chips(page, product, must_choose=False)
    page.stepper("quantity", "Quantity", str(count), ("pieces", str(count - 1)), ("pieces", str(count + 1)))
    page.button("add_cart", "Add to cart", ("add", name))
    page.button("buy", "Buy now", ("buy", name), "flat_wide")
    wished = name in account.wishes
    page.chips(
        ("wish", "On the wish list" if wished else "Add to wish list", wished, ("wish", name)),
        ("cart", "View cart", False, ("shop", "cart")),
    )


def _cart(page: PageBuilder, account: ShopAccount) -> None:
    page.header(page.say("Cart: {} items", account.count))
    for at, line in enumerate(account.cart):
        detail = described(line)
        page.row(f"line:{line.product}", line.product, ("shop", "product", line.product), detail, icon=line.product)
        page.button(f"remove:{line.product}", page.say("Remove {}", line.product), ("remove", str(at)), "flat_wide")
    if account.cart:
        page.paragraph(page.say("Together {}", written(sum(line.cents for line in account.cart))))
        page.button("checkout", "Check out", ("shop", "checkout"))
        page.button("empty", "Empty cart", ("dialog", "empty"), "flat_wide")


def _dialogs(page: PageBuilder) -> None:
    match page.screen.dialog:
        case ("sort",):
            page.ask(
                "Sort", "What should come first?",
                ("sort:cheapest", "Cheapest", ("set", "sort=cheapest")),
                ("sort:rated", "Best rated", ("set", "sort=rated")),
            )  # fmt: skip
        case ("empty",):
            page.ask("Empty cart?", "Everything in it will be gone.",
                     ("cancel", "Cancel", ("close",)), ("confirm", "Empty", ("empty",)))  # fmt: skip
        case _:
            return


SHOP = Shop("Pebble Market", "pebblemarket.com", _lay_out, translated=True)
