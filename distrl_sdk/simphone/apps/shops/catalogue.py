"""What the shops sell: some two thousand products, whose price, rating and options follow from their names."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from distrl_sdk.simphone.names import PRODUCTS as PLAIN

KINDS: Mapping[str, tuple[str, ...]] = {
    "Kitchen": ("Kettle", "Mug", "Teapot", "Toaster", "Pan"),
    "Home": ("Lamp", "Pillow", "Clock", "Blanket", "Vase"),
    "Clothing": ("Scarf", "Jacket", "Sweater", "Gloves", "Shirt"),
    "Travel": ("Backpack", "Umbrella", "Wallet", "Suitcase", "Bottle"),
    "Sports": ("Helmet", "Racket", "Ball", "Mat", "Tent"),
    "Office": ("Notebook", "Chair", "Desk", "Stapler", "Basket"),
    "Tech": ("Headphones", "Speaker", "Charger", "Tripod", "Mouse"),
    "Garden": ("Shovel", "Hose", "Planter", "Bench", "Lantern"),
}
"""Category -> the kinds of things in it."""
BRANDS = (
    "Alder",
    "Brisk",
    "Corvo",
    "Dunmore",
    "Elvik",
    "Fable",
    "Grana",
    "Halden",
    "Juno",
    "Kestrel",
    "Lumo",
    "Norvik",
)
LINES = ("Mini", "Plus", "Classic", "Pro")
NO_BRAND = "Plain"
COLOURS = ("Navy", "Olive", "Cream", "Coral", "Slate", "Ruby")
SIZES = ("S", "M", "L", "XL")
BANDS: Mapping[str, tuple[int, int]] = {"low": (0, 3000), "middle": (3000, 6000), "high": (6000, 10**6)}
"""Names of price bands -> from and up to how many cents."""
SORTS = ("cheapest", "dearest", "rated")
_STARS = 4


@dataclass(frozen=True, slots=True)
class Product:
    """One thing to buy."""

    name: str
    kind: str
    category: str
    brand: str
    cents: int
    tenths: int
    """Tenths of a star, 25 to 50."""
    options: tuple[tuple[str, tuple[str, ...]], ...]
    """(what there is to choose, between what): of each one is chosen."""

    @property
    def price(self) -> str:
        """As it is written."""
        return f"$ {self.cents // 100}.{self.cents % 100:02d}"

    @property
    def stars(self) -> str:
        """As it is written."""
        return f"{self.tenths / 10:.1f}"


def _options(name: str, category: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if name in PLAIN:
        return ()
    start = zlib.crc32(name.encode()) % 4
    colour = ("Colour", COLOURS[start : start + 3])
    return (("Size", SIZES), colour) if category == "Clothing" else (colour,)


def _product(name: str, kind: str, category: str, brand: str) -> Product:
    code = zlib.crc32(name.encode())
    return Product(name, kind, category, brand, 499 + code % 9500, 25 + code // 9500 % 26, _options(name, category))


def _made() -> dict[str, Product]:
    category_of = {kind: category for category, kinds in KINDS.items() for kind in kinds}
    plain = ((name, name.split()[1], NO_BRAND) for name in PLAIN)
    branded = ((f"{brand} {line} {kind}", kind, brand) for kind in category_of for line in LINES for brand in BRANDS)
    return {name: _product(name, kind, category_of[kind], brand) for name, kind, brand in (*plain, *branded)}


PRODUCTS: Mapping[str, Product] = _made()


def _index() -> dict[str, frozenset[str]]:
    index: dict[str, set[str]] = {}
    for name in PRODUCTS:
        for word in name.lower().split():
            index.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in index.items()}


_WORDS = _index()
_PLACE = {name: at for at, name in enumerate(PRODUCTS)}


@lru_cache(maxsize=512)
def matches(query: str) -> tuple[Product, ...]:
    """The products that hold every word of a query."""
    sets = [_WORDS.get(word, frozenset()) for word in query.lower().split()]
    names = frozenset.intersection(*sets) if sets else frozenset()
    return tuple(PRODUCTS[name] for name in sorted(names, key=_PLACE.__getitem__))


@lru_cache(maxsize=512)
def near(query: str) -> tuple[Product, ...]:
    """The products that hold some word of a query, but not every one; those with most words first, at most 12."""
    words = set(query.lower().split())
    some = set().union(*(_WORDS.get(word, frozenset()) for word in words)) - {one.name for one in matches(query)}
    first = sorted(some, key=lambda name: (-len(words & set(name.lower().split())), _PLACE[name]))
    return tuple(PRODUCTS[name] for name in first[:12])


@lru_cache(maxsize=64)
def of_category(category: str) -> tuple[Product, ...]:
    """The products of a category, the best known first."""
    found = (one for one in PRODUCTS.values() if one.category == category)
    return tuple(sorted(found, key=lambda one: zlib.crc32(f"known {one.name}".encode())))


@lru_cache(maxsize=1024)
def listed(how: str, subject: str, settings: tuple[str, ...]) -> tuple[Product, ...]:
    """What a list of 'results' for a query, or of a 'category', shows under settings like 'sort=cheapest'.

    Without settings, products that match a query in part come after those that match it wholly.
    """
    if how == "category":
        return refined(of_category(subject), settings)
    return refined(matches(subject), settings) if settings else matches(subject) + near(subject)


def refined(products: tuple[Product, ...], settings: tuple[str, ...]) -> tuple[Product, ...]:
    """Those that pass the filters, in the order that is set."""
    chosen = dict(setting.split("=", 1) for setting in settings)
    low, high = BANDS.get(chosen.get("price", ""), (0, 10**6))
    kept = [
        one for one in products
        if low <= one.cents < high
        and chosen.get("brand", one.brand) == one.brand
        and ("stars" not in chosen or one.tenths >= 10 * _STARS)
    ]  # fmt: skip
    match chosen.get("sort"):
        case "cheapest":
            kept.sort(key=lambda one: one.cents)
        case "dearest":
            kept.sort(key=lambda one: -one.cents)
        case "rated":
            kept.sort(key=lambda one: -one.tenths)
    return tuple(kept)


def with_setting(settings: tuple[str, ...], setting: str) -> tuple[str, ...]:
    """The settings with one more in the place of its like; without it if it was there. Page 1 again."""
    name = setting.partition("=")[0]
    kept = [one for one in settings if one.partition("=")[0] not in (name, "page")]
    return tuple(sorted(kept if setting in settings else (*kept, setting)))
