"""By how much too small each cap's radius is listed, weighed in one least squares over all gaps of all caps.

Measured gaps scatter far more than two pictures of one place do: a cap looks a little taller or flatter than it is, on
each ground otherwise, which moves it along the camera's view, and light draws all caps one way. Both leave a radius
alone only if they are told apart from it, so both are unknown too, held to what is usual. What is left scatters by
chance, and says how sure a radius is; few gaps tell little of that (Student's t).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.proof.errors import GapError
from linesies.vision.proof.proof_tuning import PROOF

Array = NDArray[np.float64]

ROUNDS = 5  # of weighing what is usual against what scatters
LEAST_SCATTER_MM = 0.05  # no camera measures better


def radii_of(of_players: Mapping[str, Sequence[GapError]]) -> dict[str, float]:
    """Tell by how much too small radii are listed, of the players (at least one) of whom that is beyond doubt."""
    if not of_players:
        return {}
    fitted = _fitted(of_players)
    least_mm = np.maximum(PROOF.bias_mm, fitted.sure * fitted.doubts_mm)
    return {
        player: float(radius_mm)
        for player, radius_mm, least in zip(of_players, fitted.radii_mm, least_mm, strict=True)
        if abs(radius_mm) > least
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fitted:
    """Each cap's radius, its standard error (both (K,), mm), and by how many gaps more than unknowns that is told."""

    radii_mm: Array
    doubts_mm: Array
    freedom: float

    @property
    def sure(self) -> float:
        """From how many standard errors on a radius is told: as rarely wrong as PROOF.sure of a known scatter."""
        from scipy.stats import norm, t  # noqa: PLC0415 - heavy; a proof is made seldom

        return float(t.isf(norm.sf(PROOF.sure), self.freedom))


def _fitted(of_players: Mapping[str, Sequence[GapError]]) -> _Fitted:
    """Fit radii, how tall each cap looks, and which way light draws all of them."""
    trials = [(i, one) for i, errors in enumerate(of_players.values()) for one in errors]
    whose = np.eye(len(of_players))[[i for i, _ in trials]]
    leans = whose * np.array([one.trial.lean for _, one in trials])[:, None]
    towards = np.array([one.trial.towards for _, one in trials])
    terms = np.hstack([whose, leans, towards])
    offs = np.array([one.off_mm for _, one in trials])
    usual = np.concatenate(
        [np.full(len(of_players), np.inf), np.full(len(of_players), PROOF.seems_mm), np.full(2, PROOF.drawn_mm)]
    )
    scatter_mm = float(offs.std()) + LEAST_SCATTER_MM
    for _ in range(ROUNDS):
        inverse = np.linalg.inv(terms.T @ terms + np.diag((scatter_mm / usual) ** 2))
        found = inverse @ terms.T @ offs
        freedom = max(len(offs) - float(np.trace(inverse @ terms.T @ terms)), 1.0)
        scatter_mm = max(float(np.sqrt(((offs - terms @ found) ** 2).sum() / freedom)), LEAST_SCATTER_MM)
    count = len(of_players)
    doubts_mm = scatter_mm * np.sqrt(np.diag(inverse))
    return _Fitted(radii_mm=found[:count], doubts_mm=doubts_mm[:count], freedom=freedom)
