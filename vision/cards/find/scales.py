"""Votes of several scales: which mean the same card, and whether a coarser one can tell more."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
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
    same_rough: float = tuned(
        0.9,
        title="overlap from which on two votes of one scale mean one card",
        unit="1",
        low=0.3,
        high=1,
        source=BY_HAND,
    )
    same_between_scales: float = tuned(0.5, title="likewise of two scales", unit="1", low=0.1, high=1, source=BY_HAND)
    plain_half_px: float = tuned(
        40.0, title="half length of a card that is seen well", unit="px", low=10, high=120, source=by_hand_in("7f1c6f9")
    )
    plain: float = tuned(
        0.8, title="score of a card that is seen well", unit="1", low=0.3, high=1, source=by_hand_in("7f1c6f9")
    )


SCALES = ScaleTuning()


def distinct(scales: Iterable[list[Rough]]) -> list[Rough]:
    """Keep, of what was found at several scales, each card once; that others agree with it speaks for it."""
    kept: list[tuple[int, Rough]] = []
    ranked = sorted(((i, rough) for i, scale in enumerate(scales) for rough in scale), key=lambda p: -p[1].score)
    for i, rough in ranked:
        for place, (j, other) in enumerate(kept):
            if overlap(rough.quad_px, other.quad_px) >= (SCALES.same_rough if i == j else SCALES.same_between_scales):
                if i != j:
                    kept[place] = (j, replace(other, agreed=max(other.agreed, rough.score)))
                break
        else:
            kept.append((i, rough))
    return [rough for _, rough in kept]


def are_plain(roughs: list[Rough]) -> bool:
    """Tell whether several cards, none much larger, are seen so well that a coarser scale can't tell more."""
    well = [
        rough.area_px2
        for rough in roughs
        if rough.score * rough.visible > SCALES.plain and rough.half_px < SCALES.plain_half_px
    ]
    return len(well) >= 3 and max(well) < SCALES.larger * float(np.median(well))


def agreement(roughs: Iterable[Rough]) -> float:
    """Tell how much the votes agree that make rough cards, summed over those."""
    return sum(rough.score**2 * rough.visible / (1 + rough.scatter**2) for rough in roughs)
