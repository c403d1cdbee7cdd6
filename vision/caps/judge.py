"""Judge a picture: where each cap lies, whose it is, its gap to the paint, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, locate
from linesies.vision.caps.cap import Cap, Kind
from linesies.vision.caps.find import Finder
from linesies.vision.caps.fit import Fit
from linesies.vision.caps.hypothesis import Stand, common_slope, is_near
from linesies.vision.caps.litter import CLEAR, litter_cost
from linesies.vision.caps.owners import assign, likeliest, seen_mm, weigh
from linesies.vision.caps.patch import cut_patch
from linesies.vision.caps.seek import is_bare
from linesies.vision.caps.solid import outline_px, solid_of
from linesies.vision.caps.spot import Spot
from linesies.vision.caps.trials import Trials
from linesies.vision.caps.uncertainty import (
    NEIGHBOUR_DOUBT,
    USUAL_MISFIT,
    fit_sigma_mm,
    lens_sigma_mm,
    name_sigma_mm,
    usual_sigma_mm,
)
from linesies.vision.errors import BadInput
from linesies.vision.picture.frame import Image
from linesies.vision.values import Call, Judgement

Array = NDArray[np.float64]

UNTOLD_KINDS: tuple[Kind, ...] = ("lid", "crown", "crown_upturned")  # what a cap of no told kind may be
LEAST_MARGIN = 0.05  # in the costs of naming: below it, it may as well be another cap,
CERTAIN_MARGIN, CLEAR_MARGIN = 0.35, 1.5  # and below this nobody should rely on it; less on that of glass or steel
STRANGER_CHANGE, STRANGER_SIZE, MOST_STRANGERS = 0.62, 0.1, 3  # what is reported though no listed cap
STRANGER_COST = -0.5  # most caps look surer than that, litter does not: flat things dim no foot
MOST_LIGHTS = 3  # caps that are looked at for the slope of another's shadow
CERTAIN_SIGMAS = 2.3  # of 1,710 certain calls on known and new pictures none is wrong; one would be at 2.2


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSeen:
    """No such cap there, and why not; falsy."""

    reason: str

    def __bool__(self) -> bool:
        return False


class Judge:
    """Remembers the calibrated ground, ready to compare, and the caps in play; `judge` and `fit` use it."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...]) -> None:
        self._calibration, self._caps = calibration, caps
        self._finder = Finder(calibration, caps)

    def judge(self, picture_bgr: Image) -> Judgement:
        """Find, name and measure every cap of a picture (H, W, 3); raises BadInput when it has another size."""
        self._check_size(picture_bgr)
        spots = self._finder.spots(picture_bgr)
        costs = weigh(spots, self._caps)
        kept = likeliest(spots, costs)
        spots, costs = [spots[i] for i in kept], costs[kept]
        trials = Trials(lambda pair: self._stand_at(picture_bgr, spots[pair[0]], self._caps[pair[1]]), costs)
        owners = assign(trials.settle())
        named = [
            (owner, trials.tried[row, owner.cap])
            for row, owner in enumerate(owners)
            if owner is not None and (row, owner.cap) in trials.tried
        ]
        calls = [
            self._call(self._caps[trial.cap], trial.fit, margin=owner.margin, crowd=trial.crowd)
            for owner, trial in named
        ]
        left = [spot for spot, owner in zip(spots, owners, strict=True) if owner is None]
        calls += self._strangers(picture_bgr, left, trials.slope, tuple(trial.outline_px for _, trial in named))
        return Judgement(
            caps=tuple(call for call in calls if call.player is not None),
            unknown=tuple(call for call in calls if call.player is None),
        )

    def _strangers(
        self, picture_bgr: Image, spots: list[Spot], slope: Array | None, taken: tuple[Array, ...]
    ) -> list[Call]:
        """Measure what is shaped as a cap but nobody's, as if it were the listed cap most like it in size."""
        calls = []
        striking = [spot for spot in spots if spot.change > STRANGER_CHANGE and not spot.is_shade]
        for spot in striking[:MOST_STRANGERS]:
            cap = min(self._caps, key=lambda cap: abs(np.log(spot.diameter_mm / seen_mm(spot, cap))))
            stand = self._stand_at(picture_bgr, spot, cap)
            if stand is None or abs(np.log(spot.diameter_mm / seen_mm(spot, cap))) > STRANGER_SIZE:
                continue
            shift = stand.seek(slope)
            fit = stand.fit(shift, slope)
            is_cap = fit.misfit < USUAL_MISFIT and litter_cost(fit, is_clear=cap.kind in CLEAR) < STRANGER_COST
            if is_cap and not any(is_near(stand.outline_px(shift), other) for other in taken):
                calls.append(self._call(cap, fit, margin=0.0))
        return calls

    def fit(
        self, picture_bgr: Image, cap: Cap, near_mm: Array, beside: Sequence[tuple[Cap, Array]] = ()
    ) -> Call | NotSeen:
        """Measure one known cap near a board point (2,); raises BadInput when the picture has another size.

        `beside` are other caps and about where they lie (2,): they are no shadow of this one, nor a part of it, and
        where it is dark itself they tell where shadows fall.
        """
        self._check_size(picture_bgr)
        stand = self._stand(picture_bgr, cap, np.asarray(near_mm, float))
        if stand is None:
            return NotSeen(reason=f"{cap.player}'s cap would not be in the picture there")
        view = self._calibration.view
        taken = tuple(outline_px(view, solid_of(other, other.kind or UNTOLD_KINDS[0]), xy) for other, xy in beside)
        slope = self._light(picture_bgr, stand, beside, taken)
        shift = stand.seek(slope)
        if is_bare(stand.patches[0], shift):
            return NotSeen(reason=f"the ground there looks as it did without {cap.player}'s cap")
        near = tuple(other for other in taken if is_near(stand.outline_px(shift), other))
        return self._call(cap, stand.fit(shift, slope, near))

    def _light(
        self, picture_bgr: Image, stand: Stand, beside: Sequence[tuple[Cap, Array]], taken: tuple[Array, ...]
    ) -> Array | None:
        """Find the slope of shadows: a cap that may itself be taken for shadow leaves that to others."""
        if not stand.is_dark:
            return common_slope([stand], taken)
        others = (self._stand(picture_bgr, cap, np.asarray(xy_mm, float)) for cap, xy_mm in beside[:MOST_LIGHTS])
        return common_slope([stand, *(other for other in others if other is not None)], taken)

    def _check_size(self, picture_bgr: Image) -> None:
        if not self._calibration.has_frame_size(picture_bgr):
            width, height = self._calibration.view.lens.size_px
            raise BadInput(
                f"the picture is {picture_bgr.shape[1]}x{picture_bgr.shape[0]}, the calibration is for "
                f"{width}x{height}; calibrate with pictures of this size"
            )

    def _stand_at(self, picture_bgr: Image, spot: Spot, cap: Cap) -> Stand | None:
        return self._stand(picture_bgr, cap, self._calibration.view.px_to_mm(spot.xy_px[None], cap.height_mm / 2)[0])

    def _stand(self, picture_bgr: Image, cap: Cap, near_mm: Array) -> Stand | None:
        pictures = (picture_bgr, self._calibration.empty_bgr)
        kinds = (cap.kind,) if cap.kind else UNTOLD_KINDS
        patches = (cut_patch(self._calibration.view, pictures, solid_of(cap, kind), near_mm) for kind in kinds)
        seen = tuple(patch for patch in patches if patch is not None)
        return Stand(cap=cap, patches=seen) if seen else None

    def _call(self, cap: Cap, fit: Fit, *, margin: float = np.inf, crowd: int = 0) -> Call:
        calibration = self._calibration
        place = locate(calibration, fit.xy_mm, cap.diameter_mm)
        towards_mm = place.edge_mm - fit.xy_mm
        fit_mm = fit_sigma_mm(fit, cap, towards_mm, calibration.view.px_per_mm(fit.xy_mm))
        lens_mm = lens_sigma_mm(calibration, cap, fit.xy_mm, towards_mm)
        has_name = margin > (CLEAR_MARGIN if cap.kind in CLEAR else CERTAIN_MARGIN)
        name_mm = 0.0 if has_name else name_sigma_mm(self._caps)
        own_mm = fit_mm * (NEIGHBOUR_DOUBT if crowd else 1.0)
        sigma = float(np.linalg.norm((own_mm, lens_mm, name_mm, place.edge_sigma_mm)))
        return Call(
            player=cap.player if margin > LEAST_MARGIN else None,
            xy_mm=(float(fit.xy_mm[0]), float(fit.xy_mm[1])),
            diameter_mm=cap.diameter_mm,
            location=place.location,
            gap_mm=place.gap_mm,
            sigma_mm=sigma,
            is_certain=abs(place.gap_mm) > CERTAIN_SIGMAS * sigma and has_name,
        )


def expected_sigma_mm(calibration: Calibration, cap: Cap, xy_mm: Array) -> float:
    """Tell the standard error that the gap of a cap will have that stands alone at a board point (2,)."""
    point = np.asarray(xy_mm, float)
    place = locate(calibration, point, cap.diameter_mm)
    return float(np.hypot(usual_sigma_mm(cap, calibration.view.px_per_mm(point)), place.edge_sigma_mm))


def judge(picture_bgr: Image, calibration: Calibration, caps: tuple[Cap, ...]) -> Judgement:
    """Judge one picture; for many of one camera make a `Judge` once."""
    return Judge(calibration, caps).judge(picture_bgr)
