"""How the disc of a cap that lies about where it lay moved between two pictures."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.picture.frame import Image
from linesies.vision.picture.shift import RIM_PX, Shift, shift_of_disc
from linesies.vision.picture.small_picture import px_to_small
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.place import Place
from linesies.vision.shots.small_view import SmallView

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DiscTuning(Tuning):
    """What of a shift is motion."""

    least_move_mm: float = tuned(
        1.2, title="least shift of a cap that moved", unit="mm", low=0.2, high=6, source=ON_FILMS
    )
    least_move_px: float = tuned(
        0.36, title="likewise of one that moved, in the small picture", unit="px", low=0.05, high=2, source=ON_FILMS
    )
    least_nudge_mm: float = tuned(
        0.5,
        title="least shift of a cap that people are asked about",
        unit="mm",
        low=0.1,
        high=3,
        source=by_hand_in("e11ab75"),
    )
    least_nudge_px: float = tuned(
        0.15, title="likewise, in the small picture", unit="px", low=0.02, high=1, source=by_hand_in("e11ab75")
    )
    least_sigmas: float = tuned(3.0, title="least shift over its sigma", unit="1", low=1, high=10, source=ON_FILMS)
    nudge_sigmas: float = tuned(
        6.0, title="likewise, where a neighbour came near", unit="1", low=1, high=20, source=ON_FILMS
    )
    least_gain: float = tuned(
        1.75,
        title="how many times better a move must explain what is seen than rest does",
        unit="1",
        low=1,
        high=5,
        source="set on two public films in rain: moves gain 2.1 to 6.4, what a codec makes of a still cap to 1.5",
    )
    most_at_rest: float = tuned(
        0.1,
        title="of its contrast, what a cap that lies still leaves unexplained",
        unit="1",
        low=0.01,
        high=0.5,
        source=by_hand_in("e11ab75"),
    )
    most_unexplained: float = tuned(
        0.7,
        title="of its contrast, from which something else lies there or over it",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("87175e9"),
    )


DISCS = DiscTuning()
CAP_RADII, GROUND_RADII, CONTRAST_RADII = 0.8, 1.3, 2.0  # within which a cap is, and between which its ground
CONTRAST_MARGIN_PX = 4  # about that, into which a cap may move
SHARPNESS = np.array([1.0, 0.5, 0.5])  # of luma and of colours, which are stored at half resolution
INNER_RIM_PX = -0.5  # within a disc, where its rim is not looked at


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeforeAfter:
    """The mean pictures (H, W, 3) by which a change is reckoned: before and after it."""

    before: Image
    picture: Image


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contrast:
    """By which mixture of luma and colours (3,) a cap stands out most from its ground, in which part of the picture.

    In luma alone, a cap as bright as its ground is hardly seen, and what a codec leaves of it seems to move.
    """

    rows: slice
    columns: slice
    mixture: Array

    @classmethod
    def about(cls, place: Place, picture: Image) -> "Contrast":
        """Find it in a picture (H, W, 3) in which the cap lies in its place."""
        (x, y), reach_px = place.centre_px, CONTRAST_RADII * place.radius_px + CONTRAST_MARGIN_PX
        rows, columns = (slice(max(int(at - reach_px), 0), max(int(at + reach_px) + 1, 1)) for at in (y, x))
        yuv = cv2.cvtColor(picture[rows, columns], cv2.COLOR_BGR2YUV)
        ys, xs = np.mgrid[rows.start : rows.start + yuv.shape[0], columns.start : columns.start + yuv.shape[1]]
        radii = np.hypot(xs - x, ys - y) / place.radius_px
        cap, ground = yuv[radii < CAP_RADII], yuv[(radii > GROUND_RADII) & (radii < CONTRAST_RADII)]
        apart = (np.median(cap, axis=0) - np.median(ground, axis=0)) * SHARPNESS
        length = float(np.hypot.reduce(apart))
        return cls(rows=rows, columns=columns, mixture=apart / length if length else np.array([1.0, 0.0, 0.0]))

    @property
    def origin_px(self) -> Array:
        """The first pixel (2,) of that part."""
        return np.array([self.columns.start, self.rows.start], float)

    def shown(self, picture: Image) -> NDArray[np.float32]:
        """Show that part of a picture (H, W, 3) so."""
        yuv = cv2.cvtColor(picture[self.rows, self.columns], cv2.COLOR_BGR2YUV)
        return np.asarray(yuv @ self.mixture, np.float32)


def way_of(place: Place, moved: list[Movement], then: BeforeAfter, view: SmallView) -> Array | None:
    """Compare a cap's disc before and after: how it moved (2,), zeros when it did not; None when hidden."""
    shift = _shift(place, moved, then, view)
    if shift is None or shift.unexplained > DISCS.most_unexplained:
        return None
    if shift.gain < DISCS.least_gain:
        return np.zeros(2)
    least_px = max(DISCS.least_move_px, DISCS.least_sigmas * shift.sigma_px)
    return _moved_mm(place, shift, view, least_px, DISCS.least_move_mm)


def slight_way_mm(place: Place, moved: list[Movement], then: BeforeAfter, view: SmallView) -> Array:
    """Look more closely: how a cap may have been nudged (2,), zeros when it was not.

    Lines beside a cap lie still and seem to say that it does, so its middle is asked where they differ.
    """
    shift, least = _shift(place, moved, then, view), (DISCS.least_nudge_px, DISCS.least_nudge_mm)
    if shift is not None and shift.unexplained > DISCS.most_at_rest:
        shift = _shift(place, moved, then, view, rim_px=INNER_RIM_PX)
        least = (DISCS.least_move_px, DISCS.least_move_mm)
        shift = None if shift is None or shift.gain < DISCS.least_gain else shift
    if shift is None:
        return np.zeros(2)
    return _moved_mm(place, shift, view, max(least[0], DISCS.nudge_sigmas * shift.sigma_px), least[1])


def _shift(
    place: Place, moved: list[Movement], then: BeforeAfter, view: SmallView, *, rim_px: float = RIM_PX
) -> Shift | None:
    others_px = [disc for m in moved for disc in _discs_px(m, view) if m.player != place.cap.player]
    contrast = Contrast.about(place, then.before)
    before, after = contrast.shown(then.before), contrast.shown(then.picture)
    others = [(centre_px - contrast.origin_px, radius_px) for centre_px, radius_px in others_px]
    centre_px = place.centre_px - contrast.origin_px
    return shift_of_disc(before, after, centre_px, place.radius_px, others_px=others, rim_px=rim_px)


def _moved_mm(place: Place, shift: Shift, view: SmallView, least_px: float, least_mm: float) -> Array:
    """Turn a shift into millimetres (2,), zeros where it is no more than noise."""
    centre_px = place.centre_px
    was_mm, is_mm = view.to_mm(place.cap, px_to_small(np.array([centre_px, centre_px + shift.xy_px]), view.shrink))
    has_moved = shift.length_px >= least_px and np.hypot(*(is_mm - was_mm)) >= least_mm
    return is_mm - was_mm if has_moved else np.zeros(2)


def _discs_px(m: Movement, view: SmallView) -> list[tuple[Array, float]]:
    """Where a cap that moved lies and lay, as discs (centre, radius) of the picture."""
    places = [m.call.xy_mm] if m.from_mm is None else [m.call.xy_mm, m.from_mm]
    camera = view.calibration.view
    return [
        (px, m.call.diameter_mm / 2 * camera.px_per_mm(np.array(xy_mm)))
        for xy_mm, px in zip(places, camera.mm_to_px(np.array(places)), strict=True)
    ]
