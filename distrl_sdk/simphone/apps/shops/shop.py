"""What a shop is, and the pages and page parts that shops share; how their own pages look is each shop's affair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.shops.catalogue import Product, listed
from distrl_sdk.simphone.apps.shops.ledger import CartLine, ShopAccount, written
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, Screen, Style

Where = tuple[str, ...]
"""A page of a shop and its arguments; () = the front page."""


@dataclass(frozen=True, slots=True)
class Wall:
    """What stands before a page until it is answered."""

    title: str
    text: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class Shop:
    """One shop on the web."""

    title: str
    site: str
    lay_out: Callable[[PageBuilder, Where, ShopAccount], None]
    cookies: Wall | None = None
    """The question at the first visit."""
    sign_in: Wall | None = None
    """The question before the first of the `private` pages."""
    private: tuple[str, ...] = ()
    must_choose: bool = False
    """Whether nothing is bought before its options are chosen; otherwise the first of each is chosen already."""
    translated: bool = False
    """Whether it speaks the phone's language; it speaks English otherwise."""

    def style(self, style: Style) -> Style:
        """In which style the shop speaks on such a phone."""
        return style if self.translated else replace(style, locale="en")


def show(page: PageBuilder, shop: Shop, account: ShopAccount) -> None:
    """A page of a shop, or the wall before it."""
    where = page.screen.args[1:]
    page.style = shop.style(page.style)
    if shop.sign_in is not None and where[:1] and where[0] in shop.private and not account.signed_in:
        page.header(shop.sign_in.title)
        page.paragraph(shop.sign_in.text)
        page.card("owner", account.address.partition(",")[0], page.say("Saved on this phone"), ("sign_in",), shop.site)
        page.button("sign_in", shop.sign_in.yes, ("sign_in",))
        page.button("away", shop.sign_in.no, ("back",), "flat_wide")
    else:
        shop.lay_out(page, where, account)
    if shop.cookies is not None and not account.cookies:
        wall = shop.cookies
        buttons = (("cookies:no", wall.no, ("cookies",)), ("cookies", wall.yes, ("cookies",)))
        page.ask(wall.title, wall.text, *buttons)


# --- parts of pages -----------------------------------------------------------------------------------------------


def chosen(screen: Screen, product: Product, must_choose: bool) -> tuple[str, ...]:
    """What is chosen of each option on a product's page; '' = nothing yet."""
    return tuple(
        screen.draft(f"option:{title}") or ("" if must_choose else choices[0]) for title, choices in product.options
    )


def quantity(screen: Screen) -> int:
    """How many are wanted on a product's page."""
    return int(screen.draft("quantity") or 1)


def option_chips(page: PageBuilder, product: Product, must_choose: bool) -> None:
    """Each option as a row of chips."""
    now = chosen(page.screen, product, must_choose)
    for (title, choices), taken in zip(product.options, now, strict=True):
        page.header(title)
        page.chips(*(
            (f"option:{title}:{choice}", choice, choice == taken, ("choose", title, choice)) for choice in choices
        ))  # fmt: skip


def settings_of(where: Where) -> Where:
    """The settings of a list of products: what follows ('results' | 'category', subject)."""
    return where[2:]


def goods(where: Where) -> tuple[Product, ...]:
    """The products of such a list, on whatever page of it."""
    return listed(where[0], where[1], tuple(one for one in settings_of(where) if not one.startswith("page=")))


def chip(name: str, text: str, setting: str, settings: Where) -> tuple[str, str, bool, Event]:
    """A chip for one setting."""
    return name, text, setting in settings, ("set", setting)


def to_order(account: ShopAccount, where: tuple[str, ...]) -> tuple[CartLine, ...]:
    """What a checkout page is about: ('checkout',) the cart, ('checkout', product, pieces, *options) one product."""
    if len(where) == 1:
        return account.cart
    _, product, pieces, *options = where
    return (CartLine(product, tuple(options), int(pieces)),)


def checkout(page: PageBuilder, account: ShopAccount, lines: tuple[CartLine, ...], words: tuple[str, str]) -> None:
    """The last page before an order; `words`: its title and the button's label."""
    page.header(words[0])
    if not lines:
        page.paragraph("There is nothing to order.")
        return
    for line in lines:
        page.row(f"ordered:{line.product}", line.product, (), described(line), icon=line.product)
    page.row("address", "Deliver to", (), account.address)
    page.row("payment", "Pay with", (), "Card ending in 4102")
    page.row("total", "Total", (), written(sum(line.cents for line in lines)))
    page.button("order", words[1], ("order",))


def listing(page: PageBuilder, title: str, lines: tuple[CartLine, ...]) -> None:
    """What was ordered so far, the latest first."""
    page.header(title)
    if not lines:
        page.paragraph("You have not ordered anything yet.")
    for line in reversed(lines[-8:]):
        page.row(f"ordered:{line.product}", line.product, ("shop", "product", line.product), described(line),
                 icon=line.product)  # fmt: skip


def described(line: CartLine) -> str:
    """How many, which, for how much."""
    return ", ".join((f"{line.quantity} x", *line.options, written(line.cents)))
