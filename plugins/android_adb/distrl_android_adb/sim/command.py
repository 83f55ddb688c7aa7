"""The verb `distrl sim adb`. What it needs is imported when it runs, since `distrl --help` makes every verb."""

from __future__ import annotations

from collections.abc import Sequence


class SimAdb:
    """A shelf of simulated Androids for whoever has no phone at hand."""

    about = "serve simulated Androids over the ADB protocol until Ctrl-C"

    def run(self, arguments: Sequence[str]) -> int:
        """Serve; returns the exit status."""
        from distrl_android_adb.sim.cli import serve_shelf

        return serve_shelf(arguments)
