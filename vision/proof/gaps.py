"""All gaps of all caps in one least squares: what may move them, some of it freely, some held to what is usual.

What is left scatters by chance, alike for all caps, and says how sure everything is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.proof.errors import GapError
from linesies.vision.proof.proof_tuning import PROOF

Array = NDArray[np.float64]

ROUNDS = 5  # of weighing what is usual against what scatters


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mover:
    """What moves gaps: by how much each one of them (N, K), and how large each of the K usually is (inf: anything)."""

    moves: Array
    usual_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MoverFound:
    """How large the first mover's parts are, their standard errors (mm), and their freedom (Student's); (K,) each.

    What is left of the gaps tells by its own freedom how much they scatter; of an error that what is usual makes more
    than that scatter, more is known (Satterthwaite).
    """

    found_mm: Array
    doubts_mm: Array
    freedoms: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gaps:
    """All gaps: by how much each is off (N,), whose it is (N, P), of which seat (N, S), whither it points (N, 2).

    A seat is a cap on a ring at one place, of which each gives two gaps.
    `leans` (N,) is how far along each a millimetre of height is seen shifted, `per_heights` (N,) how much farther the
    same pixels would read were the cap listed a millimetre taller.
    """

    offs_mm: Array
    whose: Array
    seats: Array
    towards: Array
    leans: Array
    per_heights: Array

    @property
    def looks(self) -> tuple[Mover, ...]:
        """Give what always may move gaps: how tall a cap looks, here and everywhere; where a fit is loose; light."""
        leans, per_heights = self.leans[:, None], self.per_heights[:, None]
        return (
            Mover(moves=self.whose * leans, usual_mm=PROOF.seems_mm),
            Mover(moves=self.seats * leans, usual_mm=PROOF.seems_there_mm),
            Mover(moves=self.seats * per_heights, usual_mm=PROOF.slides_mm),
            Mover(moves=self.towards, usual_mm=PROOF.drawn_mm),
        )

    def weighed(self, first: Mover, *others: Mover) -> MoverFound:
        """Weigh what moves these gaps, one beside the other, and tell of the first."""
        movers = (first, *others)
        terms = np.hstack([one.moves for one in movers])
        usual_mm = np.concatenate([np.full(one.moves.shape[1], one.usual_mm) for one in movers])
        scatter_mm = float(self.offs_mm.std()) + PROOF.scatter_mm
        for _ in range(ROUNDS):
            inverse = np.linalg.inv(terms.T @ terms + np.diag((scatter_mm / usual_mm) ** 2))
            found_mm = inverse @ terms.T @ self.offs_mm
            told = inverse @ terms.T @ terms
            freedom = max(len(self.offs_mm) - float(np.trace(told)), 1.0)
            left_mm2 = float(((self.offs_mm - terms @ found_mm) ** 2).sum())
            scatter_mm = max(float(np.sqrt(left_mm2 / freedom)), PROOF.scatter_mm)
        count = first.moves.shape[1]
        variances, of_scatter = (np.diag(one)[:count] for one in (inverse, told @ inverse))
        return MoverFound(
            found_mm=found_mm[:count],
            doubts_mm=scatter_mm * np.sqrt(variances),
            freedoms=freedom * (variances / of_scatter) ** 2,
        )


def gaps_of(of_players: Mapping[str, Sequence[GapError]]) -> Gaps:
    """Line up the gaps of some players (at least one)."""
    errors = [one for own in of_players.values() for one in own]
    trials = [one.trial for one in errors]
    players = list(of_players)
    whose = [players.index(str(one.player)) for one in trials]
    seats = list(zip(whose, (one.place for one in errors), strict=True))
    return Gaps(
        offs_mm=np.array([one.off_mm for one in errors]),
        whose=_sorted_into(whose),
        seats=_sorted_into(seats),
        towards=np.array([one.towards for one in trials]),
        leans=np.array([one.lean for one in trials]),
        per_heights=np.array([one.reach_per_height for one in trials]),
    )


def least_told(weighed: MoverFound, also_mm: float, by_chance: float) -> Array:
    """Tell from how many millimetres on (K,) each part is beyond doubt, `also_mm` of doubt beside what was weighed.

    So that chance alone tells any of the K, of as many gaps as there are (Student's t), in that share of all proofs.
    """
    from scipy.stats import t  # noqa: PLC0415 - heavy; a proof is made seldom

    doubts_mm = np.hypot(weighed.doubts_mm, also_mm)
    freedoms = weighed.freedoms * (doubts_mm / weighed.doubts_mm) ** 4  # the other doubt is known
    return np.asarray(t.isf(by_chance / 2 / len(doubts_mm), freedoms) * doubts_mm, float)


def _sorted_into(kinds: Sequence[object]) -> Array:
    """Say of which kind each is, a column a kind in the order in which they come up (N, K)."""
    order = list(dict.fromkeys(kinds))
    return np.asarray(np.eye(len(order))[[order.index(one) for one in kinds]], float)
