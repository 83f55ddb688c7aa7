"""For every test: one torch thread, and in CI the same examples of every property each time."""

from __future__ import annotations

import os

import torch
from hypothesis import settings

# two threads that wait for each other on busy cores cost five times as much as one
torch.set_num_threads(1)

# new examples are looked for by whoever works on the code; a commit must not fail for another one's luck
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
