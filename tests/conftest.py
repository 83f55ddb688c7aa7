"""For every test: one torch thread, since two that wait for each other on busy cores cost five times as much."""

from __future__ import annotations

import torch

torch.set_num_threads(1)
