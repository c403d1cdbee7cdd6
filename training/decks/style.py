"""A deck's style: every choice that its 52 faces share, drawn by lot."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.random import Generator

from linesies.training.decks.lettering import draw_font, find_suit_fonts, rank_words, set_word
from linesies.training.decks.pips import KINDS, Spot, draw_layouts
from linesies.training.decks.stamps import Colour, Pixels, colour_of, grown, stamped_size
from linesies.training.decks.suits import MASTER_PX, SUIT_SIGNS, SUITS, draw_suit_mask

COMMON = 0.5  # of all decks have a plain font, plain pips and nothing odd about their indices
RANKS = ("A", *(str(n) for n in range(2, 11)), "J", "Q", "K")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStyle:
    """How the corner indices look: millimetres from the card's edge, sizes, places."""

    inset_mm: tuple[float, float]
    rank_mm: float  # a rank's height
    widest_mm: float  # the widest rank; wider ones are pressed together
    stretch: float
    suit_mm: float  # the suit's height; 0 where the index has no suit
    gap_mm: float
    place: str  # the suit "below", "beside" or "above" the rank, or the rank "inside" a large suit
    is_flush: bool  # rank and suit share a left edge, not a middle line
    rank_ink: str  # "suit" for the suit's colour, "black" on every card, "hollow" for outlined letters
    is_boxed: bool  # a thin line around it
    corners: int  # 1, 2 or 4
    second_upright: bool  # the index at the lower right is not turned
    badge: bool  # printed in paper's colour on a block of the suit's colour


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckStyle:
    """What all faces of a deck share."""

    paper: Colour
    colours: dict[str, Colour]
    suit_masks: dict[str, Pixels]
    index_suit_masks: dict[str, Pixels]
    suit_ink: str
    index_ink: str
    rank_masks: dict[str, Pixels]
    joker_mask: Pixels
    index: IndexStyle
    pips: str
    layouts: dict[str, list[Spot]]
    pip_mm: float
    field_mm: tuple[float, float]
    turn_lower: bool
    frame: str  # "none", "courts", "pips", "all"
    frame_mm: tuple[float, float]
    court: str  # "framed", "free", "bleed", "letter", "single"
    ground: str  # "paper", "tinted", "art"
    ace_mm: float
    radius_mm: float


def _one_of(rng: Generator, **chances: float) -> str:
    names = list(chances)
    weights = np.array(list(chances.values()))
    return names[rng.choice(len(names), p=weights / weights.sum())]


def draw_index_style(rng: Generator) -> IndexStyle:
    """Draw an index's style, from pinochle's small corners to magnum ones."""
    size = _one_of(rng, normal=0.64, jumbo=0.18, small=0.18)
    rank_mm = rng.uniform(*{"normal": (5.5, 9.5), "jumbo": (9.0, 15.0), "small": (3.8, 6.0)}[size])
    inset = rng.uniform(0.8, 4.5, 2) if rng.random() < 0.75 else rng.uniform(2.5, 10.0, 2)
    place = _one_of(rng, below=0.83, beside=0.11, above=0.04, inside=0.03)
    return IndexStyle(
        inset_mm=(float(inset[0]), float(inset[1])),
        rank_mm=rank_mm,
        widest_mm=rank_mm * rng.uniform(0.6, 1.15),
        stretch=rng.uniform(0.7, 1.1) if rng.random() < 0.7 else rng.uniform(0.5, 1.4),
        suit_mm=_draw_suit_mm(rng, rank_mm, place),
        gap_mm=rng.uniform(0.3, 2.6),
        place=place,
        is_flush=bool(rng.random() < 0.08),
        rank_ink=_one_of(rng, suit=0.93, black=0.03, hollow=0.04),
        is_boxed=bool(rng.random() < 0.04),
        corners=int(rng.choice([1, 2, 4], p=[0.04, 0.76, 0.2])),
        second_upright=bool(rng.random() < 0.04),
        badge=bool(rng.random() < 0.04),
    )


def _draw_suit_mm(rng: Generator, rank_mm: float, place: str) -> float:
    """Draw the height of an index's suit: mostly below the rank's, at times above it, at times there is none."""
    if place == "inside":
        return rank_mm * rng.uniform(1.9, 2.4)
    if rng.random() < 0.04:
        return 0.0
    return rank_mm * (rng.uniform(0.5, 1.0) if rng.random() < 0.75 else rng.uniform(0.9, 1.7))


