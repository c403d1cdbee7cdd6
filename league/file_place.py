"""Where files lie that show calls: in a folder, or a store that fsspec reaches; each board's in a folder of its own.

A store may be away, refuse, or take a line and say nothing; what hangs in it cannot be ended from outside. So nobody
who asks it for something waits longer than `PATIENCE_S`, and once somebody has waited in vain it is left alone for
`AGAIN_S`. Only its first answer is waited for longer, by one alone.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from pathlib import Path
from typing import TypeVar

from linesies.league.errors import LeagueError
from linesies.league.lasting import keep
from linesies.referee.addresses import names_in, place_of

PATIENCE_S = 8.0  # less than a board's own, so that it hears why
AGAIN_S = 60.0  # of each try some threads more may hang for good: one of each who asked at once
FIRST_S = 60.0  # what reads a store has to be loaded first
PART = ".part"  # after a file's name, until all of it is on the disk
TRIED = "linesies"  # a file that is written and removed, to see that files are taken
T = TypeVar("T")


class FilesAway(LeagueError, OSError):  # noqa: N818 - reads as what happened
    """Where the files lie cannot be reached, or takes none."""


def _write_whole(folder: Path, name: str, data: bytes) -> None:
    """Write a file into a folder whole or not at all: neither a kill nor a power cut leaves a part under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{name}{PART}"
    part.write_bytes(data)
    keep(part)
    part.rename(folder / name)
    keep(folder)


class FilePlace:
    """The place at an address; remembers for how long it is left alone."""

    def __init__(self, address: str) -> None:
        """Name the place; raises BadAddress for one that cannot be reached from here."""
        self._address = address
        self.is_folder = "://" not in address
        self._place = place_of(address)
        self._again_s = 0.0
        self._is_tried_out = False

    def try_out(self) -> None:
        """See that a store takes files, while nobody else asks it; a folder is made when needed. Raises FilesAway."""
        if self.is_folder:
            return

        def tried() -> None:
            (self._place / TRIED).write_bytes(b"")
            (self._place / TRIED).unlink(missing_ok=True)

        self._is_tried_out = True
        try:
            self._within(FIRST_S, tried)
        finally:
            self._is_tried_out = False
        self._again_s = 0.0  # whoever asked before it was loaded may have waited in vain

    def write(self, board: str, name: str, data: bytes, *, late: Callable[[], None] = lambda: None) -> None:
        """Write a file; `late` is called where that was done after nobody waited for it any more. Raises FilesAway."""

        def written() -> None:
            folder = self._place / board
            if self.is_folder:
                _write_whole(folder, name, data)
                return
            try:
                (folder / name).write_bytes(data)
            except FileNotFoundError:  # a store with folders; what is there of a bucket it would not make
                folder.mkdir(exist_ok=True)
                (folder / name).write_bytes(data)

        self._waited_for(written, late=late)

    def read(self, board: str, name: str) -> bytes | None:
        """Read a file, None where it is not there; raises FilesAway."""

        def found() -> bytes | None:
            try:
                return (self._place / board / name).read_bytes()
            except FileNotFoundError:
                return None

        return self._waited_for(found)

    def remove(self, board: str, name: str) -> None:
        """Remove a file, if it is there; raises FilesAway."""
        self._waited_for(lambda: (self._place / board / name).unlink(missing_ok=True))

    def names(self, board: str) -> list[str]:
        """List the files that lie there of a board; raises FilesAway."""
        return self._waited_for(lambda: names_in(self._place / board))

    def _waited_for(self, do: Callable[[], T], *, late: Callable[[], None] = lambda: None) -> T:
        """Do something there, unless it is yet to be seen whether anything can be done there."""
        if self._is_tried_out:
            raise FilesAway(f"{self._address}: is asked for the first time just now")
        return self._within(PATIENCE_S, do, late=late)

    def _within(self, patience_s: float, do: Callable[[], T], *, late: Callable[[], None] = lambda: None) -> T:
        """Do something there on a thread of its own, and say in our own words whatever a store raises."""
        does_not_answer = f"{self._address}: does not answer, and is left alone for {AGAIN_S:.0f} s"
        if time.monotonic() < self._again_s:
            raise FilesAway(does_not_answer)
        done: Future[T] = Future()

        def work() -> None:
            try:
                told = do()
            except BaseException as fault:  # noqa: BLE001 - who waits has to hear of it, whatever it is
                with contextlib.suppress(InvalidStateError):
                    done.set_exception(fault)
                return
            try:
                done.set_result(told)
            except InvalidStateError:  # nobody waits any more
                self._again_s = 0.0  # it has answered
                late()

        threading.Thread(target=work, name="files", daemon=True).start()
        try:
            return done.result(patience_s)
        except Exception as fault:
            if done.cancel():  # whichever comes first: an answer, or that nobody waits for it
                self._again_s = time.monotonic() + AGAIN_S
                raise FilesAway(does_not_answer) from None
            if done.exception() is None:  # it came just now
                return done.result()
            raise FilesAway(f"{self._address}: {type(fault).__name__}: {fault}") from fault
