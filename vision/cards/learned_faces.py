"""The faces of a deck at three scales, and how well each agrees with a card laid flat."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.cards.learned_flat import FINE, Floats, halved, print_area, small

SMALL_PRINT = small(print_area(FINE))


class Prints:
    """Pictures of one size (N, H, W, 3), made ready to be correlated."""

    def __init__(self, pictures: Floats) -> None:
        self.pictures = pictures
        self.rows = np.ascontiguousarray(pictures.reshape(len(pictures), -1))
        self.squares = self.rows**2

    def agreement(self, seen: Floats, weights: Floats, some: Sequence[int] | None = None) -> NDArray[np.float64]:
        """Correlate the pictures, or some, with a card as it lies and turned upside down: (2, N), each up to 1.

        The channels' means are taken off, but not their spreads: a coloured card stays coloured.
        """
        rows, squares = (self.rows, self.squares) if some is None else (self.rows[some], self.squares[some])
        total = float(weights.sum()) + 1e-6
        scores = []
        for q, w in ((seen, weights), (seen[::-1, ::-1], weights[::-1, ::-1])):
            w_flat, q_flat = w.reshape(-1), q.reshape(-1, 3)
            q_off = q_flat - w_flat @ q_flat / total
            q_weighted = q_off * w_flat[:, None]
            channels = np.zeros((len(w_flat), 3, 4), np.float32)
            channels[:, :, 3] = q_weighted
            for channel in range(3):
                channels[:, channel, channel] = w_flat
            sums = rows @ channels.reshape(-1, 4) / total
            square = squares @ np.repeat(w_flat, 3) / total
            var = square - (sums[:, :3] ** 2) @ np.ones(3, np.float32)
            q_var = float(q_weighted.ravel() @ q_off.ravel()) / total
            scores.append(sums[:, 3] / np.sqrt(np.maximum(var * q_var, 1e-6)))
        return np.stack(scores)


@dataclass(frozen=True, eq=False)
class Faces:
    """Named faces (N, H, W, 3) at FINE px/mm, and the same at COARSE and in tiles."""

    names: tuple[str, ...]
    fine: Floats
    mid: Prints = field(init=False, repr=False)
    tiny: Prints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mid", Prints(np.stack([halved(face) for face in self.fine])))
        object.__setattr__(self, "tiny", Prints(np.stack([small(face) for face in self.fine])))


def agreement(one: Floats, other: Floats, weights: Floats) -> tuple[float, float]:
    """Correlate a card (H, W, 3) with another as it lies and turned upside down."""
    as_it_lies, upside_down = Prints(one[None]).agreement(other, weights)[:, 0]
    return float(as_it_lies), float(upside_down)
