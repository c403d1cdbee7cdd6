"""Telling a hub what the journal holds: a thread of its own that reads, sends, and tries again; the game never waits.

Nothing is remembered between starts: the hub says what it holds, and the journal tells on from there. Rows are sent
only up to where all that they say may be known to everybody. With each answer the hub says which match it calls to this
board; when that is another one, it goes into the inbox as an order, and so into the journal, to the page and the lamps.
It ends by itself once the box belongs to the league no more.

Over a bad line each message may fail, whatever it says; so little is said: the hub is asked what it holds only where
that is not known, and fewer rows are sent at once only after rows have failed to come through.
"""

import contextlib
import logging
import threading
from collections.abc import Sequence
from pathlib import Path

from linesies.device.announcers.pauses import spread
from linesies.device.hub_line import HubLine
from linesies.device.journal.journal import Journal
from linesies.device.membership import Membership, key_file, membership_file, with_new_epoch, write_membership
from linesies.league import HubAnswer, Pushed, Refusal
from linesies.league.identity import identity_in
from linesies.league.wire import MOST_ROWS
from linesies.referee.known_types import know_types
from linesies.referee.orders import CalledMatch, CallMatch, order_json
from linesies.referee.rows import Ordered, Row, read_body
from linesies.referee.secrets import Curtain

log = logging.getLogger(__name__)

EVERY_S = 5.0  # so that the hub knows that we live, and we soon know which match is called to us
SOONEST_S, LATEST_S = 1.0, 15.0  # after a failure it is tried again: each time twice as late
LEAST_ROWS = 8  # in one message, while there are so many: 1.2 kB, one packet; fewer come through no better
FAREWELL_S = 1.0
ORIGIN = "league"  # of the order that calls a match here


class LeaguePusher:
    """The announcer at a hub; remembers up to which row everybody may know, and why the last try failed."""

    name = "league"

    def __init__(self, membership: Membership, state: Path, journal_path: str) -> None:
        self._membership = membership
        self._state = state
        self._journal_path = journal_path
        self._line = HubLine(membership.hub, identity_in(key_file(state)))
        self._news = threading.Event()
        self._over = threading.Event()
        self._fault: str | None = None
        self._curtain = Curtain()
        self._read = 0
        self._open = 0
        self._most = MOST_ROWS  # in one message: fewer over a line on which rows have just failed
        self._held: HubAnswer | None = None  # what the hub said last; nobody knows after a failure
        self._pause_s = SOONEST_S  # before it is tried again
        self._match: CalledMatch | None = None  # that was called here last, as the journal or the inbox has it
        know_types()  # for this thread reads rows as the referee's does
        self._thread = threading.Thread(target=self._run, name="league", daemon=True)
        self._thread.start()

    def announce(self, rows: Sequence[Row]) -> None:  # noqa: ARG002 - they are read from the journal, with what came before
        """Let the thread know that there is news; raises OSError with why the hub was not reached last."""
        self._news.set()
        if self._fault is not None:
            raise OSError(self._fault)

    @property
    def is_telling(self) -> bool:
        """Tell whether it still has a hub to tell."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Say no more."""
        self._over.set()
        self._news.set()
        self._thread.join(FAREWELL_S)

    def _run(self) -> None:
        journal: Journal | None = None
        while not self._over.is_set() and membership_file(self._state).exists():
            try:
                journal = journal or Journal(self._journal_path)  # a connection of this thread's own
                with contextlib.closing(self._line):
                    self._tell(journal)
            except Exception as fault:  # noqa: BLE001 - whatever ails the hub or the line, it is tried again
                self._fault = f"{self._membership.hub}: {fault}; what was played is told once it answers"
                self._held = None
                self._over.wait(spread(self._pause_s))
                self._pause_s = min(2 * self._pause_s, LATEST_S)
            else:
                self._fault = None
                self._news.wait(EVERY_S)
                self._news.clear()
        self._fault = None
        if journal is not None:
            self._call_off(journal)
            journal.close()

    def _call_off(self, journal: Journal) -> None:
        """Let no match stand that a league called here which this board has left meanwhile."""
        if self._match is not None and not membership_file(self._state).exists():
            journal.submit(order_json(CallMatch(match=None)), ORIGIN)

    def _tell(self, journal: Journal) -> None:
        """Send all that everybody may know and the hub does not hold."""
        self._look(journal)
        held, has_asked = (self._asked(journal), True) if self._held is None else (self._held, False)
        while held.held < self._open and not self._over.is_set():
            rows = tuple(v for v in journal.values_after(held.held, self._most) if v[0] <= self._open)
            held, has_asked = self._pushed(Pushed(epoch=self._membership.epoch, before=held.seal, rows=rows)), False
        if not has_asked:
            held = self._asked(journal)  # now that all is told, a match may be called here
        self._held = held
        if held.match != self._match:
            journal.submit(order_json(CallMatch(match=held.match)), ORIGIN)
            self._match = held.match

    def _pushed(self, rows: Pushed) -> HubAnswer:
        """Send rows; the next time half as many where they do not come through, twice as many where they do."""
        try:
            held = self._said(rows)
        except OSError:
            self._most = max(LEAST_ROWS, self._most // 2)
            raise
        self._most = min(MOST_ROWS, 2 * self._most)
        return held

    def _look(self, journal: Journal) -> None:
        """Read what is new, and find up to where everybody may know it."""
        while rows := journal.rows_after(self._read, MOST_ROWS):
            for row in rows:
                if self._curtain.is_open_after(row):
                    self._open = row.id
                told = read_body(row)
                if isinstance(told, Ordered) and told.order == "match":
                    self._match = told.match
            self._read = rows[-1].id

    def _asked(self, journal: Journal) -> HubAnswer:
        """Ask what the hub holds, and let it know whether that is all there is."""
        held = self._said(Pushed(epoch=self._membership.epoch, before=journal.seal_at(self._open) or ""))
        is_ours = not held.held or journal.seal_at(held.held) == held.seal
        return held if is_ours else self._begin_anew(journal)

    def _begin_anew(self, journal: Journal) -> HubAnswer:
        """Tell a chain of our own beside one that the hub holds and this journal is not: it was mended or replaced."""
        log.warning("the hub holds other rows than this journal: the journal is told to it once more, as another chain")
        self._membership = with_new_epoch(self._membership)
        write_membership(self._state, self._membership)
        return self._asked(journal)

    def _said(self, message: Pushed) -> HubAnswer:
        answer = self._line.say(message)
        if isinstance(answer, Refusal):
            raise OSError(answer.message)
        self._pause_s = SOONEST_S
        return answer
