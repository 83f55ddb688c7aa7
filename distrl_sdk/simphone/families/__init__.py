"""The families of the task sets `general` and `webshop`, and the start state that a task's setup describes.

To add one: write it into the file of its app, and give it a place in its set.
"""

from __future__ import annotations

from dataclasses import replace

from distrl_sdk.errors import UsageError, choices
from distrl_sdk.simphone import apps
from distrl_sdk.simphone.apps.shops import HELD_OUT_SHOP as HELD_OUT_SHOP
from distrl_sdk.simphone.families import (
    buying,
    calculator,
    calendar,
    calls,
    clock,
    files,
    launcher,
    mail,
    maps,
    music,
    networks,
    notes,
    people,
    photos,
    settings,
    shade,
    store,
    web,
    webshop,
)
from distrl_sdk.simphone.families.family import Family
from distrl_sdk.simphone.state import CALM, FIRST, VERSIONS, Chances, PhoneState, Style
from distrl_sdk.simphone.wording import LOCALES
from distrl_sdk.types import Task

GENERAL: tuple[Family, ...] = (
    settings.TOGGLE_SWITCH, settings.SET_LEVEL, settings.CHOOSE_OPTION,
    clock.CREATE_ALARM, clock.DELETE_ALARM, clock.START_TIMER,
    people.ADD_CONTACT, people.CALL_CONTACT, people.SEND_MESSAGE, people.REPLY_MESSAGE,
    web.OPEN_SITE, web.WEB_SEARCH, web.SHOP_OPEN, web.SHOP_CART, web.OPEN_SECTION, web.BOOKMARK_PAGE,
    web.REMOVE_BOOKMARK, web.CLOSE_TAB, web.FORGET_PAGE,
    store.INSTALL_APP, store.UNINSTALL_APP, store.UPDATE_APP, store.RATE_APP,
    calls.DIAL_NUMBER, calls.CALL_BACK, shade.QUICK_PAIR, shade.CLEAR_NOTIFICATION,
    clock.TOGGLE_ALARM, clock.ADD_CITY, launcher.OPEN_APP,
    people.DELETE_CONTACT, people.FAVOURITE_CONTACT, people.EDIT_NUMBER, people.DELETE_CONVERSATION,
    networks.WIFI_CONNECT, networks.WIFI_FORGET, networks.APP_NOTIFICATIONS, networks.RENAME_PHONE,
    calculator.CALCULATE, calculator.CALCULATE_LONG, calculator.FORGET_SUM,
    photos.FAVOURITE_PHOTO, photos.DELETE_PHOTO, photos.ALBUM_PHOTO, photos.CREATE_ALBUM,
    maps.FIND_PLACE, maps.SAVE_PLACE, maps.START_ROUTE,
    music.PLAY_SONG, music.LIKE_SONG, music.ADD_TO_PLAYLIST,
    mail.SEND_MAIL, mail.WRITE_MAIL, mail.REPLY_MAIL, mail.FORWARD_MAIL, mail.ARCHIVE_MAIL, mail.STAR_MAIL,
    mail.DELETE_MAIL, mail.UNREAD_MAIL,
    notes.CREATE_NOTE, notes.DELETE_NOTE, notes.PIN_NOTE, notes.TICK_ITEM, notes.ADD_ITEM,
    calendar.ADD_EVENT, calendar.DELETE_EVENT, calendar.REMIND_EVENT,
    files.CREATE_FOLDER, files.DELETE_FILE, files.MOVE_FILE, files.RENAME_FILE,
)  # fmt: skip

WEBSHOP: tuple[Family, ...] = (*webshop.FINDING, *buying.BUYING)
"""A task whose parameter `shop` is HELD_OUT_SHOP is never trained on."""

FAMILIES: dict[str, Family] = {family.name: family for family in (*GENERAL, *WEBSHOP)}


def family_of(task: Task) -> Family:
    """The family that a task's setup names. Raises UsageError for one that is not known."""
    name = str(task.setup["family"])
    if name not in FAMILIES:
        raise UsageError(f"task {task.id}: unknown simphone family {name!r}: {choices(name, FAMILIES)}")
    return FAMILIES[name]


def start_state(task: Task, chances: Chances = CALM, style: Style = FIRST) -> PhoneState:
    """The exact state at a task's start. A setup without a family means a fresh phone; without a seed, that of 0.

    A setup with a version, a locale or `dark` asks for a phone of that look, whatever `style` says. Raises UsageError
    for a look that no phone has.
    """
    state = apps.fresh(int(task.setup.get("seed", 0)), chances, _style(task, style))
    return family_of(task).prepare(state, task.setup["params"]) if "family" in task.setup else state


def _style(task: Task, style: Style) -> Style:
    asked = {key: task.setup[key] for key in ("version", "locale", "dark") if key in task.setup}
    if not asked:
        return style
    style = replace(style, **asked)
    if style.version not in VERSIONS or style.locale not in LOCALES or style.dark not in (None, False, True):
        raise UsageError(
            f"task {task.id}: no phone has {asked}: version 1 or 2, locale {', '.join(LOCALES)}, dark or not"
        )
    return style
