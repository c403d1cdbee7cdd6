"""Corner indices: rank and suit printed together, and where they came to lie."""

from dataclasses import dataclass

import numpy as np

from device.training.decks.stamps import Pixels, inked, paste, stamped_size, turned
from device.training.decks.style import DeckStyle, IndexStyle
from device.training.decks.suits import draw_suit_stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexBox:
    """Where an index lies on its face: left, top, right, bottom in millimetres, and whether it stands on its head."""

    box_mm: tuple[float, float, float, float]
    is_turned: bool


def index_stamp(style: DeckStyle, rank: str, suit: str, px_per_mm: float) -> Pixels:
    """Draw one index as a stamp, cut to its ink."""
    index = style.index
    colour = style.colours[suit]
    ink, ground = (style.paper, colour) if index.badge else (colour, style.paper)
    rank_part = inked(_rank_mask(style, rank, px_per_mm), ink)
    parts = [rank_part]
    if index.suit_mm:
        parts.append(
            draw_suit_stamp(style.index_suit_masks[suit], index.suit_mm * px_per_mm, ink, style.index_ink, ground)
        )
    if index.place == "above":
        parts.reverse()
    stamp = _joined(parts, round(index.gap_mm * px_per_mm), beside=index.place == "beside")
    if index.badge:
        rim = round(0.8 * px_per_mm)
        block = inked(np.full((stamp.shape[0] + 2 * rim, stamp.shape[1] + 2 * rim), 255, np.uint8), colour)
        share = stamp[..., 3:].astype(np.float32) / 255
        inside = block[rim:-rim, rim:-rim]
        inside[..., :3] = (inside[..., :3] * (1 - share) + stamp[..., :3] * share).astype(np.uint8)
        return block
    return stamp


def _rank_mask(style: DeckStyle, rank: str, px_per_mm: float) -> Pixels:
    """Scale a rank's mask to the index's height; wide ones are pressed together."""
    mask = style.rank_masks[rank]
    tallest = max(m.shape[0] for m in style.rank_masks.values())
    scale = style.index.rank_mm * px_per_mm / tallest
    width = min(
        mask.shape[1] * scale * style.index.stretch, style.index.widest_mm * px_per_mm * (1.35 if rank == "10" else 1.0)
    )
    return stamped_size(mask, width, mask.shape[0] * scale)


def _joined(parts: list[Pixels], gap_px: int, *, beside: bool) -> Pixels:
    """Lay stamps out in a column, or in a row."""
    heights, widths = [p.shape[0] for p in parts], [p.shape[1] for p in parts]
    gaps = gap_px * (len(parts) - 1)
    size = (max(heights), sum(widths) + gaps) if beside else (sum(heights) + gaps, max(widths))
    sheet = np.zeros((*size, 4), np.uint8)
    at = 0
    for part in parts:
        height, width = part.shape[:2]
        top, left = ((size[0] - height) // 2, at) if beside else (at, (size[1] - width) // 2)
        sheet[top : top + height, left : left + width] = part
        at += (width if beside else height) + gap_px
    return sheet


def index_column_px(style: DeckStyle, px_per_mm: float) -> float:
    """Measure the widest index of a deck, in pixels: all indices share one middle line."""
    widest = max(index_stamp(style, rank, "S", px_per_mm).shape[1] for rank in ("10", "Q", "A"))
    return float(widest)


def print_indices(
    face: Pixels, style: DeckStyle, stamp: Pixels, column_px: float, px_per_mm: float
) -> tuple[IndexBox, ...]:
    """Print an index in a face's corners and say where."""
    height, width = face.shape[:2]
    index: IndexStyle = style.index
    x = index.inset_mm[0] * px_per_mm + max(column_px, stamp.shape[1]) / 2
    y = index.inset_mm[1] * px_per_mm + stamp.shape[0] / 2
    places = {1: [(x, y, False)], 2: [(x, y, False), (width - x, height - y, not index.second_upright)]}.get(
        index.corners, [(x, y, False), (width - x, y, False), (width - x, height - y, True), (x, height - y, True)]
    )
    boxes = []
    for cx, cy, is_turned in places:
        paste(face, turned(stamp) if is_turned else stamp, (cx, cy))
        half = np.array([stamp.shape[1], stamp.shape[0]]) / 2
        left, top, right, bottom = (*(np.array([cx, cy]) - half) / px_per_mm, *(np.array([cx, cy]) + half) / px_per_mm)
        boxes.append(IndexBox(box_mm=(float(left), float(top), float(right), float(bottom)), is_turned=is_turned))
    return tuple(boxes)
