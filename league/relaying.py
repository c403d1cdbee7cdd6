"""Boards' own pages behind an engine for thousands: what is new of a board is posted once in each language looked at.

A page asks for the whole story when it opens, and hears from the engine what is new since; what does not join on to
what it has makes it ask again. So the hub holds no connection of a page, and is asked once for many
(`packaging/league-nchan.conf`).
"""

import json
import threading
import time
from typing import Any

from linesies.league.bell import Bell
from linesies.league.fanout import FanOut
from linesies.league.far_board import FarBoard
from linesies.league.news import QUIET_S
from linesies.league.standings import Standings
from linesies.web import LANGUAGES, Dated, PhoneView, dated, news, story_for, updated

KEPT_S = 60.0  # for so long after a page has asked it may yet begin to listen

Looked = tuple[str, str]  # at which board, in which language


class Relay:
    """Remembers at which boards anybody looks, in which language, when such a page last asked, and what it was told."""

    def __init__(self, standings: Standings, bell: Bell, fan_out: FanOut) -> None:
        self._standings = standings
        self._fan_out = fan_out
        self._told: dict[Looked, Dated | None] = {}
        self._asked_s: dict[Looked, float] = {}
        self._lock = threading.Lock()
        self._forgotten = standings.forgotten
        self._knows_who_listens = False
        bell.follow(self._look, name="boards' pages behind the engine", at_least_every_s=QUIET_S)

    def whole(self, board: str, language: str) -> dict[str, Any]:
        """Write all of a board's story for a page that opens, and from now on tell what comes after it."""
        story, looked = dated(self._story(board, language)), (board, language)
        with self._lock:
            self._asked_s[looked] = time.monotonic()
            self._told.setdefault(looked, story)
        return news(story, None)

    def _look(self) -> None:
        if not self._knows_who_listens:
            self._find_who_listens()
        if self._forgotten != self._standings.forgotten:  # no page keeps a name that is no more
            self._forgotten = self._standings.forgotten
            with self._lock:
                self._told = dict.fromkeys(self._told)
        for looked, known in list(self._told.items()):
            self._tell_on(looked, known)

    def _find_who_listens(self) -> None:
        """Find the pages that listen since before this hub was started; they are told all."""
        everywhere = [(board, language) for board in self._standings.boards() for language in LANGUAGES]
        found = dict.fromkeys(looked for looked in everywhere if self._fan_out.listening(_channel(looked)))
        with self._lock:
            self._told = {**found, **self._told}
        self._knows_who_listens = True

    def _tell_on(self, looked: Looked, known: Dated | None) -> None:
        """Tell what is new since what is known there; nothing more where nobody listens any more."""
        board, language = looked
        if known is not None and known.row == FarBoard(self._standings, board).last_id():
            return
        story = self._story(board, language)
        now = dated(story) if known is None else updated(known, story)
        since = None if known is None else known.row
        text = json.dumps({**news(now, since), "after": since}, ensure_ascii=False)
        listening = self._fan_out.tell(text, _channel(looked), event="story")
        with self._lock:
            self._told[looked] = now
            if not listening and time.monotonic() - self._asked_s.get(looked, 0.0) > KEPT_S:
                del self._told[looked]
                self._asked_s.pop(looked, None)

    def _story(self, board: str, language: str) -> dict[str, Any]:
        return story_for(FarBoard(self._standings, board), PhoneView(language=language))


def _channel(looked: Looked) -> str:
    board, language = looked
    return f"/boards/{board}/{language}"
