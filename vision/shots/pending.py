"""Caps of one shot that are known before the others: told only once these are found too, or long enough looked for.

Where caps come to rest side by side, one blob hides another until one of them is taken for known.
"""

from collections.abc import Iterable, Mapping

from linesies.vision.shots.tell import Movement

LONGEST_S = 0.9  # for which the others are looked for
EARLY_S = 0.1  # by which a cap may seem to have left its place before those that touched it flew


class PendingShot:
    """Remembers the caps that have moved but are not told of yet, since when, and when the last came to rest."""

    def __init__(self) -> None:
        self.moved: list[Movement] = []
        self._since_s: float | None = None
        self._t_end_s = 0.0

    def add(self, moved: list[Movement], t_end_s: float, t_s: float) -> None:
        """Keep caps that have moved, but for what was already known of them."""
        known = {m.player for m in self.moved}
        self.moved += [m for m in moved if m.player not in known]
        self._t_end_s = max(self._t_end_s, t_end_s)
        self._since_s = t_s if self._since_s is None else self._since_s

    def has_moved_again(self, moved: list[Movement]) -> bool:
        """Tell whether a cap that is not told of yet has already flown once more."""
        known = {m.player for m in self.moved}
        return any(m.player in known for m in moved if m.track is not None)

    def is_waiting(self, t_s: float, missing_s: Mapping[str, float], gone: Iterable[str]) -> bool:
        """Tell whether a cap is still to be found that left its place while these were in flight."""
        if self._since_s is None or t_s - self._since_s > LONGEST_S:
            return False
        flights = [m.track for m in self.moved if m.is_flown and m.track is not None]
        return any(
            track.t_start_s - EARLY_S < missing_s[player] < track.t_end_s + EARLY_S
            for player in gone
            if player in missing_s
            for track in flights
        )

    def take(self) -> tuple[list[Movement], float]:
        """Give what is known, and when the last cap came to rest; start anew."""
        known = self.moved, self._t_end_s
        self.moved, self._since_s, self._t_end_s = [], None, 0.0
        return known
