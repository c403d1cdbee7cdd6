"""An ordinary deck of 52, drawn by program: how its indices, pips and courts look is chance."""

from dataclasses import dataclass

import cv2
import numpy as np

from linesies.simulator.cards.ink import (
    TALL_MM,
    WIDE_MM,
    Colour,
    Image,
    blank,
    fill,
    frame,
    from_both_ends,
    pip,
    star,
    write,
)

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
REDS: tuple[Colour, ...] = ((200, 20, 30), (184, 28, 46), (214, 44, 30))
BLACKS: tuple[Colour, ...] = ((18, 18, 20), (30, 30, 38), (16, 24, 40))
PAPERS: tuple[Colour, ...] = ((250, 250, 248), (244, 240, 230), (252, 250, 242))
ROBES: tuple[Colour, ...] = ((222, 176, 60), (60, 96, 170), (170, 52, 44), (60, 130, 84))
_ROWS: dict[str, list[tuple[float, float]]] = {  # rank: (column, row) of each pip, as shares of the field
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.0), (0.5, 1.0)],
    "3": [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    "4": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "5": [(0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)],
    "6": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "7": [(0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "8": [(0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)],
    "9": [(0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)],
    "10": [(x, y) for y in (0, 1 / 3, 2 / 3, 1) for x in (0, 1)] + [(0.5, 1 / 6), (0.5, 5 / 6)],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How one printer draws an ordinary deck."""

    font: int
    bold: float
    rank_mm: float
    suit_mm: float
    edge_mm: float  # from the card's edge to the index
    pip_mm: float
    paper: Colour
    red: Colour
    black: Colour

    @classmethod
    def choose(cls, rng: np.random.Generator) -> "Style":
        """Choose a printer's habits."""
        return cls(
            font=int(rng.choice(FONTS)),
            bold=rng.uniform(0.13, 0.2),
            rank_mm=rng.uniform(6.5, 9.0),
            suit_mm=rng.uniform(5.5, 7.5),
            edge_mm=rng.uniform(1.8, 3.0),
            pip_mm=rng.uniform(12.0, 14.5),
            paper=PAPERS[int(rng.integers(len(PAPERS)))],
            red=REDS[int(rng.integers(len(REDS)))],
            black=BLACKS[int(rng.integers(len(BLACKS)))],
        )


def draw_card(name: str, style: Style) -> Image:
    """Draw a face, named like 10H or KS."""
    rank, suit = name[:-1], name[-1]
    ink = style.red if suit in "DH" else style.black
    ends = blank(style.paper)
    x = style.edge_mm + 0.42 * style.rank_mm
    y = style.edge_mm + 0.5 * style.rank_mm
    write(ends, rank, (x, y), style.rank_mm * (0.72 if rank == "10" else 1.0), ink, font=style.font, bold=style.bold)
    pip(ends, suit, (x, y + 0.5 * style.rank_mm + 0.62 * style.suit_mm), style.suit_mm, ink)
    card = from_both_ends(ends, style.paper)
    if rank in _ROWS:
        _spread(card, rank, suit, ink, style)
        return card
    return _court(card, rank, suit, ink, style)


def _spread(card: Image, rank: str, suit: str, ink: Colour, style: Style) -> None:
    tall = 22.0 if rank == "A" else style.pip_mm
    for across, down in _ROWS[rank]:
        at = (WIDE_MM * (0.34 + 0.32 * across), TALL_MM * (0.16 + 0.68 * down))
        pip(card, suit, at, tall, ink, is_turned=down > 0.5)


def _court(card: Image, rank: str, suit: str, ink: Colour, style: Style) -> Image:
    """Draw a head, a crown and a robe in a frame, from both ends."""
    inner = blank(style.paper)
    robe = ROBES[("JQK".index(rank) + SUITS.index(suit)) % len(ROBES)]
    box = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    fill(
        inner,
        np.array([(-0.34, 0.0), (0.34, 0.0), (0.2, -0.36), (-0.2, -0.36)]),
        (WIDE_MM / 2, TALL_MM / 2),
        46.0,
        robe,
    )
    fill(inner, star(24, 0.44), (WIDE_MM / 2, 26.0), 15.0, (238, 206, 170))
    crown = np.array([(-0.5, 0.3), (-0.5, -0.5), (-0.2, 0.0), (0, -0.5), (0.2, 0.0), (0.5, -0.5), (0.5, 0.3)])
    fill(
        inner, crown if rank != "J" else 0.8 * box, (WIDE_MM / 2, 17.0), {"J": 7.0, "Q": 9.0, "K": 12.0}[rank], ROBES[0]
    )
    pip(inner, suit, (WIDE_MM * 0.28, 19.0), 9.0, ink)
    whole = from_both_ends(inner, style.paper)
    frame(whole, 9.5, 0.5, (60, 60, 110))
    is_free = (card == np.array(style.paper, np.uint8)).all(axis=2, keepdims=True)
    return np.where(is_free, whole, card)
