"""How the disc of a cap that lies about where it lay moved between two pictures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.shift import RIM_PX, Shift, shift_of_disc
from linesies.vision.picture.small_picture import mean_bgr, px_to_small, steady_mean
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
class AtRest:
    """How a cap's place looked with nothing beside it: the mean luma of its window of the whole picture."""

    place: Place
    luma: NDArray[np.float32]

    @classmethod
    def seen(cls, place: Place, frames: Iterable[Frame]) -> Self:
        """Average some frames there."""
        rows, columns = place.window_px
        return cls(place=place, luma=steady_mean([frame.luma_kept(rows, columns)() for frame in frames]))


@dataclass(frozen=True, kw_only=True, eq=False)
class BeforeAfter:
    """What tells a change: how caps looked at rest before it, by their players, and the frames after it."""

    before: Mapping[str, AtRest]
    after: tuple[Frame, ...]

    @cached_property
    def picture(self) -> Image:
        """The mean picture (H, W, 3) after it, made when asked for: most caps have been measured by then."""
        return mean_bgr(self.after)


@dataclass(frozen=True, kw_only=True, eq=False)
class DiscChange:
    """The disc of a cap that lies about where it lay, before and after others `moved`."""

    place: Place
    moved: tuple[Movement, ...]
    then: BeforeAfter
    view: SmallView

    @cached_property
    def way_mm(self) -> Array | None:
        """How it moved (2,), zeros when it did not; None when hidden."""
        shift = self._shift
        if shift is None or shift.unexplained > DISCS.most_unexplained:
            return None
        least_px = max(DISCS.least_move_px, DISCS.least_sigmas * shift.sigma_px)
        return _moved_mm(self.place, shift, self.view, least_px, DISCS.least_move_mm)

    @cached_property
    def slight_way_mm(self) -> Array:
        """How it may have been nudged (2,), zeros when it was not, by a closer look.

        Lines beside a cap lie still and seem to say that it does, so its middle is asked where they differ.
        """
        shift, least = self._shift, (DISCS.least_nudge_px, DISCS.least_nudge_mm)
        if shift is not None and shift.unexplained > DISCS.most_at_rest:
            shift = self._shift_within(INNER_RIM_PX)
            least = (DISCS.least_move_px, DISCS.least_move_mm)
        if shift is None:
            return np.zeros(2)
        return _moved_mm(self.place, shift, self.view, max(least[0], DISCS.nudge_sigmas * shift.sigma_px), least[1])

    @cached_property
    def _now(self) -> AtRest:
        return AtRest.seen(self.place, self.then.after)

    @cached_property
    def _shift(self) -> Shift | None:
        return self._shift_within(RIM_PX)

    def _shift_within(self, rim_px: float) -> Shift | None:
        """Compare the disc and so much about it, in the window of the picture in which it may have moved.

        None also where it was not seen at rest there yet.
        """
        before = self.then.before.get(self.place.cap.player)
        if before is None or before.place is not self.place:
            return None
        rows, columns = self.place.window_px
        corner_px = np.array([columns.start, rows.start])
        others = (disc for m in self.moved if m.player != self.place.cap.player for disc in _discs_px(m, self.view))
        return shift_of_disc(
            before.luma,
            self._now.luma,
            self.place.centre_px - corner_px,
            self.place.radius_px,
            others_px=[(centre_px - corner_px, radius_px) for centre_px, radius_px in others],
            rim_px=rim_px,
        )


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
