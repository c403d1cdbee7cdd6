"""Places where a cap may lie, each with how likely it is one, and whose."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Listed, similar
from linesies.vision.caps.naming import Weighed
from linesies.vision.caps.veil import Clear

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapCandidate:
    """A board point (2,) in mm, the probability that a cap lies there, and of each listed cap or nobody's (C + 1,).

    `alone_share` is that of the likeliest by its own look, as `Weighed` has it; `has_similar` says that another cap is
    listed near that one.
    """

    xy_mm: Array
    cap_share: float
    owner_shares: Array
    alone_share: float = 1.0
    has_similar: bool = False

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


def list_candidates(weighed: Weighed, clear: Clear, calibration: Calibration, listed: Listed) -> Candidates:
    """List what may be caps; where nothing can be seen no cap is claimed, nor denied."""
    near_another = similar(listed.caps)
    has_similar = [cap.player in near_another for cap in listed.caps]
    found = []
    shares = (weighed.cap_shares, weighed.owner_shares, weighed.alone_shares)
    for xy_mm, share, whose, by_itself in zip(weighed.xy_mm, *shares, strict=True):
        k = int(whose[:-1].argmax())
        found.append(
            CapCandidate(
                xy_mm=xy_mm,
                cap_share=float(share),
                owner_shares=whose,
                alone_share=float(by_itself[k]),
                has_similar=has_similar[k],
            )
        )
    return Candidates(candidates=tuple(one for one in found if not _is_blind(one.xy_mm, clear, calibration)))


def _is_blind(xy_mm: Array, clear: Clear, calibration: Calibration) -> bool:
    """Tell whether a board point (2,) lies where nothing can be seen."""
    x, y = (float(v) for v in calibration.view.mm_to_px(xy_mm[None])[0])
    return any(
        cv2.pointPolygonTest(outline.astype(np.float32), (x, y), measureDist=False) >= 0 for outline in clear.blind_px
    )
