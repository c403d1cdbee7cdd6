"""Who listens to the live feed: so many at a time, shared fairly between places, and always open to paired phones."""

import threading
from collections import Counter


class Listener:
    """One phone's place at the feed; `is_over` once another needed it more."""

    def __init__(self, place: str, *, is_paired: bool) -> None:
        self.place = place
        self.is_paired = is_paired
        self.is_over = False


class Listeners:
    """Remembers who listens.

    When all places are taken, the address that has most of them gives one up to a newcomer who has fewer; a paired
    phone always gets one from those that only watch. So nobody can keep the others out.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._listening: dict[Listener, None] = {}  # the one that came first stands first

    def admit(self, place: str, *, is_paired: bool) -> Listener | None:
        """Let a phone listen; None where there is no room for it."""
        new = Listener(place, is_paired=is_paired)
        with self._lock:
            if len(self._listening) >= self._most:
                leaving = self._leaving(new)
                if leaving is None:
                    return None
                leaving.is_over = True
                del self._listening[leaving]
            self._listening[new] = None
        return new

    def leave(self, listener: Listener) -> None:
        """Give a place back."""
        with self._lock:
            self._listening.pop(listener, None)

    def _leaving(self, new: Listener) -> Listener | None:
        """Choose who makes room, the longest there of the address that has most."""
        watching = [listener for listener in self._listening if not listener.is_paired]
        taken = Counter(listener.place for listener in watching)
        if not watching:
            return None
        place, most = taken.most_common(1)[0]
        if not new.is_paired and most <= taken[new.place] + 1:
            return None
        return next(listener for listener in watching if listener.place == place)
