"""The words that people, sites, products, apps and messages on a simulated phone are made of."""

from __future__ import annotations

import random


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(text.replace("\n", "|").split("|"))


_FIRST = _words(
    """Ada Alan Amir Anna Bela Boris Carla Chen Clara Dana David Elena Emil Erik Farah Felix Fiona Gita Hana Hugo Ida
Ines Ivan Jana Jonas Julia Kemal Kira Lars Lena Leo Lina Mara Marco Maya Milan Mina Nadia Nils Nora Olga Omar
Otto Paula Pedro Petra Rana Rosa Ruth Sami Sara Sofia Stefan Tara Theo Tina Uma Vera Viktor Yara Yusuf Zoe"""
)
_LAST = _words(
    """Adler Baker Bauer Berg Brandt Castro Conti Cruz Diaz Dahl Ekman Evans Fischer Fontana Garcia Graf Haas Hansen
Hill Horvat Ivanov Jensen Kaya Keller King Klein Kovac Lang Lopez Lund Marin Meyer Moreau Moser Nagy Novak Olsen
Park Patel Petrov Quinn Ramos Reed Rossi Santos Sato Silva Stone Tanaka Toth Vogel Wagner Walker Weber Winter
Wolf Wong Young Zeman Ziegler"""
)

_SITE_FIRST = _words("""harbor daily green river north silver cosmic plain rapid cedar""")
_SITE_SECOND = _words("""gazette kitchen trails transit cinema library orchard planets riddles athletics""")
SITES = (*_words(
    """harbornews.com dailyledger.com greenkitchen.com trailguide.com citytransit.com moviehall.com bookcellar.com
gardenpath.com skywatch.com puzzlebox.com runnerclub.com petcorner.com artjournal.com sciencehub.com oldmaps.com
teahouse.com chessroom.com jobfinder.com homefix.com travelnotes.com musicloft.com fitplan.com cardeck.com
winecellar.com"""
), *(f"{first}{second}.com" for first in _SITE_FIRST for second in _SITE_SECOND))  # fmt: skip
SECTIONS = _words("""Weather Sports Business Culture Travel Science Recipes Events Opinion Letters Contact Gallery""")

COLOURS = _words("""Red Blue Green Black White Yellow Purple Orange Silver Brown Pink Grey""")
THINGS = _words(
    """Kettle Lamp Backpack Umbrella Mug Pillow Bottle Notebook Headphones Scarf Clock Basket Blanket Chair Wallet
Teapot Helmet Racket Vase Toaster"""
)

_APP_FIRST = _words("""Trail Pocket Star Daily Swift River Bright Quiet Happy Paper Cloud Silver""")
_APP_SECOND = _words(
    """Notes Weather Chess Budget Runner Radio Recipes Piano Garden Puzzle Reader Planner Maps Photos"""
)

PHRASES = _phrases("""see you at the station|running ten minutes late|happy birthday to you|please call me back
dinner is at eight
thanks for the lovely gift|the meeting is moved to monday|can you feed the cat|i left the keys with anna
good luck with the exam|lunch tomorrow at noon|the parcel has arrived|let us meet in the park|do not forget the tickets
your book is still here|the train leaves at seven|i will bring the cake|what time is the game|we are home now
send me the address please|the doctor is free on friday|pick up some milk|great job on the talk|see you next week
my phone was off|the concert was wonderful|are you free on sunday|the car is fixed|stay warm out there
i found your umbrella""")

_ASKS = _phrases("""history of|books about|rules of thumb for|museums for|courses on|films about|best places for
problems with""")
_TOPICS = _phrases("""tomato soup|bread baking|night trains|chess openings|folk dances|wool socks|sea birds
paper boats|old bridges|alpine flowers|street music|model ships""")
QUERIES = (*_phrases("""best pasta sauce|cheap flights to lisbon|how to tie a tie|weather in oslo|history of the compass
easy bread recipe|local train times|learn to juggle|used bikes nearby|tallest tree in the world|museum opening hours
how bees make honey|quiet hiking trails|new science books|beginner yoga poses|lemon cake recipe|repair a flat tire
northern lights tonight|popular board games|plants for dark rooms|vintage camera shops|moon phase today
how to whistle|garden tools on sale|jazz concerts in june|meaning of dreams|fix a leaking tap|old city maps
healthy breakfast ideas|draw a horse"""), *(f"{ask} {topic}" for ask in _ASKS for topic in _TOPICS))  # fmt: skip

PRODUCTS = tuple(f"{colour} {thing}" for colour in COLOURS for thing in THINGS)
APPS = tuple(f"{first} {second}" for first in _APP_FIRST for second in _APP_SECOND)


def draw_person(chance: random.Random) -> str:
    """A first and a last name."""
    return f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"


_PLACES = _words("""Harbor Garden Corner Station Museum Bakery Library Studio Airport Lakeside Castle Market Tower""")
_OWNERS = _words("""Guest Home Cafe Office Hotel Lounge Public Staff""")
_SECRETS = _words("""maple copper velvet thunder walnut granite saffron juniper lantern meadow pepper violet""")


def draw_network(chance: random.Random) -> str:
    """The name of a wireless network, one word."""
    return f"{chance.choice(_PLACES)}{chance.choice(_OWNERS)}{chance.randint(1, 9)}"


def draw_password(chance: random.Random) -> str:
    """A word and four digits."""
    return f"{chance.choice(_SECRETS)}{chance.randrange(10**4):04d}"


def draw_number(chance: random.Random) -> str:
    """A telephone number of nine digits."""
    return f"5{chance.randrange(10**8):08d}"
