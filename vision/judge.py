"""Judge a picture: where each cap lies, whose it is, its gap to the paint, and how sure that is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import Calibration, locate
from vision.caps_find import Finder, Spot
from vision.caps_fit import Fit, Patch
from vision.caps_solid import solid_of
from vision.errors import BadInput
from vision.frame import Image
from vision.identify import identify
from vision.kit import Cap, Kind
from vision.testimony import Call, Judgement

Array = NDArray[np.float64]

KINDS: tuple[Kind, ...] = ("crown", "crown_upturned", "lid")  # what a cap may be whose kind is not told
UNTOUCHED_TEXTURE = 0.75  # ground that correlates better with the empty picture is only shaded
FIT_SIGMA_PX = 0.45  # what the model of a cap is off by, whatever the noise
CERTAIN_SIGMAS = 2.6


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
        spots = [spot for spot in self._finder.spots(picture_bgr) if spot.texture < UNTOUCHED_TEXTURE]
        owners = identify(spots, self._caps)
        calls = []
        for spot, owner in zip(spots, owners, strict=True):
            if owner is None:
                continue
            call = self._measure(picture_bgr, self._caps[owner], self._start_mm(spot, self._caps[owner]))
            if call is not None:
                calls.append(call)
        return Judgement(caps=tuple(calls), unknown=())

    def fit(self, picture_bgr: Image, cap: Cap, near_mm: Array) -> Call | NotSeen:
        """Measure one known cap near a board point (2,); raises BadInput when the picture has another size."""
        self._check_size(picture_bgr)
        call = self._measure(picture_bgr, cap, np.asarray(near_mm, float))
        return call if call is not None else NotSeen(reason=f"{cap.player}'s cap is not in the picture there")

    def _check_size(self, picture_bgr: Image) -> None:
        if not self._calibration.has_frame_size(picture_bgr):
            width, height = self._calibration.view.lens.size_px
            raise BadInput(
                f"the picture is {picture_bgr.shape[1]}x{picture_bgr.shape[0]}, the calibration is for "
                f"{width}x{height}; calibrate with pictures of this size"
            )

    def _start_mm(self, spot: Spot, cap: Cap) -> Array:
        return self._calibration.view.px_to_mm(spot.xy_px[None], cap.height_mm / 2)[0]

    def _measure(self, picture_bgr: Image, cap: Cap, near_mm: Array) -> Call | None:
        fits = [self._fit(picture_bgr, cap, kind, near_mm) for kind in ((cap.kind,) if cap.kind else KINDS)]
        seen = [fit for fit in fits if fit is not None]
        return self._call(cap, min(seen, key=lambda fit: fit.misfit)) if seen else None

    def _fit(self, picture_bgr: Image, cap: Cap, kind: Kind, near_mm: Array) -> Fit | None:
        calibration = self._calibration
        patch = Patch(calibration.view, (picture_bgr, calibration.empty_bgr), solid_of(cap, kind), near_mm)
        return patch.fit(np.zeros(2)) if patch.is_seen else None

    def _call(self, cap: Cap, fit: Fit) -> Call:
        calibration = self._calibration
        place = locate(calibration, fit.xy_mm, cap.diameter_mm)
        px_per_mm = float(np.sqrt(abs(np.linalg.det(fit.px_a_mm))))
        sigma = float(np.hypot(FIT_SIGMA_PX / px_per_mm, place.edge_sigma_mm))
        return Call(
            player=cap.player,
            xy_mm=(float(fit.xy_mm[0]), float(fit.xy_mm[1])),
            diameter_mm=cap.diameter_mm,
            location=place.location,
            gap_mm=place.gap_mm,
            sigma_mm=sigma,
            is_certain=abs(place.gap_mm) > CERTAIN_SIGMAS * sigma,
        )


def judge(picture_bgr: Image, calibration: Calibration, caps: tuple[Cap, ...]) -> Judgement:
    """Judge one picture; for many of one camera make a `Judge` once."""
    return Judge(calibration, caps).judge(picture_bgr)
