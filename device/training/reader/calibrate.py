"""Fit how far the readers are to be trusted: `python -m device.training.reader.calibrate FONTS.txt [NETS] [--decks N]`.

Whole decks in fonts held out from training are drawn, pictured and read. The witnesses' sharpness and doubt are those
under which the true names are likeliest; the least confidence is the one at which wrong names, those of cards that
can't be read included, are at most `WRONG` of all cards. FONTS.txt is the list that training left in its folder.
"""

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from scipy.optimize import minimize

from device.training.decks import split_fonts
from device.training.reader.samples import Sample, Samples, batch_of
from vision import glyphs, reading, witnesses

WRONG = 0.003
A_DECK = 40  # samples
ENGLISH = glyphs.glyph_of_rank("english")

log = logging.getLogger("calibrate")


def main() -> None:
    """Draw, read, fit, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fonts", type=Path)
    parser.add_argument("nets", type=Path, nargs="?")
    parser.add_argument("--decks", type=int, default=60)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    fonts = tuple(Path(line) for line in given.fonts.read_text().splitlines())
    samples = draw_unseen(split_fonts(fonts)[1], given.decks)
    heard = hear(witnesses.Witnesses(given.nets), samples)
    truth = np.array([_name(sample) for sample in samples])
    trust = fit(heard, truth, np.array([sample.whole_label[2] for sample in samples]))
    log.info("%s", trust)
    log.info("%s", told(heard, truth, trust))


def draw_unseen(fonts: tuple[Path, ...], decks: int) -> list[Sample]:
    """Draw samples of English decks, each deck by itself."""
    drawer = Samples(np.random.default_rng(777), stock=1, fonts=fonts, languages=("english",))
    drawn = []
    for _ in range(decks):
        drawer.renew()
        drawn += [drawer.draw() for _ in range(A_DECK)]
    return drawn


def hear(nets: witnesses.Witnesses, samples: list[Sample]) -> witnesses.Hearing:
    """Ask the networks about all samples."""
    corners, _, wholes, _ = batch_of(samples)
    return nets.hear_crops(list(corners), list(wholes))


def _name(sample: Sample) -> int:
    """Give a sample's name the number that `name_chances` gives it, below 0 where there is none to read."""
    return -1 if sample.truth is None else sample.truth[0] * 4 + sample.truth[1]


def fit(heard: witnesses.Hearing, truth: np.ndarray, sides: np.ndarray) -> reading.Trust:
    """Find the trust under which the true names are likeliest, and the least confidence that keeps wrong ones rare."""
    known = np.flatnonzero(truth >= 0)

    def unlikely(logs: np.ndarray) -> float:
        trust = replace(reading.TRUST, index=np.exp(logs[0]), whole=np.exp(logs[1]), doubt=1 / (1 + np.exp(-logs[2])))
        return -float(np.log(reading.name_chances(heard, ENGLISH, trust)[known, truth[known]] + 1e-12).mean())

    best = minimize(unlikely, [0.0, -0.3, -4.0], method="Nelder-Mead", options={"maxiter": 120}).x
    trust = replace(
        reading.TRUST,
        index=float(np.exp(best[0])),
        whole=float(np.exp(best[1])),
        doubt=float(1 / (1 + np.exp(-best[2]))),
    )
    trust = fit_up(heard, sides, trust)
    confidence, is_wrong = _confidences(heard, truth, trust)
    falling = np.argsort(-confidence)
    rate = np.cumsum(is_wrong[falling]) / len(truth)
    kept = np.flatnonzero(rate <= WRONG)
    return replace(trust, least=float(confidence[falling[kept[-1]]]))


def fit_up(heard: witnesses.Hearing, sides: np.ndarray, trust: reading.Trust) -> reading.Trust:
    """Find the odds under which the true sides, numbered as in `SIDES`, are likeliest."""
    known = sides >= 0
    known &= sides < 2

    def unlikely(odds: np.ndarray) -> float:
        ups = reading.up_chances(heard, replace(trust, side=odds[0], none=odds[1], up=odds[2]))
        said = np.where(sides == 0, ups, 1 - ups)[known]
        return -float(np.log(said + 1e-12).mean()) + 1e-4 * float(odds @ odds)  # no odds without end on few decks

    side, none, up = minimize(unlikely, [1.0, -2.0, 0.0], method="Nelder-Mead").x
    return replace(trust, side=float(side), none=float(none), up=float(up))


def _confidences(heard: witnesses.Hearing, truth: np.ndarray, trust: reading.Trust) -> tuple[np.ndarray, np.ndarray]:
    """Tell each card's confidence in its best name, 0 if it seems to lie face down; and whether that is wrong."""
    names, ups = reading.name_chances(heard, ENGLISH, trust), reading.up_chances(heard, trust)
    return np.where(ups >= 0.5, names.max(1) * ups, 0.0), names.argmax(1) != truth


def told(heard: witnesses.Hearing, truth: np.ndarray, trust: reading.Trust) -> str:
    """Say how many readable cards are named, and how many of all are named wrongly."""
    confidence, is_wrong = _confidences(heard, truth, trust)
    said, readable = confidence >= trust.least, truth >= 0
    right = (said & ~is_wrong)[readable].mean()
    guessed = (~is_wrong)[readable].mean()
    wrong = (said & is_wrong).mean()
    return f"named right {right:.3f} of the readable, best guess right {guessed:.3f}, wrong {wrong:.4f} of all"


if __name__ == "__main__":
    main()
