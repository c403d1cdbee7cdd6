"""By how much too small each cap's radius is listed, weighed in one least squares over all gaps of all caps.

Measured gaps scatter far more than two pictures of one place do: a cap looks a little taller or flatter than it is, on
each ground otherwise, which moves it along the camera's view, and light draws all caps one way. Both leave a radius
alone only if they are told apart from it, so both are unknown too, held to what is usual. Light and paint also make
each cap read a little wider or narrower in all its gaps alike, which no number of them tells from a wrong radius.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from linesies.vision.proof.errors import GapError
from linesies.vision.proof.gaps import Mover, gaps_of, least_told
from linesies.vision.proof.proof_tuning import PROOF


def radii_of(of_players: Mapping[str, Sequence[GapError]]) -> dict[str, float]:
    """Tell by how much too small radii are listed, of the players of whom that is beyond doubt."""
    if not of_players:
        return {}
    gaps = gaps_of(of_players)
    weighed = gaps.weighed(Mover(moves=gaps.whose, usual_mm=np.inf), *gaps.looks)
    least_mm = np.maximum(PROOF.bias_mm, least_told(weighed, PROOF.reads_mm, PROOF.radii_by_chance))
    return {
        player: float(radius_mm)
        for player, radius_mm, least in zip(of_players, weighed.found_mm, least_mm, strict=True)
        if abs(radius_mm) > least
    }
