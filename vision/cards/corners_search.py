"""Stiff quads moved to where their four sides lie in the picture: a search on saturated gradients."""

import numpy as np
from numpy.typing import NDArray

from vision.cards.corners import changes, cross, see, side_frames
from vision.frame import Image

Array = NDArray[np.float64]

FIRM = 40.0  # a gradient, in grey levels a pixel summed over the colours, that counts in full


def search_quads(picture: Image, quads: Array, seen: Array, reach: float, size_spread: float) -> Array:
    """Move stiff quads to where their sides lie: (N, 4, 2).

    `seen` (N, 4, S) weighs the samples, `reach` is how far to look and `size_spread` how much a size may be off,
    each as a share of the mean side.
    """
    points, normal, length = side_frames(quads)
    step = np.maximum(length.mean(1) * reach / 12, 0.5)
    offsets = np.arange(-14, 15)
    scaled = step[:, None] * offsets
    at = points[..., None, :] + scaled[:, None, None, :, None] * normal[:, :, None, None]
    firm = np.minimum(changes(see(picture, at)), FIRM)
    moves = _best_moves(firm * seen[..., None], size_spread / (reach / 12))
    turn, shift = moves[:, :1], moves[:, 1:]
    ends = np.stack([shift - turn, shift + turn], -1) * step[:, None, None]
    return _moved(quads, ends)


def _best_moves(firm: NDArray[np.float32], size_spread: float) -> Array:
    """Choose each card's turn and its sides' shifts (N, 5), in steps."""
    cards, _, samples, width = firm.shape
    turns = np.arange(-4, 5)
    shifts = np.arange(4, width - 4)
    s = np.linspace(-0.82, 0.82, samples)
    index = np.clip(shifts[None, :, None] + np.rint(turns[:, None, None] * s), 0, width - 1).astype(int)
    table = firm[:, :, np.arange(samples), index].mean(-1)  # (N, 4, turns, shifts)
    table = np.maximum(table, np.maximum(np.roll(table, 1, -1), np.roll(table, -1, -1)) * 0.9)
    o = shifts - width // 2
    size_fault = ((o[:, None] + o[None]) / max(size_spread, 0.5)) ** 2
    place_fault = ((o[:, None] - o[None]) / 14.0) ** 2
    fault = (FIRM * (0.06 * size_fault + 0.05 * place_fault)).astype(np.float32)
    best = np.zeros((cards, 5))
    total = np.zeros((cards, len(turns)))
    chosen = np.zeros((cards, len(turns), 4), int)
    for first, second in ((0, 2), (1, 3)):
        joint = table[:, first, :, :, None] + table[:, second, :, None, :] - fault
        flat = joint.reshape(cards, len(turns), -1)
        top = flat.argmax(-1)
        total += np.take_along_axis(flat, top[..., None], -1)[..., 0]
        chosen[..., first], chosen[..., second] = np.unravel_index(top, fault.shape)
    total -= FIRM * 0.01 * turns**2
    turn = total.argmax(1)
    best[:, 0] = turns[turn]
    best[:, 1:] = o[chosen[np.arange(cards), turn]]
    return best


def _moved(quads: Array, ends: Array) -> Array:
    """Shift each side outward by `ends` (N, 4, 2) at its two ends and meet the sides again."""
    _, normal, _ = side_frames(quads)
    start = quads + ends[..., :1] * normal
    stop = np.roll(quads, -1, 1) + ends[..., 1:] * normal
    run = stop - start
    return cross(start, run, np.roll(start, 1, 1), np.roll(run, 1, 1))
