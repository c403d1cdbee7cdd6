"""Whose cap is which: all candidates of a picture weighed together, for each listed cap lies there at most once.

By messages between candidates and caps, as in multi-target tracking (Williams and Lau 2014): on such tables they always
settle, close to the true probabilities, at a cost that does not explode with the number of caps.

Whose it looks like tells whether it is a cap, too. Listed caps look like themselves; litter may look like anything, as
a stranger's cap does. So what is likelier nobody's than strangers are frequent is likelier litter, by as much.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.owners import STRANGERS_SHARE

Array = NDArray[np.float64]

ROUNDS = 200  # of messages; a few settle most pictures
SETTLED = 1e-6
QUIET = 1e-12  # keeps shares finite


@dataclass(frozen=True)
class Together(Tuning):
    """What is known of a game before a picture is looked at."""

    present: float = tuned(
        4.0,
        title="odds that a listed cap lies in the picture and is seen",
        unit="1",
        low=0.1,
        high=100,
        source="by hand: names on world=varied 1300 to 1304, two public worlds, the third in sight, 2026-11",
    )
    followed: float = tuned(
        2500.0,
        title="odds that a cap lies where it was followed to",
        unit="1",
        low=1,
        high=100000,
        source="by hand, of 4, 250, 2500: certain are all 46 calls of pc1 to pc3, 26 of a street at 0.3 px/mm, no blot",
    )
    look: float = tuned(
        8.0,
        title="how many times likelier or less likely litter is, at most, for whose cap it looks like",
        unit="1",
        low=1,
        high=100,
        source="by hand, of 1 to 20: what is told apart on world=varied 1700 to 1725, other worlds in sight, 2026-11",
    )


TOGETHER = Together()


def weigh_together(cap_shares: Array, owner_shares: Array, present: float = TOGETHER.present) -> tuple[Array, Array]:
    """Tell how likely each candidate (S,) is a cap, and of each cap or nobody's (S, C + 1), given all the others.

    Takes the same of each candidate by itself, and the odds that a listed cap is among them.
    """
    listed = present * cap_shares[:, None] * owner_shares[:, :-1] + QUIET
    arbitrary = np.clip(owner_shares[:, -1] / STRANGERS_SHARE, 1 / TOGETHER.look, TOGETHER.look)
    nobodys, no_cap = cap_shares * owner_shares[:, -1], (1 - cap_shares) * arbitrary + QUIET
    else_shares = (nobodys + no_cap)[:, None]
    is_free = np.ones_like(listed)  # messages of the caps: how likely no other candidate is this one
    for _ in range(ROUNDS):
        wanted = listed * is_free
        claims = listed / (else_shares + wanted.sum(axis=1, keepdims=True) - wanted)
        before, is_free = is_free, 1 / (1 + claims.sum(axis=0, keepdims=True) - claims)
        if np.abs(is_free - before).max(initial=0) < SETTLED:
            break
    wanted = listed * is_free
    caps = np.column_stack([wanted, nobodys])
    whole = caps.sum(axis=1)
    return whole / (whole + no_cap), caps / (whole[:, None] + QUIET)
