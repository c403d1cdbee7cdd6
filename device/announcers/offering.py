"""Offering a hub what shows calls: clips of shots, and what they were measured from, where the board's owner says so.

A thread of its own, with a line of its own, so that neither the game nor the rows ever wait for a film. Nothing is
remembered between starts: the hub is told what there is, and says what it wants. Cases go first, then the smallest
clip. Once the owner wants none to be seen any more the hub is told until it has heard it, which removes what it had.
"""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linesies.device.announcers.pauses import spread
from linesies.device.cases.archives import cases_to_read, open_archive, zipped
from linesies.device.errors import BadInput
from linesies.device.hub_line import HubLine
from linesies.device.journal.journal import Journal
from linesies.device.membership import Membership, key_file, membership_file, pictures_file, read_membership
from linesies.device.places import cases_folder, evidence_folder
from linesies.league import Refusal
from linesies.league.identity import identity_in
from linesies.league.wire import MOST_FILE_BYTES, MOST_FILES, MOST_ROWS, Offered, RowFile, Wanted
from linesies.referee.rows import Row

log = logging.getLogger(__name__)

EVERY_S = 30.0
SOONEST_S, LATEST_S = 1.0, 60.0  # what failed, or whose row is yet to be told, is tried again: each time twice as late
FAREWELL_S = 1.0


class FileOffering:
    """The announcer that brings files to a hub; remembers what the newest rows of evidence say, and the last fault."""

    name = "league_files"

    def __init__(self, membership: Membership, state: Path, journal_path: str, *, may_leave: bool) -> None:
        self._state = state
        self._journal_path = journal_path
        self._may_leave = may_leave
        self._line = HubLine(membership.hub, identity_in(key_file(state)))
        self._read = 0
        self._made: dict[int, Mapping[str, Any]] = {}  # by the row of what was seen
        self._too_large: set[RowFile] = set()
        self._news = threading.Event()
        self._over = threading.Event()
        self._fault: str | None = None
        self._thread = threading.Thread(target=self._run, name="league files", daemon=True)
        self._thread.start()

    def announce(self, rows: Sequence[Row]) -> None:
        """Let the thread know that something new can be shown; raises OSError with what went wrong last."""
        if any(row.kind == "evidence" for row in rows):
            self._news.set()
        if self._fault is not None:
            raise OSError(self._fault)

    def close(self) -> None:
        """Bring no more."""
        self._over.set()
        self._news.set()
        self._thread.join(FAREWELL_S)

    def _run(self) -> None:
        mark, pause_s = pictures_file(self._state), SOONEST_S
        journal: Journal | None = None
        if self._may_leave:
            mark.touch()
        while not self._over.is_set() and mark.exists() and membership_file(self._state).exists():
            is_done = False
            try:
                journal = journal or Journal(self._journal_path)  # a connection of this thread's own
                if self._may_leave:
                    is_done = self._bring_all(journal)
                else:
                    self._offer(None)
                    mark.unlink()
            except Exception as fault:  # noqa: BLE001 - whatever ails the hub, the line or a file, it is tried again
                self._fault = f"{fault}; it is tried again"
            else:
                self._fault = None
            self._line.close()
            if is_done:
                pause_s = SOONEST_S
                self._news.wait(EVERY_S)
                self._news.clear()
            else:
                self._over.wait(spread(pause_s))
                pause_s = min(2 * pause_s, LATEST_S)
        self._fault = None
        if journal is not None:
            journal.close()

    def _bring_all(self, journal: Journal) -> bool:
        """Bring what is wanted; tells whether that is all there is."""
        self._look(journal)
        wanted = self._offer(self._there())
        for file in sorted(wanted.files, key=self._size):
            if self._over.is_set():
                break
            data = self._data(file)
            if data is not None and len(data) > MOST_FILE_BYTES:
                log.warning("what shows row %d, %s, is too large for the hub: %d bytes", *file, len(data))
                self._too_large.add(file)
            elif data is not None:
                _taken(self._line.bring(self._epoch(), file, data))
        return wanted.has_rows

    def _look(self, journal: Journal) -> None:
        """Read which files were made."""
        while rows := journal.rows_after(self._read, MOST_ROWS):
            self._made |= {row.about: row.body for row in rows if row.kind == "evidence" and row.about is not None}
            self._read = rows[-1].id
        for row in list(self._made)[:-MOST_FILES]:
            del self._made[row]

    def _offer(self, files: tuple[RowFile, ...] | None) -> Wanted:
        return _taken(self._line.offer(Offered(epoch=self._epoch(), at_s=time.time(), files=files)))

    def _epoch(self) -> str:
        """Tell which chain of rows is told now; the journal may have been begun anew meanwhile."""
        membership = read_membership(self._state)
        if membership is None:
            raise OSError("this box has left the league")
        return membership.epoch

    def _there(self) -> tuple[RowFile, ...]:
        """List what there still is, the newest first."""
        found: list[RowFile] = [(row, "clip") for row in self._made if self._clip(row).is_file()]
        found += [(row, "case") for row in self._made if any(map(Path.is_file, self._cases(row)))]
        return tuple(sorted(set(found) - self._too_large, reverse=True)[:MOST_FILES])

    def _size(self, file: RowFile) -> int:
        """Tell how large a clip is; what was measured is smaller than most, and lies in many parts."""
        row, kind = file
        return self._clip(row).stat().st_size if kind == "clip" and self._clip(row).is_file() else 0

    def _data(self, file: RowFile) -> bytes | None:
        """Read a file; None for one that had to make room meanwhile."""
        row, kind = file
        try:
            return self._clip(row).read_bytes() if kind == "clip" else self._zipped(row)
        except (FileNotFoundError, BadInput):
            return None

    def _zipped(self, row: int) -> bytes:
        """Put the cases of a row into one file; what people settled the hub knows by the rows."""
        archive = open_archive(str(cases_folder(self._state)))
        missed: list[BadInput] = []
        cases = list(cases_to_read(archive, [case.name for case in self._cases(row)], missed))
        return zipped(archive, cases, missed)

    def _clip(self, row: int) -> Path:
        return evidence_folder(self._state) / (self._made[row].get("clip") or "none")

    def _cases(self, row: int) -> list[Path]:
        return [cases_folder(self._state) / name for name in self._made[row].get("cases", ())]


def _taken(answer: Wanted | Refusal) -> Wanted:
    if isinstance(answer, Refusal):
        raise OSError(answer.message)
    return answer
