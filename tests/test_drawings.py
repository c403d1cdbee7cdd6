"""What is drawn of an event at a card table: the card that lies face up, never what is hidden."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.device.announcers.drawings import draw_table
from linesies.vision import TableEvent, draw_card
from tests import flicks

CARD = ((100.0, 80.0), (163.0, 80.0), (163.0, 168.0), (100.0, 168.0))
PLAYED = TableEvent(
    kind="play",
    zone="trick",
    keys={"player": "ana", "card": "7H"},
    t_start_s=1.0,
    t_end_s=2.0,
    confidence=0.99,
    corners_mm=CARD,
)


@pytest.fixture(scope="module")
def seen():
    """A camera straight above, a pixel a millimetre, and a white card on grey ground."""
    picture = np.full((480, 640, 3), 40, np.uint8)
    cv2.rectangle(picture, (100, 80), (163, 168), (240, 240, 240), -1)
    return picture, flicks.calibration()


def test_a_card_is_drawn_from_above_in_the_middle_of_its_picture(seen):
    drawn = draw_card(*seen, PLAYED).drawn
    assert drawn.shape == (640, 640, 3)
    assert drawn[320, 320].min() > 200
    assert drawn[20, 20].max() < 80


def test_a_card_that_could_not_be_read_is_outlined_in_another_colour(seen):
    read = draw_card(*seen, PLAYED)
    unread = draw_card(*seen, replace(PLAYED, keys={"player": "ana", "card": None}))
    assert (read.drawn != unread.drawn).any()
    assert (read.seen == unread.seen).all()


def test_an_event_at_a_table_is_shown_once_under_the_player(seen):
    assert [whose for whose, _ in draw_table(*seen, PLAYED)] == ["ana"]


@pytest.mark.parametrize(
    "event",
    [
        TableEvent(kind="placed", zone="seat:ana", keys={"player": "ana"}, t_start_s=1.0, t_end_s=2.0),
        TableEvent(kind="taken", zone="trick", keys={"count": 3}, t_start_s=1.0, t_end_s=2.0),
    ],
)
def test_nothing_is_drawn_of_a_card_that_lies_face_down_or_is_taken(seen, event):
    assert list(draw_table(*seen, event)) == []
    with pytest.raises(ValueError, match=event.zone):
        draw_card(*seen, event)
