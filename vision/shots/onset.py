"""When a cap was first set in motion, and whether a hand aimed: its place in the last seconds, frame by frame.

A touch moves a cap by a fraction of a pixel before it moves far enough to be missed, and the order of two touches in
one frame decides who hit whom. A finger that aims waits beside the cap; a foot that kicks comes in a few frames.
"""

from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.shift import REACH_RADII, Luma, Shift, shift_of_disc
from linesies.vision.picture.small_picture import mean_picture
from linesies.vision.shots.place import Place, Surroundings

KEPT_S = 3.0  # of looks, to find when it began; set on the public films
REACH_PX = 6  # about what a comparison needs
LEAST_FRAMES = 4
EARLIER_S = 0.12  # than the cap was missed, the search begins
LATER_S = 0.04
STIRRED_PX = 0.06  # that a cap at rest never shifts; set on the public films
GOES_ON_PX = 0.25  # in the frame after; a shadow or a codec's whim does not go on
CLEAREST = 0.3  # of the disc's contrast may stay unexplained in a frame that counts
LEAST_BESIDE = 0.015  # of the ground about a cap that something covers or shades; at rest it hardly ever is 0.01
CLEARLY_BESIDE = 0.05  # of that ground, above what rain or a shadow changes: the smallest hands seen cover 0.06
WAS_AGO_S, STILL_AGO_S, MEAN_S = 1.2, 0.2, 0.1  # before now a cap that was nudged lay there, and lies here
NUDGED_RADII = 0.15  # of a cap: two millimetres
AIMING_S = 0.6  # before a cap sets off, in which whoever shoots it takes aim
LASTING_SHARE, MOST_LASTING = 0.1, 0.03  # of the looks, in which no hand is there; more beside it is no mere change


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One look at a place: a crop of the whole picture's luma, and the share beside it that was covered or shaded."""

    t_s: float
    luma: Image
    share_beside: float


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
        reach = REACH_RADII * place.radius_px + REACH_PX
        x, y = place.centre_px
        return cls(
            place=place,
            beside=Surroundings.of(place),
            rows=slice(max(int(y - reach), 0), int(y + reach) + 1),
            columns=slice(max(int(x - reach), 0), int(x + reach) + 1),
        )

    def after(self, frame: Frame, *, share_beside: float) -> "PlaceHistory":
        """Add how the place and what is beside it look in the next frame, and drop what is too old."""
        luma = frame.luma_at(self.rows, self.columns).copy()
        first = bisect_left(self.looks, frame.t_s - KEPT_S, key=lambda look: look.t_s)
        looks = (*self.looks[first:], Look(t_s=frame.t_s, luma=luma, share_beside=share_beside))
        return replace(self, looks=looks)

    def waited_s(self, set_off_s: float) -> float:
        """Tell for how long something waited beside the cap in the last moment before it set off."""
        before = self._aiming(set_off_s)
        least = LEAST_BESIDE + self._lasting
        return float(sum(look.t_s - last.t_s for last, look in pairwise(before) if look.share_beside >= least))

    def cover_s(self, set_off_s: float) -> float:
        """Tell how much of that moment was seen at all: a cap may have been laid there only just before."""
        before = self._aiming(set_off_s)
        return before[-1].t_s - before[0].t_s if before else 0.0

    def had_beside(self, since_s: float) -> bool:
        """Tell whether something was beside the cap since a time."""
        shares = [look.share_beside for look in self.looks]
        least = float(np.quantile(shares, LASTING_SHARE)) + CLEARLY_BESIDE if shares else 0.0
        return any(look.t_s >= since_s and look.share_beside >= least for look in self.looks)

    def lies_otherwise(self, t_s: float) -> bool:
        """Tell whether the cap's disc does not look as it did a second before, though it keeps still again."""
        was, before, now = (self._mean_luma(t_s - ago_s) for ago_s in (WAS_AGO_S, STILL_AGO_S, 0.0))
        if was is None or before is None or now is None:
            return False
        still, moved = self._shift(before, now), self._shift(was, now)
        reach_px = NUDGED_RADII * self.place.radius_px
        is_still = still is not None and still.unexplained < CLEAREST and still.length_px < reach_px / 3
        return is_still and (moved is None or moved.unexplained > CLEAREST or moved.length_px > reach_px)

    def _mean_luma(self, t_s: float) -> NDArray[np.float32] | None:
        seen = [look.luma for look in self.looks if t_s - MEAN_S <= look.t_s <= t_s]
        return mean_picture(seen) if seen else None

    def _aiming(self, set_off_s: float) -> list[Look]:
        return [look for look in self.looks if set_off_s - AIMING_S < look.t_s <= set_off_s]

    @property
    def _lasting(self) -> float:
        """What share of the ground beside looks otherwise than at rest whether a hand is there or not."""
        shares = [look.share_beside for look in self.looks]
        return min(float(np.quantile(shares, LASTING_SHARE)), MOST_LASTING) if shares else 0.0

    def set_off_s(self, *, missed_s: float) -> float | None:
        """Find when the cap was set in motion, about when it was missed; None where that cannot be seen."""
        near = [look for look in self.looks if missed_s - EARLIER_S <= look.t_s <= missed_s + LATER_S]
        if len(near) < LEAST_FRAMES:
            return None
        first = mean_picture([look.luma for look in near[:2]])
        for before, now, then in zip(near[1:], near[2:], near[3:], strict=False):
            shift, following = self._shift(first, now.luma), self._shift(first, then.luma)
            if shift is None or (shift.unexplained > CLEAREST and shift.length_px < STIRRED_PX):
                return None
            if following is None or following.length_px <= shift.length_px + GOES_ON_PX:
                continue
            if shift.length_px > max(STIRRED_PX, 5 * shift.sigma_px):
                return _start_s(before.t_s, now.t_s, then.t_s, shift, following)
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
