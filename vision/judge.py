"""Judge a picture: where each cap lies, whose it is, its gap to the paint, and how sure that is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import Calibration, locate
from vision.caps_doubt import NEIGHBOUR_DOUBT, fit_sigma_mm, usual_sigma_mm
from vision.caps_find import Finder
from vision.caps_fit import Edge, Fit
from vision.caps_light import linear_light
from vision.caps_patch import Patch, cut_patch
from vision.caps_seek import is_bare, light_slope, seek
from vision.caps_solid import outline_px, solid_of
from vision.caps_spot import Spot
from vision.errors import BadInput
from vision.frame import Image
from vision.identify import identify
from vision.kit import Cap, Kind
from vision.testimony import Call, Judgement

Array = NDArray[np.float64]

UNTOLD_KINDS: tuple[Kind, ...] = ("lid", "crown", "crown_upturned")  # what a cap of no told kind may be
NEIGHBOUR_ROOM_PX = 8.0  # farther than this apart, caps do not trouble one another
WORST_MISFIT = 2.5  # a pixel; beyond it the outline is no cap's
DARK_ALBEDO = 0.06  # ground in shadow looks no lighter than such a cap
CERTAIN_MARGIN = 0.7  # in the costs of naming: below it, it may be another cap
CERTAIN_SIGMAS = 2.0  # no call in doubt by less was wrong in 530 calls on known pictures


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSeen:
    """No such cap there, and why not; falsy."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stand:
    """One cap, the patch in which it is supposed to stand, and by how much it is rather this cap than another.

    A cap whose kind is not told has a patch for each that it may be of.
    """

    cap: Cap
    patches: tuple[Patch, ...]
    margin: float

    @property
    def is_dark(self) -> bool:
        """Tell whether the cap itself may look like ground in shadow."""
        albedo = float(linear_light(np.array([self.cap.colour_rgb], np.uint8)).mean())
        return albedo < DARK_ALBEDO or self.cap.kind in ("ring", "glide")

    def seek(self, slope: Array | None) -> Array:
        """Find its whole-pixel place under a light, as a shift from the patch's middle (2,)."""
        return seek(self.patches[0], slope, is_dark=self.is_dark)

    def outline_px(self, shift_px: Array) -> Array:
        """Project its outline shifted from the patch's middle: (N, 2)."""
        patch = self.patches[0]
        return outline_px(patch.view, patch.solid, patch.near_mm + np.linalg.solve(patch.px_a_mm, shift_px))

    def fit(self, shift_px: Array, slope: Array | None, taken: tuple[Array, ...] = ()) -> Fit:
        """Fit its sub-pixel place under a light, beside the outlines of neighbours."""
        fits = (Edge(patch, shift_px, slope, taken).fit(np.zeros(2)) for patch in self.patches)
        return min(fits, key=lambda fit: fit.misfit)


