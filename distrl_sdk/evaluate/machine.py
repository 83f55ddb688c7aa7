"""What machine a figure was measured on. Reads the system; imports no torch."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Machine:
    """The hardware and the versions behind a result."""

    cpu: str
    """The processor's name, its architecture when the system does not tell."""
    cores: int
    """Those that this process may use."""
    memory: int
    """Bytes, 0 when the system does not tell."""
    system: str
    python: str
    torch: str
    """'' when it is not installed."""
    distrl: str

    @classmethod
    def here(cls) -> Machine:
        """This machine and this installation."""
        return cls(
            cpu=_cpu_name(),
            cores=_cores(),
            memory=_memory(),
            system=f"{platform.system()} {platform.release()}",
            python=platform.python_version(),
            torch=_installed("torch"),
            distrl=_installed("distrl-sdk"),
        )

    def __str__(self) -> str:
        return f"{self.cores} cores, {self.memory / 2**30:.0f} GB, {self.cpu}"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0


def _cpu_name() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = subprocess.run(
            ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=False
        )
        return asked.stdout.strip() or platform.machine()
    return platform.machine()


def _installed(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""
