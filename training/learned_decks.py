"""Decks to be learned: drawn, photographed by one camera, and seen by another in its own colours."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.faces import DealtDeck as GameDeck
from linesies.simulator.cards.faces import draw_deck as draw_game_deck
from linesies.simulator.cards.ink import PX_PER_MM
from linesies.simulator.cards.photos import photograph_deck
from linesies.training.arts import ART_PX_PER_MM
from linesies.training.decks import Deck, IndexBox
from linesies.training.decks.deck import draw_shape
from linesies.vision import CARD_MM, Image, LearnedDeck, learn, photograph

Rng = np.random.Generator
CORNER_MM = (2.0, 2.0, 15.0, 17.0)  # where an index is, if there is one
COLOURS = {"R": (200, 30, 40), "Y": (240, 200, 20), "G": (40, 150, 60), "B": (20, 90, 180)}


def draw_deck_of(game: str, rng: Rng) -> GameDeck:
    """Draw the deck of `skull_king` or `skipbo` as the simulator has it, or one of `colours`: UNO's kind."""
    if game != "colours":
        return draw_game_deck(game, rng)
    back = _colour_card("*", (30, 30, 30))
    return GameDeck(
        game=game,
        faces={f"{c}{n}": _colour_card(str(n), ink) for c, ink in COLOURS.items() for n in range(10)},
        back=back,
        gloss=0.0,
    )


def _colour_card(text: str, ink: tuple[int, int, int]) -> Image:
    """Draw a card of one colour in a white frame, with an oval, its number in the middle and in two corners (RGB)."""
    width, height = (round(side * PX_PER_MM) for side in CARD_MM)
    card = np.full((height, width, 3), 250, np.uint8)
    frame = round(4 * PX_PER_MM)
    cv2.rectangle(card, (frame, frame), (width - frame, height - frame), ink, -1)
    middle = (width // 2, height // 2)
    cv2.ellipse(card, middle, (round(0.36 * width), round(0.4 * height)), 25, 0, 360, (250, 250, 250), -1, cv2.LINE_AA)
    _write(card, text, middle, 34.0, ink)
    for _ in range(2):
        _write(card, text, (round(9 * PX_PER_MM), round(11 * PX_PER_MM)), 9.0, (250, 250, 250))
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def _write(card: Image, text: str, at: tuple[int, int], tall_mm: float, ink: tuple[int, int, int]) -> None:
    scale = tall_mm * PX_PER_MM / 22.0
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 1)
    origin = (at[0] - wide // 2, at[1] + high // 2)
    cv2.putText(card, text, origin, cv2.FONT_HERSHEY_DUPLEX, scale, ink, round(2.2 * scale), cv2.LINE_AA)


def printed(deck: GameDeck) -> Deck:
    """Print a drawn deck for the scenes: B, G, R at their scale."""
    size = (round(CARD_MM[0] * ART_PX_PER_MM), round(CARD_MM[1] * ART_PX_PER_MM))
    shrunk = {
        name: np.ascontiguousarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA)[..., ::-1])
        for name, face in (*deck.faces.items(), ("", deck.back))
    }
    back = shrunk.pop("")
    box = IndexBox(rank_mm=CORNER_MM, suit_mm=None, is_turned=False)
    far = (CARD_MM[0] - CORNER_MM[2], CARD_MM[1] - CORNER_MM[3], CARD_MM[0] - CORNER_MM[0], CARD_MM[1] - CORNER_MM[1])
    boxes = (box, IndexBox(rank_mm=far, suit_mm=None, is_turned=True))
    return Deck(
        faces=shrunk,
        back=back,
        jokers=(),
        indices={name: boxes if name[-1:].isdigit() or name == "SB" else () for name in shrunk},
        alpha=draw_shape(size, 3.5 * ART_PX_PER_MM),
        px_per_mm=ART_PX_PER_MM,
    )


def learned(deck: GameDeck, rng: Rng) -> LearnedDeck:
    """Learn a deck from one photograph of each card, all by one camera."""
    mix = draw_colours(rng)
    return learn({name: [photograph(seen_in(picture, mix))] for name, picture in photograph_deck(deck, rng)}).deck


def draw_colours(rng: Rng) -> NDArray[np.float64]:
    """Draw how a camera mixes and gains colours: (4, 3), the last row its channels' gammas."""
    vivid = rng.uniform(0.65, 1.3)
    mix = vivid * np.eye(3) + (1 - vivid) / 3
    gains = np.exp(rng.normal(0, 0.13, 3))
    return np.vstack([mix * gains / gains.max(), np.exp(rng.normal(0, 0.12, 3))])


def seen_in(picture: Image, colours: NDArray[np.float64]) -> Image:
    """See a picture in a camera's colours."""
    mixed = np.clip((picture.astype(np.float32) / 255) @ colours[:3], 0, 1) ** colours[3]
    return np.clip(255 * mixed + 0.5, 0, 255).astype(np.uint8)
