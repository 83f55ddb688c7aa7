"""What a phone says in its own words: every label has a translation, and every {} is kept."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from app_labels import labels
from phone_walks import through

from distrl_sdk.simphone import apps, popups
from distrl_sdk.simphone.apps import launcher, settings_table
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import CALM, Style
from distrl_sdk.simphone.wording import BOOKS, LOCALES, SOURCES, say
from distrl_sdk.simphone.wording.renamed import RENAMED

PACKAGE = Path(apps.__file__).parents[1]
SHOPS = PACKAGE / "apps" / "shops"
TRANSLATED = (SHOPS / "counter.py", SHOPS / "pebble.py", SHOPS / "shop.py")
"""Where labels of the one shop stand that speaks the phone's language."""
WRITTEN = [*sorted((PACKAGE / "apps").glob("*.py")), *TRANSLATED, PACKAGE / "page.py", PACKAGE / "popups.py"]


@pytest.mark.parametrize("source", WRITTEN, ids=lambda source: source.stem)
def test_every_label_that_an_app_passes_is_in_the_books(source: Path) -> None:
    lacking = {f"{line}: {label}" for line, label in labels(source) if label not in BOOKS["de"]}

    assert not lacking, f"{source.name} has labels that no book in wording/ translates"


def test_what_tables_hold_is_in_the_books_too() -> None:
    held = {launcher.TITLES.get(name, name) for name in (*launcher.DOCK, *launcher.GRID)}
    held |= set(popups.TEXTS) - {"{}"}
    names = {"Wallpaper", "Ringtone", "Notification sound", "Alarm sound", "Time zone", "Keyboard layout"}
    for setting in settings_table.TABLE:
        held |= {setting.label, setting.section} | ({*setting.options} if setting.label not in names else set())
    held |= set(RENAMED) | set(RENAMED.values())

    assert {label for label in held if label and not label[0].isdigit()} <= set(BOOKS["de"])


def test_a_label_means_the_same_in_every_book() -> None:
    meanings: dict[str, set[tuple[str, str]]] = {}
    for book in SOURCES.values():
        for label, words in book.items():
            meanings.setdefault(label, set()).add(words)

    assert {label: words for label, words in meanings.items() if len(words) > 1} == {}


def test_every_place_for_data_is_kept_and_nothing_is_empty() -> None:
    for locale in LOCALES[1:]:
        for label, said in BOOKS[locale].items():
            assert said.strip(), label
            assert Counter(said)["{"] == said.count("{}") == label.count("{}"), f"{locale}: {label} -> {said}"


def test_data_is_put_in_the_place_of_braces_and_never_translated() -> None:
    chinese, second = Style(locale="zh"), Style(version=2, locale="de")

    assert say(chinese, "Results for {}", "Delete") == "“Delete”的结果"
    assert say(second, "Delete") == "Entfernen"
    assert say(Style(), "{}") == "{}"
    assert say(Style(), "{} will be gone.", "{} Meyer") == "{} Meyer will be gone."


@pytest.mark.parametrize(("locale", "title"), [("en", "Settings"), ("de", "Einstellungen"), ("zh", "设置")])
def test_a_phone_speaks_its_language_and_keeps_its_records(locale: str, title: str) -> None:
    phone = apps.fresh(3, CALM, Style(locale=locale))
    shown = scene_of(through(phone, "app:Settings")).find("title")

    assert shown is not None
    assert shown.text == title
    assert phone.apps == apps.fresh(3).apps
