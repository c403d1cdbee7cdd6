"""Stiff cards moved to where the edges of all four sides are likely at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.find.edges import STEP_MM, S

Array = NDArray[np.float64]

MARGIN = 4  # steps at either end of the offsets that only turns reach
TURNS = np.arange(-8, 9)  # that are tried, in steps at the sides' ends


@dataclass(frozen=True)
class MovesTuning(Tuning):
    """How a stiff card is moved to where its edges are likely."""

    beside: float = tuned(
        0.8,
        title="what the chances of the offsets beside one count for it",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("5575704"),
    )
    place_spread: float = tuned(
        8.0, title="by which a card's place may be off", unit="steps", low=1, high=40, source=by_hand_in("5575704")
    )
    place_cost: float = tuned(
        0.05, title="of being off by so much, squared", unit="1", low=0, high=2, source=by_hand_in("5575704")
    )
    size_cost: float = tuned(
        0.05,
        title="likewise of being as much larger or smaller as cards may be",
        unit="1",
        low=0,
        high=2,
        source=by_hand_in("5575704"),
    )
    turn_cost: float = tuned(
        0.002, title="of a step that it is turned by, squared", unit="1", low=0, high=0.1, source=by_hand_in("40a6060")
    )


MOVES = MovesTuning()


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
    shifts = np.arange(MARGIN, width - MARGIN)
    index = np.clip(shifts[None, :, None] + np.rint(TURNS[:, None, None] * S), 0, width - 1).astype(int)
    table = chances[:, :, np.arange(samples), index].mean(-1)  # (N, 4, turns, shifts)
    beside = np.pad(table, ((0, 0), (0, 0), (0, 0), (1, 1)))
    table = table + MOVES.beside * (beside[..., 2:] + beside[..., :-2])
    o = shifts - width // 2
    larger, aside = (o[:, None] + o) / size_spread, (o[:, None] - o) / 2 / MOVES.place_spread
    fault = MOVES.size_cost * larger**2 + MOVES.place_cost * aside**2
    total, chosen = np.zeros((cards, len(TURNS))), np.zeros((cards, len(TURNS), 4), int)
    for first, second in ((0, 2), (1, 3)):
        joint = table[:, first, :, :, None] + table[:, second, :, None, :] - fault
        flat = joint.reshape(cards, len(TURNS), -1)
        top = flat.argmax(-1)
        total += np.take_along_axis(flat, top[..., None], -1)[..., 0]
        chosen[..., first], chosen[..., second] = np.unravel_index(top, fault.shape)
    worth = total - MOVES.turn_cost * TURNS**2
    turn = worth.argmax(1)
    return np.column_stack([TURNS[turn], o[chosen[np.arange(cards), turn]]]).astype(float), worth.max(1)
