"""Decision processes small enough to know the best policy, and a policy that is a table; played through real parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from distrl_sdk.config import LearnerConfig
from distrl_sdk.interfaces import Score
from distrl_sdk.learner.actor_critic import ActorCritic
from distrl_sdk.learner.feed import Feed
from distrl_sdk.plugins import make_learner
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.types import Action, Code, Decision, End, Features, Moment, Task, Trajectory, Verdict, Wait

STATES, ACTIONS = 8, 4
END = STATES - 1


class Table(nn.Module):
    """One logit for each state and action."""

    state_size = STATES

    def __init__(self) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(STATES, ACTIONS))

    def featurize(self, moment: Moment) -> Features:
        raise NotImplementedError("the mazes make the features themselves")

    def encode_action(self, features: Features, action: Action) -> Code | None:
        return None

    @torch.no_grad()
    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        rows = self.logits[[int(row["state"]) for row in features]]
        mu = (rows / torch.tensor(temperature)[:, None]).log_softmax(-1)
        chosen = torch.multinomial(mu.exp(), 1, generator=generator)
        log_mu, log_pi = mu.gather(-1, chosen), rows.log_softmax(-1).gather(-1, chosen)
        return [
            Decision(Wait(), np.array([code], np.int32), float(a), float(b))
            for code, a, b in zip(chosen[:, 0].tolist(), log_mu[:, 0], log_pi[:, 0], strict=True)
        ]

    def score(self, features: Mapping[str, torch.Tensor], code: torch.Tensor, mask: torch.Tensor) -> Score:
        state = features["state"].long()
        log = self.logits[state].log_softmax(-1)
        entropy = -(log.exp() * log).sum(-1)
        return Score(log.gather(-1, code.long()).squeeze(-1), entropy, nn.functional.one_hot(state, STATES).float())

    def chances(self, temperature: float = 1.0) -> np.ndarray:
        """[STATES, ACTIONS]: pi."""
        return (self.logits.detach() / temperature).softmax(-1).double().numpy()


@dataclass(frozen=True)
class Maze:
    """`step(state, action)` is the next state, END when it is over; `chance(path of actions)` that of success then."""

    steps: int
    starts: tuple[int, ...]
    step: Callable[[int, int], int]
    chance: Callable[[int, Sequence[int]], float]

    def success(self, policy: Table) -> float:
        """The policy's exact chance of success at temperature 1, over all paths."""
        pi = policy.chances()
        return float(np.mean([self._from(start, start, (), pi) for start in self.starts]))

    def _from(self, start: int, state: int, path: tuple[int, ...], pi: np.ndarray) -> float:
        if state == END or len(path) == self.steps:
            return self.chance(start, path)
        return sum(pi[state, a] * self._from(start, self.step(state, a), (*path, a), pi) for a in range(ACTIONS))


def _locks() -> Maze:
    """Two tasks with a code of two numbers each; the right code opens in 9 of 10 cases, so .9 is the best there is."""
    codes = {0: (1, 3), 2: (2, 0)}
    return Maze(
        steps=2,
        starts=(0, 2),
        step=lambda state, action: state + 1,
        chance=lambda start, path: 0.9 if tuple(path) == codes[start] else 0.0,
    )


def _fork() -> Maze:
    """Left (0), then the one right key (2) of four: .9. Right (any other), then anything: .5.

    The best policy has .9. One that plays keys at random has .225 on the left: for it the right is better.
    """
    return Maze(
        steps=2,
        starts=(0,),
        step=lambda state, action: 1 if state == 0 and action == 0 else 2,
        chance=lambda start, path: (0.9 if path[1] == 2 else 0.0) if path[0] == 0 else 0.5,
    )


def _tunnel() -> Maze:
    """Six doors in a row, one right of four at each; a wrong one leads back to the start. .9 at the end.

    Chance opens all of them in one of 4096 cases.
    """
    doors = (2, 0, 3, 1, 1, 2)
    return Maze(
        steps=6,
        starts=(0,),
        step=lambda state, action: state + 1 if action == doors[state] else 0,
        chance=lambda start, path: 0.9 if tuple(path) == doors else 0.0,
    )


