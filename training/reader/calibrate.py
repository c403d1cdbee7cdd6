"""Fit how far the readers are to be trusted.

    python -m linesies.training.reader.calibrate FONTS.txt [NETS] [--scenes N]

Tables are laid with decks in fonts held out from training; the program finds the cards and reads them. The witnesses'
sharpness and doubt are those under which the true names are likeliest; the least confidence is the one at which wrong
names, those of cards that can't be read and of what is no card included, are at most `WRONG` of all answers.
FONTS.txt is the list that training left in its folder.
"""

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from linesies.training.decks import split_fonts
from linesies.training.reader.exam import Asked, draw_exams
from linesies.vision import Image
from linesies.vision.cards.card import CARD_SHARE
from linesies.vision.cards.read import glyphs, reading, witnesses

WRONG = 0.003
# on few scenes the likeliest trust may lie anywhere
NAME_BOUNDS = ((-2.0, 2.0), (-2.0, 2.0), (-12.0, 0.0), (-6.0, 6.0))
SIDE_BOUNDS = ((-25.0, 25.0),) * 3
ENGLISH = glyphs.glyph_of_rank("english")

log = logging.getLogger("calibrate")


def main() -> None:
    """Draw, read, fit, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fonts", type=Path)
    parser.add_argument("nets", type=Path, nargs="?")
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--seed", type=int, default=777)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    fonts = tuple(Path(line) for line in given.fonts.read_text().splitlines())
    heard, asked = examined(fonts, given.scenes, given.seed, nets=given.nets)
    trust = fit(heard, asked)
    log.info("%s", trust)
    log.info("%s", told(heard, asked, trust))


def calibrated(fonts: tuple[Path, ...], scenes: int, seed: int) -> reading.Trust:
    """Fit the trust on tables with decks in those of the fonts that training never sees."""
    return fit(*examined(fonts, scenes, seed))


def examined(
    fonts: tuple[Path, ...], scenes: int, seed: int, *, nets: Path | None = None
) -> tuple[witnesses.Hearing, list[Asked]]:
    """Draw tables, and ask the networks (those of the program, or a folder's) about what the program finds there."""
    cv2.setNumThreads(1)
    exams = list(draw_exams(split_fonts(fonts)[1], scenes, seed))
    return hear(witnesses.Witnesses(nets), exams)


def hear(nets: witnesses.Witnesses, exams: list[tuple[Image, list[Asked]]]) -> tuple[witnesses.Hearing, list[Asked]]:
    """Ask the networks about all outlines."""
    heard = [
        reading.hear_out(nets, picture, [card.quad_px for card in cards], ENGLISH) for picture, cards in exams if cards
    ]
    parts = {name: np.concatenate([getattr(h, name) for h in heard]) for name in witnesses.Hearing.__slots__}
    return witnesses.Hearing(**parts), [card for _, cards in exams for card in cards]


def _names(asked: list[Asked]) -> NDArray[np.int64]:
    """Give each true name the number that `name_chances` gives it, below 0 where there is none."""
    return np.array(
        [
            -1 if card.name is None else glyphs.RANKS.index(card.name[:-1]) * 4 + glyphs.SUITS.index(card.name[-1])
            for card in asked
        ]
    )


def fit(heard: witnesses.Hearing, asked: list[Asked]) -> reading.Trust:
    """Find the trust under which the true names are likeliest, and the least confidence that keeps wrong ones rare."""
    truth = _names(asked)
    known = np.flatnonzero([card.is_readable for card in asked])

    def trusting(logs: NDArray[np.float64]) -> reading.Trust:
        index, whole = (float(one) for one in np.exp(logs[:2]))
        doubt, alike = (float(one) for one in 1 / (1 + np.exp(-logs[2:])))
        return replace(reading.TRUST, index=index, whole=whole, doubt=doubt, alike=alike)

    def unlikely(logs: NDArray[np.float64]) -> float:
        chances = reading.name_chances(heard, ENGLISH, trusting(logs))
        return -float(np.log(chances[known, truth[known]] + 1e-12).mean())

    trust = trusting(
        minimize(unlikely, [0.0, -0.3, -4.0, 0.0], method="Nelder-Mead", bounds=NAME_BOUNDS, options={"maxiter": 200}).x
    )
    trust = fit_up(heard, asked, trust)
    confidence, is_wrong = _confidences(heard, truth, trust)
    falling = np.argsort(-confidence)
    rate = np.cumsum(is_wrong[falling]) / len(truth)
    kept = np.flatnonzero(rate <= WRONG)
    return replace(trust, least=float(confidence[falling[kept[-1]]]))


def fit_up(heard: witnesses.Hearing, asked: list[Asked], trust: reading.Trust) -> reading.Trust:
    """Find the odds under which the true sides of cards are likeliest."""
    is_up = np.array([card.name is not None for card in asked])
    known = np.array([card.is_card for card in asked])

    def unlikely(odds: NDArray[np.float64]) -> float:
        ups = reading.up_chances(heard, replace(trust, side=odds[0], none=odds[1], up=odds[2]))
        said = np.where(is_up, ups, 1 - ups)[known]
        return -float(np.log(said + 1e-12).mean()) + 1e-4 * float(odds @ odds)  # no odds without end on few decks

    side, none, up = minimize(unlikely, [1.0, -2.0, 0.0], method="Nelder-Mead", bounds=SIDE_BOUNDS).x
    return replace(trust, side=float(side), none=float(none), up=float(up))


def _confidences(
    heard: witnesses.Hearing, truth: NDArray[np.int64], trust: reading.Trust
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Tell each outline's confidence in its best name, 0 where none would be told; and whether that is wrong."""
    names, ups = reading.name_chances(heard, ENGLISH, trust), reading.up_chances(heard, trust)
    is_asked = (ups >= 0.5) & (reading.card_shares(heard) > CARD_SHARE.least)
    return np.where(is_asked, names.max(1) * ups, 0.0), names.argmax(1) != truth


def told(heard: witnesses.Hearing, asked: list[Asked], trust: reading.Trust) -> str:
    """Say how many readable cards are named, and how many of all answers are wrong names."""
    confidence, is_wrong = _confidences(heard, _names(asked), trust)
    said, readable = confidence >= trust.least, np.array([card.is_readable for card in asked])
    right = (said & ~is_wrong)[readable].mean()
    guessed = (~is_wrong)[readable].mean()
    wrong = int((said & is_wrong).sum())
    return (
        f"{len(asked)} outlines, {readable.sum()} readable: named right {right:.3f}, best guess right {guessed:.3f}; "
        f"{wrong} named wrongly"
    )


if __name__ == "__main__":
    main()
