"""Every setting: one frozen dataclass a role, the unit and the reason beside each field.

The defaults are what CI and the demo train with. Names of policies, learners, judges and task sets are strings here;
plugins.py turns them into things. No slots here: jsonargparse reads defaults through vars().
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from distrl_sdk.errors import ConfigError
from distrl_sdk.types import Json

SMALLEST = 1e-9
"""The bound of what must be more than 0."""


def at_least(settings: object, least: float, *names: str, most: float = inf) -> None:
    """Raise ConfigError for the first of these fields that is no number, below `least` or above `most`."""
    for name in names:
        value = getattr(settings, name)
        if not isinstance(value, int | float) or not least <= value <= most:
            bound = "more than 0" if least == SMALLEST else f"at least {least:g}"
            bound += f" and at most {most:g}" if most < inf else ""
            raise ConfigError(f"{type(settings).__name__}: {name} must be {bound}, not {value!r}")


def one_of(settings: object, **allowed: tuple[str, ...]) -> None:
    """Raise ConfigError for the first of these fields that holds another word."""
    for name, words in allowed.items():
        if (value := getattr(settings, name)) not in words:
            known = ", ".join(map(repr, words))
            raise ConfigError(f"{type(settings).__name__}: {name} must be one of {known}, not {value!r}")


@dataclass(frozen=True)
class TraceConfig:
    """What a critic is to learn and an advantage is made of: Retrace(lambda), Munos et al. 2016; DistRL section 5."""

    kind: Literal["retrace", "vtrace", "monte-carlo"] = "retrace"
    """vtrace: Espeholt et al. 2018. monte-carlo: the discounted return and no correction, the ablation."""
    discount: float = 0.98
    """gamma; below 1 so that a short way to the goal is worth more than a long one."""
    decay: float = 0.95
    """lambda; 1 uses whole returns, 0 one step."""
    truncation: float = 1.0
    """Bound of pi / mu in a trace: at 1 traces never grow, which is what makes Retrace safe."""
    critic_target: Literal["corrected", "paper"] = "corrected"
    """paper: the target V + G and the advantage r + gamma V_ret - V as printed, for comparison."""

    def __post_init__(self) -> None:
        one_of(self, kind=("retrace", "vtrace", "monte-carlo"), critic_target=("corrected", "paper"))
        at_least(self, 0, "discount", "decay", most=1)
        at_least(self, SMALLEST, "truncation")


@dataclass(frozen=True)
class LossConfig:
    """The terms of a learner's loss. A baseline uses those that it has."""

    surrogate: Literal["clipped", "truncated"] = "clipped"
    """truncated: min(max_weight, pi / mu) and no clip, for comparison: on a small phone it fell to 0.02 on the way."""
    clip: float = 0.2
    """Half-width of the clip of pi / pi_old."""
    max_weight: float = 4.0
    """Bound of pi_old / mu (truncated: of pi / mu): a hot slot's lucky find counts up to this much."""
    entropy: float = 0.003
    """Large values grew without end on a small phone and ate the policy."""
    invalid: float = 0.0
    """Weight of the invalid-action term; 0 where the per-step penalty already charges the same action."""
    invalid_penalty: float = 0.2
    """Taken from the advantage of an invalid action (the paper's 1, scaled to advantages here)."""
    repeat_penalty: float = 0.08
    """Taken from the advantage, times the number of repetitions (the paper's 0.4)."""
    novelty: float = 0.0
    """Added to the advantage, times how rare the screens that follow are in the family, times 1 - V: for families that
    stay at zero. A screen that always changes, such as one that shows seconds, is always new."""
    critic: float = 0.5
    """Weight of the critics' cross-entropy."""
    critic_weight_max: float = 10.0
    """Bound of 1 / (N P), whose mean is 1: one old, rarely drawn episode would drown a batch. 0: none, unbiased."""
    elite: float = 1.0
    """Weight of imitating retained successes by how much they surprised."""
    filter: float = 0.05
    """DigiRL imitates steps whose advantage is above this: the paper's 1 / H for a horizon of 20."""

    def __post_init__(self) -> None:
        one_of(self, surrogate=("clipped", "truncated"))
        at_least(self, 0, "entropy", "invalid", "invalid_penalty", "repeat_penalty", "critic", "elite")
        at_least(self, 0, "novelty", "critic_weight_max")
        at_least(self, SMALLEST, "clip", "max_weight")


