"""The picture behind a card's event: the card from above, its outline and what was read drawn in."""

import cv2
import numpy as np

from linesies.calibration import Calibration
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.table.told import TableEvent
from linesies.vision.picture.frame import Image
from linesies.vision.picture.top_down import CHALK, FONT, SIDE_PX, Sheet

ROOM_MM = 34.0  # seen beyond a card's length
MOST_SURE = 0.999  # nobody is surer of a card than that
READ, UNREAD = (122, 143, 15), (0, 165, 240)  # teal, amber as B, G, R


def draw_card(picture_bgr: Image, calibration: Calibration, event: TableEvent) -> Image:
    """Draw the card of an event (640, 640, 3); raises ValueError for an event that tells of no card's place."""
    if event.corners_mm is None:
        raise ValueError(f"{event.kind} in {event.zone} tells of no card's place")
    corners_mm = np.array(event.corners_mm)
    sheet = Sheet(corners_mm.mean(axis=0), max(CARD_MM) + ROOM_MM)
    image = sheet.from_above(picture_bgr, calibration)
    name = event.keys.get("card")
    colour = UNREAD if name is None else READ
    sheet.polygon(image, corners_mm, colour, 3)
    sheet.strip(image)
    words = "Not read" if name is None else f"Read as {name}"
    cv2.putText(image, words, (18, SIDE_PX - 32), FONT, 0.95, CHALK, 2, cv2.LINE_AA)
    if name is not None:
        sure = f"{100 * min(event.confidence, MOST_SURE):.1f} % sure"
        cv2.putText(image, sure, (18, SIDE_PX - 9), FONT, 0.55, CHALK, 1, cv2.LINE_AA)
    return image
