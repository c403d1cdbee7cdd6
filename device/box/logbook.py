"""The log: what is announced, in words and with levels, on a stream that journald reads. No code, no password.

A line begins with its level in angle brackets, as sd-daemon(3) has it; journald takes that off again.
"""

from collections.abc import Sequence
from typing import TextIO

from linesies.referee.rows import Row

ERROR, WARNING, NOTICE, INFO = 3, 4, 5, 6
OF_CAMERA = {"camera_back": NOTICE, "camera_slow": WARNING, "camera_moved": WARNING, "camera_lost": ERROR}


class Logbook:
    """An announcer that writes one line a thing that people are told."""

    name = "log"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def announce(self, rows: Sequence[Row]) -> None:
        """Write what there is to say of the rows."""
        for row in rows:
            for level, words in _lines(row):
                self._stream.write(f"<{level}>{' '.join(words.split())}\n")
        self._stream.flush()

    def close(self) -> None:
        """Leave the stream to whoever opened it."""


def _lines(row: Row) -> list[tuple[int, str]]:
    body = row.body
    match row.kind:
        case "ruled":
            return [(INFO, f"row {row.id}: {ruling['text']} ({ruling['rule']})") for ruling in body.get("rulings", ())]
        case "camera":
            return [(OF_CAMERA.get(body["event"], WARNING), f"camera: {body['message']}")]
        case "trouble":
            return [(NOTICE if body.get("is_over") else WARNING, f"{row.origin}: {body['message']}")]
        case "unwritten":
            return [(ERROR, f"nothing can be written: {body['message']}")]
        case "start":
            return [(NOTICE, f"a game of {body['game']} begins: {', '.join(body['players'])}")]
    return []
