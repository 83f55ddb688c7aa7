"""Foxglove Supply, which training never opens: a page of departments, a trail, pages of five, facets."""

from __future__ import annotations

from distrl_sdk.simphone.apps.shops.catalogue import BANDS, BRANDS, KINDS, NO_BRAND, PRODUCTS, Product
from distrl_sdk.simphone.apps.shops.ledger import ShopAccount, written
from distrl_sdk.simphone.apps.shops.shop import (
    Shop,
    Wall,
    Where,
    checkout,
    chosen,
    described,
    goods,
    listing,
    quantity,
    settings_of,
    to_order,
)
from distrl_sdk.simphone.page import PageBuilder

PAGE = 5
_FACETS = {
    "sort": ("Order", {"cheapest": "Lowest cost", "dearest": "Highest cost", "rated": "Top marks"}),
    "price": ("Cost", dict(zip(BANDS, ("up to $ 30", "$ 30 to $ 60", "$ 60 and above"), strict=True))),
    "brand": ("Maker", {brand: brand for brand in (*BRANDS, NO_BRAND)}),
    "stars": ("Marks", {"4": "4 and better"}),
}
"""What a list can be narrowed or ordered by: its title, and the values with their labels."""


def _lay_out(page: PageBuilder, where: Where, account: ShopAccount) -> None:
    match where:
        case ("departments",):
            _trail(page, "Departments")
            for name, kinds in KINDS.items():
                page.row(f"category:{name}", name, ("shop", "category", name), f"{len(kinds)} shelves")
        case ("results" | "category", subject, *_):
            _trail(page, subject)
            _list(page, where)
        case ("refine", how, subject, *settings):
            _trail(page, subject)
            for facet, (title, values) in _FACETS.items():
                now = next((values[one.partition("=")[2]] for one in settings if one.startswith(f"{facet}=")), "Any")
                page.row(f"facet:{facet}", title, ("shop", "facet", facet, how, subject, *settings), now)
        case ("facet", facet, _, subject, *settings):
            _trail(page, subject)
            title, values = _FACETS[facet]
            page.header(title)
            for value, label in values.items():
                setting = f"{facet}={value}"
                page.option(f"{facet}:{value}", label, setting in settings, ("set", setting))
        case _:
            _customer(page, where, account)


def _customer(page: PageBuilder, where: Where, account: ShopAccount) -> None:
    match where:
        case ("product", name):
            _product(page, PRODUCTS[name], account)
        case ("cart",):
            _trail(page, "Basket")
            _basket(page, account)
        case ("wishes",):
            _trail(page, "Shortlist")
            for name in account.wishes:
                page.row(f"product:{name}", name, ("shop", "product", name), PRODUCTS[name].price)
                page.button(f"unwish:{name}", f"Take {name} off", ("wish", name), "flat_wide")
        case ("checkout", *_):
            checkout(page, account, to_order(account, where), ("Final step", "Submit order"))
        case ("orders",):
            listing(page, "Earlier orders", account.orders)
        case _:
            page.header("Foxglove Supply")
            page.row("departments", "All departments", ("shop", "departments"), "Kitchen, garden and all between")
            page.field("query", "Name of the article")
            page.row("search", "Start the search", ("search",))
            page.row("cart", "Basket", ("shop", "cart"), f"{account.count} articles")
            page.row("wishes", "Shortlist", ("shop", "wishes"), f"{len(account.wishes)} articles")
            page.row("orders", "Earlier orders", ("shop", "orders"))
            page.paragraph("Honest goods since 1904.")


def _trail(page: PageBuilder, *names: str) -> None:
    """Where one is, and the way to the front page."""
    trail = ((f"trail:{name}", f"> {name}", True, ()) for name in names)
    page.chips(("trail:front", "Foxglove", False, ("shop",)), *trail)


def _list(page: PageBuilder, where: Where) -> None:
    settings = settings_of(where)
    found = goods(where)
    number = int(next((one.partition("=")[2] for one in settings if one.startswith("page=")), "1"))
    last = max(1, -(-len(found) // PAGE))
    page.row("refine", "Refine this list", ("shop", "refine", *where), f"{len(found)} articles")
    for at, one in enumerate(found[PAGE * (number - 1) : PAGE * number], PAGE * (number - 1) + 1):
        detail = f"{one.price}, marks {one.stars}"
        page.row(f"product:{one.name}", f"{at}. {one.name}", ("shop", "product", one.name), detail)
    page.paragraph(f"Page {number} of {last}")
    if number < last:
        page.button("next", "Next page", ("set", f"page={number + 1}"), "flat_wide")
    if number > 1:
        page.button("previous", "Previous page", ("set", f"page={number - 1}"), "flat_wide")


def _product(page: PageBuilder, product: Product, account: ShopAccount) -> None:
    name, count = product.name, quantity(page.screen)
    _trail(page, product.category)
    page.paragraph(f"{name} by {product.brand}, {product.price}, marks {product.stars}")
    for (title, choices), taken in zip(product.options, chosen(page.screen, product, must_choose=False), strict=True):
        page.header(title)
        for choice in choices:
            page.option(f"option:{title}:{choice}", choice, choice == taken, ("choose", title, choice))
    page.stepper("quantity", "Pieces", str(count), ("pieces", str(count - 1)), ("pieces", str(count + 1)))
    page.button("add_cart", "Put in the basket", ("add", name))
    page.row("buy", "Order at once", ("buy", name))
    page.row("wish", "Take off the shortlist" if name in account.wishes else "Put on the shortlist", ("wish", name))
    page.row("cart", "Look into the basket", ("shop", "cart"))


def _basket(page: PageBuilder, account: ShopAccount) -> None:
    for at, line in enumerate(account.cart):
        name = line.product
        page.row(f"line:{name}", name, ("shop", "product", name), described(line))
        less, more = (("quantity", str(at), str(line.quantity + step)) for step in (-1, 1))
        page.stepper(f"quantity:{name}", "Pieces", str(line.quantity), less, more)
        page.button(f"remove:{name}", f"Take out {name}", ("remove", str(at)), "flat_wide")
    if not account.cart:
        page.paragraph("The basket holds nothing.")
        return
    page.row("checkout", "Onward to the order", ("shop", "checkout"), written(sum(line.cents for line in account.cart)))
    page.row("empty", "Take everything out", ("dialog", "empty"))
    if page.screen.dialog:
        page.ask("Take everything out?", "The basket will hold nothing.",
                 ("cancel", "Keep it", ("close",)), ("confirm", "Take out", ("empty",)))  # fmt: skip


_COOKIES = Wall("Your choice on tracking", "Foxglove Supply and partners store small files here.", "Agree", "Refuse")
_SIGN_IN = Wall("Customers only", "The basket belongs to your account. Go on with it?", "Go on", "Go back")
SHOP = Shop(
    "Foxglove Supply", "foxglovesupply.com", _lay_out, _COOKIES, _SIGN_IN, ("cart", "checkout", "orders", "wishes")
)
