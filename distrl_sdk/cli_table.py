"""Tables on the standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence


def write_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Aligned columns, the last ones left out where they are empty."""
    lines = [tuple(heads), *(tuple(" ".join(cell.split()) for cell in row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        sys.stdout.write(text.rstrip() + "\n")
