"""Corner indices: rank and suit printed together, and where they came to lie."""

from dataclasses import dataclass

import cv2
import numpy as np

from linesies.training.decks.stamps import Colour, Pixels, grown, inked, paste, stamped_size, turned
from linesies.training.decks.style import DeckStyle, IndexStyle
from linesies.training.decks.suits import draw_suit_stamp
from linesies.vision import CARD_MM

Box = tuple[float, float, float, float]  # left, top, right, bottom in millimetres


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexBox:
    """Where an index lies on its face, its rank and (where it has one) its suit; and whether it stands on its head."""

    rank_mm: Box
    suit_mm: Box | None
    is_turned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStamp:
    """A drawn index and where in it, in pixels (x0, y0, x1, y1), its rank and its suit are."""

    pixels: Pixels
    rank_px: Box
    suit_px: Box | None


def index_stamp(style: DeckStyle, rank: str, suit: str, px_per_mm: float) -> IndexStamp:
    """Draw one index, cut to its ink."""
    index = style.index
    colour = style.colours[suit]
    ink, ground = (style.paper, colour) if index.badge else (colour, style.paper)
    parts = [_rank_stamp(style, rank, px_per_mm, (ink, ground))]
    if index.suit_mm:
        mask = style.index_suit_masks[suit]
        parts.append(draw_suit_stamp(mask, index.suit_mm * px_per_mm, ink, style.index_ink, ground))
    if index.place == "inside" and len(parts) == 2:
        return _rank_inside(parts[1], _rank_stamp(style, rank, px_per_mm, (ground, ink)))
    swapped = index.place == "above" and len(parts) == 2
    sheet, boxes = _joined(parts[::-1] if swapped else parts, round(index.gap_mm * px_per_mm), index)
    boxes = boxes[::-1] if swapped else boxes
    if index.badge:
        rim = round(0.8 * px_per_mm)
        sheet = _on_block(sheet, rim, colour)
        boxes = [(x0 + rim, y0 + rim, x1 + rim, y1 + rim) for x0, y0, x1, y1 in boxes]
    return IndexStamp(pixels=sheet, rank_px=boxes[0], suit_px=boxes[1] if len(boxes) == 2 else None)


def _rank_stamp(style: DeckStyle, rank: str, px_per_mm: float, inks: tuple[Colour, Colour]) -> Pixels:
    """Ink a rank: in its suit's colour, in black on every card, or hollow; `inks`: its colour and the ground's."""
    mask = _rank_mask(style, rank, px_per_mm)
    if style.index.rank_ink == "black":
        return inked(mask, style.colours["S"] if not style.index.badge else inks[0])
    stamp = inked(mask, inks[0])
    core = grown(mask, -max(1.0, 0.25 * px_per_mm))
    if style.index.rank_ink == "hollow" and core.max(initial=0) > 200:
        rim = (core.shape[0] - mask.shape[0]) // 2
        stamp[core[rim : rim + mask.shape[0], rim : rim + mask.shape[1]] > 127, :3] = inks[1]
    return stamp


def _rank_inside(sheet: Pixels, rank: Pixels) -> IndexStamp:
    """Print a rank in the middle of a large suit."""
    bgr, at = np.ascontiguousarray(sheet[..., :3]), (sheet.shape[1] / 2, sheet.shape[0] * 0.48)
    paste(bgr, rank, at)
    x0, y0 = at[0] - rank.shape[1] / 2, at[1] - rank.shape[0] / 2
    whole = (0.0, 0.0, float(sheet.shape[1]), float(sheet.shape[0]))
    rank_px = (x0, y0, x0 + rank.shape[1], y0 + rank.shape[0])
    return IndexStamp(pixels=np.dstack([bgr, sheet[..., 3]]), rank_px=rank_px, suit_px=whole)


def _on_block(stamp: Pixels, rim: int, colour: Colour) -> Pixels:
    """Lay a stamp onto a block of colour that is wider by a rim."""
    block = inked(np.full((stamp.shape[0] + 2 * rim, stamp.shape[1] + 2 * rim), 255, np.uint8), colour)
    share = stamp[..., 3:].astype(np.float32) / 255
    inside = block[rim : rim + stamp.shape[0], rim : rim + stamp.shape[1]]
    inside[..., :3] = (inside[..., :3] * (1 - share) + stamp[..., :3] * share).astype(np.uint8)
    return block


