"""A box that people host from their phones: its machine drawn by hand, a referee, and phones that pair by codes."""

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from linesies.device.phones.phones import Phones
from linesies.device.places import evidence_folder, journal_file
from linesies.device.serving.webapp import JournalFace
from linesies.referee.referee import Referee
from linesies.web import create_app
from tests import scenes
from tests.page_server import nothing_moves, serving
from tests.refereeing import START, referee_on

CAPS = [
    {"player": name, "colour": colour} for name, colour in (("ana", "#1f5fae"), ("bo", "#e8c21e"), ("cy", "#c0392b"))
]
SPOTS = {(160, 120): (40, 40, 200), (320, 240): (200, 60, 30), (480, 300): (30, 200, 230)}  # caps, in BGR


class Machine:
    """What the page asks of the machine round it; its camera sees `lying`, and finds caps there or none."""

    lying, found = SPOTS, None

    def picture(self):
        street = np.full((480, 640, 3), 120, np.uint8)
        for (x, y), colour in self.lying.items():
            cv2.circle(street, (x, y), 9, colour, -1)
        return cv2.imencode(".jpg", street)[1].tobytes()

    def cameras(self):
        return [
            {"source": "picamera2:0", "name": "imx708", "is_chosen": False},
            {"source": "v4l2:8", "name": "HD Webcam", "is_chosen": True},
        ]

    def league(self):
        return None

    def storage(self):
        return 5_000_000_000, 30_000_000_000

    def found_caps(self):
        return self.found


def take(referee, count=1):
    """Let the referee take orders until so many rows have been written."""
    until_s, before = time.monotonic() + 10, referee.story.row
    while referee.story.row < before + count and time.monotonic() < until_s:
        referee.take_orders()
        time.sleep(0.01)
    assert referee.story.row > before


@dataclass(frozen=True)
class Hosted:
    """The box, as it runs."""

    referee: Referee
    phones: Phones
    port: int

    def open(self, page: Any, seat: str | None = None) -> None:
        """Open the page, with a seat's code where one is named, the referee's by an empty name."""
        hash_ = "" if seat is None else f"#seat={self.phones.codes(START['players'])[seat]}"
        page.goto(f"http://127.0.0.1:{self.port}/{hash_}")
        if seat is not None:
            page.wait_for_selector(f"html[data-role*='{seat or 'referee'}']")
        page.wait_for_selector("body[data-connection=live]")


@contextmanager
def hosted(folder):
    """Serve a box on which a street game of three has begun."""
    referee = referee_on(journal_file(folder))
    referee.begin({**scenes.set_up(), "caps": CAPS}, START)
    phones = Phones(folder / "phones.sqlite")
    app = create_app(
        JournalFace(referee.journal),
        referee.journal.submit,
        nothing_moves,
        doorkeeper=phones,
        device=Machine(),
        addresses=lambda: ("http://192.168.1.7:8642/",),
        evidence_dir=evidence_folder(folder),
    )
    with serving(app) as port:
        yield Hosted(referee, phones, port)
