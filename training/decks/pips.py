"""Pips: where a number card carries its suit, as printed for centuries and as odd decks do it."""

from numpy.random import Generator

from linesies.training.decks.stamps import Pixels, paste, stamped_size, turned

Spot = tuple[float, float]  # in the pip field: x and y from -1 to 1

_L, _M, _R = -1.0, 0.0, 1.0
_COLUMNS: dict[int, list[float]] = {2: [-1, 1], 3: [-1, 0, 1], 4: [-1, -1 / 3, 1 / 3, 1]}
LAYOUTS: dict[str, list[Spot]] = {
    "A": [(_M, 0)],
    "2": [(_M, y) for y in _COLUMNS[2]],
    "3": [(_M, y) for y in _COLUMNS[3]],
    "4": [(x, y) for x in (_L, _R) for y in _COLUMNS[2]],
    "5": [*((x, y) for x in (_L, _R) for y in _COLUMNS[2]), (_M, 0)],
    "6": [(x, y) for x in (_L, _R) for y in _COLUMNS[3]],
    "7": [*((x, y) for x in (_L, _R) for y in _COLUMNS[3]), (_M, -0.5)],
    "8": [*((x, y) for x in (_L, _R) for y in _COLUMNS[3]), (_M, -0.5), (_M, 0.5)],
    "9": [*((x, y) for x in (_L, _R) for y in _COLUMNS[4]), (_M, 0)],
    "10": [*((x, y) for x in (_L, _R) for y in _COLUMNS[4]), (_M, -2 / 3), (_M, 2 / 3)],
}
_ROWS_OF_3 = [(x, y) for y in _COLUMNS[3] for x in (_L, _M, _R)]
OTHERS: dict[str, tuple[list[Spot], ...]] = {  # what some decks print instead
    "2": ([(_L, -1), (_R, 1)],),
    "3": ([(_L, -1), (_M, 0), (_R, 1)], [(_M, -1), (_L, 1), (_R, 1)]),
    "5": ([*((_M, y) for y in _COLUMNS[3]), (_L, 0), (_R, 0)],),
    "6": ([(x, y) for x in (_L, _M, _R) for y in _COLUMNS[2]],),
    "7": (
        [*((x, y) for x in (_L, _R) for y in _COLUMNS[3]), (_M, 0)],
        [*((_L, y) for y in _COLUMNS[4]), *((_R, y) for y in _COLUMNS[3])],
    ),
    "8": ([(x, y) for x in (_L, _R) for y in _COLUMNS[4]], [spot for spot in _ROWS_OF_3 if spot != (_M, 0)]),
    "9": (_ROWS_OF_3,),
    "10": (
        [(x, y) for x in (_L, _R) for y in (-1, -0.5, 0, 0.5, 1)],
        [*((x, y) for x in (_L, _R) for y in _COLUMNS[4]), (_M, -1), (_M, 1)],
    ),
}
KINDS = ("normal", "normal", "normal", "normal", "normal", "upright", "small", "scattered", "one", "none")


def draw_layouts(rng: Generator) -> dict[str, list[Spot]]:
    """Draw a deck's layouts: the old ones, on some decks a few of them in another way."""
    others = rng.choice([0.0, 0.4, 1.0], p=[0.7, 0.2, 0.1])
    return LAYOUTS | {rank: ways[rng.integers(len(ways))] for rank, ways in OTHERS.items() if rng.random() < others}


def strewn(spots: list[Spot], rng: Generator) -> list[Spot]:
    """Move each pip a little out of its place."""
    return [(x + rng.uniform(-0.25, 0.25), y + rng.uniform(-0.15, 0.15)) for x, y in spots]


def print_pips(
    face: Pixels, pip: Pixels, spots: list[Spot], field_px: tuple[float, float], *, turn_lower: bool
) -> None:
    """Print pips onto a face; `field_px` is half the pip field's width and height, about the card's middle."""
    middle_x, middle_y = face.shape[1] / 2, face.shape[0] / 2
    upside_down = turned(pip)
    for x, y in spots:
        stamp = upside_down if turn_lower and y > 0.01 else pip
        paste(face, stamp, (middle_x + x * field_px[0], middle_y + y * field_px[1]))


def fitted(stamp: Pixels, width_px: float, height_px: float) -> Pixels:
    """Scale a stamp to fit a box, its shape kept."""
    scale = min(width_px / stamp.shape[1], height_px / stamp.shape[0])
    return stamped_size(stamp, stamp.shape[1] * scale, stamp.shape[0] * scale)
