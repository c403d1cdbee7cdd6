"""Any board's own page at the hub: on a television or over a stream, told from what that board has told.

Pictures stay on the board, and nobody orders anything here.
"""

import threading
from collections.abc import Collection
from typing import Any

from linesies.league.bell import Bell
from linesies.league.news import QUIET_S
from linesies.league.standings import Standings
from linesies.web import Feed

NOW = {"camera": "ok", "caps": {}, "signals": {}}  # boards tell what was ruled, and nothing of the moment


class FarBoard:
    """What a board has told, as its page wants it."""

    def __init__(self, standings: Standings, board: str) -> None:
        self._standings = standings
        self._board = board

    def last_id(self) -> int:
        """Give the newest row that is held of it."""
        found = self._standings.find(self._board)
        return 0 if found is None else self._standings.story(found).row

    def story_json(self, seats: Collection[str] = ()) -> dict[str, Any]:  # noqa: ARG002 - no secret comes to a hub
        """Write its story for everybody, without the pictures."""
        told = self._standings.story_json(self._board) or {}
        return {**told, **{kind: [{**one, "evidence": {}} for one in told[kind]] for kind in ("entries", "pending")}}


class Watching:
    """Remembers a feed of each board that somebody looks at; all look when the bell rings."""

    def __init__(self, standings: Standings, bell: Bell) -> None:
        self._standings = standings
        self._feeds: dict[str, Feed] = {}
        self._lock = threading.Lock()
        self._forgotten = standings.forgotten
        bell.follow(self._look, name="boards' pages", at_least_every_s=QUIET_S)

    def feed(self, board: str) -> Feed | None:
        """Give a board's feed, None where no board has that key."""
        if self._standings.find(board) is None:
            return None
        with self._lock:
            if board not in self._feeds:
                far = FarBoard(self._standings, board)
                self._feeds[board] = Feed(far, lambda: NOW, keep_looking=lambda try_look: try_look())
            return self._feeds[board]

    def is_told_by(self, feed: Feed) -> bool:
        """Tell whether a feed is still the one of its board: each begins anew once somebody is forgotten."""
        return feed in self._feeds.values()

    def _look(self) -> None:
        with self._lock:
            if self._forgotten != self._standings.forgotten:
                self._forgotten = self._standings.forgotten
                self._feeds.clear()
            self._feeds = {board: feed for board, feed in self._feeds.items() if feed.is_watched}
            feeds = list(self._feeds.values())
        for feed in feeds:
            feed.try_look()
