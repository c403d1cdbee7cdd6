"""Votes of several scales: which mean the same card, and whether a coarser one can tell more."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.find.votes import Rough


@dataclass(frozen=True)
class ScaleTuning(Tuning):
    """When a coarser scale is worth a look."""

    larger: float = tuned(
        2.5,
        title="times larger than most, from which a coarser scale is worth a look",
        unit="1",
        low=1.2,
        high=10,
        source=by_hand_in("daca855"),
    )


SCALES = ScaleTuning()

SAME_ROUGH, SAME_BETWEEN_SCALES = 0.9, 0.5  # overlap from which on two votes of one scale mean one card, and of two
PLAIN, PLAIN_HALF_PX = 0.8, 40.0  # score and half length of a card that is seen well


def distinct(scales: Iterable[list[Rough]]) -> list[Rough]:
    """Keep, of what was found at several scales, each card once; that others agree with it speaks for it."""
    kept: list[tuple[int, Rough]] = []
    ranked = sorted(((i, rough) for i, scale in enumerate(scales) for rough in scale), key=lambda p: -p[1].score)
    for i, rough in ranked:
        for place, (j, other) in enumerate(kept):
            if overlap(rough.quad_px, other.quad_px) >= (SAME_ROUGH if i == j else SAME_BETWEEN_SCALES):
                if i != j:
                    kept[place] = (j, replace(other, agreed=max(other.agreed, rough.score)))
                break
        else:
            kept.append((i, rough))
    return [rough for _, rough in kept]


def are_plain(roughs: list[Rough]) -> bool:
    """Tell whether several cards, none much larger, are seen so well that a coarser scale can't tell more."""
    well = [rough.area_px2 for rough in roughs if rough.score * rough.visible > PLAIN and rough.half_px < PLAIN_HALF_PX]
    return len(well) >= 3 and max(well) < SCALES.larger * float(np.median(well))


def agreement(roughs: Iterable[Rough]) -> float:
    """Tell how much the votes agree that make rough cards, summed over those."""
    return sum(rough.score**2 * rough.visible / (1 + rough.scatter**2) for rough in roughs)