@dataclass(frozen=True)
class ReplayConfig:
    """Distributed prioritised experience replay (DPER), DistRL section 5.3."""

    capacity: int = 1000
    """Episodes. Several thousand are mostly dead weight: their ratios are clipped."""
    megabytes: int = 2000
    """Bound of the stored arrays."""
    half_life: float = 64.0
    """Age, in versions, at which a priority has halved."""
    staleness: int = 512
    """Age, in versions, beyond which an episode is dropped."""
    td: float = 1.0
    """w1: weight of mean |delta|."""
    ratio: float = 0.5
    """w2: weight of mean min(1, rho)."""
    entropy: float = 0.2
    """w3: weight of mean entropy."""
    elite: int = 400
    """Successes kept apart for imitation."""
    prioritised: bool = True
    """False: uniform draws, the ablation."""
    imitate: Literal["elite", "surprising", "successes"] = "elite"
    """What is drawn to be imitated. surprising: the top share of the buffer by success - V_traj (DigiRL); successes:
    the top share by reward, the newest first (filtered cloning)."""
    share: float = 0.1
    """The top share."""
    group: int = 1
    """Episodes of one task that are played in a row and drawn together, for GRPO. 1: each is drawn by itself."""
    sweep: int = 0
    """Episodes measured longest ago that are measured again, without a gradient, every `sweep_every` updates."""
    sweep_every: int = 32
    """Gradient steps between two sweeps."""

    def __post_init__(self) -> None:
        one_of(self, imitate=("elite", "surprising", "successes"))
        at_least(self, 1, "capacity", "sweep_every")
        at_least(self, 1, "group", most=self.capacity)
        at_least(self, 0, "staleness", "td", "ratio", "entropy", "elite", "sweep")
        at_least(self, SMALLEST, "half_life", "megabytes")
        at_least(self, SMALLEST, "share", most=1)


@dataclass(frozen=True)
class LearnerConfig:
    """Optimiser, batches, and the parts of a learner. These are A-RIDE's; every other learner starts from its own."""

    learning_rate: float = 5e-4
    """Of the policy, in the warm start and in training."""
    critic_learning_rate: float = 1e-3
    batch: int = 24
    """Episodes a gradient step."""
    elite_batch: int = 12
    """Episodes a gradient step that are only imitated."""
    off_policy: bool = True
    """False takes every ratio pi / mu as 1: old data and hot slots then teach what they should not."""
    updates_per_trajectory: float = 0.125
    """Gradient steps for each new episode, held in both directions."""
    gradient_norm: float = 1.0
    """To which the gradient is clipped."""
    warm_start_epochs: int = 40
    """Passes over the demonstrations before training."""
    warm_start_entropy: float = 0.1
    """Keeps the imitation soft, so that exploration still finds what was not shown."""
    trace: TraceConfig = field(default_factory=TraceConfig)
    loss: LossConfig = field(default_factory=LossConfig)
    replay: ReplayConfig = field(default_factory=ReplayConfig)

    def __post_init__(self) -> None:
        at_least(self, 1, "batch")
        at_least(self, 0, "elite_batch", "warm_start_epochs", "warm_start_entropy")
        rates = "learning_rate", "critic_learning_rate", "updates_per_trajectory", "gradient_norm"
        at_least(self, SMALLEST, *rates)


