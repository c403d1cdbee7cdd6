"""An announcer: the newest ruling as a line in the file that LINESIES_SLATE names, for whatever shows it."""

import os
from collections.abc import Sequence
from pathlib import Path

from linesies.referee.rows import Row


class Slate:
    """Writes what was ruled last."""

    name = "slate"

    def __init__(self, path: Path) -> None:
        self._path = path

    def announce(self, rows: Sequence[Row]) -> None:
        """Write the last of these rows' rulings, if there is one."""
        texts = [ruling["text"] for row in rows if row.kind == "ruled" for ruling in row.body.get("rulings", ())]
        if texts:
            self._path.write_text(f"{texts[-1]}\n", encoding="utf-8")

    def close(self) -> None:
        """Have nothing to let go of."""


def open_slate() -> Slate:
    """Open the slate; where no file is named it lies in the folder one plays in."""
    return Slate(Path(os.environ.get("LINESIES_SLATE", "slate.txt")))
