"""Judge a picture: where each cap lies, whose it is, its gap to the paint, and how sure that is.

Each question has its own answer: what has changed (`find`), whether that is a cap and whose (`sightings`, learned on
many worlds), where its footprint is (`fit`, by geometry), on which side of the paint (`locate`). A call is certain only
where all of them are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, locate
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.candidates import Candidate, Sights, find_candidates
from linesies.vision.caps.cap import Cap, Kind
from linesies.vision.caps.find import Finder
from linesies.vision.caps.fit import Fit
from linesies.vision.caps.hypothesis import Hypothesis, common_slope, is_near
from linesies.vision.caps.naming import Owner, assign
from linesies.vision.caps.patch import Pictures, cut_patch
from linesies.vision.caps.register import Landmarks, find_landmarks
from linesies.vision.caps.seek import is_bare
from linesies.vision.caps.solid import outline_px, solid_of
from linesies.vision.caps.uncertainty import fit_sigma_mm, lens_sigma_mm, name_sigma_mm, usual_sigma_mm
from linesies.vision.errors import BadInput
from linesies.vision.picture.layout import Image
from linesies.vision.values import Call, Judgement

Array = NDArray[np.float64]

UNTOLD_KINDS: tuple[Kind, ...] = ("lid", "crown", "crown_upturned")  # what a cap of no told kind may be
MOST_LIGHTS = 3  # caps that are looked at for the slope of another's shadow
LOOKED_AT = (  # looked at while these were set, so no proof of them
    "by hand on sim:street seeds 9741 to 9744 and world=varied 1300 to 1305, which nothing was trained on, "
    "and on the public scenes of all three worlds, 2026-11"
)


@dataclass(frozen=True)
class Certainty(Tuning):
    """When a call may be relied on, and when a cap is named at all."""

    sigmas: float = tuned(
        2.5, title="gap over sigma from which its sign is certain", unit="1", low=1.5, high=6, source=LOOKED_AT
    )
    named: float = tuned(0.1, title="least log odds of a name", unit="nat", low=0, high=10, source=LOOKED_AT)
    relied_on: float = tuned(
        1.5, title="least log odds of a certain reading", unit="nat", low=0, high=20, source=LOOKED_AT
    )
    cap: float = tuned(0.8, title="least share of a certain cap", unit="1", low=0, high=1, source=LOOKED_AT)
    owner: float = tuned(0.97, title="least share of a certain name", unit="1", low=0, high=1, source=LOOKED_AT)
    doubted: float = tuned(
        0.8, title="share of a cap below which its fit decides", unit="1", low=0, high=1, source=LOOKED_AT
    )
    unlike: float = tuned(1.8, title="misfit from which that is no cap", unit="1", low=0.5, high=9, source=LOOKED_AT)
    misfit: float = tuned(2.0, title="largest misfit of a certain call", unit="1", low=0.5, high=9, source=LOOKED_AT)
    stranger: float = tuned(
        0.93, title="least share of a cap that is nobody's", unit="1", low=0, high=1, source=LOOKED_AT
    )


CERTAINTY = Certainty()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSeen:
    """No such cap there, and why not; falsy."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """One cap of a picture: the candidate, whose it is held to be, its fit, and how many neighbours trouble it."""

    candidate: Candidate
    owner: Owner | None
    fit: Fit
    cap: Cap
    crowd: int

    @property
    def margin(self) -> float:
        """By what log odds it is this cap rather than another or none."""
        return self.owner.margin if self.owner else -np.inf

    @property
    def is_cap(self) -> bool:
        """Tell whether what may be no cap fits at least as one."""
        return self.candidate.cap_share > CERTAINTY.doubted or self.fit.misfit < CERTAINTY.unlike

    @property
    def has_name(self) -> bool:
        """Tell whether anybody should rely on its being a cap, and this one."""
        if self.owner is None or self.margin < CERTAINTY.relied_on:
            return False
        owner_share = self.candidate.owner_shares[self.owner.cap]
        return bool(self.candidate.cap_share > CERTAINTY.cap and owner_share > CERTAINTY.owner)


class Judge:
    """Remembers the calibrated ground, ready to compare, and the caps in play; `judge` and `fit` use it."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...]) -> None:
        self._calibration, self._caps = calibration, caps
        self._finder = Finder(calibration, caps)

    @cached_property
    def _landmarks(self) -> Landmarks:
        return find_landmarks(self._calibration)

    def judge(self, picture_bgr: Image) -> Judgement:
        """Find, name and measure every cap of a picture (H, W, 3); raises BadInput when it has another size."""
        calls = [
            self._call(one.cap, one.fit, is_named=one.margin > CERTAINTY.named, has_name=one.has_name, crowd=one.crowd)
            for one in self.read(picture_bgr)
        ]
        return Judgement(
            caps=tuple(call for call in calls if call.player is not None),
            unknown=tuple(call for call in calls if call.player is None),
        )

    def read(self, picture_bgr: Image) -> list[Reading]:
        """Find, name and fit every cap of a picture (H, W, 3); raises BadInput when it has another size."""
        self._check_size(picture_bgr)
        pictures = Pictures(
            now=picture_bgr, empty=self._calibration.empty_bgr, shift_px=self._landmarks.shift_px(picture_bgr)
        )
        sights = Sights(self._calibration, pictures)
        candidates = find_candidates(sights, self._finder.peaks(picture_bgr), self._caps)
        owners = assign(np.array([one.costs for one in candidates]).reshape(-1, len(self._caps)))
        supposed = [
            (one, owner, self._hypothesis(pictures, self._caps[_likeliest(one, owner)], one.xy_mm))
            for one, owner in zip(candidates, owners, strict=True)
            if owner is not None or one.cap_share > CERTAINTY.stranger
        ]
        fitted = _fitted([(one, owner, hypothesis) for one, owner, hypothesis in supposed if hypothesis is not None])
        return [one for one in fitted if one.is_cap]

    def fit(
        self, picture_bgr: Image, cap: Cap, near_mm: Array, beside: Sequence[tuple[Cap, Array]] = ()
    ) -> Call | NotSeen:
        """Measure one known cap near a board point (2,); raises BadInput when the picture has another size.

        `beside` are other caps and about where they lie (2,): they are no shadow of this one, nor a part of it, and
        where it is dark itself they tell where shadows fall.
        """
        self._check_size(picture_bgr)
        pictures = Pictures(now=picture_bgr, empty=self._calibration.empty_bgr)
        hypothesis = self._hypothesis(pictures, cap, np.asarray(near_mm, float))
        if hypothesis is None:
            return NotSeen(reason=f"{cap.player}'s cap would not be in the picture there")
        view = self._calibration.view
        taken = tuple(outline_px(view, solid_of(other, other.kind or UNTOLD_KINDS[0]), xy) for other, xy in beside)
        slope = self._light(pictures, hypothesis, beside, taken)
        shift = hypothesis.seek(slope)
        if is_bare(hypothesis.patches[0], shift):
            return NotSeen(reason=f"the ground there looks as it did without {cap.player}'s cap")
        near = tuple(other for other in taken if is_near(hypothesis.outline_px(shift), other))
        return self._call(cap, hypothesis.fit(shift, slope, near))

    def _light(
        self, pictures: Pictures, hypothesis: Hypothesis, beside: Sequence[tuple[Cap, Array]], taken: tuple[Array, ...]
    ) -> Array | None:
        """Find the slope of shadows: a cap that may itself be taken for shadow leaves that to others."""
        if not hypothesis.is_dark:
            return common_slope([hypothesis], taken)
        others = (self._hypothesis(pictures, cap, np.asarray(xy_mm, float)) for cap, xy_mm in beside[:MOST_LIGHTS])
        return common_slope([hypothesis, *(other for other in others if other is not None)], taken)

    def _check_size(self, picture_bgr: Image) -> None:
        if not self._calibration.has_frame_size(picture_bgr):
            width, height = self._calibration.view.lens.size_px
            raise BadInput(
                f"the picture is {picture_bgr.shape[1]}x{picture_bgr.shape[0]}, the calibration is for "
                f"{width}x{height}; calibrate with pictures of this size"
            )

    def _hypothesis(self, pictures: Pictures, cap: Cap, near_mm: Array) -> Hypothesis | None:
        kinds = (cap.kind,) if cap.kind else UNTOLD_KINDS
        patches = (cut_patch(self._calibration.view, pictures, solid_of(cap, kind), near_mm) for kind in kinds)
        seen = tuple(patch for patch in patches if patch is not None)
        return Hypothesis(cap=cap, patches=seen) if seen else None

    def _call(self, cap: Cap, fit: Fit, *, is_named: bool = True, has_name: bool = True, crowd: int = 0) -> Call:
        calibration = self._calibration
        place = locate(calibration, fit.xy_mm, cap.diameter_mm)
        towards_mm = place.edge_mm - fit.xy_mm
        fit_mm = fit_sigma_mm(fit, cap, towards_mm, calibration.view.px_per_mm(fit.xy_mm), crowd)
        lens_mm = lens_sigma_mm(calibration, cap, fit.xy_mm, towards_mm)
        name_mm = 0.0 if has_name else name_sigma_mm(self._caps)
        sigma = float(np.linalg.norm((fit_mm, lens_mm, name_mm, place.edge_sigma_mm)))
        is_clear = abs(place.gap_mm) > CERTAINTY.sigmas * sigma and fit.misfit < CERTAINTY.misfit
        return Call(
            player=cap.player if is_named else None,
            xy_mm=(float(fit.xy_mm[0]), float(fit.xy_mm[1])),
            diameter_mm=cap.diameter_mm,
            location=place.location,
            gap_mm=place.gap_mm,
            sigma_mm=sigma,
            is_certain=bool(is_named and has_name and is_clear),
        )


