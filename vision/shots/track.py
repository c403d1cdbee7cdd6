"""One cap's way through time, as it was followed."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TrackTuning(Tuning):
    """What of a way counts as flying, and how late its start may be reckoned."""

    flying_mm_s: float = tuned(
        60.0,
        title="speed from which a cap is on its way",
        unit="mm/s",
        low=5,
        high=500,
        source="a millimetre a frame at 60 a second, about what a blob's middle wanders by",
    )
    longest_step_s: float = tuned(
        0.08,
        title="longest pause between two sightings of one flight",
        unit="s",
        low=0.02,
        high=0.5,
        source=by_hand_in("9d3b1db"),
    )
    late_s: float = tuned(
        0.045,
        title="by which a start reckoned from the flight may be late",
        unit="s",
        low=0.005,
        high=0.2,
        source="two and a half frames at 56 a second",
    )
    least_timed_s: float = tuned(
        0.2,
        title="for which sightings last that show whether a cap slows down",
        unit="s",
        low=0.05,
        high=1,
        source=by_hand_in("55f849e"),
    )
    least_timed: int = tuned(8, title="sightings that show it", unit="1", low=4, high=60, source=by_hand_in("55f849e"))


TRACK = TrackTuning()

MOST_DRAWN = 24  # points of a way that is watched: ten a second of the longest shots


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """One cap's way: times (N,), places on the board (N, 2), and whether nothing touched it there (N,).

    The first point is where it rested before, the last where it came to rest.
    """

    player: str
    radius_mm: float
    t_s: Array
    xy_mm: Array
    is_free: NDArray[np.bool_]

    @property
    def t_start_s(self) -> float:
        """When it was set in motion."""
        return float(self.t_s[0])

    @property
    def t_end_s(self) -> float:
        """When it came to rest."""
        return float(self.t_s[-1])

    def at(self, t_s: Array) -> Array:
        """Where the cap was at some times (N,), straight between sightings: (N, 2)."""
        return np.stack([np.interp(t_s, self.t_s, self.xy_mm[:, i]) for i in (0, 1)], axis=1)

    def way(self, since_s: float) -> tuple[tuple[float, float, float], ...]:
        """Write it down for people to watch: at most MOST_DRAWN points of seconds since a time, x and y (mm)."""
        shown = np.unique(np.linspace(0, len(self.t_s) - 1, min(len(self.t_s), MOST_DRAWN)).round().astype(int))
        return tuple(
            (
                round(float(self.t_s[i]) - since_s, 3),
                round(float(self.xy_mm[i, 0]), 1),
                round(float(self.xy_mm[i, 1]), 1),
            )
            for i in shown
        )

    @property
    def first_way_mm(self) -> Array:
        """Which way it set off (2,)."""
        step = np.hypot(*(self.xy_mm - self.xy_mm[0]).T)
        far = np.flatnonzero(step > 0.5 * self.radius_mm)
        return self.xy_mm[far[0] if len(far) else -1] - self.xy_mm[0]

    @property
    def flight(self) -> tuple[int, float]:
        """The longest stretch on which it was seen moving, touched by nothing: its steps, and how far it led (mm)."""
        first, after = self._flight
        return after - first, self._led_mm(first, after)

    @property
    def flown_s(self) -> float:
        """For how long it was seen moving, touched by nothing, on that stretch."""
        first, after = self._flight
        return float(self.t_s[after] - self.t_s[first])

    @property
    def flown_mm(self) -> float:
        """How far all stretches led on which it was seen moving, touched by nothing: litter or dull light part them."""
        return float(sum(self._led_mm(first, after) for first, after in self._flights if after > first + 1))

    @property
    def _flight(self) -> tuple[int, int]:
        """The first and the last sighting of the longest stretch."""
        return max([(0, 0), *self._flights], key=lambda one: self._led_mm(*one))

    def _led_mm(self, first: int, after: int) -> float:
        return float(np.hypot(*(self.xy_mm[after] - self.xy_mm[first])))

    @property
    def _flights(self) -> list[tuple[int, int]]:
        """The first and the last sighting of each stretch."""
        steps = np.diff(self.xy_mm, axis=0)
        took = np.maximum(np.diff(self.t_s), 1e-6)
        is_seen = (np.hypot(*steps.T) / took > TRACK.flying_mm_s) & (took < TRACK.longest_step_s)
        is_seen &= self.is_free[:-1] & self.is_free[1:]  # not the ends, which are places of rest
        ends = np.flatnonzero(np.diff(np.concatenate([[False], is_seen, [False]])))
        return [(int(first), int(after)) for first, after in ends.reshape(-1, 2)]

    @property
    def slowing_mm_s2(self) -> float | None:
        """By how much it slowed down while it was seen moving; None when that was too short to tell."""
        t_s, xy_mm = self.t_s[1:], self.xy_mm[1:]
        if len(t_s) < TRACK.least_timed or t_s[-1] - t_s[0] < TRACK.least_timed_s:
            return None
        way_mm = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy_mm, axis=0).T))])
        return float(-2 * np.polyfit(t_s - t_s[0], way_mm, 2)[0])

    def set_off_at(self, t_s: float) -> "Track":
        """Put its start right, where that is known better than from its sightings."""
        return self.started(t_s, self.t_s > t_s)

    def started(self, t_s: float, keep: NDArray[np.bool_], at: int = 0) -> "Track":
        """Begin at a time in its first place, or in another, and leave out the sightings not to be kept (N,)."""
        return replace(
            self,
            t_s=np.concatenate([[t_s], self.t_s[keep]]),
            xy_mm=np.vstack([self.xy_mm[at : at + 1], self.xy_mm[keep]]),
            is_free=np.concatenate([[False], self.is_free[keep]]),
        )


def cosine(a: Array, b: Array) -> float:
    """Take the cosine between two ways (2,); 0 when either has no length."""
    lengths = float(np.hypot(*a) * np.hypot(*b))
    return float(a @ b) / lengths if lengths > 0 else 0.0
