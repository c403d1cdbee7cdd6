"""Judge a picture: where each cap lies, whose it is, its gap to the paint, and how sure that is.

Each question has its own answer: what has changed (`find`), whether that is a cap and whose (`sightings`, learned on
many worlds), where its footprint is (`fit`, by geometry), on which side of the paint (`locate`). A call is certain only
where all of them are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, locate
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.candidates import Candidate, Sights, find_candidates
from linesies.vision.caps.cap import Cap, Kind
from linesies.vision.caps.exhibit import exhibit_of, pictures_of
from linesies.vision.caps.find import Finder
from linesies.vision.caps.fit import Fit
from linesies.vision.caps.hypothesis import Hypothesis, common_slope, is_near
from linesies.vision.caps.patch import Pictures, cut_patch
from linesies.vision.caps.seek import is_bare
from linesies.vision.caps.size import Peak
from linesies.vision.caps.solid import outline_px, solid_of
from linesies.vision.caps.uncertainty import fit_sigma_mm, lens_sigma_mm, name_sigma_mm, usual_sigma_mm
from linesies.vision.caps.veil import Clear, Unveiling
from linesies.vision.errors import BadInput
from linesies.vision.exhibit import Exhibit
from linesies.vision.picture.colouring import grey_of
from linesies.vision.picture.landmarks import Landmarks
from linesies.vision.picture.layout import Image
from linesies.vision.pieces import Pieces, at_once
from linesies.vision.values import Call, Judgement

Array = NDArray[np.float64]

UNTOLD_KINDS: tuple[Kind, ...] = ("lid", "crown", "crown_upturned")  # what a cap of no told kind may be
STRAYED_SHARE = 0.5  # of how far a fit strayed, beyond what is usual, is doubt
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
    listed: float = tuned(0.6, title="least share of a listed cap", unit="1", low=0, high=1, source=LOOKED_AT)
    named: float = tuned(0.5, title="least share of a name that is said", unit="1", low=0.5, high=1, source=LOOKED_AT)
    cap: float = tuned(0.8, title="least share of a certain cap", unit="1", low=0, high=1, source=LOOKED_AT)
    owner: float = tuned(0.98, title="least share of a certain name", unit="1", low=0, high=1, source=LOOKED_AT)
    doubted: float = tuned(
        0.8, title="share of a cap below which its fit decides", unit="1", low=0, high=1, source=LOOKED_AT
    )
    unlike: float = tuned(1.4, title="misfit from which that is no cap", unit="1", low=0.5, high=9, source=LOOKED_AT)
    misfit: float = tuned(1.9, title="largest misfit of a certain call", unit="1", low=0.5, high=9, source=LOOKED_AT)
    rival: float = tuned(
        0.05, title="least share of another cap that it may be", unit="1", low=0, high=1, source=LOOKED_AT
    )
    strayed_mm: float = tuned(
        6.5,
        title="farthest fit of a certain call from where a cap was seen",
        unit="mm",
        low=1,
        high=50,
        source=LOOKED_AT,
    )
    stranger: float = tuned(
        0.97, title="least share of a cap that is nobody's", unit="1", low=0, high=1, source=LOOKED_AT
    )


CERTAINTY = Certainty()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSeen:
    """No such cap there, and why not; falsy."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rival:
    """Another listed cap that it may be, by what share, and its fit as that one."""

    cap: Cap
    share: float
    fit: Fit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """One cap of a picture: the candidate, as which cap it was fitted, and how many neighbours trouble it.

    `rival` is the next likeliest of whom nobody can be sure.
    """

    candidate: Candidate
    fit: Fit
    cap: Cap
    crowd: int
    rival: Rival | None = None

    @property
    def strayed_mm(self) -> float:
        """How far the fit lies from where a cap was seen: far off, it holds a shadow or litter for the cap."""
        return float(np.hypot(*(self.fit.xy_mm - self.candidate.xy_mm)))

    @property
    def is_cap(self) -> bool:
        """Tell whether what may be no cap fits at least as one."""
        return self.candidate.cap_share > CERTAINTY.doubted or self.fit.misfit < CERTAINTY.unlike

    @property
    def is_named(self) -> bool:
        """Tell whether it is said whose cap it is."""
        return self.candidate.named_share > CERTAINTY.named

    @property
    def has_name(self) -> bool:
        """Tell whether anybody should rely on its being a cap, and this one."""
        one = self.candidate
        is_known = one.cap_share > CERTAINTY.cap and one.owner_shares[one.likeliest] > CERTAINTY.owner
        return bool(self.is_named and is_known and self.strayed_mm <= CERTAINTY.strayed_mm)