def _rank_mask(style: DeckStyle, rank: str, px_per_mm: float) -> Pixels:
    """Scale a rank's mask to the index's height; wide ones are pressed together."""
    mask = style.rank_masks[rank]
    tallest = max(m.shape[0] for m in style.rank_masks.values())
    scale = style.index.rank_mm * px_per_mm / tallest
    width = min(
        mask.shape[1] * scale * style.index.stretch, style.index.widest_mm * px_per_mm * (1.35 if rank == "10" else 1.0)
    )
    return stamped_size(mask, width, mask.shape[0] * scale)


def _joined(parts: list[Pixels], gap_px: int, index: IndexStyle) -> tuple[Pixels, list[Box]]:
    """Lay stamps out in a column, or in a row, and tell where each one lies."""
    beside = index.place == "beside"
    heights, widths = [p.shape[0] for p in parts], [p.shape[1] for p in parts]
    gaps = gap_px * (len(parts) - 1)
    size = (max(heights), sum(widths) + gaps) if beside else (sum(heights) + gaps, max(widths))
    sheet, boxes = np.zeros((*size, 4), np.uint8), []
    at = 0
    for part in parts:
        height, width = part.shape[:2]
        top, left = ((size[0] - height) // 2, at) if beside else (at, 0 if index.is_flush else (size[1] - width) // 2)
        sheet[top : top + height, left : left + width] = part
        boxes.append((left, top, left + width, top + height))
        at += (width if beside else height) + gap_px
    return sheet, boxes


def index_column_px(style: DeckStyle, px_per_mm: float) -> float:
    """Measure the widest index of a deck, in pixels: all indices share one middle line."""
    return float(max(index_stamp(style, rank, "S", px_per_mm).pixels.shape[1] for rank in ("10", "Q", "A")))


def print_indices(face: Pixels, style: DeckStyle, stamp: IndexStamp, column_px: float) -> tuple[IndexBox, ...]:
    """Print an index in a face's corners and say where."""
    height, width = face.shape[:2]
    px_per_mm = width / CARD_MM[0]
    index = style.index
    x = index.inset_mm[0] * px_per_mm + max(column_px, stamp.pixels.shape[1]) / 2
    y = index.inset_mm[1] * px_per_mm + stamp.pixels.shape[0] / 2
    places = {1: [(x, y, False)], 2: [(x, y, False), (width - x, height - y, not index.second_upright)]}.get(
        index.corners, [(x, y, False), (width - x, y, False), (width - x, height - y, True), (x, height - y, True)]
    )
    boxes = []
    for cx, cy, is_turned in places:
        paste(face, turned(stamp.pixels) if is_turned else stamp.pixels, (cx, cy))
        if index.is_boxed:
            half_x, half_y = stamp.pixels.shape[1] / 2 + px_per_mm * 0.7, stamp.pixels.shape[0] / 2 + px_per_mm * 0.7
            ends = (round(cx - half_x), round(cy - half_y)), (round(cx + half_x), round(cy + half_y))
            cv2.rectangle(face, *ends, tuple(stamp.pixels[..., :3].reshape(-1, 3).max(0).tolist()), 1, cv2.LINE_AA)
        boxes.append(
            IndexBox(
                rank_mm=_placed(stamp.rank_px, stamp, (cx, cy), is_turned, px_per_mm),
                suit_mm=None
                if stamp.suit_px is None
                else _placed(stamp.suit_px, stamp, (cx, cy), is_turned, px_per_mm),
                is_turned=is_turned,
            )
        )
    return tuple(boxes)


def _placed(box: Box, stamp: IndexStamp, at: tuple[float, float], is_turned: bool, px_per_mm: float) -> Box:  # noqa: FBT001
    """Tell where on the face (mm) a part of an index lies whose middle is printed at `at`."""
    height, width = stamp.pixels.shape[:2]
    x0, y0, x1, y1 = box
    if is_turned:
        x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
    left, top = at[0] - width / 2, at[1] - height / 2
    return ((left + x0) / px_per_mm, (top + y0) / px_per_mm, (left + x1) / px_per_mm, (top + y1) / px_per_mm)