def _likeliest(candidate: Candidate, owner: Owner | None) -> int:
    """Choose the listed cap (its index) as which a candidate is measured."""
    return int(candidate.owner_shares[:-1].argmax()) if owner is None else owner.cap


def _fitted(supposed: list[tuple[Candidate, Owner | None, Hypothesis]]) -> list[Reading]:
    """Fit all caps of a picture beside one another under one light."""
    hypotheses = [hypothesis for *_, hypothesis in supposed]
    slope = common_slope(hypotheses)
    shifts = [hypothesis.seek(slope) for hypothesis in hypotheses]
    outlines = [hypothesis.outline_px(shift) for hypothesis, shift in zip(hypotheses, shifts, strict=True)]
    readings = []
    for i, (candidate, owner, hypothesis) in enumerate(supposed):
        near = tuple(other for j, other in enumerate(outlines) if j != i and is_near(outlines[i], other))
        fit = hypothesis.fit(shifts[i], slope, near)
        readings.append(Reading(candidate=candidate, owner=owner, fit=fit, cap=hypothesis.cap, crowd=len(near)))
    return readings


def expected_sigma_mm(calibration: Calibration, cap: Cap, xy_mm: Array) -> float:
    """Tell the standard error that the gap of a cap will have that stands alone at a board point (2,)."""
    point = np.asarray(xy_mm, float)
    place = locate(calibration, point, cap.diameter_mm)
    return float(np.hypot(usual_sigma_mm(cap, calibration.view.px_per_mm(point)), place.edge_sigma_mm))


def judge(picture_bgr: Image, calibration: Calibration, caps: tuple[Cap, ...]) -> Judgement:
    """Judge one picture; for many of one camera make a `Judge` once."""
    return Judge(calibration, caps).judge(picture_bgr)
