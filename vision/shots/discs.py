"""How the disc of a cap that lies about where it lay moved between two pictures."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.shift import RIM_PX, Shift, shift_of_disc
from linesies.vision.picture.small_picture import px_to_small, steady_mean
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
INNER_RIM_PX = -0.5  # within a disc, where its rim is not looked at


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeforeAfter:
    """The frames whose mean luma tells a change, before and after it, and the mean picture (H, W, 3) after it."""

    before: tuple[Frame, ...]
    after: tuple[Frame, ...]
    picture: Image


def way_of(place: Place, moved: list[Movement], then: BeforeAfter, view: SmallView) -> Array | None:
    """Compare a cap's disc before and after: how it moved (2,), zeros when it did not; None when hidden."""
    shift = _shift(place, moved, then, view)
    if shift is None or shift.unexplained > DISCS.most_unexplained:
        return None
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
    if shift is None:
        return np.zeros(2)
    return _moved_mm(place, shift, view, max(least[0], DISCS.nudge_sigmas * shift.sigma_px), least[1])


def _shift(
    place: Place, moved: list[Movement], then: BeforeAfter, view: SmallView, *, rim_px: float = RIM_PX
) -> Shift | None:
    others_px = [disc for m in moved for disc in _discs_px(m, view) if m.player != place.cap.player]
    rows, columns = place.window_px
    corner_px = np.array([columns.start, rows.start])
    before, after = (
        steady_mean([frame.luma_kept(rows, columns)() for frame in frames]) for frames in (then.before, then.after)
    )
    others_px = [(centre_px - corner_px, radius_px) for centre_px, radius_px in others_px]
    centre_px = place.centre_px - corner_px
    return shift_of_disc(before, after, centre_px, place.radius_px, others_px=others_px, rim_px=rim_px)


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
