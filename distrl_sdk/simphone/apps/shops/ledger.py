"""What a shop knows of its customer: one record for each shop."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.shops.catalogue import PRODUCTS
from distrl_sdk.simphone.names import PRODUCTS as PLAIN
from distrl_sdk.simphone.names import draw_person
from distrl_sdk.simphone.state import record
from distrl_sdk.types import Json

MOST = 9
"""Of one product in a cart."""
_STREETS = ("Mill Lane", "Station Road", "Park Street", "Bridge Street", "Church Lane", "Harbour Road")


@record
@dataclass(frozen=True, slots=True)
class CartLine:
    """So many of a product with these options."""

    product: str
    options: tuple[str, ...] = ()
    quantity: int = 1

    @property
    def cents(self) -> int:
        """What they cost together."""
        return self.quantity * PRODUCTS[self.product].cents


@record
@dataclass(frozen=True, slots=True)
class ShopAccount:
    """One customer at one shop."""

    site: str
    address: str
    """Where orders go: a name, a street."""
    cart: tuple[CartLine, ...] = ()
    wishes: tuple[str, ...] = ()
    orders: tuple[CartLine, ...] = ()
    """What was ordered, the latest last."""
    cookies: bool = False
    """Whether the question about cookies was answered."""
    signed_in: bool = False

    def with_line(self, line: CartLine) -> ShopAccount:
        """More in the cart; the same product with the same options adds up."""
        for at, old in enumerate(self.cart):
            if (old.product, old.options) == (line.product, line.options):
                return self.with_quantity(at, old.quantity + line.quantity)
        return replace(self, cart=(*self.cart, line))

    def with_quantity(self, at: int, quantity: int) -> ShopAccount:
        """Another number of what stands at a place of the cart; from 1 to MOST."""
        line = replace(self.cart[at], quantity=max(1, min(MOST, quantity)))
        return replace(self, cart=(*self.cart[:at], line, *self.cart[at + 1 :]))

    def without_line(self, at: int) -> ShopAccount:
        """Without what stands at a place of the cart."""
        return replace(self, cart=(*self.cart[:at], *self.cart[at + 1 :]))

    def without_product(self, name: str) -> ShopAccount:
        """With a product neither in the cart nor among the wishes."""
        cart = tuple(line for line in self.cart if line.product != name)
        return replace(self, cart=cart, wishes=tuple(wish for wish in self.wishes if wish != name))

    def wishing(self, name: str) -> ShopAccount:
        """With a product on the wish list; without it if it was there."""
        others = tuple(wish for wish in self.wishes if wish != name)
        return replace(self, wishes=others if name in self.wishes else (*others, name))

    @property
    def count(self) -> int:
        """How many things are in the cart."""
        return sum(line.quantity for line in self.cart)


def opened(chance: random.Random, site: str) -> ShopAccount:
    """An account as somebody uses it. Its cart and wishes may hold something already."""
    address = f"{draw_person(chance)}, {chance.randint(1, 90)} {chance.choice(_STREETS)}"
    cart = tuple(CartLine(name) for name in chance.sample(PLAIN, k=chance.choice((0, 0, 1, 2))))
    return ShopAccount(site, address, cart, tuple(chance.sample(PLAIN, k=chance.choice((0, 1, 2)))))


def written(cents: int) -> str:
    """A sum of money."""
    return f"$ {cents // 100}.{cents % 100:02d}"


def lines_told(shop: str, lines: tuple[CartLine, ...]) -> list[Json]:
    """Lines in plain words."""
    return [
        {"shop": shop, "product": line.product, "options": list(line.options), "quantity": line.quantity}
        for line in lines
    ]
