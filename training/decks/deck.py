"""Whole decks of playing cards, drawn by lot: 52 faces and a back such as any printer of the world might make them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from linesies.training.decks.art import draw_cloud, draw_palette, fill_art
from linesies.training.decks.backs import draw_back
from linesies.training.decks.courts import print_court, print_figure
from linesies.training.decks.indices import IndexBox, index_column_px, index_stamp, print_indices
from linesies.training.decks.lettering import find_fonts
from linesies.training.decks.pips import fitted, print_pips, strewn
from linesies.training.decks.stamps import Pixels, inked, paste, stamped_size, turned
from linesies.training.decks.style import RANKS, DeckStyle, draw_style
from linesies.training.decks.suits import SUITS, draw_suit_stamp
from linesies.vision import CARD_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """A drawn deck: faces by name (`AS` .. `10D` .. `KC`) and a back, bgr at `px_per_mm`, 63 x 88 mm, corners square.

    `indices` says where each face's indices lie; `alpha` is the card's shape, its corners rounded.
    """

    faces: dict[str, Pixels]
    back: Pixels
    jokers: tuple[Pixels, ...]
    indices: dict[str, tuple[IndexBox, ...]]
    alpha: Pixels
    px_per_mm: float


def draw_deck(
    rng: Generator,
    *,
    px_per_mm: float = 10.0,
    letters: str = "english",
    fonts: tuple[Path, ...] = (),
    count: int = 52,
    style: DeckStyle | None = None,
) -> Deck:
    """Draw a deck by lot; letters `english`, `french`, `german` or `dutch`; `fonts`, or else this machine's.

    With a `count` below 52 only so many faces, chosen by lot, are drawn; with a `style` only what it leaves open is.
    """
    style = style or draw_style(rng, fonts or find_fonts(), letters)
    size_px = (round(CARD_MM[0] * px_per_mm), round(CARD_MM[1] * px_per_mm))
    column_px = index_column_px(style, px_per_mm)
    sheet = draw_sheet(style, rng, size_px)
    faces, indices = {}, {}
    cards = list(all_cards())
    for name, rank, suit in (cards[k] for k in rng.permutation(52)[:count]):
        face = sheet.copy()
        _print_picture(face, style, rank, suit, rng, px_per_mm)
        stamp = index_stamp(style, rank, suit, px_per_mm)
        _clear_ground(face, style, stamp.pixels, column_px, rng, px_per_mm)
        indices[name] = print_indices(face, style, stamp, column_px)
        faces[name] = face
    jokers = tuple(_draw_joker(sheet, style, rng, px_per_mm) for _ in range(2))
    back = draw_back(rng, size_px, style.paper)
    return Deck(
        faces=faces,
        jokers=jokers,
        back=back,
        indices=indices,
        alpha=draw_shape(size_px, style.radius_mm * px_per_mm),
        px_per_mm=px_per_mm,
    )


def all_cards() -> Iterator[tuple[str, str, str]]:
    """Go through the 52 cards: name, rank, suit."""
    for suit in SUITS:
        for rank in RANKS:
            yield rank + suit, rank, suit


def _draw_joker(sheet: Pixels, style: DeckStyle, rng: Generator, px_per_mm: float) -> Pixels:
    """Draw a joker: a figure without a rank, its word down the corners, or a star, or nothing there."""
    face = sheet.copy()
    suit = SUITS[rng.integers(4)]
    print_figure(face, style, suit, rng, px_per_mm)
    height = round(style.index.rank_mm * px_per_mm * rng.uniform(0.5, 0.9))
    width = round(height * style.joker_mask.shape[1] / style.joker_mask.shape[0])
    word = inked(stamped_size(style.joker_mask, width, height), style.colours[suit])
    if rng.random() < 0.5:
        word = np.ascontiguousarray(np.rot90(word, -1))
    at = (
        style.index.inset_mm[0] * px_per_mm + word.shape[1] / 2,
        style.index.inset_mm[1] * px_per_mm + word.shape[0] / 2,
    )
    if rng.random() < 0.8:
        paste(face, word, at)
        paste(face, turned(word), (face.shape[1] - at[0], face.shape[0] - at[1]))
    return face


def draw_shape(size_px: tuple[int, int], radius_px: float) -> Pixels:
    """Draw a card's shape as a mask, its corners rounded."""
    mask = np.zeros((size_px[1] * 2, size_px[0] * 2), np.uint8)
    r = round(radius_px * 2)
    cv2.rectangle(mask, (r, 0), (mask.shape[1] - 1 - r, mask.shape[0]), 255, -1)
    cv2.rectangle(mask, (0, r), (mask.shape[1], mask.shape[0] - 1 - r), 255, -1)
    for x in (r, mask.shape[1] - 1 - r):
        for y in (r, mask.shape[0] - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return cv2.resize(mask, size_px, interpolation=cv2.INTER_AREA)


def draw_sheet(style: DeckStyle, rng: Generator, size_px: tuple[int, int]) -> Pixels:
    """Draw the paper that all faces share: plain, tinted and aged, or with art all over."""
    width, height = size_px
    sheet = np.full((height, width, 3), style.paper, np.uint8)
    if style.ground == "art":
        fill_art(sheet, rng, draw_palette(rng), int(rng.integers(5, 40)))
        fade = rng.uniform(0.5, 0.9)
        sheet = cv2.addWeighted(sheet, 1 - fade, np.full_like(sheet, style.paper), fade, 0)
    if style.ground == "tinted":
        cloud = draw_cloud(rng, size_px, int(rng.integers(2, 12)))[..., None] * rng.uniform(0, 10)
        tint = rng.uniform((0.7, 0.8, 0.9), (1.0, 1.0, 1.0))
        sheet = np.clip((sheet + cloud) * tint, 0, 255).astype(np.uint8)
    if style.frame == "all":
        inset = round(min(style.frame_mm) * width / CARD_MM[0])
        colour = style.colours[SUITS[rng.integers(4)]]
        cv2.rectangle(
            sheet, (inset, inset), (width - 1 - inset, height - 1 - inset), colour, max(1, width // 180), cv2.LINE_AA
        )
    return sheet


def _print_picture(face: Pixels, style: DeckStyle, rank: str, suit: str, rng: Generator, px_per_mm: float) -> None:
    """Print what stands between a face's indices."""
    court = rank in ("J", "Q", "K")
    inset_x, inset_y = (round(m * px_per_mm) for m in style.frame_mm)
    corner = (face.shape[1] - 1 - inset_x, face.shape[0] - 1 - inset_y)
    if court:
        print_court(face, style, rank, suit, rng, px_per_mm)
    elif rank == "A" and style.pips != "none":
        _print_ace(face, style, suit, rng, px_per_mm)
    else:
        _print_number(face, style, rank, suit, rng, px_per_mm)
    if style.frame == "pips" or (court and style.frame == "courts" and style.court != "bleed"):
        colour = style.colours[suit] if rng.random() < 0.5 else (60, 50, 40)
        cv2.rectangle(face, (inset_x, inset_y), corner, colour, max(1, round(0.35 * px_per_mm)), cv2.LINE_AA)


def _print_number(face: Pixels, style: DeckStyle, rank: str, suit: str, rng: Generator, px_per_mm: float) -> None:
    """Print a number card's pips, or what an odd deck prints instead."""
    middle = (face.shape[1] / 2, face.shape[0] / 2)
    if style.pips == "none":
        if rng.random() < 0.7:
            paste(
                face,
                inked(fitted(style.rank_masks[rank], face.shape[1] * 0.5, face.shape[0] * 0.4), style.colours[suit]),
                middle,
            )
        return
    height_mm = style.ace_mm if style.pips == "one" else style.pip_mm * (0.6 if style.pips == "small" else 1.0)
    pip = draw_suit_stamp(
        style.suit_masks[suit], height_mm * px_per_mm, style.colours[suit], style.suit_ink, style.paper
    )
    if style.pips == "one":
        paste(face, pip, middle)
        return
    field = (style.field_mm[0] * px_per_mm, style.field_mm[1] * px_per_mm)
    spots = strewn(style.layouts[rank], rng) if style.pips == "scattered" else style.layouts[rank]
    print_pips(face, pip, spots, field, turn_lower=style.turn_lower and style.pips != "upright")


def _print_ace(face: Pixels, style: DeckStyle, suit: str, rng: Generator, px_per_mm: float) -> None:
    """Print an ace: one pip, often big, at times in a wreath of ornaments."""
    middle = (face.shape[1] // 2, face.shape[0] // 2)
    height_px = style.ace_mm * px_per_mm * (1.3 if suit == "S" else 1.0)
    if style.ace_mm > 30 and rng.random() < 0.5:
        reach = min(face.shape[1] // 3, round(height_px * 0.6))
        wreath = face[middle[1] - reach : middle[1] + reach, middle[0] - reach : middle[0] + reach]
        fill_art(wreath, rng, [style.colours[suit], style.paper], int(rng.integers(5, 25)))
    paste(
        face,
        draw_suit_stamp(style.suit_masks[suit], height_px, style.colours[suit], style.suit_ink, style.paper),
        middle,
    )
    if rng.random() < 0.2:
        paste(face, turned(inked(style.rank_masks["A"], style.colours[suit])), (middle[0], middle[1] * 1.6))


def _clear_ground(
    face: Pixels, style: DeckStyle, stamp: Pixels, column_px: float, rng: Generator, px_per_mm: float
) -> None:
    """Clear the paper below the indices where art runs through the corners, mostly."""
    busy = style.court in ("bleed", "free") or style.ground == "art"
    if not busy or style.index.badge or rng.random() < 0.15:
        return
    rim = 1.0 * px_per_mm
    width = round(style.index.inset_mm[0] * px_per_mm + max(column_px, stamp.shape[1]) + rim)
    height = round(style.index.inset_mm[1] * px_per_mm + stamp.shape[0] + rim)
    face[:height, :width] = style.paper
    face[-height:, -width:] = style.paper
    if style.index.corners == 4:
        face[:height, -width:] = style.paper
        face[-height:, :width] = style.paper
