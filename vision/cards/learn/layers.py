"""Which card lies on which: a learned face that shows whole where outlines cross is on top there."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.learn.align import PRINT
from linesies.vision.cards.learn.faces import SMALL_PRINT, Faces
from linesies.vision.cards.learn.flat import SMALL, Floats, to_flat


@dataclass(frozen=True)
class LayerTuning(Tuning):
    """What of a card shows between those that lie over it."""

    known: float = tuned(
        0.7,
        title="agreement of tiles from which on a face is thought to be seen",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("3954535"),
    )
    better: float = tuned(
        0.02,
        title="agreement gained by leaving out what is a neighbour's",
        unit="1",
        low=0.002,
        high=0.3,
        source=by_hand_in("3954535"),
    )
    least: float = tuned(
        0.12, title="of a card, to compare at all", unit="1", low=0.02, high=0.8, source=by_hand_in("3954535")
    )
    enough: float = tuned(
        0.2,
        title="of a card, to go by what no other outline covers",
        unit="1",
        low=0.02,
        high=0.9,
        source=by_hand_in("3954535"),
    )
    least_untouched: float = tuned(
        0.985,
        title="share of a card that is left, below which another touches it",
        unit="1",
        low=0.5,
        high=1,
        source=BY_HAND,
    )


LAYER = LayerTuning()


def visible_parts(tiny: list[Floats], quads_px: list[NDArray[np.float64]], faces: Faces) -> list[Floats]:
    """Mask what is seen of each card, at COARSE: `tiny` are the cards in tiles, in the order of `quads_px`."""
    count = len(quads_px)
    seen = [np.ones_like(PRINT) for _ in range(count)]
    covers = [_covers(quad, quads_px) for quad in quads_px]
    touching = [
        {j for j in range(count) if j != i and _without(seen[i], covers[i][j]).mean() < LAYER.least_untouched}
        for i in range(count)
    ]

    def known(i: int, part: Floats) -> float:
        if part.mean() < LAYER.least:
            return -1.0
        weights = cv2.resize(part, SMALL, interpolation=cv2.INTER_AREA) * SMALL_PRINT
        return float(faces.tiny.agreement(tiny[i], weights).max())

    left = {i for i in range(count) if touching[i]}
    scores = {i: known(i, seen[i]) for i in left}
    while True:
        on_top = [
            i
            for i in left
            if scores[i] > LAYER.known
            and all(known(i, _without(seen[i], covers[i][j])) <= scores[i] + LAYER.better for j in touching[i] & left)
        ]
        if not on_top:
            break
        top = max(on_top, key=scores.__getitem__)
        left.discard(top)
        for j in touching[top] & left:
            seen[j] = _without(seen[j], covers[j][top])
            scores[j] = known(j, seen[j])
    for i in left:
        alone = seen[i]
        for j in touching[i] & left:
            alone = _without(alone, covers[i][j])
        if alone.mean() > LAYER.enough:
            seen[i] = alone
    return seen


def _covers(quad_px: NDArray[np.float64], others_px: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Give all outlines in one card's millimetres."""
    back = np.linalg.inv(to_flat(quad_px))
    return [cv2.perspectiveTransform(other[None], back)[0] for other in others_px]


def _without(part: Floats, cover_mm: NDArray[np.float64]) -> Floats:
    out = part.copy()
    if np.abs(cover_mm).max() < 1000:  # farther off it covers nothing, and fixed point would overflow
        cv2.fillConvexPoly(out, np.round((cover_mm - 0.5) * 16).astype(np.int32), 0, shift=4)
    return out
