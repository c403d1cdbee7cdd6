"""Fit how far several tellings of a picture are believed, and finder and reader together, about whether it is a card.

    python -m linesies.training.card_odds --scenes 10 --seed 89700

What may be cards is collected on worlds of drawn scenes. It tells `JointTrust` of `vision/cards/find/trust.py` and
`CardOdds` of `vision/cards/card_odds.py` (by the joint trust that is shipped) by all worlds, and for each world what
the weights of the others do there: cards told, of those outlined, and others told. `make tune` fits both again.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.decks import find_fonts
from linesies.training.finder_exam import fit_trust, match
from linesies.training.worlds import WORLDS, draw_world
from linesies.vision import CardFinder, open_reader
from linesies.vision.cards.card_odds import CardOdds
from linesies.vision.cards.find.candidate import CANDIDATES
from linesies.vision.cards.find.trust import JointTrust, log_odds
from linesies.vision.cards.judge import JUDGING

Array = NDArray[np.float64]
ORDINARY = [name for name, world in WORLDS.items() if not world.game]
SEED = 89700


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedOutline:
    """One outline: of which world, what speaks for a card, as log odds, and whether it is one."""

    world: str
    tellings: float | None  # in the mean; None where the picture was told once
    found: float
    seen: float
    is_card: bool


def fitted_joint(scenes: int, seed: int = SEED) -> JointTrust:
    """Fit how far tellings are believed, on so many scenes of each world."""
    return joint_trust(_ordinary(scenes, seed))


def fitted(scenes: int, seed: int = SEED) -> CardOdds:
    """Fit the weights of finder and reader on so many scenes of each world."""
    constant, found, seen = odds_weights(_ordinary(scenes, seed)).round(2).tolist()
    return CardOdds(constant=constant, found=found, seen=seen)


@cache
def _ordinary(scenes: int, seed: int) -> tuple[WeighedOutline, ...]:
    """Collect what both fits of `make tune` need, once."""
    return tuple(collected(ORDINARY, seed, scenes, find_fonts()))


def joint_trust(rows: Sequence[WeighedOutline]) -> JointTrust:
    """Fit how far the mean of a picture's tellings is believed."""
    joint = [row for row in rows if row.tellings is not None]
    means, are_cards = np.array([[row.tellings] for row in joint]), np.array([row.is_card for row in joint])
    constant, mean = fit_trust(means, are_cards).round(2).tolist()
    return JointTrust(constant=constant, mean=mean)


def odds_weights(rows: Sequence[WeighedOutline]) -> Array:
    """Fit the constant and the weights of finder and reader (3,)."""
    return fit_trust(np.array([(row.found, row.seen) for row in rows]), np.array([row.is_card for row in rows]))


def collected(names: Sequence[str], seed: int, scenes: int, fonts: tuple[Path, ...]) -> Iterator[WeighedOutline]:
    """Collect what may be cards on so many scenes of each world."""
    finder, reader = CardFinder(), open_reader("standard")
    for name in names:
        for number in range(scenes):
            picture, scene, _ = draw_world(WORLDS[name], seed, number, fonts)
            candidates = [one for one in finder.tell(picture).candidates if one.is_another]
            outlines = [one.outlined(one.sureness) for one in candidates]
            readings = reader.read(picture, outlines)
            meant = match(scene, [one.quad_px for one in outlines])
            for one, outline, reading, card in zip(candidates, outlines, readings, meant, strict=True):
                if outline.score >= JUDGING.possible:
                    assert reading.card_share is not None
                    yield WeighedOutline(
                        world=name,
                        tellings=None if one.told is None else log_odds(one.told),
                        found=log_odds(outline.score),
                        seen=log_odds(reading.card_share),
                        is_card=card is not None,
                    )


def told(weights: Array, rows: Sequence[WeighedOutline]) -> str:
    """Tell what weights (3,), the constant first, make of outlines."""
    least = log_odds(CANDIDATES.sure_enough)
    are_told = [float(weights @ (1.0, row.found, row.seen)) >= least for row in rows]
    cards = sum(is_told and row.is_card for is_told, row in zip(are_told, rows, strict=True))
    return f"{cards} of {sum(row.is_card for row in rows)} cards told, {sum(are_told) - cards} others"


def main() -> None:
    """Collect, fit, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", default=ORDINARY, metavar="WORLD", help=", ".join(ORDINARY))
    parser.add_argument("--scenes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fonts", type=Path)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    rows = list(collected(asked.worlds, asked.seed, asked.scenes, find_fonts(asked.fonts)))
    joint = joint_trust(rows)
    constant, found, seen = of_all = odds_weights(rows)
    sys.stdout.write(f"JointTrust: constant {joint.constant}, mean {joint.mean}\n")
    sys.stdout.write(f"CardOdds: constant {constant:.2f}, found {found:.2f}, seen {seen:.2f}: {told(of_all, rows)}\n")
    for name in asked.worlds:
        here = [row for row in rows if row.world == name]
        others = odds_weights([row for row in rows if row.world != name])
        sys.stdout.write(f"{name:10s} by the others' weights {told(others, here)}\n")


if __name__ == "__main__":
    main()
