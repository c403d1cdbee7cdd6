"""A drawn deck photographed card by card, as people do it to have it learned."""

from collections.abc import Iterator

import cv2
import numpy as np

from linesies.simulator.cards.die import draw_faces
from linesies.simulator.cards.faces import DealtDeck
from linesies.simulator.cards.ink import PX_PER_MM, Image
from linesies.vision import LearnedDeck, LearnedDie, learn, photograph, photograph_die

PHOTO_PX_PER_MM = 4.0  # of the drawn photographs of cards; by hand
DIE_PX_PER_MM = 9.0  # of those of a die, taken from nearer
ROOM_MM = 42.0  # of bare table beside what is photographed, both sides together
TABLE_RGB = (70, 104, 88)
CORNER_SHARE = 0.055  # of the width: how round corners are
BLUR_PX = 0.8


def photograph_deck(deck: DealtDeck, rng: np.random.Generator) -> Iterator[tuple[str, Image]]:
    """Give each card's name (the back's is `back`) with its picture, B, G, R."""
    for name, face in (*deck.faces.items(), ("back", deck.back)):
        yield name, _photo(face, rng, PHOTO_PX_PER_MM)


def photograph_faces(rng: np.random.Generator) -> Iterator[tuple[str, Image]]:
    """Give each face of Skip-Bo's die with its picture, B, G, R."""
    for name, face in draw_faces().items():
        yield name, _photo(face, rng, DIE_PX_PER_MM)


def learn_drawn(deck: DealtDeck, rng: np.random.Generator) -> LearnedDeck:
    """Learn a drawn deck, and the die of a game that has one, from its photographs."""
    cards = {name: [photograph(picture)] for name, picture in photograph_deck(deck, rng)}
    return learn(cards, _learn_die(rng) if deck.game == "skipbo" else None).deck


def _learn_die(rng: np.random.Generator) -> LearnedDie:
    pictures = {name: photograph_die(picture) for name, picture in photograph_faces(rng)}
    return LearnedDie(tuple(pictures), np.stack(list(pictures.values())))


def _photo(face: Image, rng: np.random.Generator, px_per_mm: float) -> Image:
    shrink = px_per_mm / PX_PER_MM
    height, width = face.shape[:2]
    size = (round((width + ROOM_MM * PX_PER_MM) * shrink), round((height + ROOM_MM * PX_PER_MM) * shrink))
    turn = np.radians(rng.uniform(-12, 12))
    c, s = shrink * np.cos(turn), shrink * np.sin(turn)
    middle = np.array([width, height]) / 2
    shift = np.array(size) / 2 - np.array([[c, -s], [s, c]]) @ middle
    to_photo = np.array([[c, -s, shift[0]], [s, c, shift[1]]])
    smooth = cv2.GaussianBlur(face, (0, 0), BLUR_PX / shrink)
    laid, cover = (cv2.warpAffine(image, to_photo, size, flags=cv2.INTER_AREA) for image in (smooth, _outline(face)))
    share = cover[..., None].astype(np.float32) / 255
    table = np.array(TABLE_RGB, np.float32) + rng.normal(0, 1.5, (size[1], size[0], 1))
    picture = laid * share + table * (1 - share) + rng.normal(0, 1.0, (size[1], size[0], 3))
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8)[..., ::-1])


def _outline(face: Image) -> Image:
    """Mask a card, or a die's face, with its round corners."""
    height, width = face.shape[:2]
    radius = round(CORNER_SHARE * width)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return mask