class Judge:
    """Remembers the calibrated ground, ready to compare, and the caps in play; `judge` and `fit` use it."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...]) -> None:
        self._calibration, self._caps = calibration, caps
        self._finder = Finder(calibration, caps)

    def judge(self, picture_bgr: Image) -> Judgement:
        """Find, name and measure every cap of a picture (H, W, 3); raises BadInput when it has another size."""
        self._check_size(picture_bgr)
        spots = self._finder.spots(picture_bgr)
        stands = [
            self._stand(picture_bgr, self._caps[owner.cap], self._start_mm(spot, self._caps[owner.cap]), owner.margin)
            for spot, owner in zip(spots, identify(spots, self._caps), strict=True)
            if owner is not None
        ]
        seen = [stand for stand in stands if stand is not None]
        slope = _common_slope(seen)
        shifts = [stand.seek(slope) for stand in seen]
        outlines = [stand.outline_px(shift) for stand, shift in zip(seen, shifts, strict=True)]
        calls = []
        for stand, shift, own in zip(seen, shifts, outlines, strict=True):
            beside = tuple(other for other in outlines if other is not own and _is_near(own, other))
            fit = stand.fit(shift, slope, beside)
            if fit.misfit < WORST_MISFIT:
                calls.append(self._call(stand, fit, is_crowded=bool(beside)))
        return Judgement(caps=tuple(calls), unknown=())

    def fit(self, picture_bgr: Image, cap: Cap, near_mm: Array) -> Call | NotSeen:
        """Measure one known cap near a board point (2,); raises BadInput when the picture has another size."""
        self._check_size(picture_bgr)
        stand = self._stand(picture_bgr, cap, np.asarray(near_mm, float))
        if stand is None:
            return NotSeen(reason=f"{cap.player}'s cap would not be in the picture there")
        slope = _common_slope([stand])
        shift = stand.seek(slope)
        if is_bare(stand.patches[0], shift):
            return NotSeen(reason=f"the ground there looks as it did without {cap.player}'s cap")
        return self._call(stand, stand.fit(shift, slope))

    def _check_size(self, picture_bgr: Image) -> None:
        if not self._calibration.has_frame_size(picture_bgr):
            width, height = self._calibration.view.lens.size_px
            raise BadInput(
                f"the picture is {picture_bgr.shape[1]}x{picture_bgr.shape[0]}, the calibration is for "
                f"{width}x{height}; calibrate with pictures of this size"
            )

    def _start_mm(self, spot: Spot, cap: Cap) -> Array:
        return self._calibration.view.px_to_mm(spot.xy_px[None], cap.height_mm / 2)[0]

    def _stand(self, picture_bgr: Image, cap: Cap, near_mm: Array, margin: float = np.inf) -> "Stand | None":
        pictures = (picture_bgr, self._calibration.empty_bgr)
        kinds = (cap.kind,) if cap.kind else UNTOLD_KINDS
        patches = (cut_patch(self._calibration.view, pictures, solid_of(cap, kind), near_mm) for kind in kinds)
        seen = tuple(patch for patch in patches if patch is not None)
        return Stand(cap=cap, patches=seen, margin=margin) if seen else None

    def _call(self, stand: Stand, fit: Fit, *, is_crowded: bool = False) -> Call:
        calibration, cap = self._calibration, stand.cap
        place = locate(calibration, fit.xy_mm, cap.diameter_mm)
        fit_mm = fit_sigma_mm(fit, cap, place.edge_mm - fit.xy_mm, calibration.view.px_per_mm(fit.xy_mm))
        sigma = float(np.hypot(fit_mm * (NEIGHBOUR_DOUBT if is_crowded else 1.0), place.edge_sigma_mm))
        return Call(
            player=cap.player,
            xy_mm=(float(fit.xy_mm[0]), float(fit.xy_mm[1])),
            diameter_mm=cap.diameter_mm,
            location=place.location,
            gap_mm=place.gap_mm,
            sigma_mm=sigma,
            is_certain=abs(place.gap_mm) > CERTAIN_SIGMAS * sigma and stand.margin > CERTAIN_MARGIN,
        )


def expected_sigma_mm(calibration: Calibration, cap: Cap, xy_mm: Array) -> float:
    """Tell the standard error that the gap of a cap will have that stands alone at a board point (2,)."""
    point = np.asarray(xy_mm, float)
    place = locate(calibration, point, cap.diameter_mm)
    return float(np.hypot(usual_sigma_mm(cap, calibration.view.px_per_mm(point)), place.edge_sigma_mm))


def _is_near(one_px: Array, other_px: Array) -> bool:
    gap = np.maximum(one_px.min(axis=0) - other_px.max(axis=0), other_px.min(axis=0) - one_px.max(axis=0))
    return bool(gap.max() < NEIGHBOUR_ROOM_PX)


def _common_slope(stands: list[Stand]) -> Array | None:
    """Find the slope of all shadows from the caps that cannot be taken for shadow themselves, where there are any."""
    shifts = [stand.seek(None) for stand in stands]
    taken = [stand.outline_px(shift) for stand, shift in zip(stands, shifts, strict=True)]
    is_all_dark = all(stand.is_dark for stand in stands)
    clear = [(s.patches[0], shift) for s, shift in zip(stands, shifts, strict=True) if is_all_dark or not s.is_dark]
    return light_slope([patch for patch, _ in clear], [shift for _, shift in clear], taken)


def judge(picture_bgr: Image, calibration: Calibration, caps: tuple[Cap, ...]) -> Judgement:
    """Judge one picture; for many of one camera make a `Judge` once."""
    return Judge(calibration, caps).judge(picture_bgr)
