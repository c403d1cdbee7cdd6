"""When a cap was first set in motion, and whether a hand aimed: its place in the last seconds, frame by frame.

A touch moves a cap by a fraction of a pixel before it moves far enough to be missed, and the order of two touches in
one frame decides who hit whom. A finger that aims waits beside the cap; a foot that kicks comes in a few frames.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, ON_FILMS, Tuning, tuned
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.shift import Luma, Shift, shift_of_disc
from linesies.vision.picture.small_picture import mean_picture
from linesies.vision.shots.place import Place, Surroundings


@dataclass(frozen=True)
class OnsetTuning(Tuning):
    """How a cap's place shows when it was set in motion, and whether a hand aimed."""

    kept_s: float = tuned(3.0, title="for which looks are kept", unit="s", low=0.5, high=10, source=ON_FILMS)
    earlier_s: float = tuned(
        0.12,
        title="before the cap was missed, the search begins",
        unit="s",
        low=0.02,
        high=0.5,
        source=by_hand_in("3d13a60"),
    )
    later_s: float = tuned(
        0.04, title="after it was missed, the search ends", unit="s", low=0.01, high=0.5, source=by_hand_in("3d13a60")
    )
    stirred_px: float = tuned(
        0.06, title="shift that a cap at rest never shows", unit="px", low=0.01, high=0.5, source=ON_FILMS
    )
    goes_on_px: float = tuned(
        0.25,
        title="by how much it must have gone on in the frame after",
        unit="px",
        low=0.05,
        high=2,
        source=by_hand_in("3d13a60"),
    )
    clearest: float = tuned(
        0.3,
        title="of the contrast, what may stay unexplained in a frame that counts",
        unit="1",
        low=0.05,
        high=0.9,
        source=by_hand_in("3d13a60"),
    )
    least_beside: float = tuned(
        0.015,
        title="of the ground about a cap, what a finger covers or shades; at rest hardly ever 0.01",
        unit="1",
        low=0.002,
        high=0.2,
        source=ON_FILMS,
    )
    clearly_beside: float = tuned(
        0.05,
        title="of that ground, above what rain or a shadow changes",
        unit="1",
        low=0.005,
        high=0.5,
        source="by hand in 1471d32: the smallest hands seen cover 0.06",
    )
    was_ago_s: float = tuned(
        1.2, title="before now a nudged cap lay elsewhere", unit="s", low=0.3, high=3, source=by_hand_in("1471d32")
    )
    still_ago_s: float = tuned(
        0.2, title="before now it lay here already", unit="s", low=0.05, high=1, source=by_hand_in("1471d32")
    )
    mean_s: float = tuned(
        0.1, title="over which its looks are averaged", unit="s", low=0.02, high=0.5, source=by_hand_in("1471d32")
    )
    nudged_radii: float = tuned(
        0.15,
        title="of a cap's radius, two millimetres, by which it is nudged",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("1471d32"),
    )
    lasting_share: float = tuned(
        0.1, title="of the looks, in which no hand is there", unit="1", low=0, high=0.5, source=by_hand_in("741de18")
    )
    most_lasting: float = tuned(
        0.03,
        title="of the ground beside, what may look otherwise for good; more is no mere change, unless it never varies",
        unit="1",
        low=0,
        high=0.3,
        source=by_hand_in("741de18"),
    )
    motionless: float = tuned(
        0.015,
        title="of the ground beside, by which what lies there varies at most in all looks but the extreme ones",
        unit="1",
        low=0.001,
        high=0.1,
        source="by hand: what had changed beside a kicked cap (simulated street 988051) varied by 0.010 over 3 s, two "
        "small pixels; no hand keeps as still for so long",
    )
    long_s: float = tuned(
        1.5,
        title="for which it must have been looked at before the cap set off, to say so",
        unit="s",
        low=0.5,
        high=10,
        source="by what it says: longer than most hands take aim; before 40 shots of eight films what was there varied"
        " by 0.11 at least over as long",
    )
    aiming_s: float = tuned(
        0.6,
        title="before a cap sets off, in which whoever shoots it takes aim",
        unit="s",
        low=0.1,
        high=3,
        source=ON_FILMS,
    )
    sure_sigmas: float = tuned(
        5.0,
        title="of its own standard error, from which a shift is none of noise",
        unit="1",
        low=2,
        high=20,
        source=BY_HAND,
    )


