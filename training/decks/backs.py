"""Backs of all kinds: lattices, stripes, dots, guilloches, pictures and plain ones, with a margin or without."""

import cv2
import numpy as np
from numpy.random import Generator

from linesies.training.decks.art import draw_palette, fill_art, trace
from linesies.training.decks.stamps import Colour, Pixels

KINDS = ("lattice", "stripes", "dots", "rosette", "guilloche", "art", "checks", "plain")


def draw_back(rng: Generator, size_px: tuple[int, int], paper: Colour) -> Pixels:
    """Draw a back (bgr) of a size (width, height)."""
    width, height = size_px
    back = np.full((height, width, 3), paper, np.uint8)
    margin = 0 if rng.random() < 0.2 else round(width * rng.uniform(0.02, 0.11))
    field = back[margin : height - margin, margin : width - margin]
    palette = draw_palette(rng)
    ground = palette[rng.integers(len(palette))]
    field[:] = ground
    ink = paper if rng.random() < 0.6 else palette[rng.integers(len(palette))]
    kind = KINDS[rng.integers(len(KINDS))]
    if kind == "art":
        fill_art(field, rng, palette, int(rng.integers(20, 120)))
    elif kind != "plain":
        _PATTERNS[kind](field, rng, ink)
    if rng.random() < 0.35:
        _medallion(field, rng, palette)
    if rng.random() < 0.8:  # most backs look the same upside down
        field[field.shape[0] - field.shape[0] // 2 :] = field[: field.shape[0] // 2][::-1, ::-1]
    if margin and rng.random() < 0.4:
        inset = round(margin * rng.uniform(1.2, 1.8))
        cv2.rectangle(
            back, (inset, inset), (width - 1 - inset, height - 1 - inset), paper, max(1, width // 150), cv2.LINE_AA
        )
    return back


def _lattice(field: Pixels, rng: Generator, ink: Colour) -> None:
    height, width = field.shape[:2]
    step, slope = width * rng.uniform(0.03, 0.14), rng.uniform(0.6, 1.8)
    thick = max(1, round(step * rng.uniform(0.08, 0.4)))
    for x in np.arange(-height * slope, width + height * slope, step):
        cv2.line(field, (int(x), 0), (int(x + height / slope), height), ink, thick, cv2.LINE_AA)
        cv2.line(field, (int(x), 0), (int(x - height / slope), height), ink, thick, cv2.LINE_AA)


def _stripes(field: Pixels, rng: Generator, ink: Colour) -> None:
    height, width = field.shape[:2]
    step, lean = width * rng.uniform(0.03, 0.2), rng.choice([0.0, 0.5, 1.0])
    for x in np.arange(-height, width + height, step):
        cv2.line(field, (int(x), 0), (int(x + lean * height), height), ink, max(1, round(step * 0.4)), cv2.LINE_AA)


def _dots(field: Pixels, rng: Generator, ink: Colour) -> None:
    height, width = field.shape[:2]
    step = max(5.0, width * rng.uniform(0.03, 0.15))
    r = max(1, round(step * rng.uniform(0.15, 0.42)))
    for row, y in enumerate(np.arange(step / 2, height, step)):
        for x in np.arange(step / 2 * (1 + row % 2), width, step):
            cv2.circle(field, (int(x), int(y)), r, ink, -1, cv2.LINE_AA)


def _checks(field: Pixels, rng: Generator, ink: Colour) -> None:
    step = max(4.0, field.shape[1] * rng.uniform(0.04, 0.2))
    y, x = np.indices(field.shape[:2])
    field[((x // step) + (y // step)) % 2 < 1] = ink


def _rosette(field: Pixels, rng: Generator, ink: Colour) -> None:
    height, width = field.shape[:2]
    y, x = np.indices((height, width), np.float32)
    r, angle = np.hypot(x - width / 2, y - height / 2), np.arctan2(y - height / 2, x - width / 2)
    wave = np.sin(r / width * rng.uniform(10, 120) + rng.integers(0, 3) * 4 * angle) + np.sin(
        angle * int(rng.integers(4, 30))
    )
    field[wave > rng.uniform(-0.4, 0.6)] = ink


def _guilloche(field: Pixels, rng: Generator, ink: Colour) -> None:
    height, width = field.shape[:2]
    t = np.linspace(0, 2 * np.pi, 1500)
    for _ in range(int(rng.integers(2, 8))):
        big, small, turns = rng.uniform(0.2, 0.5), rng.uniform(0.05, 0.3), int(rng.integers(5, 40))
        x = width / 2 + width * (big * np.cos(t) + small * np.cos(turns * t))
        y = height / 2 + height * (big * np.sin(t) - small * np.sin(turns * t))
        trace(field, np.column_stack([x, y]), ink, max(1, width // 200), closed=True)


def _medallion(field: Pixels, rng: Generator, palette: list[Colour]) -> None:
    height, width = field.shape[:2]
    r = int(width * rng.uniform(0.12, 0.4))
    at = (width // 2, height // 2 if rng.random() < 0.6 else height // 4)
    cv2.circle(field, at, r, palette[rng.integers(len(palette))], -1, cv2.LINE_AA)
    cv2.circle(field, at, int(r * 0.85), palette[rng.integers(len(palette))], max(1, r // 12), cv2.LINE_AA)
    fill_art(
        field[max(0, at[1] - r // 2) : at[1] + r // 2, at[0] - r // 2 : at[0] + r // 2],
        rng,
        palette,
        int(rng.integers(0, 15)),
    )


_PATTERNS = {
    "lattice": _lattice,
    "stripes": _stripes,
    "dots": _dots,
    "checks": _checks,
    "rosette": _rosette,
    "guilloche": _guilloche,
}
