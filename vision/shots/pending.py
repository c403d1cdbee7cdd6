"""Caps of one shot that are known before the others: told only once these are found too, or long enough looked for.

Where caps come to rest side by side, one blob hides another until one of them is taken for known.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.moved import Movement


@dataclass(frozen=True)
class PendingTuning(Tuning):
    """For how long the other caps of a shot are waited for."""

    longest_s: float = tuned(
        2.0,
        title="for which the others are looked for",
        unit="s",
        low=0.1,
        high=10,
        source="by hand, 0.9 until 30 November: a cap lost from sight is found within 2; a cap of 8 px that had struck "
        "another on dark asphalt was found 1.4 s after that (simulated street 988153)",
    )
    before_s: float = tuned(
        0.5,
        title="before another flew, in which a cap left that may have struck it",
        unit="s",
        low=0.01,
        high=3,
        source="physics: a cap of 1 m/s comes to rest in 0.5 s (FlightTuning.friction_mm_s2)",
    )
    late_s: float = tuned(
        0.1,
        title="by which a cap may seem to have left after what struck it came to rest",
        unit="s",
        low=0.01,
        high=1,
        source=by_hand_in("2d4b5cf"),
    )


PENDING = PendingTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PendingShot:
    """The caps that have moved but are not told of yet, since when they are known, and when the last came to rest."""

    moved: tuple[Movement, ...]
    since_s: float
    t_end_s: float

    def joined_by(self, moved: Iterable[Movement], t_end_s: float) -> "PendingShot":
        """Take in more caps that have moved, but for what was already known of them."""
        known = {m.player for m in self.moved}
        more = (m for m in moved if m.player not in known)
        return replace(self, moved=(*self.moved, *more), t_end_s=max(self.t_end_s, t_end_s))

    def has_moved_again(self, moved: Iterable[Movement]) -> bool:
        """Tell whether a cap that is not told of yet has already flown once more."""
        known = {m.player for m in self.moved}
        return any(m.player in known for m in moved if m.track is not None)

    def is_waiting(self, t_s: float, left: Iterable[tuple[float, float]]) -> bool:
        """Tell whether a cap still to be found may have left while others flew, or to strike them.

        Of each is given since when it is not seen in its place, and when it was known to have left.
        """
        if t_s - self.since_s > PENDING.longest_s:
            return False
        flights = [m.track for m in self.moved if m.is_flown and m.track is not None]
        return any(
            track.t_start_s - PENDING.before_s < known_s and missed_s < track.t_end_s + PENDING.late_s
            for missed_s, known_s in left
            for track in flights
        )
