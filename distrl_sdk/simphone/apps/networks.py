"""The Wi-Fi networks around: a list, a password for those that ask, and what can be done with a known one."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from distrl_sdk.simphone.names import draw_network, draw_password
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, record
from distrl_sdk.simphone.wording import say


@record
@dataclass(frozen=True, slots=True)
class Network:
    """One network in reach."""

    name: str
    password: str = ""
    """'' = open to everybody."""
    known: bool = False
    """Whether the phone has been in it, and keeps the password."""


@record
@dataclass(frozen=True, slots=True)
class Networks:
    """All in reach, and the name of the one that the phone is in; '' = none."""

    found: tuple[Network, ...] = ()
    joined: str = ""

    def get(self, name: str) -> Network | None:
        """The network of a name."""
        return next((one for one in self.found if one.name == name), None)

    def with_network(self, network: Network) -> Networks:
        """One network more, or the one of its name replaced where it stands."""
        if self.get(network.name) is None:
            return replace(self, found=(*self.found, network))
        return replace(self, found=tuple(network if one.name == network.name else one for one in self.found))

    def join(self, network: Network) -> Networks:
        """In this network, which is known from now on."""
        return replace(self.with_network(replace(network, known=True)), joined=network.name)

    def forget(self, name: str) -> Networks:
        """Without what the phone knew of a network."""
        found = tuple(replace(one, known=False) if one.name == name else one for one in self.found)
        return Networks(found, "" if self.joined == name else self.joined)


def around(chance: random.Random) -> Networks:
    """What a fresh phone sees."""
    names = sorted({draw_network(chance) for _ in range(chance.randint(4, 7))})
    chance.shuffle(names)
    networks = Networks(tuple(Network(name, draw_password(chance) if chance.random() < 0.7 else "") for name in names))
    for network in networks.found[:2]:
        networks = networks.join(network)
    return networks


def layout(page: PageBuilder, networks: Networks, on: bool) -> None:
    """The pages 'networks', 'network' and 'join'."""
    if page.screen.page == "networks":
        page.bar("Wi-Fi networks")
        page.switch("set:wifi", "Wi-Fi", on, ("toggle", "wifi"))
        for network in networks.found if on else ():
            page.row(f"network:{network.name}", network.name, _tap(network), _state(networks, network))
        return
    name = page.screen.args[0]
    if page.screen.page == "join":
        page.bar(name, ("connect", "Connect", ("connect", name)))
        page.field("password", "Password")
        return
    page.bar(name)
    if networks.joined == name:
        page.paragraph("Connected")
    else:
        page.button("connect", "Connect", ("connect", name))
    page.button("forget", "Forget network", ("dialog", "forget", name), "flat_wide")
    if page.screen.dialog:
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Forget", ("forget", name)))
        page.ask("Forget network?", page.say("The phone will not join {} by itself any more.", name), *buttons)


def _tap(network: Network) -> Event:
    if network.known:
        return "page", "network", network.name
    return ("page", "join", network.name) if network.password else ("connect", network.name)


def _state(networks: Networks, network: Network) -> str:
    if networks.joined == network.name:
        return "Connected"
    if network.known:
        return "Saved"
    return "Password needed" if network.password else "Open to everybody"


def connect(state: PhoneState, name: str) -> PhoneState:
    """What comes of the wish to be in a network: of the page that asks for it the password is taken."""
    settings = state.apps["Settings"]
    network = settings.networks.get(name)
    if network is None:
        return state
    if network.password and not network.known and state.top.draft("password").strip() != network.password:
        return replace(state, toast=say(state.style, "Wrong password"))
    joined = state.with_app("Settings", replace(settings, networks=settings.networks.join(network)))
    asked = state.top.page != "networks"
    return replace(joined.pop() if asked else joined, toast=say(state.style, "Connected to {}", name))


def forget(state: PhoneState, name: str) -> PhoneState:
    """Back on the list, with one known network less."""
    settings = state.apps["Settings"]
    return state.with_app("Settings", replace(settings, networks=settings.networks.forget(name))).pop()