class Judge:
    """Remembers the calibrated ground, ready to compare, and the caps in play; `judge` and `fit` use it."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...]) -> None:
        self._calibration, self._caps = calibration, caps

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._calibration, self._caps)

    @cached_property
    def _unveiling(self) -> Unveiling:
        return Unveiling(self._calibration)

    @cached_property
    def _landmarks(self) -> Landmarks:
        return Landmarks(grey_of(self._calibration.empty_bgr))

    def prepare(self) -> None:
        """Make ready what the first picture would wait for."""
        self._finder, self._unveiling, self._landmarks  # noqa: B018 - made as they are asked for, and kept

    def judge(self, picture_bgr: Image) -> Judgement:
        """Find, name and measure every cap of a picture (H, W, 3); raises BadInput when it has another size."""
        return at_once(self.judging(picture_bgr))

    def judging(self, picture_bgr: Image) -> Pieces[Judgement]:
        """Judge as `judge` does, in pieces of some 30 ms each for a picture of 3 megapixels."""
        clear = self._clear(picture_bgr)
        yield
        readings = yield from self._readings(clear)
        calls = [self.call(one) for one in readings]
        return Judgement(
            caps=tuple(call for call in calls if call.player is not None),
            unknown=tuple(call for call in calls if call.player is None),
            not_seen_mm=tuple(self._on_board(outline) for outline in clear.blind_px),
        )

    def call(self, reading: Reading) -> Call:
        """Measure what was read: its gap, how sure that is, and whose cap it is."""
        return self._call(
            reading.cap,
            reading.fit,
            is_named=reading.is_named,
            has_name=reading.has_name,
            name_mm=self._name_sigma_mm(reading),
            crowd=reading.crowd,
        )

    def _name_sigma_mm(self, reading: Reading) -> float:
        """Tell how far off the gap may be because it may be another cap, or another thing beside it."""
        if reading.has_name:
            return 0.0
        strayed_mm = STRAYED_SHARE * max(reading.strayed_mm - CERTAINTY.strayed_mm, 0.0)
        nobody_mm = float(np.hypot(strayed_mm, name_sigma_mm(self._caps, reading.candidate.owner_shares[-1])))
        rival = reading.rival
        if rival is None:
            return nobody_mm
        gap_mm, other_mm = (
            locate(self._calibration, one.fit.xy_mm, one.cap.diameter_mm).gap_mm for one in (reading, rival)
        )
        return float(np.hypot(nobody_mm, np.sqrt(rival.share) * (gap_mm - other_mm)))

    def read(self, picture_bgr: Image) -> list[Reading]:
        """Find, name and fit every cap of a picture (H, W, 3); raises BadInput when it has another size."""
        return at_once(self._readings(self._clear(picture_bgr)))

    def _readings(self, clear: Clear) -> Pieces[list[Reading]]:
        pictures = self._pictures(clear.bgr)
        peaks = self._finder.peaks(pictures.now)
        yield
        candidates = [one for one in self._candidates(pictures, peaks) if not self._is_hidden(one, clear.blind_px)]
        yield
        supposed = [
            (one, self._hypothesis(pictures, self._caps[one.likeliest], one.xy_mm))
            for one in candidates
            if one.listed_share > CERTAINTY.listed or one.cap_share > CERTAINTY.stranger
        ]
        seen = [(one, hypothesis) for one, hypothesis in supposed if hypothesis is not None]
        slope = common_slope([hypothesis for _, hypothesis in seen])
        readings = []
        for one in _fitted(seen, slope):
            yield
            if one.is_cap:
                readings.append(self._with_rival(pictures, one, slope))
        return readings

    def _with_rival(self, pictures: Pictures, reading: Reading, slope: Array | None) -> Reading:
        """Fit it as the next likeliest cap too, where nobody can be sure whose it is."""
        shares = reading.candidate.owner_shares[:-1].copy()
        shares[self._caps.index(reading.cap)] = 0
        other = self._caps[int(shares.argmax())]
        if reading.has_name or shares.max() < CERTAINTY.rival:
            return reading
        hypothesis = self._hypothesis(pictures, other, reading.candidate.xy_mm)
        if hypothesis is None:
            return reading
        fit = hypothesis.fit(hypothesis.seek(slope), slope)
        return replace(reading, rival=Rival(cap=other, share=float(shares.max()), fit=fit))

    def seen(self, picture_bgr: Image) -> tuple[Array, list[Candidate]]:
        """Tell where anything changed (N, 2), in mm, and what of that may be a cap: why a cap is missed."""
        clear = self._clear(picture_bgr).bgr
        peaks_px = np.array([peak.xy_px for peak in self._finder.peaks(clear)], float).reshape(-1, 2)
        pictures = self._pictures(clear)
        return self._calibration.view.px_to_mm(peaks_px), self._candidates(pictures, self._finder.peaks(clear))

    def not_seen_mm(self, picture_bgr: Image) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Outline on the board where glare hides everything."""
        return tuple(self._on_board(outline) for outline in self._clear(picture_bgr).blind_px)

    def _clear(self, picture_bgr: Image) -> Clear:
        self._check_size(picture_bgr)
        return self._unveiling.lift(picture_bgr)

    def _on_board(self, outline_px: Array) -> tuple[tuple[float, float], ...]:
        return tuple((float(x), float(y)) for x, y in self._calibration.view.px_to_mm(outline_px))

    def _is_hidden(self, candidate: Candidate, blind_px: tuple[Array, ...]) -> bool:
        """Tell whether it lies where nothing can be seen: no cap is claimed there, nor denied."""
        x, y = (float(v) for v in self._calibration.view.mm_to_px(candidate.xy_mm[None])[0])
        return any(
            cv2.pointPolygonTest(outline.astype(np.float32), (x, y), measureDist=False) >= 0 for outline in blind_px
        )

    def _pictures(self, picture_bgr: Image) -> Pictures:
        displacement = self._landmarks.find(grey_of(picture_bgr))
        return Pictures(now=picture_bgr, empty=self._calibration.empty_bgr, displacement=displacement)

    def _candidates(self, pictures: Pictures, peaks: list[Peak]) -> list[Candidate]:
        return find_candidates(Sights(self._calibration, pictures), peaks, self._caps)

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
        lights = self._lights(pictures, hypothesis, beside)
        slope = common_slope([hypothesis, *lights], taken)
        shift = hypothesis.seek(slope)
        if is_bare(hypothesis.patches[0], shift):
            return NotSeen(reason=f"the ground there looks as it did without {cap.player}'s cap")
        near = tuple(other for other in taken if is_near(hypothesis.outline_px(shift), other))
        exhibit = exhibit_of(pictures, [hypothesis, *lights], near_mm, beside)
        return replace(self._call(cap, hypothesis.fit(shift, slope, near)), exhibit=exhibit)

    def _lights(
        self, pictures: Pictures, hypothesis: Hypothesis, beside: Sequence[tuple[Cap, Array]]
    ) -> list[Hypothesis]:
        """List the caps that tell the slope of shadows for one that may itself be taken for shadow."""
        if not hypothesis.is_dark:
            return []
        others = (self._hypothesis(pictures, cap, np.asarray(xy_mm, float)) for cap, xy_mm in beside[:MOST_LIGHTS])
        return [other for other in others if other is not None]

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

    def _call(
        self, cap: Cap, fit: Fit, *, is_named: bool = True, has_name: bool = True, name_mm: float = 0.0, crowd: int = 0
    ) -> Call:
        calibration = self._calibration
        place = locate(calibration, fit.xy_mm, cap.diameter_mm)
        towards_mm = place.edge_mm - fit.xy_mm
        fit_mm = fit_sigma_mm(fit, cap, towards_mm, calibration.view.px_per_mm(fit.xy_mm), crowd)
        lens_mm = lens_sigma_mm(calibration, cap, fit.xy_mm, towards_mm)
        sigma = calibration.sigma_times * float(np.linalg.norm((fit_mm, lens_mm, name_mm, place.edge_sigma_mm)))
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


