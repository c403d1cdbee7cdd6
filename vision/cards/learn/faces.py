"""The faces of a deck at three scales, and how well each agrees with a card laid flat."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.learn.flat import FINE, Floats, halved, print_area, small

SMALL_PRINT = small(print_area(FINE))


class Prints:
    """Pictures of one size (N, H, W, 3), made ready to be correlated."""

    def __init__(self, pictures: Floats) -> None:
        self.pictures = pictures
        count, channels = len(pictures), pictures.shape[-1]
        self._planes = np.ascontiguousarray(np.moveaxis(pictures, -1, 1)).reshape(count, channels, -1)
        self._rows = self._planes.reshape(count, -1)
        self._squares = (self._planes**2).sum(1)

    def agreement(self, seen: Floats, weights: Floats, some: Sequence[int] | None = None) -> NDArray[np.float64]:
        """Correlate the pictures, or some, with a card as it lies and turned upside down: (2, N), each up to 1.

        The channels' means are taken off, but not their spreads: a coloured card stays coloured.
        """
        total = float(weights.sum()) + 1e-6
        w, q = weights.reshape(-1), seen.reshape(-1, 3).T
        q_off = q - (q @ w)[:, None] / total
        q_weighted = q_off * w
        weighing = np.stack([w, w[::-1]], 1)
        asked = np.stack([q_weighted.ravel(), q_weighted[:, ::-1].ravel()], 1)
        means, squares, both = (
            _times(part, columns, some) / total
            for part, columns in ((self._planes, weighing), (self._squares, weighing), (self._rows, asked))
        )
        q_var = float(q_weighted.ravel() @ q_off.ravel()) / total
        var = squares - (means**2).sum(1)
        return np.clip(
            both / np.sqrt(np.maximum(var * q_var, 1e-6)), -1.0, 1.0
        ).T  # rounding, where all is of one colour


def _times(parts: Floats, columns: Floats, some: Sequence[int] | None) -> Floats:
    """Multiply all parts, or some, by columns; one by one, since to copy some takes longer than all the rest."""
    return parts @ columns if some is None else np.stack([parts[i] @ columns for i in some])


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
