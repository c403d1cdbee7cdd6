"""A simulated street that is filmed live: by a USB camera, or by a phone whose film comes over HTTP.

The street's people have phones: they hear the referee through his journal, and wait until he has begun the game.
"""

import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2

from linesies.simulator.street.phones import ByPhone
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet

FPS = 20
SIZE_PX = (640, 360)
OPTIONS = '{"killer_hits": 1, "killer_round": "any_order", "pipsies": 6, "early_hits": "allowed"}'  # a short game


class LiveStreet(threading.Thread):
    """Films the street in real time; remembers the newest picture (JPEG), and hands it to `show`."""

    def __init__(self, journal: Path, show, *, seed: int = 4, players: int = 2) -> None:
        super().__init__(name="street", daemon=True)
        self.wishes = Wishes(seed=seed, players=players, size_px=SIZE_PX, fps=FPS, options=OPTIONS)
        self.street = SimulatedStreet(wishes=self.wishes, umpire=ByPhone(str(journal)), speed=1.0)
        self._show = show
        self.is_over = threading.Event()
        self.show(self.street.empty_bgr)

    def show(self, bgr) -> None:
        self._show(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())

    def run(self) -> None:
        """Play in real time."""
        with self.street:
            for frame in self.street.frames():
                self.show(frame.bgr)
                if self.is_over.is_set():
                    return

    def show_caps(self) -> list[dict]:
        """Lay all caps on the board; gives what the owner orders of them by taps on the picture."""
        laid = SimulatedStreet(wishes=replace(self.wishes, play="nothing"))
        self.show(next(iter(laid.frames())).bgr)
        view, pavement = laid.stage.view, laid.world.pavement
        at = {cap.player: pavement.xy_mm(cap.player)[None].astype(float) for cap in laid.caps}
        return [
            {
                "player": cap.player,
                "xy": view.mm_to_px(at[cap.player], cap.height_mm)[0].tolist(),
                "diameter": cap.diameter_mm,
            }
            for cap in laid.caps
        ]


def into_file(path: Path):
    """Show pictures by writing each into a file, whole at every moment."""

    def show(jpeg: bytes) -> None:
        part = path.with_suffix(".part")
        part.write_bytes(jpeg)
        part.replace(path)

    return show


def wait(is_so, patience_s: float, what: str) -> None:
    until_s = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < until_s, f"waited in vain for {what}"
        time.sleep(0.1)