LOCKS, FORK, TUNNEL = _locks(), _fork(), _tunnel()
PLACE = f"{__name__}:Table"


def table_learner(name: str, config: LearnerConfig) -> ActorCritic:
    learner = make_learner(name, PLACE, config=config)
    assert isinstance(learner, ActorCritic)
    return learner


def episodes(
    policy: Table,
    maze: Maze,
    count: int,
    temperature: float,
    rng: np.random.Generator,
    version: int = 0,
    group: int = 1,
) -> list[Trajectory]:
    """`count` episodes with their verdicts; each task is played `group` times in a row."""
    generator = torch.Generator().manual_seed(int(rng.integers(2**31)))
    made = []
    for at in range(count):
        if at % group == 0:
            start = int(rng.choice(maze.starts))
            name = f"{version}/{at}"
        state, states, decisions = start, [start], []
        while state != END and len(decisions) < maze.steps:
            row = {"state": np.array(state, np.int32)}
            decisions += policy.act([row], [temperature], generator)
            state = maze.step(state, int(decisions[-1].code[0]))
            states.append(state)
        success = bool(rng.random() < maze.chance(start, [int(each.code[0]) for each in decisions]))
        made.append(_trajectory(Task(name, str(start), "open"), states, decisions, success, version, at))
    return made


def _trajectory(
    task: Task, states: Sequence[int], decisions: Sequence[Decision], success: bool, version: int, at: int
) -> Trajectory:
    count = len(decisions)
    return Trajectory(
        id=f"maze/{version}/{at}",
        task=task,
        lane="train",
        temperature=1.0,
        features={"state": np.array(states, np.int32)},
        code=np.stack([each.code for each in decisions]),
        log_mu=np.array([each.log_mu for each in decisions], np.float32),
        log_pi=np.array([each.log_pi for each in decisions], np.float32),
        version=np.tile(np.array([1, version], np.int32), (count, 1)),
        invalid=np.zeros(count, np.bool_),
        repeats=np.zeros(count, np.int32),
        seconds=np.zeros(count + 1, np.float32),
        screens=np.array(states, np.uint32),
        actions=tuple(each.action for each in decisions),
        end=End("step_limit"),
        verdict=Verdict(success),
    )


@dataclass
class Played:
    """A learner in a maze: rounds of episodes, then gradient steps, as a run has them."""

    learner: ActorCritic
    maze: Maze
    temperature: float = 1.0
    lag: int = 0
    """The weights that play are so many versions old."""
    seed: int = 0

    def __post_init__(self) -> None:
        torch.manual_seed(self.seed)
        self.config = self.learner.config
        self.replay = Replay(self.config.replay, self.seed)
        self.feed = Feed(self.replay, self.config)
        self.rng = np.random.default_rng(self.seed)
        self.optimizer = self.learner.configure_optimizers()
        self.old = [self.policy.logits.detach().clone()]

    @property
    def policy(self) -> Table:
        assert isinstance(self.learner.policy, Table)
        return self.learner.policy

    def rounds(self, count: int, fresh: int = 16, steps: int = 4) -> float:
        """Play and learn; the exact success of the policy at the end."""
        actor = Table()
        for version in range(count):
            with torch.no_grad():
                actor.logits.copy_(self.old[max(0, len(self.old) - 1 - self.lag)])
            group = self.config.replay.group
            for each in episodes(actor, self.maze, fresh, self.temperature, self.rng, version, group):
                assert each.verdict is not None
                self.replay.add(each, bool(each.verdict.success), version)
            for _ in range(steps):
                self.step(version)
            self.old.append(self.policy.logits.detach().clone())
        return self.maze.success(self.policy)

    def step(self, now: int) -> None:
        batch = self.feed.draw(now)
        output = self.learner.training_step(batch, 0)
        assert output is not None
        self.optimizer.zero_grad()
        output["loss"].backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.learner.parameters(), self.config.gradient_norm)
        self.optimizer.step()
        self.feed.told(batch, output)
        self.feed.sweep(self.learner, now)
