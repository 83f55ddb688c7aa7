"""Entry points are loaded one by one; what is wrong with one of them is told to whoever asks for it."""

from __future__ import annotations

import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest

from distrl_sdk.errors import PluginError, UsageError
from distrl_sdk.plugins import PluginWarning, Registry

Install = Callable[..., None]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("distrl_testplugin"):
            del sys.modules[name]


@pytest.fixture
def install(site: Path) -> Install:
    def install(name: str, source: str, meta: str = "", direct_url: str = "") -> None:
        module = f"distrl_testplugin_{name}"
        (site / f"{module}.py").write_text(textwrap.dedent(source))
        info = site / f"{name}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n{meta}")
        (info / "entry_points.txt").write_text(f"[distrl_sdk]\n{name} = {module}\n")
        if direct_url:
            (info / "direct_url.json").write_text(direct_url)

    return install


def load(site: Path) -> Registry:
    distributions = metadata.distributions(path=[str(site)])
    return Registry.of(entry for each in distributions for entry in each.entry_points)


JUDGE = """
    from distrl_sdk import hookimpl

    @hookimpl
    def distrl_judges():
        return {"coin": lambda sides=2: sides}
"""


def test_a_plugin_offers_what_its_hooks_name(site: Path, install: Install) -> None:
    install("coins", JUDGE)

    registry = load(site)

    assert registry.names("judge") == ["coin"]
    assert registry.find("judge", "coin")(sides=3) == 3
    (row,) = registry.rows
    assert (row.source, row.state, row.offers) == ("coins (coins 1.2)", "loaded", ("judge coin",))


def test_a_plugin_that_cannot_be_imported_stops_nobody_else(site: Path, install: Install) -> None:
    install("bad", "raise RuntimeError('no licence\\nfound')")
    install("coins", JUDGE)

    with pytest.warns(PluginWarning, match=r"plugin bad \(bad 1.2\) is broken: RuntimeError: no licence") as caught:
        registry = load(site)

    assert len(caught) == 1
    assert registry.names("judge") == ["coin"]
    assert {row.name: row.state for row in registry.rows} == {"bad": "broken", "coins": "loaded"}


def test_the_cause_of_a_broken_plugin_is_told_when_an_unknown_name_is_asked_for(site: Path, install: Install) -> None:
    install("bad", "import a_module_that_is_nowhere")
    with pytest.warns(PluginWarning):
        registry = load(site)

    with pytest.raises(PluginError) as raised:
        registry.find("judge", "oracle")

    assert "unknown judge 'oracle'" in str(raised.value)
    assert "plugin bad (bad 1.2) is broken: ModuleNotFoundError: No module named 'a_module_that_is_nowhere'" in str(
        raised.value
    )


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("def distrl_judgs(): return {}", "unknown hook 'distrl_judgs'"),
        ("def distrl_judges(names): return {}", "names"),
        ("def distrl_judges(): return ['coin']", "must return a mapping of names to factories"),
        ("def distrl_judges(): return {'coin': 7}", "must return a mapping of names to factories"),
        ("def distrl_judges(): 1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_hook_that_is_not_one_makes_the_plugin_broken(site: Path, install: Install, source: str, cause: str) -> None:
    install("wrong", f"from distrl_sdk import hookimpl\n@hookimpl\n{source}")
    install("coins", JUDGE)

    with pytest.warns(PluginWarning):
        registry = load(site)

    row = next(row for row in registry.rows if row.name == "wrong")
    assert row.state == "broken"
    assert cause in row.cause
    assert registry.names("judge") == ["coin"]


def test_two_plugins_with_one_name_are_both_named_when_it_is_asked_for(site: Path, install: Install) -> None:
    install("coins", JUDGE)
    install("dice", JUDGE.replace("lambda sides=2", "lambda sides=6"))
    registry = load(site)

    with pytest.raises(PluginError, match=r"judge 'coin' is offered by .*coins 1.2.* and .*dice 1.2.*: uninstall one"):
        registry.find("judge", "coin")

    assert all("'coin' is offered by" in row.cause for row in registry.rows)


def test_an_unknown_name_gets_the_known_ones_and_the_nearest(site: Path, install: Install) -> None:
    install("coins", JUDGE)

    with pytest.raises(PluginError, match=r"^unknown judge 'cion': did you mean coin\? known: coin$"):
        load(site).find("judge", "cion")


EXTRA = "EXTRAS = ('phones',)\n" + textwrap.dedent(JUDGE)
NEEDS_MISSING = "Provides-Extra: phones\nRequires-Dist: a-package-that-is-nowhere>=2; extra == 'phones'\n"


def test_a_missing_extra_is_told_with_the_command_that_brings_it(site: Path, install: Install) -> None:
    install("coins", EXTRA, NEEDS_MISSING)
    registry = load(site)

    assert registry.rows[0].state == "missing extra"
    with pytest.raises(PluginError, match=r"judge 'coin' needs more packages: pip install 'coins\[phones\]'"):
        registry.find("judge", "coin")


def test_from_a_checkout_the_command_is_one_for_the_checkout(site: Path, install: Install) -> None:
    install("coins", EXTRA, NEEDS_MISSING, '{"url": "file:///home/ada/coins", "dir_info": {"editable": true}}')

    with pytest.raises(PluginError, match=r"pip install '\.\[phones\]' in /home/ada/coins"):
        load(site).find("judge", "coin")


@pytest.mark.parametrize(
    ("requirement", "state"),
    [("pluggy>=1", "loaded"), ("pluggy>=99", "missing extra"), ("pluggy>=1; sys_platform == 'nowhere'", "loaded")],
)
def test_an_extra_is_there_when_its_packages_are(site: Path, install: Install, requirement: str, state: str) -> None:
    name, _, marker = requirement.partition("; ")
    marker = f"extra == 'phones' and {marker}" if marker else "extra == 'phones'"
    install("coins", EXTRA, f"Provides-Extra: phones\nRequires-Dist: {name}; {marker}\n")

    assert load(site).rows[0].state == state


def test_one_of_several_extras_is_enough(site: Path, install: Install) -> None:
    meta = f"{NEEDS_MISSING}Provides-Extra: old\nRequires-Dist: pluggy; extra == 'old'\n"
    install("coins", EXTRA.replace("('phones',)", "('phones', 'old')"), meta)

    assert load(site).rows[0].state == "loaded"


def test_nothing_is_warned_of_when_all_is_well(site: Path, install: Install) -> None:
    install("coins", JUDGE)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        load(site)
    assert caught == []


def test_options_are_checked_before_anything_is_made(site: Path, install: Install) -> None:
    from distrl_sdk.imports import call

    install("coins", JUDGE)
    factory = load(site).find("judge", "coin")

    with pytest.raises(UsageError, match=r"^judge 'coin' has no option 'side': did you mean sides\? known: sides$"):
        call(factory, {"side": 3}, "judge 'coin'")
