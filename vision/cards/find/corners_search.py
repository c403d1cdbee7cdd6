"""Stiff cards moved to where the edges of all four sides are likely at once."""

import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.find.edges import STEP_MM, S

Array = NDArray[np.float64]

MARGIN = 4  # steps at either end of the offsets that only turns reach
PLACE_SPREAD = 8.0  # steps by which a card's place may be off


def search_moves(chances: NDArray[np.float32], size_spread_mm: float) -> Array:
    """Tell how far outward each side of supposed cards should move: (N, 4, 3), mm, for `corners.TERMS`.

    `chances` is what `EdgeNet.ask` said about them; their sizes may be off by `size_spread_mm`.
    """
    moves = _best_moves(chances, size_spread_mm / STEP_MM)[0] * STEP_MM
    return np.stack([moves[:, 1:], np.repeat(moves[:, :1], 4, 1), np.zeros((len(moves), 4))], -1)


def promise(strips: NDArray[np.float32], size_spread_mm: float, in_sight: NDArray[np.bool_]) -> Array:
    """Tell how well supposed cards could be moved onto lines in their strips (N * 4, 3, samples, offsets): (N,).

    Any line will do, a card's edge or not: it costs little, and tells where to ask the network. Samples (N, 4, samples)
    that are not in sight tell nothing.
    """
    change = np.abs(np.diff(strips, axis=-1, prepend=strips[..., :1])).sum(1)
    share = change / (change.sum(-1, keepdims=True) + 1.0)
    shown = np.where(in_sight[..., None], share.reshape(-1, 4, *share.shape[1:]), np.float32(0))
    return _best_moves(shown, size_spread_mm / STEP_MM)[1]


def _best_moves(chances: NDArray[np.float32], size_spread: float) -> tuple[Array, Array]:
    """Choose each card's turn and its sides' outward shifts (N, 5), in steps; turned, all sides slope alike.

    With them how well the sides are seen there (N,).
    """
    cards, _, samples, width = chances.shape
    turns, shifts = np.arange(-8, 9), np.arange(MARGIN, width - MARGIN)
    index = np.clip(shifts[None, :, None] + np.rint(turns[:, None, None] * S), 0, width - 1).astype(int)
    table = chances[:, :, np.arange(samples), index].mean(-1)  # (N, 4, turns, shifts)
    beside = np.pad(table, ((0, 0), (0, 0), (0, 0), (1, 1)))
    table = table + 0.8 * (beside[..., 2:] + beside[..., :-2])
    o = shifts - width // 2
    fault = 0.05 * ((o[:, None] + o) / size_spread) ** 2 + 0.05 * ((o[:, None] - o) / 2 / PLACE_SPREAD) ** 2
    total, chosen = np.zeros((cards, len(turns))), np.zeros((cards, len(turns), 4), int)
    for first, second in ((0, 2), (1, 3)):
        joint = table[:, first, :, :, None] + table[:, second, :, None, :] - fault
        flat = joint.reshape(cards, len(turns), -1)
        top = flat.argmax(-1)
        total += np.take_along_axis(flat, top[..., None], -1)[..., 0]
        chosen[..., first], chosen[..., second] = np.unravel_index(top, fault.shape)
    worth = total - 0.002 * turns**2
    turn = worth.argmax(1)
    return np.column_stack([turns[turn], o[chosen[np.arange(cards), turn]]]).astype(float), worth.max(1)
