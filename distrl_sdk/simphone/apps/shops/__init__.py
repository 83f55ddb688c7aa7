"""The shops in the browser: one file each, one catalogue and one kind of record for all of them."""

from __future__ import annotations

from collections.abc import Mapping

from distrl_sdk.simphone.apps.shops import foxglove, larkspur, pebble, tidewater
from distrl_sdk.simphone.apps.shops.shop import Shop

ALL = (pebble.SHOP, larkspur.SHOP, tidewater.SHOP, foxglove.SHOP)
SHOPS: Mapping[str, Shop] = {shop.site: shop for shop in ALL}
"""By address."""
BY_TITLE: Mapping[str, Shop] = {shop.title: shop for shop in ALL}
HELD_OUT_SHOP = foxglove.SHOP.title
"""The shop that no training task uses."""
