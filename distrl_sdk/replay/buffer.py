"""Distributed prioritised experience replay (DPER; DistRL section 5.3): whole episodes, drawn by what they teach.

What is drawn is the business of ReplayConfig: by priority, uniformly or in groups for the losses of policy and critics,
and beside them episodes that are only imitated.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from distrl_sdk.algo.priority import Numbers, PriorityTerms, priorities
from distrl_sdk.config import ReplayConfig
from distrl_sdk.errors import StorageError
from distrl_sdk.replay import archive
from distrl_sdk.replay.draw import Draw
from distrl_sdk.replay.elite import Elite
from distrl_sdk.replay.episode import episode_of
from distrl_sdk.replay.groups import Groups
from distrl_sdk.replay.store import EpisodeStore, Table
from distrl_sdk.types import Trajectory

FORMAT = 2
_COUNTS = ("added", "dropped_stale", "dropped_full", "updates")


class Replay:
    """Episodes for the critics and the policy, and `elite`, the successes for imitation. Of one thread.

    `now` is the newest version's n; an episode's age is `now` minus that of the oldest weights that acted in it.
    """

    def __init__(self, config: ReplayConfig, seed: int) -> None:
        share = config.capacity / (config.capacity + config.elite)
        self._config = config
        terms = [(name, np.float64) for name in ("td", "ratio", "entropy", "surprise")]
        self._store = EpisodeStore(config.capacity, config.megabytes * share, [*terms, ("measured", np.int64)])
        self._groups = Groups(config.group)
        self.elite = Elite(config.elite, config.megabytes * (1 - share), seed)
        self._random = np.random.default_rng([seed, 0])
        self.added = 0
        """Episodes that ever came in, demonstrations too; the next one's key."""
        self.dropped_stale = 0
        """Episodes dropped for being older than the staleness bound."""
        self.dropped_full = 0
        """Episodes dropped to make room."""
        self.updates = 0
        """Calls of `update`."""

    def __len__(self) -> int:
        return len(self._store)

    def add(self, trajectory: Trajectory, success: bool, now: int) -> int:
        """Store an episode of any length and return its key, never used again. A success goes to the elite too.

        When the bounds of count or bytes are reached the oldest go. One beyond the staleness bound is counted as
        dropped and not stored here. Raises ValueError for an aborted or misshapen episode, ConfigError for one that
        is larger than all the room.
        """
        episode = episode_of(trajectory, success)
        self.drop_stale(now)
        key = self.added
        self.added += 1
        if now - episode.versions[0] > self._config.staleness:
            self.dropped_stale += 1
        else:
            self.dropped_full += len(self._store.add(key, episode, _oldest))
            entry = self._store.table[-1:]
            entry["measured"] = 0
            entry["surprise"] = success
            entry["group"] = self._groups.number(episode.task, key)
        if success:
            self.elite.add(key, episode)
        return key

    def keep(self, trajectory: Trajectory) -> int:
        """Put a demonstrated success into the elite alone, and return its key. Raises as `add` does."""
        key = self.added
        self.added += 1
        self.elite.add(key, episode_of(trajectory, True))
        return key

    def drop_stale(self, now: int) -> int:
        """Drop what is beyond the staleness bound; returns how many."""
        stale = np.flatnonzero(now - self._store.table["first_version"] > self._config.staleness)
        for index in stale[::-1]:
            self._store.remove(int(index))
        self.dropped_stale += len(stale)
        return len(stale)

    def rarity(self, draw: Draw) -> npt.NDArray[np.float32]:
        """[n, T], of a draw of `sample`: 1 / sqrt(how often episodes of the family came to the screen)."""
        return self._store.rarity(draw)

    @property
    def drawable(self) -> bool:
        """Whether `sample` would find anything: an episode, or a whole group where groups are drawn."""
        return len(self._whole) > 0 if self._config.group > 1 else len(self) > 0

    def sample(self, count: int, now: int) -> Draw:
        """`count` episodes, with replacement, in proportion to their priorities; or uniformly, where those are off.

        Where groups are drawn: as many whole ones as hold `count` episodes, one behind the other, each group with the
        same probability. Drops stale episodes first. Raises ValueError when nothing is left.
        """
        self._need(now)
        if self._config.group > 1:
            return self._sample_groups(-(-count // self._config.group), now)
        if not self._config.prioritised:
            return self.sample_uniform(count, now)
        return self._store.sample(self.priorities(now), count, now, self._random)

    def to_imitate(self, count: int, now: int) -> Draw | None:
        """`count` episodes for imitation, as `ReplayConfig.imitate` says; None when there is none."""
        if self._config.imitate == "elite":
            return self.elite.sample(count, now) if count and len(self.elite) else None
        top = self._top()
        if not count or not len(top):
            return None
        chosen = top[self._random.integers(len(top), size=count)]
        return self._store.draw(chosen, np.full(count, 1 / len(top)), now)

    def _top(self) -> npt.NDArray[np.intp]:
        """The best share of the buffer; of equal ones the newest."""
        table = self._store.table
        size = int(np.ceil(self._config.share * len(self)))
        if self._config.imitate == "surprising":
            return np.lexsort((-table["key"], -table["surprise"]))[:size]
        newest = np.argsort(-table["key"])
        return newest[table["success"][newest] > 0][:size]

    @property
    def _whole(self) -> npt.NDArray[np.intp]:
        return self._groups.whole(self._store.table["group"])

    def _sample_groups(self, count: int, now: int) -> Draw:
        groups = self._whole
        if not len(groups):
            raise ValueError("the replay holds no whole group")
        chosen = groups[self._random.integers(len(groups), size=count)].ravel()
        return self._store.draw(chosen, np.full(len(chosen), 1 / groups.size), now)

    def sample_uniform(self, count: int, now: int) -> Draw:
        """`count` episodes, with replacement, each with the same probability. Raises as `sample` does."""
        self._need(now)
        return self._store.sample(np.ones(len(self)), count, now, self._random)

    def sweep(self, count: int, now: int) -> Draw:
        """The `count` episodes whose terms were measured longest ago, each once, to be measured again.

        Raises as `sample` does.
        """
        self._need(now)
        table = self._store.table
        indices = np.lexsort((table["key"], table["measured"]))[:count]
        return self._store.draw(indices, np.full(len(indices), 1 / len(self)), now)

    def update(self, keys: Iterable[int], terms: PriorityTerms, surprise: Numbers | None = None) -> None:
        """Set what the learner has measured of episodes, each [n]; keys that are gone are ignored.

        `surprise` is success - V_traj; until it is known, an episode counts as if V_traj were 0. Raises ValueError for
        a number that is not finite.
        """
        self.updates += 1
        places, indices = self._store.indices(keys)
        for name, each in terms._asdict().items():
            if not np.isfinite(each).all():
                raise ValueError(f"the priority term {name} holds a number that is not finite")
            self._store.table[name][indices] = np.maximum(np.asarray(each)[places], 0.0)
        if surprise is not None:
            if not np.isfinite(surprise).all():
                raise ValueError("surprise holds a number that is not finite")
            self._store.table["surprise"][indices] = np.asarray(surprise)[places]
        self._store.table["measured"][indices] = self.updates

    def unmeasured(self, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """[n]: which of these episodes, all of them stored, `update` has not told of yet."""
        _, indices = self._store.indices(keys.tolist())
        return np.asarray(self._store.table["measured"][indices] == 0)

    def priorities(self, now: int) -> npt.NDArray[np.float64]:
        """[episodes]: what `sample` draws by, in the store's order.

        An episode that was not measured yet has the largest priority of the others, before its age is counted.
        """
        table = self._store.table
        age = now - table["first_version"].astype(np.float64)
        terms = PriorityTerms(table["td"], table["ratio"], table["entropy"])
        # Only proportions matter, and the youngest at age 0 keeps the sum from vanishing.
        return priorities(terms, age - age.min(), self._config, table["measured"] == 0)

    def stats(self, now: int) -> dict[str, float]:
        """What there is to watch: counts, megabytes, ages in versions, share of successes."""
        table = self._store.table
        age = now - table["first_version"] if len(self) else np.zeros(1)
        return {
            "size": len(self),
            "steps": int(table["length"].sum()),
            "megabytes": (self._store.stored_bytes + self.elite.store.stored_bytes) / 1e6,
            "age_mean": float(age.mean()),
            "age_max": float(age.max()),
            "success": float(table["success"].mean()) if len(self) else 0.0,
            "unmeasured": int((table["measured"] == 0).sum()),
            "added": self.added,
            "dropped_stale": self.dropped_stale,
            "dropped_full": self.dropped_full,
            "elite": len(self.elite),
            "elite_surprise": float(self.elite.store.table["surprise"].mean()) if len(self.elite) else 0.0,
        }

    def save(self, path: Path) -> None:
        """Write everything, the random state too, to one .npz, whole or not at all. Raises StorageError."""
        counts = {name: getattr(self, name) for name in _COUNTS}
        about = {
            "format": FORMAT,
            "counts": counts,
            "random": self._random.bit_generator.state,
            "groups": self._groups.state(),
        }
        buffer = {f"buffer/{name}": each for name, each in self._store.state().items()}
        elite = {f"elite/{name}": each for name, each in self.elite.state().items()}
        archive.write(path, {"about": archive.pack(about), **buffer, **elite})

    def load(self, path: Path) -> None:
        """Replace everything by what `save` wrote; goes on drawing as the saved one would have.

        Smaller bounds than it was saved with are kept. Raises StorageError, and changes nothing, when the file is
        torn, foreign, or of another format.
        """
        arrays = archive.read(path)
        fresh = Replay(self._config, 0)
        try:
            about = archive.unpack(arrays["about"])
            if about["format"] != FORMAT:
                raise StorageError(f"{path} is a replay of format {about['format']}; this version reads {FORMAT}")
            for name in _COUNTS:
                setattr(fresh, name, int(about["counts"][name]))
            fresh._random.bit_generator.state = about["random"]
            fresh._groups.restore(about["groups"])
            fresh._store.restore(_under("buffer/", arrays))
            fresh.elite.restore(_under("elite/", arrays))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise StorageError(f"{path} is not a saved replay: {type(error).__name__}: {error}") from error
        fresh.dropped_full += len(fresh._store.make_room(_oldest))
        vars(self).update(vars(fresh))

    def _need(self, now: int) -> None:
        self.drop_stale(now)
        if not len(self):
            raise ValueError("the replay holds no episode")


def _oldest(table: Table) -> int:
    return int(table["key"].argmin())


def _under(prefix: str, arrays: archive.Arrays) -> archive.Arrays:
    return {name.removeprefix(prefix): each for name, each in arrays.items() if name.startswith(prefix)}
