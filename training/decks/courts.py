"""Court cards by program: framed, free, over the whole face, single-headed or double, or a mere letter."""

import numpy as np
from numpy.random import Generator

from linesies.training.decks.art import draw_figure, draw_palette, fill_art
from linesies.training.decks.pips import fitted
from linesies.training.decks.stamps import Pixels, inked, paste, turned
from linesies.training.decks.style import DeckStyle
from linesies.training.decks.suits import draw_suit_stamp


def print_court(face: Pixels, style: DeckStyle, rank: str, suit: str, rng: Generator, px_per_mm: float) -> None:
    """Print a court's picture onto a face, before its indices."""
    if style.court == "letter":
        mask = fitted(style.rank_masks[rank], face.shape[1] * 0.5, face.shape[0] * rng.uniform(0.3, 0.5))
        paste(face, inked(mask, style.colours[suit]), (face.shape[1] / 2, face.shape[0] / 2))
        return
    margin_x, margin_y = print_figure(face, style, suit, rng, px_per_mm)
    index = style.index
    beyond = (index.inset_mm[0] + max(index.rank_mm * 0.9, index.suit_mm)) * px_per_mm - margin_x
    area = face[margin_y : face.shape[0] - margin_y, margin_x : face.shape[1] - margin_x]
    _print_pip(area, style, suit, rng, (px_per_mm, max(beyond, 0.0) if rng.random() < 0.85 else 0.0))


def print_figure(face: Pixels, style: DeckStyle, suit: str, rng: Generator, px_per_mm: float) -> tuple[int, int]:
    """Print a figure into a face's picture field and tell that field's margins, across and down, in pixels."""
    margin_x, margin_y = (0, 0) if style.court == "bleed" else (round(m * px_per_mm) for m in style.frame_mm)
    if style.court in ("framed", "single"):
        margin_x = max(margin_x, round(0.8 * (style.index.inset_mm[0] + style.index.rank_mm * 0.6) * px_per_mm))
    area = face[margin_y : face.shape[0] - margin_y, margin_x : face.shape[1] - margin_x]
    palette = [*draw_palette(rng), style.colours[suit]]
    if style.court != "free" and rng.random() < 0.6:
        area[:] = palette[rng.integers(len(palette))] if rng.random() < 0.4 else style.paper
    if style.court == "single":
        draw_figure(area, rng, palette)
    else:
        _double(area, rng, palette)
    return margin_x, margin_y


def _double(area: Pixels, rng: Generator, palette: list[tuple[int, int, int]]) -> None:
    """Draw a figure on the upper half and turn it onto the lower, parted level or aslant."""
    height, width = area.shape[:2]
    upper = area.copy()
    draw_figure(upper[: int(height * 0.62)], rng, palette)
    if rng.random() < 0.3:
        fill_art(upper[: height // 2], rng, palette, int(rng.integers(3, 15)))
    y, x = np.indices((height, width))
    slope = rng.choice([0.0, rng.uniform(-0.6, 0.6)])
    below = (y - height / 2) > slope * (x - width / 2)
    area[:] = np.where(below[..., None], upper[::-1, ::-1], upper)


def _print_pip(area: Pixels, style: DeckStyle, suit: str, rng: Generator, scale: tuple[float, float]) -> None:
    """Print the suit beside the head, and below upside down; `scale`: pixels a millimetre, pixels that are taken."""
    if rng.random() < 0.15:
        return
    pip = draw_suit_stamp(
        style.suit_masks[suit],
        style.pip_mm * scale[0] * rng.uniform(0.7, 1.1),
        style.colours[suit],
        style.suit_ink,
        style.paper,
    )
    x, y = scale[1] + pip.shape[1] * rng.uniform(0.55, 0.8), pip.shape[0] * rng.uniform(0.55, 0.8)
    paste(area, pip, (x, y))
    paste(area, turned(pip), (area.shape[1] - x, area.shape[0] - y))