ONSET = OnsetTuning()

LEAST_FRAMES = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One look at a place: a crop of the whole picture's luma, and the share beside it that was covered or shaded.

    That is None where glare hides what is beside it.
    """

    t_s: float
    luma: Callable[[], Image]
    share_beside: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceHistory:
    """How a cap's place looked in the last seconds, the oldest first; crops are of a window of the whole picture."""

    place: Place
    beside: Surroundings
    rows: slice
    columns: slice
    looks: tuple[Look, ...] = ()

    @classmethod
    def of(cls, place: Place) -> "PlaceHistory":
        """Begin the history of a place."""
        rows, columns = place.window_px
        return cls(place=place, beside=Surroundings.of(place), rows=rows, columns=columns)

    @property
    def share_beside(self) -> float | None:
        """The share beside the cap that was covered or shaded at the latest look."""
        return self.looks[-1].share_beside if self.looks else None

    def after(self, frame: Frame, *, share_beside: float | None) -> "PlaceHistory":
        """Add how the place and what is beside it look in the next frame, and drop what is too old."""
        luma = frame.luma_kept(self.rows, self.columns)
        first = next((i for i, look in enumerate(self.looks) if look.t_s >= frame.t_s - ONSET.kept_s), len(self.looks))
        looks = (*self.looks[first:], Look(t_s=frame.t_s, luma=luma, share_beside=share_beside))
        # written out, for every cap and frame: `replace` takes four times as long
        return PlaceHistory(place=self.place, beside=self.beside, rows=self.rows, columns=self.columns, looks=looks)

    def waited_s(self, set_off_s: float) -> float:
        """Tell for how long something waited beside the cap in the last moment before it set off."""
        before = self._aiming(set_off_s)
        least = ONSET.least_beside + self._lasting(set_off_s)
        return float(sum(t_s - last_s for (last_s, _), (t_s, share) in pairwise(before) if share >= least))

    def cover_s(self, set_off_s: float) -> float:
        """Tell how much of that moment was seen at all: a cap may have been laid there just before, or lie in glare."""
        before = self._aiming(set_off_s)
        return before[-1][0] - before[0][0] if before else 0.0

    def had_beside(self, since_s: float, until_s: float = inf) -> bool:
        """Tell whether something was beside the cap between two times."""
        beside = self._beside
        most = max((share for t_s, share in beside if since_s <= t_s <= until_s), default=0.0)
        if most < ONSET.clearly_beside:
            return False  # whatever lasts there
        return most >= float(np.quantile([share for _, share in beside], ONSET.lasting_share)) + ONSET.clearly_beside

    def lies_otherwise(self, t_s: float) -> bool:
        """Tell whether the cap's disc does not look as it did before, though it keeps still again."""
        was, before, now = (self._mean_luma(at_s) for at_s in (self._undisturbed_s(t_s), t_s - ONSET.still_ago_s, t_s))
        if was is None or before is None or now is None:
            return False
        still, reach_px = self._shift(before, now), ONSET.nudged_radii * self.place.radius_px
        if still is None or still.unexplained > ONSET.clearest or still.length_px > reach_px / 3:
            return False
        moved = self._shift(was, now)
        return moved is None or moved.unexplained > ONSET.clearest or moved.length_px > reach_px

    def lies_so_since_s(self, t_s: float) -> float:
        """Tell since when the cap's disc has looked as it does now, after it had looked as at first."""
        was, now, since_s = self._mean_luma(self._undisturbed_s(t_s)), self._mean_luma(t_s), t_s
        if was is None or now is None:
            return t_s
        for look in reversed(self.looks):
            luma = look.luma()
            if self._is_there(now, luma):
                since_s = look.t_s
            elif self._is_there(was, luma):
                break
        return since_s

    def _is_there(self, lay: NDArray[np.float32], luma: Image) -> bool:
        """Tell whether the cap's disc clearly is where another picture shows it: nearer than it is ever nudged."""
        shift = self._shift(lay, luma)
        if shift is None or shift.unexplained > ONSET.clearest:
            return False
        return shift.length_px < ONSET.nudged_radii * self.place.radius_px / 2

    def _undisturbed_s(self, t_s: float) -> float:
        """Tell when the cap lay as at first: at the oldest looks, unless a hand was there by then, or else a while ago.

        A while ago a hand may have hidden it, and then it would be measured for nothing.
        """
        oldest_s, while_ago_s = self.looks[0].t_s + ONSET.mean_s, t_s - ONSET.was_ago_s
        return while_ago_s if self.had_beside(0.0, until_s=oldest_s) else min(oldest_s, while_ago_s)

    def _mean_luma(self, t_s: float) -> NDArray[np.float32] | None:
        seen = [look.luma() for look in self.looks if t_s - ONSET.mean_s <= look.t_s <= t_s]
        return mean_picture(seen) if seen else None

    def _aiming(self, set_off_s: float) -> list[tuple[float, float]]:
        return [(t_s, share) for t_s, share in self._beside if set_off_s - ONSET.aiming_s < t_s <= set_off_s]

    @property
    def _beside(self) -> list[tuple[float, float]]:
        """When it was seen what is beside the cap, and how much of that was covered or shaded."""
        return [(look.t_s, look.share_beside) for look in self.looks if look.share_beside is not None]

    def _lasting(self, set_off_s: float) -> float:
        """Tell what share of the ground beside looked otherwise than at rest whether a hand was there or not.

        Once the cap has gone its own shade is gone too, so looks since then tell nothing of it.
        """
        beside = [(t_s, share) for t_s, share in self._beside if t_s <= set_off_s]
        if not beside:
            return 0.0
        least, most = np.quantile([share for _, share in beside], [ONSET.lasting_share, 1 - ONSET.lasting_share])
        is_motionless = most - least < ONSET.motionless and beside[-1][0] - beside[0][0] >= ONSET.long_s
        return float(least if is_motionless else min(least, ONSET.most_lasting))

    def set_off_s(self, *, missed_s: float) -> float | None:
        """Find when the cap was set in motion, about when it was missed; None where that cannot be seen."""
        near = [
            (look.t_s, look.luma())
            for look in self.looks
            if missed_s - ONSET.earlier_s <= look.t_s <= missed_s + ONSET.later_s
        ]
        if len(near) < LEAST_FRAMES:
            return None
        first = mean_picture([luma for _, luma in near[:2]])
        shifts = pairwise(self._shift(first, luma) for _, luma in near[2:])  # each is measured once, and when asked for
        for (before_s, _), (t_s, _), (then_s, _), (shift, following) in zip(
            near[1:], near[2:], near[3:], shifts, strict=False
        ):
            if shift is None or (shift.unexplained > ONSET.clearest and shift.length_px < ONSET.stirred_px):
                return None
            if following is None or following.length_px <= shift.length_px + ONSET.goes_on_px:
                continue
            if shift.length_px > max(ONSET.stirred_px, ONSET.sure_sigmas * shift.sigma_px):
                return _start_s(before_s, t_s, then_s, shift, following)
        return None

    def _shift(self, first: NDArray[np.float32], then: Luma) -> Shift | None:
        centre = self.place.centre_px - (self.columns.start, self.rows.start)
        return shift_of_disc(first, then, centre, self.place.radius_px, others_px=[])


def _start_s(before_s: float, t_s: float, next_s: float, shift: Shift, following: Shift) -> float:
    """Reckon back from the first frame in which a cap had moved to when it began, at its speed after that."""
    gained_px = following.length_px - shift.length_px
    if gained_px < shift.length_px:
        return (before_s + t_s) / 2
    return max(before_s, t_s - (next_s - t_s) * shift.length_px / gained_px)
