"""A game's deck as textures: the light that each face and the back reflect, drawn once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.ink import TALL_MM, WIDE_MM, Image
from linesies.simulator.cards.printed import CREW, SUIT_INK, draw_back, draw_number_card, draw_pirate_card
from linesies.simulator.cards.standard import RANKS, SUITS, Style, draw_card
from linesies.simulator.street.light import linear

Texture = NDArray[np.float32]  # (H, W, 3), linear albedo, TEXELS_PER_MM
TEXELS_PER_MM = 4
BRIGHTEST = 0.86  # what white paper reflects


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DealtDeck:
    """Every face that the game has, its back, and how glossy the cards are (0 to 1)."""

    game: str
    faces: Mapping[str, Image]
    back: Image
    gloss: float

    def texture(self, name: str | None) -> Texture:
        """Give a face's texture, or the back's."""
        return _texture(self, name)


@cache
def _texture(deck: DealtDeck, name: str | None) -> Texture:
    drawn = deck.back if name is None else deck.faces[name]
    size = (round(WIDE_MM * TEXELS_PER_MM), round(TALL_MM * TEXELS_PER_MM))
    return cv2.resize(linear(drawn), size, interpolation=cv2.INTER_AREA) * np.float32(BRIGHTEST)


def names_of(game: str) -> tuple[str, ...]:
    """List the different faces of a game's deck."""
    if game == "skull":
        return tuple(rank + suit for suit in SUITS for rank in RANKS)
    if game == "skull_king":
        return (*(f"{suit}{number}" for suit in SUIT_INK for number in range(1, 15)), *CREW)
    return (*(str(number) for number in range(1, 13)), "SB")


def draw_deck(game: str, rng: np.random.Generator) -> DealtDeck:
    """Print a deck; an ordinary one's style and any back are chance."""
    style = Style.choose(rng)
    draw: Callable[[str], Image] = {
        "skull": lambda name: draw_card(name, style),
        "skull_king": draw_pirate_card,
        "skipbo": draw_number_card,
    }[game]
    return DealtDeck(
        game=game,
        faces={name: draw(name) for name in names_of(game)},
        back=draw_back(rng),
        gloss=float(rng.choice([0.0, 0.3, 0.6])),
    )