@dataclass(frozen=True)
class CollectConfig:
    """What the slots play, when, and how boldly."""

    schedule: Literal["async", "sync"] = "async"
    """async: no phone waits for another. sync: rounds of one task a phone; the slowest ends the round."""
    max_temperature: float = 1.5
    """The hottest slot. A few slots act at 1; the rest are spread up to this."""
    cold_share: float = 0.25
    """Share of the slots at temperature 1."""
    curriculum_floor: float = 0.25
    """A task whose success rate is p is accepted with probability 4 p (1 - p) + this. 1: all alike."""
    curriculum_memory: float = 20.0
    """Episodes over which a family's success rate is a running mean: short, so that it follows the policy."""
    publish_every: int = 4
    """Gradient steps between two versions of the weights; under sync there is one version a round."""
    workers: int = 1
    """Local worker processes; never more than the fleet has phones."""
    deadline: float = 120.0
    """Seconds after which a call of a local phone is taken for hung: the episode is given up, the phone opened anew."""
    patience: float = 120.0
    """Seconds in which every episode was aborted or left without a verdict, after which the run ends."""

    def __post_init__(self) -> None:
        if self.schedule not in ("async", "sync"):
            raise ConfigError(f"CollectConfig: schedule must be 'async' or 'sync', not {self.schedule!r}")
        at_least(self, 1, "max_temperature", "publish_every", "workers", "curriculum_memory")
        at_least(self, 0, "cold_share", "curriculum_floor", most=1)
        at_least(self, 0, "patience")
        at_least(self, SMALLEST, "deadline")


@dataclass(frozen=True)
class NetworkConfig:
    """Where the learner listens."""

    listen: str = ""
    """tcp://HOST:PORT for workers on other machines; '' = local workers only."""
    keys: str = ""
    """The folder that `distrl keys` made; needed to listen, unless insecure."""
    insecure: bool = False
    """True gives up encryption and lets anybody in who reaches the port."""
    silence: float = 15.0
    """Seconds without a word after which a worker is taken for dead."""

    def __post_init__(self) -> None:
        at_least(self, SMALLEST, "silence")


@dataclass(frozen=True)
class RunConfig:
    """One training run, as `distrl train` takes it."""

    fleet: str = "sim:16"
    """Which phones play: sim:16, or module:Class?key=value*N for your own; `distrl plugins` lists the schemes."""
    tasks: str = "general/train"
    """The task set to train on."""
    eval_tasks: str = "auto"
    """Played before and after training. auto: X/test for the tasks X/train; none: no evaluation."""
    overlap: Literal["refuse", "drop", "allow"] = "refuse"
    """Training tasks that are also held out: refuse the run, drop them from training, or allow it."""
    algorithm: str = "a-ride"
    """What trains it: a name that `distrl plugins` lists, or module:attribute. Its own settings are the defaults."""
    policy: str = "compact"
    """The agent: a name that `distrl plugins` lists, or module:attribute."""
    policy_options: Mapping[str, Json] = field(default_factory=dict)
    """Keywords of the policy, such as --policy_options.width 64."""
    judge: str = "programmatic"
    """Who says whether an episode reached its goal: a name that `distrl plugins` lists, or module:attribute."""
    judge_options: Mapping[str, Json] = field(default_factory=dict)
    """Keywords of the judge."""
    demos_per_family: int = 5
    """Worked solutions of each family of the training tasks to start from, where the task set has them."""
    demos: str = ""
    """A folder that `distrl record` wrote: its solved episodes are solutions to start from, too."""
    max_trajectories: int = 2000
    max_minutes: float = 0.0
    """0: no limit of time."""
    eval_episodes: int = 128
    """Held-out tasks of an evaluation, the families in turn. On real phones each costs a minute or more."""
    checkpoint_minutes: float = 2.0
    """Between two checkpoints."""
    seed: int = 1
    """Of all that is drawn by chance. Only under the sync schedule the order of the episodes is given as well."""

    def __post_init__(self) -> None:
        at_least(
            self,
            0,
            "demos_per_family",
            "max_trajectories",
            "max_minutes",
            "eval_episodes",
            "checkpoint_minutes",
            "seed",
        )
