"""A child process of ours that works while the loop goes on: begun, and told of once when it has ended."""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ChildOutcome:
    """How a child ended: its exit status, and what it said of its troubles."""

    status: int
    said: str


@dataclass(frozen=True, slots=True)
class _Working:
    process: subprocess.Popen[bytes]
    said_file: Path


class Child:
    """Remembers the child that is at work, one at a time; what it says of its troubles is in a file while it works."""

    def __init__(self) -> None:
        self._working: _Working | None = None

    @property
    def is_at_work(self) -> bool:
        """Tell whether it has been begun and not been told of yet."""
        return self._working is not None

    def begin(self, words: Iterable[str], *, said_file: Path) -> None:
        """Begin a module of ours with its arguments; raises OSError where that cannot be."""
        with said_file.open("wb") as said:
            command = [sys.executable, "-P", "-m", *words]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)  # noqa: S603 - our own words
        self._working = _Working(process, said_file)

    def done(self, settle: Callable[[int], None]) -> ChildOutcome | None:
        """Tell once how it ended; None while it works, or where nothing was begun.

        `settle` is given its status first: while the file of its troubles lies there, others take it to be at work.
        """
        if self._working is None or self._working.process.poll() is None:
            return None
        working, self._working = self._working, None
        status, said = working.process.returncode, ""
        with contextlib.suppress(OSError):
            said = working.said_file.read_text(errors="replace")
            settle(status)
            working.said_file.unlink()
        return ChildOutcome(status, said)
