"""The faces of a deck at three scales, and how well each agrees with a card laid flat."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.cards.learned_flat import FINE, Floats, halved, print_area, small

SMALL_PRINT = small(print_area(FINE))


@dataclass(frozen=True, eq=False)
class Faces:
    """Named faces (N, H, W, 3) at FINE px/mm, and the same at COARSE and in tiles; rests are alike within a family."""

    names: tuple[str, ...]
    fine: Floats
    mid: Floats = field(init=False, repr=False)
    tiny: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mid", np.stack([halved(face) for face in self.fine]))
        object.__setattr__(self, "tiny", np.stack([small(face) for face in self.fine]))


def agreement(faces: Floats, seen: Floats, weights: Floats) -> NDArray[np.float64]:
    """Correlate faces (N, H, W, 3) with a card, as it lies and turned upside down: (2, N), each up to 1.

    The channels' means are taken off, but not their spreads: a coloured card stays coloured.
    """
    count, total = len(faces), float(weights.sum()) + 1e-6
    flat = faces.reshape(count, -1, 3)
    scores = []
    for q, w in ((seen, weights), (seen[::-1, ::-1], weights[::-1, ::-1])):
        w_flat = w.reshape(-1)
        q_off = q.reshape(-1, 3) - w_flat @ q.reshape(-1, 3) / total
        q_weighted = np.ascontiguousarray(q_off * w_flat[:, None])
        q_var = float((q_weighted * q_off).sum()) / total
        cov = flat.reshape(count, -1) @ q_weighted.reshape(-1) / total
        mean = np.einsum("nkc,k->nc", flat, w_flat, optimize=True) / total
        square = (flat.reshape(count, -1) ** 2) @ np.repeat(w_flat, 3) / total
        var = square - (mean**2).sum(1)
        scores.append(cov / np.sqrt(np.maximum(var * q_var, 1e-6)))
    return np.stack(scores)
