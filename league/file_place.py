"""Where files lie that show calls: in a folder, or a store that fsspec reaches; each board's in a folder of its own.

A store may be away, refuse, or take a line and say nothing; what hangs in it cannot be ended from outside. So nobody
who tells or reads waits for it longer than `PATIENCE_S`, and once somebody has waited in vain it is left alone for
`AGAIN_S`. Only what follows the hub's bell waits longer: for the first answer, and while a board's files are cleared.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import TypeVar

from linesies.league.errors import LeagueError
from linesies.referee.addresses import place_of

PATIENCE_S = 8.0  # less than a board's own, so that it hears why
AGAIN_S = 60.0  # of each try some threads more may hang for good: one of each who asked at once
FIRST_S = 60.0  # what reads a store has to be loaded first
CLEARS_S = 600.0  # a board has some hundred files, which go one by one
TRIED = "linesies"  # a file that is written and removed, to see that files are taken
T = TypeVar("T")


class FilesAway(LeagueError, OSError):  # noqa: N818 - reads as what happened
    """Where the files lie cannot be reached, or takes none."""


class FilePlace:
    """The place at an address; remembers for how long it is left alone."""

    def __init__(self, address: str) -> None:
        """Name the place; raises BadAddress for one that cannot be reached from here."""
        self._address = address
        self._is_folder = "://" not in address
        self._place = place_of(address)
        self._again_s = 0.0

    def try_out(self) -> None:
        """See that a store takes files; a folder is made once it is needed. Raises FilesAway."""
        if not self._is_folder:
            self._waited_for(lambda: (self._place / TRIED).write_bytes(b""), patience_s=FIRST_S)
            self.remove("", TRIED)

    def write(self, board: str, name: str, data: bytes, *, late: Callable[[], None] = lambda: None) -> None:
        """Write a file; `late` is called where that was done after nobody waited for it any more. Raises FilesAway."""

        def written() -> None:
            folder = self._place / board
            if self._is_folder:
                folder.mkdir(parents=True, exist_ok=True)
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

    def clear(self, board: str) -> None:
        """Remove all files of a board; raises FilesAway."""

        def cleared() -> None:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # in an empty folder of a store
                for path in list((self._place / board).iterdir()):
                    path.unlink(missing_ok=True)

        self._waited_for(cleared, patience_s=CLEARS_S)

    def _waited_for(
        self, do: Callable[[], T], *, patience_s: float | None = None, late: Callable[[], None] = lambda: None
    ) -> T:
        """Do something there on a thread of its own, and say in our own words whatever a store raises."""
        patience_s = patience_s or PATIENCE_S
        if time.monotonic() < self._again_s:
            raise FilesAway(f"{self._address}: did not answer just now, and is left alone for {AGAIN_S:.0f} s")
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
                raise FilesAway(f"{self._address}: does not answer within {patience_s:.0f} s") from None
            if done.exception() is None:  # it came just now
                return done.result()
            raise FilesAway(f"{self._address}: {type(fault).__name__}: {fault}") from fault
