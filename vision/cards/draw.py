"""The picture behind a card's event: the card from above with its outline, teal where it was read, else amber."""

import numpy as np

from linesies.calibration import Calibration
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.table.told import TableEvent
from linesies.vision.picture.frame import Image
from linesies.vision.picture.top_down import Drawn, TopDownGrid

ROOM_MM = 34.0  # seen beyond a card's length
READ, UNREAD = (122, 143, 15), (0, 165, 240)  # teal, amber as B, G, R


def draw_card(picture_bgr: Image, calibration: Calibration, event: TableEvent) -> Drawn:
    """Draw the outline of an event's card; raises ValueError for an event that tells of no card's place."""
    if event.corners_mm is None:
        raise ValueError(f"{event.kind} in {event.zone} tells of no card's place")
    corners_mm = np.array(event.corners_mm)
    sheet = TopDownGrid(corners_mm.mean(axis=0), max(CARD_MM) + ROOM_MM)
    seen = sheet.from_above(picture_bgr, calibration)
    image = seen.copy()
    sheet.polygon(image, corners_mm, UNREAD if event.keys.get("card") is None else READ, 3)
    return Drawn(seen=seen, drawn=image)
