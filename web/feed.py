"""The live feed: one thread looks at the journal for all phones, each phone is told what it has not heard.

A stream keeps no queue: it remembers only how far its phone has heard, and what it says next is everything
newer, in one message. So a slow phone skips moments and misses no row, and memory does not grow with phones.
"""

import json
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any

from web.changes import Dated, dated, news, updated
from web.ports import Journal, Now

LOOK_EVERY_S = 0.05
BEAT_EVERY_S = 5.0  # a phone that hears nothing for longer knows that its connection is gone
REPAIR_EVERY_S = 1.0
UNSEEN = ("t", "fps")  # what changes in a moment although nothing happens

log = logging.getLogger(__name__)


class Feed:
    """Remembers the newest story and moment for all streams; begins to look when the first one asks."""

    def __init__(self, journal: Journal, now: Now, *, beat_every_s: float = BEAT_EVERY_S) -> None:
        self._journal = journal
        self._now = now
        self._beat_every_s = beat_every_s
        self._news = threading.Condition()
        self._looker: threading.Thread | None = None
        self._last_id: int | None = None
        self._story: Dated | None = None
        self._moment: dict[str, Any] = {}
        self._moments = 0
        self._texts: dict[int | None, str] = {}
        self._has_failed = False

    def look(self) -> None:
        """Look once at the moment and the journal; wake the streams if anything is new."""
        moment = self._now()
        last_id = self._journal.last_id()
        story = self._journal.story_json() if last_id != self._last_id else None
        with self._news:
            self._has_failed = False
            self._moments += _seen_of(moment) != _seen_of(self._moment)
            self._moment = moment
            if story is not None:
                self._last_id = last_id
                self._story = dated(story) if self._story is None else updated(self._story, story)
                self._texts = {}
            self._news.notify_all()

    def stream(self, last_row: int | None) -> Iterator[str]:
        """Say at once what is new after that row (None: everything), then each change; ends when looking fails."""
        self._begin()
        yield ": hello\nretry: 1000\n\n"
        heard, moments = last_row, -1
        is_first = True
        while True:
            with self._news:
                self._news.wait_for(
                    lambda: self._is_news(heard, moments, is_first=is_first),  # noqa: B023 - called at once
                    timeout=self._beat_every_s,
                )
                if self._has_failed:
                    return
                text = ""
                if self._story is not None and (is_first or heard != self._story.row):
                    if is_first and heard == self._story.since:
                        heard = None  # told by the page before this one, perhaps of another journal
                    text += self._story_text(heard)
                    heard, is_first = self._story.row, False
                text += ": beat\n" if moments == self._moments else ""
                text += f"event: now\ndata: {_json(self._moment)}\n\n"
                moments = self._moments
            yield text

    def _is_news(self, heard: int | None, moments: int, *, is_first: bool) -> bool:
        if self._has_failed:
            return True
        return self._story is not None and (is_first or heard != self._story.row or moments != self._moments)

    def _story_text(self, heard: int | None) -> str:
        assert self._story is not None
        if heard not in self._texts:
            told = news(self._story, heard)
            self._texts[heard] = f"id: {self._story.row}\nevent: story\ndata: {_json(told)}\n\n"
        return self._texts[heard]

    def _begin(self) -> None:
        with self._news:
            if self._looker is None:
                self._looker = threading.Thread(target=self._keep_looking, name="feed", daemon=True)
                self._looker.start()

    def _keep_looking(self) -> None:
        while True:
            try:
                self.look()
            except Exception:
                log.exception("The journal cannot be read; trying again every second")
                with self._news:
                    self._has_failed = True
                    self._news.notify_all()
                time.sleep(REPAIR_EVERY_S)
            else:
                time.sleep(LOOK_EVERY_S)


def _seen_of(moment: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in moment.items() if name not in UNSEEN}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
