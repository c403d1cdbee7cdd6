"""Places where a cap may lie, each with how likely it is one, and whose."""

from dataclasses import dataclass
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Listed, doubles
from linesies.vision.caps.naming import TOGETHER, cap_shares, weigh_together
from linesies.vision.caps.owners import Owners
from linesies.vision.caps.recognising import RECOGNISING, Recognised
from linesies.vision.caps.veil import Clear
from linesies.vision.pieces import Pieces

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapCandidate:
    """A board point (2,) in mm, the probability that a cap lies there, and of each listed cap or nobody's (C + 1,).

    `alone_share` is that of the likeliest by its own look, all other caps of the picture left out; `has_double` says
    that another cap is listed much like that one.
    """

    xy_mm: Array
    cap_share: float
    owner_shares: Array
    alone_share: float = 1.0
    has_double: bool = False

    @property
    def likeliest(self) -> int:
        """Which listed cap it is rather than any other (its index)."""
        return int(self.owner_shares[:-1].argmax())

    @property
    def named_share(self) -> float:
        """How likely a cap lies there, and this one."""
        return float(self.cap_share * self.owner_shares[self.likeliest])

    @property
    def listed_share(self) -> float:
        """How likely a listed cap lies there."""
        return float(self.cap_share * (1 - self.owner_shares[-1]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """All that may be caps in a picture."""

    candidates: tuple[CapCandidate, ...]


def weigh(
    recognised: Recognised, owners: Owners, clear: Clear, calibration: Calibration, listed: Listed
) -> Pieces[Candidates]:
    """Weigh together what may be caps, each once; where nothing can be seen no cap is claimed, nor denied."""
    shares = cap_shares(recognised, owners)
    kept: list[int] = []
    for i in np.argsort(-shares, kind="stable"):
        if all(np.hypot(*(recognised.xy_mm[i] - recognised.xy_mm[j])) > RECOGNISING.same_mm for j in kept):
            kept.append(int(i))
    is_seen = [not _is_blind(xy_mm, clear, calibration) for xy_mm in recognised.xy_mm[kept]]
    alike = {player for pair in doubles(listed.caps) for player in pair}
    has_double = [cap.player in alike for cap in listed.caps]
    told, alone = weigh_together(shares[kept], owners.shares[kept], TOGETHER.present), owners.shares[kept]
    found = []
    for xy_mm, share, whose, by_itself in zip(recognised.xy_mm[kept], *told, alone, strict=True):
        k = int(whose[:-1].argmax())
        found.append(
            CapCandidate(
                xy_mm=xy_mm,
                cap_share=float(share),
                owner_shares=whose,
                alone_share=float(by_itself[k]),
                has_double=has_double[k],
            )
        )
    yield
    return Candidates(candidates=tuple(compress(found, is_seen)))


def _is_blind(xy_mm: Array, clear: Clear, calibration: Calibration) -> bool:
    """Tell whether a board point (2,) lies where nothing can be seen."""
    x, y = (float(v) for v in calibration.view.mm_to_px(xy_mm[None])[0])
    return any(
        cv2.pointPolygonTest(outline.astype(np.float32), (x, y), measureDist=False) >= 0 for outline in clear.blind_px
    )
