"""The sheet of all screens has every app, in every look."""

from __future__ import annotations

import pytest

from distrl_sdk.simphone import apps, popups
from distrl_sdk.simphone.contact_sheet import screens
from distrl_sdk.simphone.state import HOME, SHADE, Style


@pytest.mark.parametrize("style", [Style(), Style(2, "zh", True)])
def test_the_phone_is_driven_into_every_app_and_every_pop_up(style: Style) -> None:
    found = screens(style)

    assert {state.top.app for state in found} >= {HOME, SHADE, *apps.BUILT_IN}
    assert {state.popup.partition(":")[0] for state in found} == {"", *popups.KINDS}
    assert all(state.style == style for state in found)
    assert any(state.toast for state in found)
    assert any(state.top.dialog for state in found)
