"""A supposed cap: its body where it may stand, and the surroundings by which that is tested."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, to_linear
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.candidates import Candidates, CapCandidate
from linesies.vision.caps.cap import Cap, Kind, Listed
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.firmness import FIRMNESS
from linesies.vision.caps.odds import times_likelier
from linesies.vision.caps.patch import Patch, cut_patch
from linesies.vision.caps.pictures import BeforeAndNow, PixelWindow
from linesies.vision.caps.solid import solid_of
from linesies.vision.caps.unlike import Unlike, unlike_ground

Array = NDArray[np.float64]

UNTOLD_KINDS: tuple[Kind, ...] = ("lid", "crown", "crown_upturned")  # what a cap of no told kind may be


@dataclass(frozen=True)
class HypothesisTuning(Tuning):
    """What is supposed of a place where a cap was recognised."""

    recognised_off_mm: float = tuned(
        2.0,
        title="how far off a recognised cap usually lies, along x and y",
        unit="mm",
        low=0.5,
        high=10,
        source="on six worlds half of the caps are within 1.0 to 1.6 mm, 95 of 100 within 3 to 5",
    )
    dark_albedo: float = tuned(
        0.06,
        title="albedo below which a cap looks no lighter than ground in shadow",
        unit="1",
        low=0.01,
        high=0.3,
        source=by_hand_in("05a0afb"),
    )


HYPOTHESIS = HypothesisTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hypothesis:
    """One cap and the patch in which it is supposed to stand.

    A cap whose kind is not told has a patch for each that it may be of. `unlike` is how unlike its ground the first is;
    `is_dark` says that the cap itself may look like ground in shadow.
    """

    cap: Cap
    patches: tuple[Patch, ...]
    unlike: Unlike
    is_dark: bool

    @property
    def window_px(self) -> PixelWindow:
        """Give the part of the picture that is looked at."""
        corners = np.array([(patch.pixels.min(axis=0), patch.pixels.max(axis=0) + 1) for patch in self.patches])
        (x0, y0), (x1, y1) = corners[:, 0].min(axis=0).astype(int), corners[:, 1].max(axis=0).astype(int)
        return int(x0), int(y0), int(x1), int(y1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SupposedRival:
    """Another listed cap that may lie there instead, and by what share it does."""

    hypothesis: Hypothesis
    share: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Supposed:
    """The caps supposed to lie in a picture, each with its candidate, and with its rival if it has one."""

    candidates: tuple[CapCandidate, ...]
    hypotheses: tuple[Hypothesis, ...]
    rivals: tuple[SupposedRival | None, ...]


def suppose(candidates: Candidates, pictures: BeforeAndNow, calibration: Calibration, listed: Listed) -> Supposed:
    """Suppose at each likely place the cap that it is rather than any other, and the next likeliest."""
    off_mm = HYPOTHESIS.recognised_off_mm
    seen, hypotheses, rivals = [], [], []
    for one in (one for one in candidates.candidates if _is_likely(one)):
        caps = _likely_caps(one, listed)
        first, *others = (suppose_cap(cap, one.xy_mm, pictures, calibration, off_mm=off_mm) for cap, _ in caps)
        if first is None:
            continue
        rival = others[0] if others else None
        seen.append(one)
        hypotheses.append(first)
        rivals.append(None if rival is None else SupposedRival(hypothesis=rival, share=caps[1][1]))
    return Supposed(candidates=tuple(seen), hypotheses=tuple(hypotheses), rivals=tuple(rivals))


def _is_likely(one: CapCandidate) -> bool:
    """Tell whether a listed cap, or one of nobody's, may prove likely enough to be told, if it is held firmly."""
    told = np.array([CERTAINTY.told, CERTAINTY.stranger])
    return bool((np.array([one.listed_share, one.cap_share]) > times_likelier(told, 1 / FIRMNESS.surer)).any())


def _likely_caps(one: CapCandidate, listed: Listed) -> list[tuple[Cap, float]]:
    """List which caps it may be, with their shares: the likeliest, and the next where that is likely enough.

    Where a name is sure, no other is so likely.
    """
    first, *others = np.argsort(-one.owner_shares[:-1], kind="stable")[:2]
    kept = [first, *(k for k in others if one.owner_shares[k] >= CERTAINTY.rival)]
    return [(listed.caps[k], float(one.owner_shares[k])) for k in kept]


def suppose_cap(
    cap: Cap, near_mm: Array, pictures: BeforeAndNow, calibration: Calibration, *, off_mm: float = np.inf
) -> Hypothesis | None:
    """Suppose a cap near a board point (2,), which is so far off; None where it would not be in the picture."""
    kinds = (cap.kind,) if cap.kind else UNTOLD_KINDS
    patches = (cut_patch(calibration.view, pictures, solid_of(cap, kind), near_mm, off_mm=off_mm) for kind in kinds)
    seen = tuple(patch for patch in patches if patch is not None)
    albedo = float(to_linear(np.array([cap.colour_rgb], np.uint8)).mean())
    is_dark = albedo < HYPOTHESIS.dark_albedo or cap.kind in ("ring", "glide")
    return Hypothesis(cap=cap, patches=seen, unlike=unlike_ground(seen[0]), is_dark=is_dark) if seen else None
