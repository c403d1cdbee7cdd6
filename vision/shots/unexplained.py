"""What else is to be seen in a frame than the ground and the caps in their places: as blobs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.masks import Mask
from linesies.vision.picture.rain import Rain
from linesies.vision.shots.blobs import Blob, CapColours, find_blobs
from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.lit_picture import LitPicture
from linesies.vision.shots.looking import Lit
from linesies.vision.shots.registering import Noticed
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery


@dataclass(frozen=True)
class UnexplainedTuning(Tuning):
    """Whether anything larger than caps is to be seen."""

    calm_caps: float = tuned(
        10.0,
        title="times a cap's area that may be unexplained in a calm picture",
        unit="1",
        low=1,
        high=60,
        source=by_hand_in("58ebc88"),
    )


UNEXPLAINED = UnexplainedTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unexplained:
    """What neither the ground nor the caps in their places explain: as blobs, and whether it is little enough.

    `leftover` (h, w) marks all of it; None: the same as in the last picture.
    """

    blobs: tuple[Blob, ...]
    is_calm: bool
    leftover: Mask | None = None


def blobs(
    noticed: Noticed, lit: Lit, picture: LitPicture, scenery: Scenery, rain: Rain, state: SceneState
) -> Unexplained | None:
    """Find what else is to be seen, unless every listed cap is in its place."""
    if state.is_complete:
        rain.forget()
        return None
    if not noticed.is_new and state.are_same_missed:
        return Unexplained(blobs=tuple(replace(b, t_s=state.t_s) for b in state.latest), is_calm=state.is_calm)
    background, paint = scenery.background, scenery.paint
    leftover, is_bare = picture.leftover(background)
    leftover = rain.left_out_of(leftover)
    has_only_caps = is_calm(leftover, paint)
    mark_missed(state.missed, leftover, is_bare)
    seen = find_blobs(lit.small, background.bare, leftover, paint, state.t_s)
    return Unexplained(blobs=seen, is_calm=has_only_caps, leftover=leftover)


def is_calm(leftover: Mask, paint: CapColours) -> bool:
    """Tell whether nothing larger than caps is left over in a picture."""
    return cv2.countNonZero(leftover) < UNEXPLAINED.calm_caps * float(paint.area_small.max())


def mark_missed(missed: Iterable[CapState], leftover: Mask, is_bare: Mask) -> None:
    """Mark as left over whatever lies in missed caps' places but bare ground, unless others lie there for good."""
    for cap in missed:
        if cap.place is not None and not cap.is_displaced:
            window = (cap.place.rows, cap.place.columns)
            leftover[window][cap.place.disc & (is_bare[window] == 0)] = 255
