"""Has the camera been knocked? It lies elsewhere from one moment to the next, and does not come back.

A pole that sways comes back, one that leans goes on slowly; both are followed. What counts is where the picture lies on
the whole in one stretch of time and in the one before, beside how far it sways within each, and how it drifts.
"""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.displacement import Displacement

Array = NDArray[np.float64]


@dataclass(frozen=True)
class KnockTuning(Tuning):
    """When a camera has been knocked, and not only sways."""

    stretch_s: float = tuned(
        0.9,
        title="in which places of a calm camera are averaged",
        unit="s",
        low=0.2,
        high=5,
        source=by_hand_in("f21dae2"),
    )
    between_s: float = tuned(
        0.2,
        title="between two stretches: the knock itself and the trembling after it",
        unit="s",
        low=0.02,
        high=2,
        source=by_hand_in("f21dae2"),
    )
    knocked_small_px: float = tuned(
        0.3,
        title="by which the later stretch lies elsewhere besides the sway, in the small picture",
        unit="px",
        low=0.05,
        high=3,
        source="geometry: 2 mm on a 6 ft board that fills three quarters of a picture of 640 x 360",
    )
    sways: float = tuned(
        1.3,
        title="deviations within each stretch by which it may lie elsewhere; a pole in the wind does half",
        unit="1",
        low=0.3,
        high=6,
        source=by_hand_in("807c0aa"),
    )
    most_unsteady: float = tuned(
        0.4,
        title="of how far it lies about its middle in a stretch, what a steady drift may leave unexplained",
        unit="1",
        low=0.05,
        high=0.9,
        source="set by hand on a lean in a simulated film, and drawn sways and knocks",
    )
    most_small_px: float = tuned(
        20.0,
        title="by which a displaced picture can still be brought back, in the small picture",
        unit="px",
        low=3,
        high=100,
        source=by_hand_in("f21dae2"),
    )
    unrecognised_s: float = tuned(
        5.0, title="for which no ground may be recognised", unit="s", low=0.5, high=60, source=by_hand_in("f21dae2")
    )
    whole_stretch: float = tuned(
        0.95,
        title="of a stretch, what must have been seen before it is averaged",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("f21dae2"),
    )


KNOCKS = KnockTuning()

LOOK_EVERY_S = 0.2  # a stretch has some places then, whatever the frame rate
FEWEST_MOMENTS = 3  # that tell a drift; frames that come all at once may have one and the same


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stretch:
    """Where the picture lay on the whole (5, 2) in a stretch of time, how far it swayed, and its drift a second."""

    t_s: float
    middle: Array
    sway: float
    drift: Array

    @classmethod
    def of(cls, places: list[tuple[float, Array]]) -> "Stretch":
        """Take the places of a stretch with their times."""
        times, all_places = np.array([t for t, _ in places]), np.array([at for _, at in places])
        t_s, middle = float(times.mean()), np.median(all_places, axis=0)
        apart, since = all_places - middle, times - t_s
        drift = np.tensordot(since, apart, axes=1) / float(since @ since)
        sway = _scatter(apart)
        drifts = _scatter(apart - since[:, None, None] * drift) < KNOCKS.most_unsteady * sway
        return cls(t_s=t_s, middle=middle, sway=sway, drift=drift if drifts else 0 * drift)

    def is_elsewhere(self, home: "Stretch", drifted: Array) -> bool:
        """Tell whether the picture lay elsewhere than at home, had it drifted so far (5, 2) from there."""
        away = float(np.hypot(*(self.middle - home.middle - drifted).T).max())
        return away > KNOCKS.knocked_small_px + KNOCKS.sways * (self.sway + home.sway)


def _moments(places: list[tuple[float, Array]]) -> int:
    return len({t_s for t_s, _ in places})


def _scatter(apart: Array) -> float:
    """Tell how far places lie about their middle, of what they lie apart from it (N, 5, 2): at the farthest corner."""
    return float(np.sqrt((apart**2).sum(axis=2).mean(axis=0).max()))


CALIBRATED = Stretch(t_s=0.0, middle=np.zeros((5, 2)), sway=0.0, drift=np.zeros((5, 2)))


class Knocks:
    """Remembers how the picture lay lately, and since when it has lain elsewhere than it should."""

    def __init__(self) -> None:
        self._lately: deque[tuple[float, Array]] = deque()
        self._home = CALIBRATED
        self._seen_s: float | None = None
        self._looked_s = 0.0
        self.moved_since_s: float | None = None

    def begin_again(self) -> None:
        """Hear that time may begin anew; where the picture lay before is home still."""
        self._lately.clear()
        self._seen_s = self.moved_since_s = None
        self._looked_s = 0.0

    def see(self, displacement: Displacement | None, t_s: float) -> None:
        """Note how the picture lies now; None where the ground was not recognised."""
        if self._seen_s is None:
            self._home = replace(self._home, t_s=t_s)
        self._seen_s = t_s if self._seen_s is None or displacement is not None else self._seen_s
        if displacement is None:
            if t_s - self._seen_s > KNOCKS.unrecognised_s and self.moved_since_s is None:
                self.moved_since_s = self._seen_s
            return
        self._lately.append((t_s, displacement.at_corners))
        if t_s - self._looked_s >= LOOK_EVERY_S:
            self._looked_s = t_s
            self._look(t_s)

    def _look(self, t_s: float) -> None:
        """Hold the last stretch against the one before."""
        while t_s - self._lately[0][0] > 2 * KNOCKS.stretch_s + KNOCKS.between_s:
            self._lately.popleft()
        late = [(t, at) for t, at in self._lately if t_s - t < KNOCKS.stretch_s]
        if t_s - self._lately[0][0] < KNOCKS.whole_stretch * KNOCKS.stretch_s or _moments(late) < FEWEST_MOMENTS:
            return
        if self.moved_since_s is None:
            self._follow(t_s - KNOCKS.stretch_s - KNOCKS.between_s)
        now = Stretch.of(late)
        if not self._is_elsewhere(now):
            if self.moved_since_s is not None:
                self._lately.clear()  # it lay elsewhere until now
            self.moved_since_s = None
        elif self.moved_since_s is None:
            self.moved_since_s = self._left_s(now.middle)

    def _follow(self, before_s: float) -> None:
        """Take for home where the picture lay in the stretch before."""
        early = [(t, at) for t, at in self._lately if t < before_s]
        if _moments(early) >= FEWEST_MOMENTS:
            self._home = Stretch.of(early)

    def _is_elsewhere(self, now: Stretch) -> bool:
        """Tell whether the picture lies elsewhere than at home, and has not only gone on drifting as it does now."""
        if float(np.abs(now.middle).max()) > KNOCKS.most_small_px:
            return True
        drifted = now.drift * (now.t_s - self._home.t_s) if self.moved_since_s is None else 0 * now.drift
        return all(now.is_elsewhere(self._home, by) for by in (0 * drifted, drifted))

    def _left_s(self, middle: Array) -> float:
        """Tell when the picture was last nearer to home than to where it lies now."""
        home = self._home.middle
        near = [t for t, at in self._lately if np.linalg.norm(at - home) < np.linalg.norm(at - middle)]
        return max(near, default=self._lately[0][0])
