"""Fit how far the finder and the reader are believed, together, about whether a card lies somewhere.

    python -m linesies.training.card_odds --scenes 15 --seed 89100

Outlines that may be cards are collected on worlds of drawn scenes. It tells the weights of `vision/cards/card_odds.py`
by all worlds, and for each world what the weights of the others do there: cards told, of those outlined, and others
told. `make tune` fits them again likewise.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.decks import find_fonts
from linesies.training.finder_exam import fit_trust, match
from linesies.training.worlds import WORLDS, draw_world
from linesies.vision import CardFinder, open_reader
from linesies.vision.cards.card_odds import CardOdds, log_odds
from linesies.vision.cards.find.candidate import CANDIDATES
from linesies.vision.cards.judge import JUDGING

Array = NDArray[np.float64]
Row = tuple[str, Array, bool]
ORDINARY = [name for name, world in WORLDS.items() if not world.game]
SEED = 89100


def fitted(scenes: int, seed: int = SEED) -> CardOdds:
    """Fit the weights on so many scenes of each world."""
    _, odds, is_card = collected(ORDINARY, seed, scenes, find_fonts())
    constant, found, seen = (round(float(weight), 2) for weight in fit_trust(odds, is_card))
    return CardOdds(constant=constant, found=found, seen=seen)


def collected(
    names: list[str], seed: int, scenes: int, fonts: tuple[Path, ...]
) -> tuple[NDArray[np.str_], Array, NDArray[np.bool_]]:
    """Collect all outlines of worlds: in which each is (N,), its log odds (N, 2), and whether it is a card's (N,)."""
    rows = list(seen_in(names, seed, scenes, fonts))
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), np.array([row[2] for row in rows])


def seen_in(names: list[str], seed: int, scenes: int, fonts: tuple[Path, ...]) -> Iterator[Row]:
    """Collect outlines: in which world, the log odds by finder and by reader (2,), and whether it is a card's."""
    finder, reader = CardFinder(), open_reader("standard")
    for name in names:
        for number in range(scenes):
            picture, scene, _ = draw_world(WORLDS[name], seed, number, fonts)
            outlines = [one for one in finder.find(picture, least=JUDGING.possible) if not one.is_hint]
            readings = reader.read(picture, outlines)
            meant = match(scene, [one.quad_px for one in outlines])
            for outline, reading, card in zip(outlines, readings, meant, strict=True):
                assert reading.card_share is not None
                yield name, np.array([log_odds(outline.score), log_odds(reading.card_share)]), card is not None


def told(weights: Array, odds: Array, is_card: NDArray[np.bool_]) -> str:
    """Tell what weights (3,), the constant first, make of outlines."""
    is_told = weights[0] + odds @ weights[1:] >= log_odds(CANDIDATES.sure_enough)
    return f"{(is_told & is_card).sum()} of {is_card.sum()} cards told, {(is_told & ~is_card).sum()} others"


def main() -> None:
    """Collect, fit, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", default=ORDINARY, metavar="WORLD", help=", ".join(ORDINARY))
    parser.add_argument("--scenes", type=int, default=15)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fonts", type=Path)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    world, odds, is_card = collected(asked.worlds, asked.seed, asked.scenes, find_fonts(asked.fonts))
    constant, found, seen = of_all = fit_trust(odds, is_card)
    sys.stdout.write(f"constant {constant:.2f}, found {found:.2f}, seen {seen:.2f}: {told(of_all, odds, is_card)}\n")
    for name in asked.worlds:
        here = world == name
        others = fit_trust(odds[~here], is_card[~here])
        sys.stdout.write(f"{name:10s} by the others' weights {told(others, odds[here], is_card[here])}\n")


if __name__ == "__main__":
    main()
