"""By how much too small each cap's height is listed, weighed in one least squares over all gaps of all caps.

A listed height that is off moves a gap only as far as the camera looks aslant along it, so that gaps towards and away
from the camera disagree; what a millimetre of it would move was measured on the same pixels. A cap that looks taller
than it is moves them the same way, so that only what is more than usual of that tells of a height.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linesies.vision.proof.errors import GapError
from linesies.vision.proof.gaps import Mover, gaps_of, least_told
from linesies.vision.proof.proof_tuning import PROOF

NOT_ASLANT = 0.02  # mm of gap to one of height: so little tells nothing of it


@dataclass(frozen=True, slots=True, kw_only=True)
class HeightError:
    """By how much too small a cap's height was found to be listed, and how wrong it must be to be told (mm)."""

    found_mm: float
    least_told_mm: float

    @property
    def told_mm(self) -> float:
        """By how much it is too small beyond doubt, or 0."""
        return self.found_mm if abs(self.found_mm) > self.least_told_mm else 0.0


def heights_of(of_players: Mapping[str, Sequence[GapError]]) -> dict[str, HeightError]:
    """Weigh heights, of the players whose gaps tell of them; none where a height must be off by too much."""
    gaps = gaps_of(of_players) if of_players else None
    tell = [i for i, errors in enumerate(of_players.values()) if _is_aslant(errors)]
    if gaps is None or not tell:
        return {}
    weighed = gaps.weighed(
        Mover(moves=-(gaps.whose * gaps.per_heights[:, None])[:, tell], usual_mm=np.inf),
        Mover(moves=gaps.whose, usual_mm=np.inf),
        *gaps.looks,
    )
    least_mm = least_told(weighed, 0.0, PROOF.heights_by_chance)
    players = list(of_players)
    return {
        players[i]: HeightError(found_mm=float(found), least_told_mm=float(least))
        for i, found, least in zip(tell, weighed.found_mm, least_mm, strict=True)
        if least < PROOF.coarse_mm
    }


def _is_aslant(errors: Sequence[GapError]) -> bool:
    return float(np.std([one.trial.reach_per_height for one in errors])) >= NOT_ASLANT
