"""Decks of games with cards of their own, in our own drawing: four suits and a crew, or twelve numbers and a wild."""

import cv2
import numpy as np

from linesies.simulator.cards.ink import (
    TALL_MM,
    WIDE_MM,
    Colour,
    Image,
    blank,
    circle,
    fill,
    frame,
    from_both_ends,
    star,
    write,
)

FONT = cv2.FONT_HERSHEY_TRIPLEX
CREAM: Colour = (240, 232, 212)
NIGHT: Colour = (34, 28, 34)
SUIT_INK: dict[str, Colour] = {"P": (30, 120, 60), "C": (206, 150, 20), "M": (104, 50, 150), "J": (24, 24, 28)}
# emblems are drawn by eye, in shares of their width
_SQUARE = np.array([(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)])
_EMBLEM = {  # one a suit
    "P": [np.array([(-0.5, 0.4), (-0.1, -0.4), (0.3, -0.5), (0.5, -0.2), (0.25, -0.15), (0.2, 0.3)])],
    "C": [_SQUARE, circle(0, -0.4, 0.5, 180, 360)],
    "M": [
        np.array(
            [(-0.5, -0.4), (-0.15, -0.5), (0.2, -0.4), (0.5, -0.5), (0.5, 0.4), (0.2, 0.5), (-0.15, 0.4), (-0.5, 0.5)]
        )
    ],
    "J": [circle(0, -0.1, 0.4), 0.5 * _SQUARE + [0.0, 0.3]],
}
CREW = {  # name: words on the card, ground, sign's points
    "ESC": ("ESCAPE", (70, 130, 170), 3),
    "TIGRESS": ("TIGRESS", (216, 120, 30), 5),
    "SK": ("SKULL KING", (40, 24, 26), 12),
    "MERMAID": ("MERMAID", (60, 170, 160), 4),
    "KRAKEN": ("KRAKEN", (30, 60, 110), 8),
    "WHALE": ("WHALE", (190, 206, 214), 6),
    "LOOT": ("LOOT", (190, 160, 60), 7),
    "PIRATE:rosie": ("ROSIE", (170, 40, 60), 9),
    "PIRATE:bendt": ("BENDT", (120, 80, 40), 10),
    "PIRATE:rascal": ("RASCAL", (90, 130, 50), 11),
    "PIRATE:juanita": ("JUANITA", (170, 90, 150), 13),
    "PIRATE:harry": ("HARRY", (60, 90, 60), 14),
}
NUMBER_INK: tuple[Colour, ...] = ((30, 70, 170), (30, 130, 70), (190, 40, 40))


def draw_pirate_card(name: str) -> Image:
    """Draw a face of the trick game: P7, ESC, PIRATE:harry, SK, ..."""
    if name in CREW:
        return _crew(*CREW[name])
    suit, number = name[0], name[1:]
    ink = SUIT_INK[suit]
    paper = CREAM if suit != "J" else (196, 192, 188)
    ends = blank(paper)
    write(ends, number, (9.5, 9.0), 9.0 if len(number) == 1 else 7.0, ink, font=FONT)
    for outline in _EMBLEM[suit]:
        fill(ends, outline, (9.5, 20.0), 8.0, ink)
    card = from_both_ends(ends, paper)
    for outline in _EMBLEM[suit]:
        fill(card, outline, (WIDE_MM / 2, TALL_MM / 2), 30.0, ink)
    write(card, number, (WIDE_MM / 2, TALL_MM / 2), 12.0, paper, font=FONT)
    frame(card, 2.0, 0.8, ink)
    return card


def _crew(words: str, ground: Colour, points: int) -> Image:
    light = sum(ground) > 330
    ink: Colour = NIGHT if light else CREAM
    ends = blank(ground)
    write(ends, words, (WIDE_MM / 2, 9.0), 7.0, ink, font=FONT)
    card = from_both_ends(ends, ground)
    fill(card, star(points, 0.18 + 0.02 * points), (WIDE_MM / 2, TALL_MM / 2), 44.0, ink)
    fill(card, circle(), (WIDE_MM / 2, TALL_MM / 2), 12.0, ground)
    write(card, words[0], (WIDE_MM / 2, TALL_MM / 2), 9.0, ink, font=FONT)
    frame(card, 2.0, 1.0, ink)
    return card


def draw_number_card(name: str) -> Image:
    """Draw a face of the number game: 1 to 12, or SB, the wild."""
    paper: Colour = (250, 248, 240)
    if name == "SB":
        words, ink = "SB", (140, 50, 160)
    else:
        words, ink = name, NUMBER_INK[(int(name) - 1) // 4]
    ends = blank(paper)
    write(ends, words, (9.5, 8.5), 8.5 if len(words) == 1 else 6.5, ink, font=FONT)
    card = from_both_ends(ends, paper)
    fill(card, star(16, 0.46) if name != "SB" else star(9, 0.3), (WIDE_MM / 2, TALL_MM / 2), 46.0, ink)
    write(card, words, (WIDE_MM / 2, TALL_MM / 2), 22.0, paper, font=FONT, bold=0.17)
    frame(card, 3.0, 1.2, ink)
    return card


def draw_back(rng: np.random.Generator) -> Image:
    """Draw a back: a border, and a lattice or rings in two colours."""
    hue = int(rng.integers(180))
    dark, mid = (
        tuple(int(v) for v in cv2.cvtColor(np.array([[[hue, s, v]]], np.uint8), cv2.COLOR_HSV2RGB)[0, 0])
        for s, v in ((210, 110), (150, 180))
    )
    ys, xs = np.mgrid[: round(TALL_MM * 8), : round(WIDE_MM * 8)] / 8.0
    kind, step = int(rng.integers(3)), rng.uniform(2.5, 6.0)
    if kind == 0:
        field = np.sin(2 * np.pi * (xs + ys) / step) * np.sin(2 * np.pi * (xs - ys) / step)
    elif kind == 1:
        field = np.sin(2 * np.pi * np.hypot(xs - WIDE_MM / 2, ys - TALL_MM / 2) / step)
    else:
        field = np.sin(2 * np.pi * xs / step) + np.sin(2 * np.pi * ys / step)
    card = np.where(field[..., None] > 0.1, np.array(dark, np.uint8), np.array(mid, np.uint8))
    border = rng.uniform(2.0, 5.0) if rng.random() < 0.75 else 0.0
    inside = (np.minimum(xs, WIDE_MM - xs) > border) & (np.minimum(ys, TALL_MM - ys) > border)
    return np.where(inside[..., None], card, np.array((246, 244, 238), np.uint8)).astype(np.uint8)
