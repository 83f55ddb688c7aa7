"""What happens in a shop when something is touched, the same in all of them."""

from __future__ import annotations

from dataclasses import replace

from distrl_sdk.simphone import popups
from distrl_sdk.simphone.apps.shops.catalogue import PRODUCTS, with_setting
from distrl_sdk.simphone.apps.shops.ledger import CartLine, ShopAccount
from distrl_sdk.simphone.apps.shops.shop import Shop, chosen, quantity, to_order
from distrl_sdk.simphone.state import Event, PhoneState, Screen
from distrl_sdk.simphone.wording import say


def react(state: PhoneState, shop: Shop, event: Event) -> PhoneState:
    """The state after a touch on a page of a shop."""
    account: ShopAccount = state.apps["Browser"].account(shop.site)
    match event:
        case ("search",) | ("enter", "query"):
            query = state.top.draft("query").strip()
            return _go(state, shop, "results", query) if query else _told(state, shop, "What are you looking for?")
        case ("shop", *where):
            return _go(state, shop, *where)
        case ("set", setting):
            return _set(state, setting)
        case ("apply",):
            site, _, *rest = state.top.args
            return _replaced(state.pop(), Screen("Browser", "shop", (site, *rest)))
        case ("choose", title, choice):
            return state.with_top(state.top.with_draft(f"option:{title}", choice))
        case ("pieces", count):
            return state.with_top(state.top.with_draft("quantity", str(max(1, min(9, int(count))))))
        case ("cookies",):
            return _kept(state, replace(account, cookies=True))
        case ("sign_in",):
            return _told(_kept(state, replace(account, signed_in=True)), shop, "Signed in")
        case ("wish", product):
            said = "Removed from the wish list" if product in account.wishes else "Added to the wish list"
            return _told(_kept(state, account.wishing(product)), shop, said)
        case _:
            return _deal(state, shop, account, event)


def _deal(state: PhoneState, shop: Shop, account: ShopAccount, event: Event) -> PhoneState:
    match event:
        case ("add" | "buy", product):
            line = CartLine(product, chosen(state.top, PRODUCTS[product], shop.must_choose), quantity(state.top))
            if "" in line.options:
                title = PRODUCTS[product].options[line.options.index("")][0]
                return _told(state, shop, "Choose first: {}", title)
            if event[0] == "buy":
                return _go(state, shop, "checkout", product, str(line.quantity), *line.options)
            return _told(_kept(state, account.with_line(line)), shop, "Added to cart")
        case ("quantity", at, count):
            return _kept(state, account.with_quantity(int(at), int(count)))
        case ("remove", at):
            return _told(_kept(state, account.without_line(int(at))), shop, "Removed from the cart")
        case ("empty",):
            emptied = _kept(state, replace(account, cart=()))
            return _told(emptied.with_top(replace(state.top, dialog=())), shop, "The cart is empty")
        case ("order",):
            return _order(state, shop, account)
        case _:
            return state


def _order(state: PhoneState, shop: Shop, account: ShopAccount) -> PhoneState:
    where = state.top.args[1:]
    cart = () if len(where) == 1 else account.cart
    bought = replace(account, cart=cart, orders=(*account.orders, *to_order(account, where)))
    done = Screen("Browser", "shop", (shop.site, "orders"), ready=popups.spinner(state))
    return _told(_kept(state, bought).with_top(done), shop, "Thank you for your order")


def _set(state: PhoneState, setting: str) -> PhoneState:
    """A list with a setting changed; a page of settings leads back to its list, a page of filters waits for 'apply'."""
    top, first = state.top, {"filter": 4, "facet": 5}.get(state.top.args[1], 3)
    settings = with_setting(top.args[first:], setting)
    if top.args[1] != "facet":
        return _replaced(state, replace(top, args=(*top.args[:first], *settings), scroll=0, dialog=()))
    listed = Screen("Browser", "shop", (top.args[0], *top.args[3:5], *settings))
    return _replaced(state.pop(2), listed)


def _replaced(state: PhoneState, screen: Screen) -> PhoneState:
    return state.with_top(replace(screen, ready=popups.spinner(state)))


def _go(state: PhoneState, shop: Shop, *where: str) -> PhoneState:
    return state.push(Screen("Browser", "shop", (shop.site, *where), ready=popups.spinner(state)))


def _kept(state: PhoneState, account: ShopAccount) -> PhoneState:
    return state.with_app("Browser", state.apps["Browser"].with_account(account))


def _told(state: PhoneState, shop: Shop, text: str, *words: str) -> PhoneState:
    style = shop.style(state.style)
    return replace(state, toast=say(style, text, *(say(style, word) for word in words)))
