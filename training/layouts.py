"""How cards come to lie: scattered, in pairs that overlap, fans, piles, rows, tricks."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from linesies.training.eye import Sheet
from linesies.vision import CARD_MM

Rng = np.random.Generator
Array = NDArray[np.float64]
Kind = Callable[[Rng], Array]  # draws places (x, y, turn) of a group's cards, lowest first

CALM = 0.5  # of all tables: most cards lie singly or in pairs, and groups keep apart
APART_MM = 110.0
MOST_TRIED = 30  # places for each card


def draw_layout(
    rng: Rng,
    reach_mm: tuple[float, float],
    count: int,
    *,
    kinds: Sequence[Kind] = (),
    card_mm: tuple[float, float] = CARD_MM,
) -> list[list[Sheet]]:
    """Lay about `count` cards over the table within `reach_mm` (half width, half height): groups, lowest card first.

    Groups are of these `kinds`, well apart, if any are given.
    """
    is_calm = bool(kinds) or rng.random() < CALM
    kinds = kinds or ((lay_one,) * 5 + (lay_pair,) * 4 + KINDS if is_calm else (lay_one, lay_one, lay_pair, *KINDS))
    groups: list[list[Sheet]] = []
    middles: list[Array] = []
    curl = rng.uniform(0, 5) if rng.random() < 0.6 else 0.0
    for _ in range(MOST_TRIED * count):
        if sum(map(len, groups)) >= count:
            break
        middle = rng.uniform(-1, 1, 2) * reach_mm
        if is_calm and any(np.hypot(*(middle - other)) < APART_MM for other in middles):
            continue
        middles.append(middle)
        places = kinds[int(rng.integers(len(kinds)))](rng)
        turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.7 else rng.normal(0, 0.1) + rng.integers(4) * np.pi / 2
        groups.append([_sheet(rng, middle, turn, place, (n, curl), card_mm) for n, place in enumerate(places)])
    return groups


def _sheet(
    rng: Rng, middle: Array, turn: float, place: Array, stack: tuple[int, float], card_mm: tuple[float, float]
) -> Sheet:
    """Lay a card at `place` (x, y, turn) of its group; `stack`: how many lie below it, how far cards curl."""
    below, curl = stack
    c, s = np.cos(turn), np.sin(turn)
    x, y = middle[0] + c * place[0] - s * place[1], middle[1] + s * place[0] + c * place[1]
    along = rng.choice([0.0, np.pi / 2, np.arctan2(*CARD_MM[::-1]), rng.uniform(0, np.pi)])
    return Sheet(
        middle_mm=(x, y),
        turn=turn + place[2],
        size_mm=card_mm,
        lift_mm=0.4 * below,
        curl_mm=curl * rng.uniform(-0.6, 1.0),
        curl_turn=along,
    )


def lay_one(_: Rng) -> Array:
    """Lay a single card."""
    return np.zeros((1, 3))


def lay_pair(rng: Rng) -> Array:
    """Lay two cards, one over the other or beside it."""
    away, turn = rng.uniform(25, 75), rng.uniform(0, 2 * np.pi)
    skew = rng.normal(0, 0.8) if rng.random() < 0.6 else rng.normal(0, 0.06)
    return np.array([(0, 0, 0), (away * np.cos(turn), away * np.sin(turn), skew)])


def lay_fan(rng: Rng) -> Array:
    """Lay cards about a pivot below them, also shifted along one side, from the left or from the right."""
    n = int(rng.integers(3, 8))
    step, side = rng.uniform(0.08, 0.4), rng.choice([-1, 1])
    angles = side * (np.arange(n) - n / 2) * step + rng.normal(0, 0.03, n)
    pivot = rng.uniform(50, 130)
    shift = side * np.arange(n) * rng.uniform(0, 14)
    return np.column_stack([pivot * np.sin(angles) + shift, -pivot * np.cos(angles) + pivot, angles])


def lay_pile(rng: Rng) -> Array:
    """Lay a loose pile."""
    n = int(rng.integers(2, 8))
    loose = rng.uniform(0.5, 9)
    return np.column_stack([rng.normal(0, loose, (n, 2)), rng.normal(0, rng.uniform(0.01, 0.25), n)])


def lay_row(rng: Rng) -> Array:
    """Lay a row as in patience: each card a strip below the last."""
    n = int(rng.integers(3, 7))
    x = rng.uniform(10, 30) * np.arange(n)
    strays = rng.normal(0, 1.5, n)
    turns = rng.normal(0, 0.03, n)
    return np.column_stack([x, strays, turns] if rng.random() < 0.5 else [strays, x, turns])


def lay_trick(rng: Rng) -> Array:
    """Lay one card from each side, meeting in the middle."""
    n, away = int(rng.integers(3, 6)), rng.uniform(15, 60)
    turns = np.arange(n) * 2 * np.pi / n + rng.normal(0, 0.15, n)
    return np.column_stack([away * np.sin(turns), -away * np.cos(turns), turns])


KINDS = (lay_one, lay_pair, lay_fan, lay_fan, lay_pile, lay_row, lay_trick)
