"""A card made by hand."""

from __future__ import annotations

from distrl_sdk.evaluate.card import Card
from distrl_sdk.evaluate.machine import Machine

CARD = Card(
    tasks="general/test",
    tasks_hash="a" * 64,
    count=2,
    attempts=1,
    temperature=0.0,
    seed=1,
    policy="compact",
    policy_options={"width": 64},
    weights="c" * 64,
    config="d" * 64,
    judge="programmatic",
    judge_options={},
    fleet="sim:2",
    run="/runs/one",
    machine=Machine("a processor", 2, 1 << 33, "Linux 6", "3.11.4", "2.4.0", "0.1.0"),
    date="2026-12-01T10:20:30+00:00",
)
