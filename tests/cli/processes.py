"""The command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SMALL = ["--fleet=sim:2", "--demos-per-family=0", "--eval-tasks=none", "--max-trajectories=4", "--learner.batch=2"]
COMMAND = [sys.executable, "-c", "import sys; from distrl_sdk.cli import main; sys.exit(main())"]
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def distrl(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=100, check=False
    )