def draw_colours(rng: Generator) -> tuple[Colour, dict[str, Colour], str]:
    """Draw paper, the suits' colours, and the ground: light or dark, two colours, four, or one."""
    dark = rng.random() < 0.09
    if dark:
        paper = colour_of(rng.uniform(5, 70, 3))
        black, red = _near(rng, (225, 225, 225), 30), _near(rng, (50, 50, 225), 40)
    else:
        light = rng.uniform(215, 255)
        cast = np.zeros(3) if rng.random() < 0.6 else rng.uniform((0, 0, 0), (30, 10, 1))
        paper = colour_of(np.clip(light - cast, 0, 255))
        black, red = _near(rng, (20, 20, 20), 25), _near(rng, (40, 30, 205), 45)
    if rng.random() < 0.15:
        black = _near(rng, (110, 60, 20) if rng.random() < 0.5 else (60, 60, 60), 40)
    colours = {"C": black, "S": black, "D": red, "H": red}
    lot = rng.random()
    if lot < 0.14:
        colours["C"] = _near(rng, (60, 140, 30), 35)
        colours["D"] = _near(rng, (200, 90, 30) if rng.random() < 0.7 else (20, 120, 235), 35)
    elif lot < 0.17:
        colours = dict.fromkeys(SUITS, black if rng.random() < 0.5 else _near(rng, (70, 150, 190), 40))
    return paper, colours, _one_of(rng, paper=0.82, tinted=0.13, art=0.05)


def _near(rng: Generator, colour: Colour, spread: float) -> Colour:
    return colour_of(np.clip(v + rng.uniform(-spread, spread), 0, 255) for v in colour)


def draw_rank_masks(rng: Generator, font: Path, letters: str) -> dict[str, Pixels]:
    """Set the thirteen ranks in one font, thickened or thinned, ten narrow, wide or as T."""
    ten = "T" if letters == "english" and rng.random() < 0.03 else "10"
    tightness = rng.uniform(-0.02, 0.14)
    words = rank_words(letters, ten, rng)
    weight = rng.uniform(-1.5, 4.0) if rng.random() < 0.5 else 0.0
    squeeze_ten = rng.uniform(0.6, 1.0)
    masks = {}
    for rank, word in words.items():
        mask = set_word(word, font, tightness if len(word) > 1 else 0.0)
        thick = grown(mask, weight)
        mask = thick if thick.max(initial=0) > 200 else mask
        masks[rank] = stamped_size(mask, mask.shape[1] * squeeze_ten, mask.shape[0]) if len(word) > 1 else mask
    return masks


def draw_suit_masks(rng: Generator) -> dict[str, Pixels]:
    """Draw the four suits' shapes by Bezier curves, or take a font's."""
    fonts = find_suit_fonts()
    if not fonts or rng.random() < 0.7:
        return {suit: draw_suit_mask(suit, rng) for suit in SUITS}
    font = fonts[rng.integers(len(fonts))]
    signs = {suit: set_word(sign, font) for suit, sign in zip(SUITS, SUIT_SIGNS, strict=True)}
    size = max(mask.shape[0] for mask in signs.values())
    return {
        suit: stamped_size(m, m.shape[1] * MASTER_PX / size, m.shape[0] * MASTER_PX / size) for suit, m in signs.items()
    }


def _draw_field(rng: Generator, index: IndexStyle, pip_mm: float) -> tuple[float, float]:
    """Draw how far pips reach from the middle; on most decks they keep clear of the indices."""
    across = index.inset_mm[0] + max(0.8 * index.rank_mm, index.suit_mm)
    free = 31.5 - across - pip_mm / 2
    wide = rng.uniform(10.0, 18.5)
    return (wide if rng.random() < 0.1 else float(np.clip(free, 7.0, wide))), rng.uniform(22.0, 34.0)


def draw_style(
    rng: Generator, fonts: tuple[Path, ...], letters: str = "english", *, common: float = COMMON
) -> DeckStyle:
    """Draw a whole deck's style, which is a common one with that chance."""
    is_common = rng.random() < common
    paper, colours, ground = draw_colours(rng)
    suit_masks = draw_suit_masks(rng)
    font = draw_font(fonts[: -(-len(fonts) // 2)] if is_common else fonts, rng)
    own_index_suits = rng.random() < 0.2
    suit_ink = _one_of(rng, solid=0.75, outlined=0.05, inlaid=0.07, shaded=0.08, doubled=0.05)
    index_ink = _one_of(rng, solid=0.93, outlined=0.03, doubled=0.04)
    index, pip_mm = draw_index_style(rng), rng.uniform(8.0, 17.0)
    if is_common:
        suit_ink = index_ink = "solid"
        index = replace(index, place="below", rank_ink="suit", is_boxed=False, badge=False)
    return DeckStyle(
        paper=paper,
        colours=colours,
        suit_masks=suit_masks,
        index_suit_masks=draw_suit_masks(rng) if own_index_suits else suit_masks,
        suit_ink=suit_ink,
        index_ink=index_ink,
        rank_masks=draw_rank_masks(rng, font, letters),
        joker_mask=set_word("JOKER", font),
        index=index,
        pips="normal" if is_common else KINDS[rng.integers(len(KINDS))],
        layouts=draw_layouts(rng),
        pip_mm=pip_mm,
        field_mm=_draw_field(rng, index, pip_mm),
        turn_lower=bool(rng.random() < 0.88),
        frame=_one_of(rng, none=0.4, courts=0.35, pips=0.1, all=0.15),
        frame_mm=(rng.uniform(4.0, 13.0), rng.uniform(4.0, 13.0)),
        court=_one_of(rng, framed=0.5, free=0.15, bleed=0.1, letter=0.07, single=0.18),
        ground=ground,
        ace_mm=rng.uniform(12.0, 50.0),
        radius_mm=rng.uniform(2.0, 5.0),
    )
