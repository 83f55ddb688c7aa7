"""Lightning as this project uses it: it takes the gradient steps; when, on what and how long is the loop's business."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import lightning
from lightning.pytorch.utilities.exceptions import SIGTERMException

from distrl_sdk.errors import ConfigError, blame
from distrl_sdk.learner.batches import ReplayData
from distrl_sdk.learner.loop import Loop


def make_engine(options: Mapping[str, Any], loop: Loop, gradient_norm: float) -> lightning.Trainer:
    """A lightning.Trainer, good for one fit. `options` are its own arguments and win over ours.

    Raises ConfigError for a value that Lightning does not take.
    """
    # No files and no noise of Lightning's own; it ends when the loop says so.
    ours = {
        "max_epochs": -1,
        "gradient_clip_val": gradient_norm,
        "logger": False,
        "enable_checkpointing": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
        "accelerator": "cpu",  # the default policy is fastest there; a large one asks for its own
        "devices": 1,
    }
    given = options.get("callbacks") or []
    callbacks = [loop, *(given if isinstance(given, list) else [given])]
    with _quiet(), blame(ConfigError, "lightning.Trainer"):
        return lightning.Trainer(**{**ours, **options, "callbacks": callbacks})


def train(engine: lightning.Trainer, learner: Any, loop: Loop, checkpoint: Path | None) -> None:
    """Take gradient steps until the loop says that training is over, from a checkpoint of `save` on if one is given."""
    with _quiet():
        try:
            engine.fit(
                learner, ReplayData(loop.next_batch), ckpt_path=str(checkpoint) if checkpoint else None,
                weights_only=True,
            )  # fmt: skip
        except SIGTERMException:
            return  # the loop was told as well: training is over
        except SystemExit:
            raise KeyboardInterrupt from None  # Lightning's answer to a Ctrl-C that cannot wait


def save(engine: lightning.Trainer, file: Path) -> None:
    """Write learner and optimiser."""
    with _quiet():
        engine.save_checkpoint(file, weights_only=False)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without what Lightning says of a usual training, which is not true of this one."""
    log = logging.getLogger("lightning.pytorch")
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        with warnings.catch_warnings():
            # the dataset yields ticks: there is nothing for more processes to load
            warnings.filterwarnings("ignore", message=".*does not have many workers.*")
            # None is how the loop says that training is over
            warnings.filterwarnings("ignore", message="train_dataloader yielded None")
            # Lightning's own use of torch
            warnings.filterwarnings("ignore", message=r"`isinstance\(treespec, LeafSpec\)` is deprecated")
            yield
    finally:
        log.setLevel(level)
