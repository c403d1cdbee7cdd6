"""When a cap was first set in motion, and whether a hand aimed: its place in the last seconds, frame by frame.

A touch moves a cap by a fraction of a pixel before it moves far enough to be missed, and the order of two touches in
one frame decides who hit whom. A finger that aims waits beside the cap; a foot that kicks comes in a few frames.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.shift import REACH_RADII, Shift, shift_of_disc
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
AIMING_S = 0.6  # before a cap sets off, in which whoever shoots it takes aim
LEAST_AIM_S = (
    0.25  # a foot that kicks was seen beside the cap for 0.05 s, a hand that takes it up for 0.2, a finger for 0.3
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One look at a place: a crop of the whole picture's luma, and the share beside it that was covered or shaded."""

    t_s: float
    luma: Callable[[], Image]
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

    @property
    def share_beside(self) -> float | None:
        """The share beside the cap that was covered or shaded at the latest look."""
        return self.looks[-1].share_beside if self.looks else None

    def after(self, frame: Frame, *, share_beside: float) -> "PlaceHistory":
        """Add how the place and what is beside it look in the next frame, and drop what is too old."""
        luma = frame.luma_kept(self.rows, self.columns)
        first = bisect_left(self.looks, frame.t_s - KEPT_S, key=lambda look: look.t_s)
        looks = (*self.looks[first:], Look(t_s=frame.t_s, luma=luma, share_beside=share_beside))
        return replace(self, looks=looks)

    def is_aimed(self, set_off_s: float) -> bool:
        """Tell whether something was seen to wait beside the cap before it set off."""
        before = [look for look in self.looks if set_off_s - AIMING_S < look.t_s <= set_off_s]
        waited_s = sum(look.t_s - last.t_s for last, look in pairwise(before) if look.share_beside >= LEAST_BESIDE)
        return waited_s >= LEAST_AIM_S

    def set_off_s(self, *, missed_s: float) -> float | None:
        """Find when the cap was set in motion, about when it was missed; None where that cannot be seen."""
        near = [
            (look.t_s, look.luma()) for look in self.looks if missed_s - EARLIER_S <= look.t_s <= missed_s + LATER_S
        ]
        if len(near) < LEAST_FRAMES:
            return None
        first = mean_picture([luma for _, luma in near[:2]])
        for (before_s, _), (t_s, now), (then_s, then) in zip(near[1:], near[2:], near[3:], strict=False):
            shift, following = self._shift(first, now), self._shift(first, then)
            if shift is None or (shift.unexplained > CLEAREST and shift.length_px < STIRRED_PX):
                return None
            if following is None or following.length_px <= shift.length_px + GOES_ON_PX:
                continue
            if shift.length_px > max(STIRRED_PX, 5 * shift.sigma_px):
                return _start_s(before_s, t_s, then_s, shift, following)
        return None

    def _shift(self, first: NDArray[np.float32], then: Image) -> Shift | None:
        centre = self.place.centre_px - (self.columns.start, self.rows.start)
        return shift_of_disc(first, then, centre, self.place.radius_px, others_px=[])


def _start_s(before_s: float, t_s: float, next_s: float, shift: Shift, following: Shift) -> float:
    """Reckon back from the first frame in which a cap had moved to when it began, at its speed after that."""
    gained_px = following.length_px - shift.length_px
    if gained_px < shift.length_px:
        return (before_s + t_s) / 2
    return max(before_s, t_s - (next_s - t_s) * shift.length_px / gained_px)
