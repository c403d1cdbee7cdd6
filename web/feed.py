"""The live feed: one thread looks at the journal for all phones, each phone is told what it has not heard.

A stream keeps no queue: it remembers only how far its phone has heard, and what it says next is everything
newer, in one message. So a slow phone skips moments and misses no row, and memory does not grow with phones.
"""

import json
import logging
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from typing import Any

from linesies.web.changes import Dated, dated, news, updated
from linesies.web.ports import Now, Told
from linesies.web.views import EVERYBODYS, PhoneView, story_for

LOOK_EVERY_S = 0.02  # a look that finds nothing new takes 0.03 ms
BEAT_EVERY_S = 5.0  # a phone that hears nothing for longer knows that its connection is gone
REPAIR_EVERY_S = 1.0
MOST_IDLE = 32  # stories of views that nobody looks at are kept so many, for phones that come back
UNSEEN = ("t", "fps")  # what changes in a moment although nothing happens

TryLook = Callable[[], bool]
KeepLooking = Callable[[TryLook], object]

log = logging.getLogger(__name__)


class Feed:
    """Remembers the newest moment and the newest story of each view; begins to look when the first phone comes."""

    def __init__(
        self, journal: Told, now: Now, *, beat_every_s: float = BEAT_EVERY_S, keep_looking: KeepLooking | None = None
    ) -> None:
        """Make a feed; `keep_looking` has it look from then on, in place of a thread that looks all the time."""
        self._journal = journal
        self._now = now
        self._beat_every_s = beat_every_s
        self._news = threading.Condition()
        self._keep_looking = keep_looking or look_always
        self._has_begun = False
        self._last_id: int | None = None
        self._stories: dict[PhoneView, Dated] = {}
        self._watched: Counter[PhoneView] = Counter()
        self._moment_text = ""
        self._moment: dict[str, Any] = {}
        self._moments = 0
        self._texts: dict[tuple[PhoneView, int | None], str] = {}
        self._has_failed = False

    @property
    def is_watched(self) -> bool:
        """Tell whether anybody listens."""
        with self._news:
            return any(self._watched.values())

    def look(self) -> None:
        """Look once at the moment and the journal; wake the streams if anything is new."""
        moment = self._now()
        last_id = self._journal.last_id()
        views = self._views(is_new=last_id != self._last_id)
        stories = {view: story_for(self._journal, view) for view in views}
        has_moved = _seen_of(moment) != _seen_of(self._moment)
        with self._news:
            self._has_failed = False
            self._moments += has_moved
            self._moment = moment
            self._moment_text = f"event: now\ndata: {_json(moment)}\n\n"
            for view, story in stories.items():
                known = self._stories.get(view)
                self._stories[view] = dated(story) if known is None else updated(known, story)
            if stories:
                self._last_id = last_id
                self._texts = {}
            if stories or has_moved:
                self._news.notify_all()

    def stream(
        self, last_row: int | None, view: PhoneView = EVERYBODYS, is_valid: Callable[[], bool] = lambda: True
    ) -> Generator[str]:
        """Say at once what is new after that row (None: everything), then each change.

        Ends when looking fails, and when the view is no longer this phone's.
        """
        self._begin()
        with self._news:
            self._watched[view] += 1
        try:
            yield from self._told(last_row, view, is_valid)
        finally:
            with self._news:
                self._watched[view] -= 1

    def _told(self, last_row: int | None, view: PhoneView, is_valid: Callable[[], bool]) -> Iterator[str]:
        yield ": hello\nretry: 1000\n\n"
        heard, moments = last_row, -1
        is_first = True
        while True:
            with self._news:
                self._news.wait_for(
                    lambda: self._is_news(view, heard, moments, is_first=is_first),  # noqa: B023 - called at once
                    timeout=self._beat_every_s,
                )
                if self._has_failed:
                    return
                story = self._stories.get(view)
                text = ""
                if story is not None and (is_first or heard != story.row):
                    if is_first and heard == story.since:
                        heard = None  # told by the page before this one, perhaps of another journal
                    text += self._story_text(view, heard)
                    heard, is_first = story.row, False
                text += ": beat\n" if moments == self._moments else ""
                text += self._moment_text
                moments = self._moments
            if not is_valid():
                return
            yield text

    def _views(self, *, is_new: bool) -> list[PhoneView]:
        """List the views to tell anew: all that are looked at, or those that nobody has looked at before."""
        with self._news:
            for view in [v for v in self._stories if not self._watched[v]] if len(self._stories) > MOST_IDLE else []:
                del self._stories[view]
            known = {EVERYBODYS, *(view for view, count in self._watched.items() if count), *self._stories}
            return [view for view in known if is_new or view not in self._stories]

    def _is_news(self, view: PhoneView, heard: int | None, moments: int, *, is_first: bool) -> bool:
        if self._has_failed:
            return True
        story = self._stories.get(view)
        return story is not None and (is_first or heard != story.row or moments != self._moments)

    def _story_text(self, view: PhoneView, heard: int | None) -> str:
        story = self._stories[view]
        if (view, heard) not in self._texts:
            told = news(story, heard)
            self._texts[view, heard] = f"id: {story.row}\nevent: story\ndata: {_json(told)}\n\n"
        return self._texts[view, heard]

    def _begin(self) -> None:
        with self._news:
            has_begun, self._has_begun = self._has_begun, True
        if not has_begun:
            self._keep_looking(self.try_look)

    def try_look(self) -> bool:
        """Look, and end all streams where that fails; tells whether it did not."""
        try:
            self.look()
        except Exception as fault:
            if not self._has_failed:
                log.error(  # noqa: TRY400 - a disk that fails is no fault of ours; anything else says where
                    "The journal cannot be read; trying again: %s", fault, exc_info=not isinstance(fault, OSError)
                )
            with self._news:
                self._has_failed = True
                self._news.notify_all()
            return False
        return True


def look_always(try_look: TryLook) -> None:
    """Look on a thread of its own, as long as there is a feed to look for."""
    of_feed = weakref.WeakMethod(try_look)

    def go_on() -> None:
        while look := of_feed():
            pause_s = LOOK_EVERY_S if look() else REPAIR_EVERY_S
            del look  # the feed is not held while it waits
            time.sleep(pause_s)

    threading.Thread(target=go_on, name="feed", daemon=True).start()


def _seen_of(moment: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in moment.items() if name not in UNSEEN}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