def _fitted(supposed: list[tuple[Candidate, Hypothesis]], slope: Array | None) -> Iterator[Reading]:
    """Fit all caps of a picture beside one another under one light."""
    hypotheses = [hypothesis for _, hypothesis in supposed]
    shifts = [hypothesis.seek(slope) for hypothesis in hypotheses]
    outlines = [hypothesis.outline_px(shift) for hypothesis, shift in zip(hypotheses, shifts, strict=True)]
    for i, (candidate, hypothesis) in enumerate(supposed):
        near = tuple(other for j, other in enumerate(outlines) if j != i and is_near(outlines[i], other))
        fit = hypothesis.fit(shifts[i], slope, near)
        yield Reading(candidate=candidate, fit=fit, cap=hypothesis.cap, crowd=len(near))


def expected_sigma_mm(calibration: Calibration, cap: Cap, xy_mm: Array) -> float:
    """Tell the standard error that the gap of a cap will have that stands alone at a board point (2,)."""
    point = np.asarray(xy_mm, float)
    place = locate(calibration, point, cap.diameter_mm)
    usual_mm = usual_sigma_mm(cap, calibration.view.px_per_mm(point))
    return calibration.sigma_times * float(np.hypot(usual_mm, place.edge_sigma_mm))


def judge(picture_bgr: Image, calibration: Calibration, caps: tuple[Cap, ...]) -> Judgement:
    """Judge one picture; for many of one camera make a `Judge` once."""
    return Judge(calibration, caps).judge(picture_bgr)


def judge_again(exhibit: Exhibit, player: str, calibration: Calibration, caps: tuple[Cap, ...]) -> Call | NotSeen:
    """Measure a player's cap again from what its call was measured from; the calibration's own picture is not used.

    Raises BadInput where the exhibit does not belong to the calibration or to the caps.
    """
    of = {cap.player: cap for cap in caps}
    strangers = {player, *(other for other, _ in exhibit.beside)} - set(of)
    if strangers:
        raise BadInput(f"no cap is known of {', '.join(sorted(strangers))}")
    now, as_it_was = pictures_of(exhibit, calibration)
    beside = [(of[other], np.array(xy_mm)) for other, xy_mm in exhibit.beside]
    return Judge(as_it_was, caps).fit(now, of[player], np.array(exhibit.near_mm), beside)
