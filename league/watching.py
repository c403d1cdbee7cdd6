"""Any board's own page at the hub: on a television or over a stream, told from what that board has told.

Pictures stay on the board, and nobody orders anything here.
"""

import threading
from typing import Any

from linesies.league.bell import Bell
from linesies.league.fanout import FanOut
from linesies.league.far_board import NOW, FarBoard
from linesies.league.news import QUIET_S
from linesies.league.relaying import Relay
from linesies.league.standings import Standings
from linesies.web import Feed


class Watching:
    """Remembers a feed of each board that somebody looks at; all look when the bell rings.

    Where an engine tells pages, they ask for the whole story, and the feeds stay without listeners.
    """

    def __init__(self, standings: Standings, bell: Bell, fan_out: FanOut | None = None) -> None:
        self._standings = standings
        self._relay = None if fan_out is None else Relay(standings, bell, fan_out)
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

    @property
    def is_relayed(self) -> bool:
        """Tell whether pages hear from an engine what is new."""
        return self._relay is not None

    def whole(self, board: str, language: str) -> dict[str, Any] | None:
        """Write all of a board's story and its moment, None where no engine tells what follows, or no such board."""
        if self._relay is None or self._standings.find(board) is None:
            return None
        return {"story": self._relay.whole(board, language), "now": NOW}

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
