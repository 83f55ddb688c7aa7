"""Families of `webshop` that change something: the cart, the wish list, orders."""

from __future__ import annotations

import random

from distrl_sdk.simphone.apps.shops import larkspur, tidewater
from distrl_sdk.simphone.apps.shops.catalogue import PRODUCTS, Product
from distrl_sdk.simphone.families.family import (
    Check,
    Count,
    Dismiss,
    Family,
    Hit,
    Move,
    Params,
    Route,
    equals,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.families.shopping import (
    FILTERING,
    TITLES,
    alone_in_cart,
    at,
    carted,
    from_front,
    options,
    pieces,
    shop_of,
    to_cart,
    to_product,
    wished,
    without_product,
)
from distrl_sdk.simphone.names import PRODUCTS as PLAIN
from distrl_sdk.types import Json

_CLOTHES = tuple(one for one in PRODUCTS.values() if len(one.options) == 2)
_COLOURED = tuple(one for one in PRODUCTS.values() if len(one.options) == 1)


def _draw_plain(chance: random.Random) -> dict[str, Json]:
    return {"product": chance.choice(PLAIN), "shop": chance.choice(TITLES)}


def _draw_number(chance: random.Random) -> dict[str, Json]:
    return {**_draw_plain(chance), "number": chance.choice((2, 3))}


def _draw_kept_number(chance: random.Random) -> dict[str, Json]:
    return {"product": chance.choice(PLAIN), "shop": chance.choice(FILTERING), "number": chance.choice((2, 3, 4))}


def _draw_colour(chance: random.Random) -> dict[str, Json]:
    product = chance.choice(_COLOURED)
    return {"product": product.name, "colour": _not_first(product, 0, chance), "shop": chance.choice(TITLES)}


def _draw_size(chance: random.Random) -> dict[str, Json]:
    product = chance.choice(_CLOTHES)
    size, colour = (_not_first(product, place, chance) for place in (0, 1))
    return {"product": product.name, "size": size, "colour": colour, "shop": chance.choice(TITLES)}


def _not_first(product: Product, place: int, chance: random.Random) -> str:
    """A choice that no shop makes by itself."""
    return chance.choice(product.options[place][1][1:])


# --- goals --------------------------------------------------------------------------------------------------------


def _line(params: Params) -> dict[str, Json]:
    chosen = [params[name] for name in ("size", "colour") if name in params]
    return {
        "shop": params["shop"], "product": params["product"], "options": chosen, "quantity": params.get("number", 1)
    }  # fmt: skip


def _verify_add(params: Params) -> tuple[Check, ...]:
    return has("shop.cart", _line(params)), equals("shop.cart.grown", 1), only("shop.cart")


def _verify_number(params: Params) -> tuple[Check, ...]:
    return has("shop.cart", _line(params)), equals("shop.cart.grown", 0), only("shop.cart")


def _verify_remove(params: Params) -> tuple[Check, ...]:
    return lacks("shop.cart", _what(params)), equals("shop.cart.grown", -1), only("shop.cart")


def _verify_wish(params: Params) -> tuple[Check, ...]:
    return has("shop.wishes", _what(params)), equals("shop.wishes.grown", 1), only("shop.wishes")


def _verify_unwish(params: Params) -> tuple[Check, ...]:
    return lacks("shop.wishes", _what(params)), equals("shop.wishes.grown", -1), only("shop.wishes")


def _verify_buy(params: Params) -> tuple[Check, ...]:
    return has("shop.orders", _line(params)), equals("shop.orders.grown", 1), only("shop.orders")


def _verify_order(params: Params) -> tuple[Check, ...]:
    return (
        has("shop.orders", _line(params)), equals("shop.orders.grown", 1), equals("shop.cart.grown", -1),
        lacks("shop.cart", {"shop": params["shop"]}), only("shop.orders", "shop.cart"),
    )  # fmt: skip


def _verify_empty(params: Params) -> tuple[Check, ...]:
    gone = {"shop": params["shop"]}
    return lacks("shop.cart", gone), equals("shop.cart.grown", -3), lacks("shop.cart", _what(params)), only("shop.cart")


def _what(params: Params) -> dict[str, Json]:
    return {"shop": params["shop"], "product": params["product"]}


# --- routes -------------------------------------------------------------------------------------------------------


def _route_add(params: Params) -> Route:
    return to_product(params, *options(params), *pieces(params, 1), Hit("add_cart"))


def _route_several(params: Params) -> Route:
    """Asked on the product's page, or one put into the cart and made more there."""
    name, number = params["product"], params["number"]
    if pieces(params, number):
        return to_product(params, *pieces(params, number), Hit("add_cart"))
    if shop_of(params) is tidewater.SHOP:
        counted: tuple[Move, ...] = (Count(f"quantity:{name}", number),)
        return {**to_product(params, Hit("add_cart")), at(params, "cart"): counted}
    return {
        **to_product(params, Hit("add_cart")),
        at(params, "cart"): (Hit(f"line:{name}"),),
        at(params, "line", name): (Count("quantity", number),),
    }


def _route_number(params: Params) -> Route:
    name, number = params["product"], params["number"]
    if shop_of(params) is larkspur.SHOP:
        return to_cart(params, (Hit(f"line:{name}"),), {at(params, "line", name): (Count("quantity", number),)})
    return to_cart(params, (Count(f"quantity:{name}", number),), {})


def _route_remove(params: Params) -> Route:
    name = params["product"]
    if shop_of(params) is larkspur.SHOP:
        return to_cart(params, (Hit(f"line:{name}"),), {at(params, "line", name): (Hit(f"remove:{name}"),)})
    return to_cart(params, (Hit(f"remove:{name}"),), {})


def _route_wish(params: Params) -> Route:
    return to_product(params, Hit("wish"))


def _route_unwish(params: Params) -> Route:
    name = params["product"]
    page = (Dismiss("sign_in"), Hit(f"unwish:{name}"))
    places: Route = {at(params, "wishes"): page}
    if shop_of(params) is larkspur.SHOP:
        places = {at(params, "wishes"): (Hit(f"product:{name}"),), at(params, "product", name): (Hit("wish"),)}
    return from_front(params, (Hit("wishes"),), places)


def _route_buy(params: Params) -> Route:
    name = params["product"]
    order = (Dismiss("sign_in"), Hit("order"))
    return {
        **to_product(params, *pieces(params, 1), Hit("buy")),
        at(params, "checkout", name, "1"): order,
    }


def _route_order(params: Params) -> Route:
    return to_cart(params, (Hit("checkout"),), {at(params, "checkout"): (Dismiss("sign_in"), Hit("order"))})


def _route_empty(params: Params) -> Route:
    return to_cart(params, (Hit("empty"),), {(*at(params, "cart"), "!"): (Hit("confirm"),)})


# --- families -----------------------------------------------------------------------------------------------------

ADD_TO_CART = Family(
    "add_to_cart", ("Browser",),
    ("Add the {product} to the cart at {shop}", "Put one {product} into my {shop} cart",
     "I need the {product} in the cart of {shop}", "At {shop} find {product} and add it to the cart"),
    _draw_plain, without_product, _verify_add, _route_add,
    ("Let {shop} hold the {product} in my cart for later", "My {shop} cart lacks the {product} , see to that"),
)  # fmt: skip
ADD_IN_COLOUR = Family(
    "add_in_colour", ("Browser",),
    ("Add the {product} in {colour} to the cart at {shop}", "Put the {product} , colour {colour} , into my {shop} cart",
     "I need one {product} from {shop} in the cart, in {colour}",
     "At {shop} choose {colour} for the {product} and add it to the cart"),
    _draw_colour, without_product, _verify_add, _route_add,
    ("Only {colour} will do: the {product} from {shop} , into the cart",
     "From {shop} cart me a {product} that is {colour}"),
)  # fmt: skip
ADD_IN_SIZE = Family(
    "add_in_size", ("Browser",),
    ("Add the {product} in {colour} , size {size} , to the cart at {shop}",
     "Put the {product} , size {size} , colour {colour} , into my {shop} cart",
     "I wear {size} : add the {product} in {colour} to the {shop} cart",
     "At {shop} add the {product} to the cart in size {size} and {colour}"),
    _draw_size, without_product, _verify_add, _route_add,
    ("A {colour} {product} from {shop} should be in my cart, {size} fits",
     "For me {size} and {colour} : get the {product} into the cart at {shop}"),
)  # fmt: skip
ADD_SEVERAL = Family(
    "add_several", ("Browser",),
    ("Add {number} of the {product} to the cart at {shop}", "Put {number} pieces of the {product} into my {shop} cart",
     "I need {number} times the {product} in the cart of {shop}", "At {shop} get {number} of {product} into the cart"),
    _draw_number, without_product, _verify_add, _route_several,
    ("We are {number} people, so {number} of the {product} go into the {shop} cart",
     "Have {shop} keep the {product} in my cart, {number} of them"),
)  # fmt: skip
SET_QUANTITY = Family(
    "set_quantity", ("Browser",),
    ("Change the {product} in my {shop} cart to {number} pieces",
     "Make it {number} of the {product} in the cart at {shop}",
     "I want {number} of the {product} that is in my {shop} cart",
     "Set the quantity of {product} in the {shop} cart to {number}"),
    _draw_kept_number, carted, _verify_number, _route_number,
    ("One {product} in the {shop} cart is not enough, I need {number}",
     "In the cart of {shop} raise the {product} until there are {number}"),
)  # fmt: skip
REMOVE_FROM_CART = Family(
    "remove_from_cart", ("Browser",),
    ("Remove the {product} from the cart at {shop}", "Take the {product} out of my {shop} cart",
     "I do not want the {product} in my {shop} cart any more", "Delete {product} from the cart of {shop}"),
    _draw_plain, carted, _verify_remove, _route_remove,
    ("Everything in the {shop} cart may stay but the {product}",
     "I changed my mind about the {product} that {shop} has carted"),
)  # fmt: skip
WISH_ADD = Family(
    "wish_add", ("Browser",),
    ("Put the {product} on my wish list at {shop}", "Save the {product} to the wish list of {shop}",
     "Add {product} to my wishes on {shop}", "At {shop} remember the {product} on the wish list"),
    _draw_plain, without_product, _verify_wish, _route_wish,
    ("I might want the {product} from {shop} one day, keep it as a wish",
     "The {product} is a favourite of mine, tell {shop}"),
)  # fmt: skip
WISH_REMOVE = Family(
    "wish_remove", ("Browser",),
    ("Remove the {product} from my wish list at {shop}", "Take the {product} off the wish list of {shop}",
     "I no longer wish for the {product} on {shop}", "Delete {product} from my wishes at {shop}"),
    _draw_plain, wished, _verify_unwish, _route_unwish,
    ("The {product} can go from what I wish for at {shop}", "{shop} should forget that I wanted the {product}"),
)  # fmt: skip
BUY_NOW = Family(
    "buy_now", ("Browser",),
    ("Buy the {product} at {shop}", "Order one {product} from {shop} right now",
     "Purchase the {product} on {shop} without the cart", "Get me the {product} from {shop} , place the order"),
    _draw_plain, without_product, _verify_buy, _route_buy,
    ("Have {shop} send me the {product} , pay at once",
     "Spend my money: one {product} from {shop} , straight to the order"),
)  # fmt: skip
ORDER_CART = Family(
    "order_cart", ("Browser",),
    ("Order the {product} that is in my {shop} cart", "Check out my cart at {shop} , the {product} is in it",
     "Place the order for the cart with the {product} at {shop}",
     "Go through the checkout of {shop} for the {product} in my cart"),
    _draw_plain, alone_in_cart, _verify_order, _route_order,
    ("My {shop} cart with the {product} is complete, pay for it",
     "Finish at {shop} what I began: the {product} waits in the cart"),
)  # fmt: skip
EMPTY_CART = Family(
    "empty_cart", ("Browser",),
    ("Empty my {shop} cart with the {product} in it", "Clear the cart at {shop} , the {product} and all the rest",
     "Throw the {product} and everything else out of the {shop} cart",
     "Nothing may stay in my {shop} cart, not even the {product}"),
    _draw_plain, carted, _verify_empty, _route_empty,
    ("I buy nothing at {shop} after all: no {product} , no other thing in the cart",
     "Start over at {shop} : a cart without the {product} and without anything"),
)  # fmt: skip

BUYING = (
    ADD_TO_CART, ADD_IN_COLOUR, ADD_IN_SIZE, ADD_SEVERAL, SET_QUANTITY, REMOVE_FROM_CART, WISH_ADD, WISH_REMOVE,
    BUY_NOW, ORDER_CART, EMPTY_CART,
)  # fmt: skip
