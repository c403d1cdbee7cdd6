"""Places where a cap may lie, each with how likely it is one, and whose."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap
from linesies.vision.caps.naming import weigh_together
from linesies.vision.caps.patch import Pictures
from linesies.vision.caps.sighting import SEEN_AT_MM, Planes, cut, normalised, on_board, shrink_for_cuts
from linesies.vision.caps.sightings import Looks, look_at, name_odds
from linesies.vision.caps.size import Peak

Array = NDArray[np.float64]

LOOKED_AT = 220  # peaks at most: a wholly changed picture takes no longer than a crowded one
WORTH_A_SECOND_LOOK = -4.0  # log odds
MOST_SECOND_LOOKS = 20
SAME_MM = 14.0  # places nearer than this are one: no two caps' middles are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A board point (2,) in mm, the probability that a cap lies there, and of each listed cap or nobody's (C + 1,)."""

    xy_mm: Array
    cap_share: float
    owner_shares: Array

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


class Sights:
    """The two pictures of one moment, ready to be cut."""

    def __init__(self, calibration: Calibration, pictures: Pictures) -> None:
        self.view = calibration.view
        self._pictures = pictures
        px_per_mm = self.view.px_per_mm(np.array(calibration.board.size_mm) / 2)
        self._now, self._empty = (shrink_for_cuts(one, px_per_mm) for one in (pictures.now, pictures.empty))

    def cuts(self, places_mm: Array) -> tuple[Planes, Array]:
        """Cut round board points (N, 2): planes (N, 6, SIDE, SIDE) and how slantwise each is seen (N,)."""
        pairs = (
            (cut(self._pictures.view_now(self.view, xy), self._now, xy), cut(self.view, self._empty, xy))
            for xy in places_mm
        )
        planes = [normalised(*pair) for pair in pairs]
        lean = np.hypot(*(places_mm - self.view.camera_mm[:2]).T) / self.view.camera_height_mm
        return np.array(planes, np.float32), lean

    def look(self, places_mm: Array) -> Looks:
        """Look at board points (N, 2)."""
        return look_at(*self.cuts(places_mm))

    def moved(self, places_mm: Array, looks: Looks) -> Array:
        """Move board points (N, 2) to where the caps' middles seem to be."""
        moved = [on_board(self.view, xy, off) for xy, off in zip(places_mm, looks.offset_mm, strict=True)]
        return np.array(moved, float).reshape(-1, 2)


def find_candidates(sights: Sights, peaks: list[Peak], caps: tuple[Cap, ...]) -> list[Candidate]:
    """Look at peaks of change twice, the second time with what may be a cap in the middle; then weigh all together."""
    if not peaks:
        return []
    peaks_px = np.array([peak.xy_px for peak in peaks[:LOOKED_AT]])
    places_mm = sights.view.px_to_mm(peaks_px, SEEN_AT_MM)
    first = sights.look(places_mm)
    order = [int(i) for i in np.argsort(-first.log_odds) if first.log_odds[i] > WORTH_A_SECOND_LOOK]
    moved = _apart(sights.moved(places_mm, first)[order])[:MOST_SECOND_LOOKS]
    if not len(moved):
        return []
    planes, leans = sights.cuts(moved)
    second = look_at(planes, leans)
    moved = sights.moved(moved, second)
    names = name_odds(planes, leans, caps)
    shares = 1 / (1 + np.exp(-second.log_odds))
    found = [
        Candidate(xy_mm=xy, cap_share=float(share), owner_shares=odds)
        for xy, share, odds in zip(moved, shares, names, strict=True)
    ]
    found.sort(key=lambda candidate: -candidate.cap_share)
    kept: list[Candidate] = []
    for one in found:
        if all(np.hypot(*(one.xy_mm - other.xy_mm)) > SAME_MM for other in kept):
            kept.append(one)
    return _together(kept)


def _together(candidates: list[Candidate]) -> list[Candidate]:
    """Say of each candidate what the others leave likely."""
    cap_shares, owner_shares = weigh_together(
        np.array([one.cap_share for one in candidates]), np.array([one.owner_shares for one in candidates])
    )
    return [
        replace(one, cap_share=float(share), owner_shares=shares)
        for one, share, shares in zip(candidates, cap_shares, owner_shares, strict=True)
    ]


def _apart(places_mm: Array) -> Array:
    kept: list[Array] = []
    for xy in places_mm:
        if all(np.hypot(*(xy - other)) > SAME_MM / 2 for other in kept):
            kept.append(xy)
    return np.array(kept, float).reshape(-1, 2)
