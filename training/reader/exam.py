"""Examination for the readers: tables laid with decks that training never saw, cards found by the program itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.arts import ART_PX_PER_MM
from linesies.training.decks import Deck, IndexBox, draw_deck
from linesies.training.finder_exam import CLEAR, LEAST_VISIBLE, SIZE_PX, match
from linesies.training.scenes import Arts, CardScene, draw_scene
from linesies.vision import CARD_MM, CardFinder, Image

INDEX_SEEN = 0.97  # from which share on an index can be read
QUALITY = 92  # of the JPEG that a picture is stored as


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An outline in an examination: what lies there (None: no face), and whether it is a card's and can be read.

    One that fits no card is none, but to name the face in its middle is no wrong name.
    """

    quad_px: NDArray[np.float64]
    name: str | None
    is_card: bool
    is_readable: bool


def draw_exams(fonts: tuple[Path, ...], scenes: int, seed: int) -> Iterator[tuple[Image, list[Asked]]]:
    """Draw pictures of tables, each with a deck of its own, and what the finder outlined in them."""
    finder = CardFinder()
    for number in range(scenes):
        rng = np.random.default_rng((seed, number))
        deck = draw_deck(rng, px_per_mm=ART_PX_PER_MM, fonts=fonts)
        scene = _draw_table(rng, deck)
        stored = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        picture = cv2.imdecode(stored, cv2.IMREAD_COLOR)
        quads = [outline.quad_px for outline in finder.find(picture)]
        meant = match(scene, quads)
        yield (
            picture,
            [
                _asked(scene, deck, quad, i)
                for quad, i in zip(quads, meant, strict=True)
                if i is None or scene.visible[i] >= LEAST_VISIBLE
            ],
        )


def _draw_table(rng: np.random.Generator, deck: Deck) -> CardScene:
    faces = [np.dstack([face, deck.alpha]) for face in deck.faces.values()]
    arts = Arts(faces=faces, backs=[np.dstack([deck.back, deck.alpha])])
    px_per_mm = float(np.exp(rng.uniform(np.log(1.2), np.log(2.4))))
    return draw_scene(rng, arts, SIZE_PX, px_per_mm, int(rng.integers(5, 12)))


def _asked(scene: CardScene, deck: Deck, quad: NDArray[np.float64], meant: int | None) -> Asked:
    below = meant if meant is not None else _card_at(scene, quad.mean(0))
    name = None if below is None or scene.shows[below] < 0 else list(deck.faces)[scene.shows[below]]
    if meant is None or name is None:
        return Asked(quad_px=quad, name=name, is_card=meant is not None, is_readable=False)
    is_readable = scene.visible[meant] >= CLEAR or any(
        seen_share(scene, meant, box) >= INDEX_SEEN for box in deck.indices[name]
    )
    return Asked(quad_px=quad, name=name, is_card=True, is_readable=is_readable)


def _card_at(scene: CardScene, at_px: NDArray[np.float64]) -> int | None:
    """Tell which card a place in the picture shows."""
    x, y = np.clip(np.round(at_px).astype(int), 0, np.array(SIZE_PX) - 1)
    return int(scene.owners[y, x]) - 1 if scene.owners[y, x] else None


def seen_share(scene: CardScene, card: int, box: IndexBox) -> float:
    """Tell how much of an index is seen, as far as a flat card's geometry holds."""
    low, high = np.array(box.rank_mm[:2]), np.array((box.suit_mm or box.rank_mm)[2:])
    on_card = np.array([(0, 0), (CARD_MM[0], 0), CARD_MM, (0, CARD_MM[1])], np.float32)
    to_px = cv2.getPerspectiveTransform(on_card, scene.corners_px[card].astype(np.float32))
    across, down = np.meshgrid(*np.linspace(low, high, 14).T)
    at = np.round(cv2.perspectiveTransform(np.stack([across, down], -1).reshape(1, -1, 2), to_px)[0]).astype(int)
    height, width = scene.owners.shape
    x, y = at[((at >= 0) & (at < (width, height))).all(1)].T
    return float((scene.owners[y, x] == card + 1).sum() / len(at))
