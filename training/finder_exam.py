"""Examine the finder on drawn scenes that training never saw, and fit how far its candidates are to be trusted.

`python -m linesies.training.finder_exam --scenes 40 --seed 900` prints recall, precision and corner errors. `make tune`
fits the trust's values of `vision/cards/find/trust.py` on the same scenes.
"""

import argparse
import sys

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.scenes import CardScene, draw_arts, draw_scene
from linesies.vision import CardFinder
from linesies.vision.cards.find.candidate import CardCandidate
from linesies.vision.cards.find.overlap import overlap as card_overlap
from linesies.vision.cards.find.trust import TRUST, OutlineTrust

Array = NDArray[np.float64]

SIZE_PX = (1920, 1080)
LEAST_VISIBLE, CLEAR = 0.15, 0.7  # of a card, to be asked for; to count as clear
SAME = 0.7  # overlap by which an answer is right


def draw_exam(seed: int, number: int) -> CardScene:
    """Draw a scene as a camera over a whole table sees it."""
    rng = np.random.default_rng((seed, number))
    px_per_mm = float(np.exp(rng.uniform(np.log(1.25), np.log(2.4))))
    return draw_scene(rng, draw_arts(rng, 14), SIZE_PX, px_per_mm, int(rng.integers(3, 11)))


def match(scene: CardScene, quads: list[Array]) -> list[int | None]:
    """Tell which card each answer means: its number, or None; each card is meant once."""
    pairs = [
        (card_overlap(quad, card), j, i) for j, quad in enumerate(quads) for i, card in enumerate(scene.corners_px)
    ]
    pairs = sorted((p for p in pairs if p[0] >= SAME), key=lambda p: (scene.visible[p[2]] < LEAST_VISIBLE, -p[0]))
    meant: list[int | None] = [None] * len(quads)
    for _, j, i in pairs:
        if meant[j] is None and i not in meant:
            meant[j] = i
    return meant


def fit_trust(evidence: Array, is_right: NDArray[np.bool_]) -> Array:
    """Fit a logistic curve: a constant and a weight for each kind of evidence."""
    inputs = np.column_stack([np.ones(len(evidence)), evidence])
    trust = np.zeros(inputs.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-inputs @ trust))
        slope = inputs.T @ (is_right - chance) - 0.05 * trust
        bend = (inputs.T * (chance * (1 - chance))) @ inputs + 0.05 * np.eye(len(trust))
        trust += np.linalg.solve(bend, slope)
    return trust


def main() -> None:
    """Draw, find, compare, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=900)
    asked = parser.parse_args()
    sys.stdout.write(examine(asked.scenes, asked.seed).report())


def examine(scenes: int, seed: int) -> "FinderMarks":
    """Find the cards of so many drawn scenes and mark the answers."""
    cv2.setNumThreads(1)
    finder, marks = CardFinder(), FinderMarks()
    for number in range(scenes):
        scene = draw_exam(seed, number)
        marks.mark(scene, finder.propose(scene.picture), [o.quad_px for o in finder.find(scene.picture)])
    return marks


class FinderMarks:
    """Counts over all scenes."""

    def __init__(self) -> None:
        self.clear: list[bool] = []
        self.partly: list[bool] = []
        self.answers: list[bool] = []
        self.errors_px: list[float] = []
        self.evidence: list[tuple[float, ...]] = []
        self.is_right: list[bool] = []

    def trust(self) -> OutlineTrust:
        """Fit how far each kind of evidence is to be believed."""
        return TRUST.with_weights(fit_trust(np.array(self.evidence), np.array(self.is_right)).round(2))

    def mark(self, scene: CardScene, proposed: list[CardCandidate], answers: list[Array]) -> None:
        """Count what was found of a scene, and keep what spoke for each candidate."""
        meant = match(scene, answers)
        for i, visible in enumerate(scene.visible):
            if visible >= LEAST_VISIBLE:
                (self.clear if visible >= CLEAR else self.partly).append(i in meant)
        for answer, card in zip(answers, meant, strict=True):
            if card is None or scene.visible[card] >= LEAST_VISIBLE:
                self.answers.append(card is not None)
            if card is not None and scene.visible[card] >= CLEAR:
                turns = [np.roll(answer, turn, 0) for turn in range(4)]
                self.errors_px.append(min(np.hypot(*(t - scene.corners_px[card]).T).mean() for t in turns))
        for candidate, card in zip(proposed, match(scene, [np.array(c.corners_px) for c in proposed]), strict=True):
            if card is None or scene.visible[card] >= LEAST_VISIBLE:
                self.evidence.append(candidate.evidence)
                self.is_right.append(card is not None)

    def report(self) -> str:
        """Say how many cards were found, how many answers are cards, and how far corners are off."""
        shares = [f"{np.mean(v):.3f} of {len(v)}" for v in (self.clear, self.partly, self.answers)]
        off = np.array(self.errors_px)
        return (
            f"recall {shares[0]} clear, {shares[1]} partly hidden; precision {shares[2]}; "
            f"corners {np.median(off):.2f} px in the median, {off.mean():.2f} in the mean\n"
        )


if __name__ == "__main__":
    main()
