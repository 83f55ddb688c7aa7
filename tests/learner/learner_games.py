"""A two-step game on made-up screens: open the folder that the goal names, then tap the word that it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from distrl_sdk.interfaces import Policy
from distrl_sdk.types import (
    NO_VERSION,
    Action,
    Box,
    Decision,
    DeviceAbout,
    End,
    Features,
    Moment,
    Observation,
    Screenshot,
    Step,
    Tap,
    Task,
    Trajectory,
    UiElement,
    Verdict,
)

WORDS = np.array(("red", "green", "blue", "black", "white", "grey", "brown", "pink"))
ABOUT = DeviceAbout("game", "model", "1", 80, 180, actions=frozenset({"tap", "wait"}))
PICTURE = Screenshot(80, 180, draw=lambda: np.zeros((180, 80, 3), np.uint8))


class Game:
    """Four words on each of two screens, shuffled; the goal names one of each."""

    def start(self, rng: np.random.Generator) -> tuple[Task, list[tuple[str, ...]], tuple[str, str]]:
        shuffled = rng.permutation(WORDS)
        first, second = shuffled[:4], shuffled[4:]
        wanted = str(first[0]), str(second[0])
        rng.shuffle(first)
        rng.shuffle(second)
        task = Task("t", "game", f"tap {wanted[0]} then {wanted[1]}", max_steps=2)
        return task, [tuple(map(str, first)), tuple(map(str, second))], wanted


@dataclass
class Played:
    task: Task
    features: list[Features]
    decisions: list[Decision]
    actions: tuple[Action, ...]
    success: bool


def observe(words: tuple[str, ...]) -> Observation:
    rows = [UiElement(Box(0.1, at / 4, 0.9, (at + 1) / 4), word, clickable=True) for at, word in enumerate(words)]
    return Observation(PICTURE, tuple(rows), "game")


def play(policy: Policy, game: Game, episodes: int, *, temperature: float, seed: int) -> Iterator[Played]:
    rng, generator = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    starts = [game.start(rng) for _ in range(episodes)]
    features: list[list[Features]] = [[] for _ in starts]
    decisions: list[list[Decision]] = [[] for _ in starts]
    steps: list[list[Step]] = [[] for _ in starts]
    for turn in (0, 1):
        looks = [observe(screens[turn]) for _, screens, _ in starts]
        rows = [
            policy.featurize(Moment(ABOUT, task, look, tuple(done)))
            for (task, _, _), look, done in zip(starts, looks, steps, strict=True)
        ]
        for at, decision in enumerate(policy.act(rows, [temperature] * episodes, generator)):
            features[at].append(rows[at])
            decisions[at].append(decision)
            steps[at].append(Step(looks[at], decision.action))
    for at, (task, screens, wanted) in enumerate(starts):
        features[at].append(features[at][-1])
        actions = tuple(decision.action for decision in decisions[at])
        right = [
            isinstance(action, Tap) and screens[turn][int(action.y * 4)] == wanted[turn]
            for turn, action in enumerate(actions)
        ]
        yield Played(task, features[at], decisions[at], actions, all(right))


def trajectory(played: Played, name: str, version: int = 0) -> Trajectory:
    count = len(played.actions)
    return Trajectory(
        id=name,
        task=played.task,
        lane="train",
        temperature=1.0,
        features={key: np.stack([row[key] for row in played.features]) for key in played.features[0]},
        code=np.stack([d.code for d in played.decisions]),
        log_mu=np.array([d.log_mu for d in played.decisions], np.float32),
        log_pi=np.array([d.log_pi for d in played.decisions], np.float32),
        version=np.tile(np.array([NO_VERSION.incarnation + 1, version], np.int32), (count, 1)),
        invalid=np.zeros(count, np.bool_),
        repeats=np.zeros(count, np.int32),
        seconds=np.zeros(count + 1, np.float32),
        screens=np.arange(count + 1, dtype=np.uint32),
        actions=played.actions,
        end=End("step_limit"),
        verdict=Verdict(played.success),
    )
