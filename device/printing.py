"""An announcer on paper: each announced row as a line of JSON, for other programs to read."""

import json
from collections.abc import Sequence
from typing import Any, TextIO

from linesies.referee.rows import Row
from linesies.referee.story import Story

TOLD = ("start", "proposal", "ruled", "refused", "camera", "trouble")


class Printer:
    """Prints rows to a stream, flushed a transaction at a time."""

    name = "printer"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def announce(self, rows: Sequence[Row]) -> None:
        """Print the rows that people are told of."""
        for row in rows:
            if row.kind in TOLD:
                self._print({"row": row.id, "kind": row.kind, "about": row.about, **row.body})

    def tell_standing(self, story: Story) -> None:
        """Print where the game stands when a referee begins or goes on with it."""
        self._print({"row": story.row, "kind": "standing", "state": story.public, "entries": len(story.entries)})

    def close(self) -> None:
        """Leave the stream to whoever opened it."""

    def _print(self, line: dict[str, Any]) -> None:
        self._stream.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._stream.flush()
