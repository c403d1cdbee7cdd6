"""Pairs of pictures in which nothing moved, or a cap did: what sets the numbers of `vision/picture/stillness.py`.

Drills on simulated streets: no hand is in the picture, and caps lie still or slide.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.training.sweep import swept
from linesies.vision.picture.frame import Image
from linesies.vision.picture.small_picture import look_at
from linesies.vision.picture.stillness import STILLNESS, StillnessTuning, is_still

FIRST_SEED = 7101
FPS = 10
FRAMES = 150  # of each street
APART = 2  # frames between the two pictures
CLEARLY_MOVED_MM = 10.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """Two small pictures, and whether nothing moved between them."""

    before: Image
    now: Image
    is_still: bool


def pairs(streets: int) -> list[Pair]:
    """Film so many streets, and take what is clear: pictures without a hand, in which no cap or one clearly moved."""
    return [pair for seed in range(FIRST_SEED, FIRST_SEED + streets) for pair in _pairs_of(seed)]


def _pairs_of(seed: int) -> Iterator[Pair]:
    street = SimulatedStreet(wishes=Wishes(seed=seed, play="drill", fps=FPS))
    taken: list[tuple[Image, dict[str, np.ndarray], bool]] = []
    for _, frame in zip(range(FRAMES), street.frames(), strict=False):
        pavement = street.world.pavement
        lying = {player: pavement.xy_mm(player) for player in pavement.players}
        taken.append((look_at(frame), lying, bool(street.world.hands)))
    for (before, lay, by_hand), (now, lie, is_hand) in zip(taken, taken[APART:], strict=False):
        if by_hand or is_hand or lay.keys() != lie.keys():
            continue
        moved_mm = max(float(np.hypot(*(lie[player] - lay[player]))) for player in lie)
        if moved_mm == 0 or moved_mm > CLEARLY_MOVED_MM:
            yield Pair(before=before, now=now, is_still=moved_mm == 0)


def fitted(streets: int) -> StillnessTuning:
    """Set the numbers again: as many still pairs as moving ones count."""
    made = pairs(streets)

    def share_right() -> float:
        right = [
            [is_still(pair.before, pair.now) == pair.is_still for pair in made if pair.is_still is kind]
            for kind in (True, False)
        ]
        return float(np.mean([np.mean(one) for one in right]))

    return swept(STILLNESS, share_right)
