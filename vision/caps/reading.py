"""The caps of a picture as they were read: whose each is, where it fits, and who else it may be."""

from dataclasses import dataclass

import numpy as np

from linesies.vision.caps.candidates import CapCandidate
from linesies.vision.caps.cap import Cap
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.cuts import Places
from linesies.vision.caps.fit import CapFit
from linesies.vision.caps.fitting import Fitted
from linesies.vision.caps.hypothesis import Supposed, SupposedRival
from linesies.vision.caps.placing import Placing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rival:
    """Another listed cap that it may be, by what share, and its fit as that one."""

    cap: Cap
    share: float
    fit: CapFit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapReading:
    """One cap of a picture: the candidate, as which cap it was fitted, and how many neighbours trouble it.

    `rival` is the next likeliest of whom nobody can be sure; `testimony` is what the second witness says, where one
    was asked, and `held_share` how likely a cap lies there since.
    """

    candidate: CapCandidate
    fit: CapFit
    cap: Cap
    crowd: int
    rival: Rival | None = None
    testimony: Placing | None = None
    held_share: float | None = None

    @property
    def strayed_mm(self) -> float:
        """How far the fit lies from where a cap was seen: far off, it holds a shadow or litter for the cap."""
        return float(np.hypot(*(self.fit.xy_mm - self.candidate.xy_mm)))

    @property
    def cap_share(self) -> float:
        """How likely a cap lies there, the witness heard."""
        return self.candidate.cap_share if self.held_share is None else self.held_share

    @property
    def named_share(self) -> float:
        """How likely a cap lies there, and this one, the witness heard."""
        return float(self.cap_share * self.candidate.owner_shares[self.candidate.likeliest])

    @property
    def apart_mm(self) -> float:
        """How far apart fit and witness lie: far apart, one of them has found something else."""
        return 0.0 if self.testimony is None else float(np.hypot(*(self.testimony.xy_mm - self.fit.xy_mm)))

    @property
    def sigmas(self) -> float:
        """How many sigmas a gap must have for its sign to be certain: a fit alone misses large errors more often."""
        return CERTAINTY.sigmas if self.testimony is None else CERTAINTY.sigmas_witnessed

    @property
    def is_cap(self) -> bool:
        """Tell whether what may be no cap fits at least as one, where it was seen."""
        fits = self.fit.misfit < CERTAINTY.unlike and self.strayed_mm < CERTAINTY.astray_mm
        return self.candidate.cap_share > CERTAINTY.doubted or fits

    @property
    def is_likely(self) -> bool:
        """Tell whether a listed cap is likely enough to lie there, or surely one of nobody's, the witness heard."""
        is_listed = self.cap_share * (1 - self.candidate.owner_shares[-1]) > CERTAINTY.told
        return bool(is_listed or self.cap_share > CERTAINTY.stranger)

    @property
    def is_named(self) -> bool:
        """Tell whether it is said whose cap it is."""
        return self.named_share > CERTAINTY.named

    @property
    def has_name(self) -> bool:
        """Tell whether anybody should rely on its being a cap, and this one."""
        is_known = self.cap_share > CERTAINTY.cap and self.is_told_apart
        is_there = self.strayed_mm <= CERTAINTY.strayed_mm and self.apart_mm <= CERTAINTY.apart_mm
        return bool(self.is_named and is_known and is_there)

    @property
    def is_told_apart(self) -> bool:
        """Tell whether it is surely this listed cap rather than another: by all of the picture, and by its own look.

        One light deceives about all caps of a picture alike, so that two which are taken for each other would each
        bear the other out.
        """
        one = self.candidate
        least = CERTAINTY.alone_of_similar if one.has_similar else CERTAINTY.alone
        return bool(one.owner_shares[one.likeliest] > CERTAINTY.owner and one.alone_share > least)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Readings:
    """All caps read in a picture."""

    readings: tuple[CapReading, ...]


def read(supposed: Supposed, fitted: Fitted) -> Readings:
    """Read as which cap each was fitted, and as which other one; what fits as none is dropped."""
    rows = zip(
        supposed.candidates,
        supposed.hypotheses,
        supposed.rivals,
        fitted.fits,
        fitted.crowds,
        fitted.rivals,
        strict=True,
    )
    readings = (
        CapReading(candidate=candidate, fit=fit, cap=hypothesis.cap, crowd=crowd, rival=_rival(other, as_other))
        for candidate, hypothesis, other, fit, crowd, as_other in rows
    )
    return Readings(readings=tuple(one for one in readings if one.is_cap))


def aim(readings: Readings) -> Places:
    """Look once more at where each cap was fitted."""
    return Places(xy_mm=np.array([one.fit.xy_mm for one in readings.readings], float).reshape(-1, 2))


def _rival(other: SupposedRival | None, fit: CapFit | None) -> Rival | None:
    return None if other is None or fit is None else Rival(cap=other.hypothesis.cap, share=other.share, fit=fit)
