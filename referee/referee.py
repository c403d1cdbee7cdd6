"""The referee: has decided what follows from what was seen and ordered, writes it, then tells everyone.

Nothing is announced before it is durably in the journal: every path ends in `_write`, which appends all rows of one
cause in one transaction and hands them on afterwards.
"""

import logging
import time
from collections.abc import Iterator, Mapping
from typing import Any

from linesies.referee.decide import Circumstances, begin, decide
from linesies.referee.doubt import Elsewhere, Policy, ask_people
from linesies.referee.drafting import camera_draft, unheeded
from linesies.referee.folding import fold, story_of
from linesies.referee.ports import RowStore, Telling
from linesies.referee.rows import Draft, Row, Submitted
from linesies.referee.saying import Saying, Trouble
from linesies.referee.story import Story
from linesies.referee.testimony import Seen

log = logging.getLogger(__name__)


class Referee:
    """Remembers the story so far, as the journal tells it; a new referee on the same journal stands where it stood.

    `known` is what has been read of the journal already, so that it need not be read again.
    """

    def __init__(
        self,
        journal: RowStore,
        announcers: Telling,
        *,
        elsewhere: Elsewhere,
        policy: Policy = ask_people,
        known: Story | None = None,
    ) -> None:
        self.journal = journal
        self.story = story_of(journal, known)
        self._announcers = announcers
        self._elsewhere = elsewhere
        self._policy = policy

    @property
    def has_game(self) -> bool:
        """Tell whether a game is under way."""
        return has_game(self.story)

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return self.story.is_over

    def begin(self, set_up: Mapping[str, Any], start: Mapping[str, Any]) -> None:
        """Begin a game; raises rules.BadStart before anything is written."""
        self._write(*begin(self.story, set_up, start, self.journal.next_id()))

    def redraw(self, set_up: Mapping[str, Any]) -> None:
        """Draw the same game on a board that was learned again."""
        self._write(Draft(origin="referee", kind="set_up", body={**(self.story.set_up or {}), **set_up}))

    def see(self, seen: Seen) -> tuple[Row, ...]:
        """Take what vision saw: rule on it, or hold it and ask people; returns the rows written."""
        return self._write(*decide(self.story, seen, self._circumstances()))

    def take_orders(self) -> tuple[Row, ...]:
        """Take what waits in the inbox, one order a transaction; returns the rows written."""
        return tuple(row for rows in self.each_order() for row in rows)

    def each_order(self) -> Iterator[tuple[Row, ...]]:
        """Take what waits in the inbox as `take_orders` does, one after the other; gives the rows of each in turn."""
        yield from map(self._take, self.journal.inbox())

    def tell_camera(self, event: str, message: str) -> tuple[Row, ...]:
        """Write what happened to the camera."""
        return self._write(camera_draft(event, message))

    def tell_evidence(self, about: int, body: Mapping[str, Any]) -> None:
        """Write which pictures and which clip show what was seen; `linesies.device.announcers.evidence` says how."""
        self._write(Draft(origin="referee", kind="evidence", about=about, body=body))

    def troubles(self) -> list[Trouble]:
        """Take what announcers fail at, or do again, since the last time."""
        return self._announcers.troubles()

    def tell_trouble(self, trouble: Trouble) -> None:
        """Write that something beside the game fails, or is well again; the game goes on."""
        over = {"is_over": True} if trouble.is_over else {}
        self._write(Draft(origin=trouble.who, kind="trouble", body={**trouble.saying.as_json(), **over}))

    def catch_up(self) -> bool:
        """Take over rows that were written although it had seemed that they could not be; tells if there were any."""
        rows = tuple(self.journal.rows_after(self.story.row))
        self.story = fold(rows, self.story)
        self._announcers.announce(rows)
        return bool(rows)

    def alarm(self, message: str) -> None:
        """Tell everyone that nothing can be written, so nothing be ruled on; the only news that is in no journal."""
        row = Row(id=0, at_s=time.time(), origin="journal", kind="unwritten", about=None, body={"message": message})
        self._announcers.announce((row,))

    def _take(self, sent: Submitted) -> tuple[Row, ...]:
        at = self._circumstances()
        try:
            drafts = decide(self.story, sent, at)
        except Exception as fault:
            log.exception("an order failed")
            drafts = unheeded(sent, Saying("order_failed", why=f"{type(fault).__name__}: {fault}"), at.first)
        return self._write(*drafts, takes=sent)

    def _circumstances(self) -> Circumstances:
        return Circumstances(first=self.journal.next_id(), elsewhere=self._elsewhere, policy=self._policy)

    def _write(self, *drafts: Draft, takes: Submitted | None = None) -> tuple[Row, ...]:
        rows = self.journal.append(*drafts, takes=takes)
        self.story = fold(rows, self.story)
        self._announcers.announce(rows)
        return rows


def has_game(story: Story) -> bool:
    """Tell whether a game is under way."""
    return story.start is not None and story.hole is None and not story.is_over
