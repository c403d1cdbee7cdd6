"""A drawn deck photographed card by card, as people do it to have it learned."""

from collections.abc import Iterator

import cv2
import numpy as np

from device.simulator.cards.faces import Deck
from device.simulator.cards.ink import PX_PER_MM, TALL_MM, WIDE_MM, Image
from vision import LearnedDeck, learn, photograph

PHOTO_PX_PER_MM = 4.0
TABLE_MM = (105.0, 130.0)
TABLE_RGB = (70, 104, 88)
CORNER_MM = 3.5
BLUR_PX = 0.8


def photograph_deck(deck: Deck, rng: np.random.Generator) -> Iterator[tuple[str, Image]]:
    """Give each card's name (the back's is `back`) with its picture, B, G, R."""
    for name, face in (*deck.faces.items(), ("back", deck.back)):
        yield name, _photo(face, rng)


def learn_drawn(deck: Deck, rng: np.random.Generator) -> LearnedDeck:
    """Learn a drawn deck from its photographs."""
    return learn({name: [photograph(picture)] for name, picture in photograph_deck(deck, rng)}).deck


def _photo(face: Image, rng: np.random.Generator) -> Image:
    size = tuple(round(side * PHOTO_PX_PER_MM) for side in TABLE_MM)
    shrink = PHOTO_PX_PER_MM / PX_PER_MM
    turn = np.radians(rng.uniform(-12, 12))
    c, s = shrink * np.cos(turn), shrink * np.sin(turn)
    middle = np.array([WIDE_MM, TALL_MM]) * PX_PER_MM / 2
    shift = np.array(size) / 2 - np.array([[c, -s], [s, c]]) @ middle
    to_photo = np.array([[c, -s, shift[0]], [s, c, shift[1]]])
    smooth = cv2.GaussianBlur(face, (0, 0), BLUR_PX / shrink)
    laid, cover = (cv2.warpAffine(image, to_photo, size, flags=cv2.INTER_AREA) for image in (smooth, _outline(face)))
    share = cover[..., None].astype(np.float32) / 255
    table = np.array(TABLE_RGB, np.float32) + rng.normal(0, 1.5, (size[1], size[0], 1))
    picture = laid * share + table * (1 - share) + rng.normal(0, 1.0, (size[1], size[0], 3))
    return np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8)[..., ::-1])


def _outline(face: Image) -> Image:
    """Mask a card with its round corners."""
    height, width = face.shape[:2]
    radius = round(CORNER_MM * PX_PER_MM)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return mask
