"""A simulated crokinole table, `crokinole:table?seed=3&discs=4`: two players who shoot, hit, miss and clear away."""

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import linesies_crokinole
import numpy as np
from linesies_crokinole.eyes import COLOURS, DISC_MM

from linesies.calibration import Lens, View, read_board
from linesies.device.cameras.source import Source
from linesies.vision import Frame

SIZE_PX, FPS, HEIGHT_MM, FOCAL_PX = (720, 720), 20, 880.0, 800.0
BOARD = Path(linesies_crokinole.__file__).with_name("board.json")
RINGS_MM = (18.5, 101.6, 203.2, 304.8)
MIDDLE = np.array([360.0, 360.0])
GLIDE, REST = 6, 20  # frames


def view() -> View:
    """Look straight down."""
    matrix = np.array([[FOCAL_PX, 0, SIZE_PX[0] / 2], [0, FOCAL_PX, SIZE_PX[1] / 2], [0, 0, 1.0]])
    lens = Lens(size_px=SIZE_PX, camera_matrix=matrix, distortion=np.zeros(5))
    return View(lens=lens, rotation=np.eye(3), translation_mm=np.array([*-MIDDLE, HEIGHT_MM]))


class Table(Source):
    """Remembers the discs on the board: (whose, middle)."""

    is_live, fps, size_px = True, float(FPS), SIZE_PX

    def __init__(self, name: str, seed: int, discs: int) -> None:
        self.name, self._discs_each = name, discs
        self._rng = np.random.default_rng(seed)
        self._discs: list[tuple[int, np.ndarray]] = []
        self._view, self.board = view(), read_board(BOARD)

    def frames(self) -> Iterator[Frame]:
        """Yield the game's frames in their own time, and then the board as it lies."""
        for number, bgr in enumerate(self._pictures()):
            time.sleep(1 / FPS)  # on a busy machine people play slower, and no frame is left out
            yield Frame.from_bgr(bgr, number=number, t_s=number / FPS)

    def close(self) -> None:
        """Have nothing to let go of."""

    def _pictures(self) -> Iterator[np.ndarray]:
        yield from self._still(6 * FPS)  # until everybody looks
        for turn in range(2 * self._discs_each):
            yield from self._shot(turn % 2)
        while True:
            yield self.picture()

    def _shot(self, seat: int) -> Iterator[np.ndarray]:
        targets = [i for i, (whose, _) in enumerate(self._discs) if whose != seat]
        victim = int(self._rng.choice(targets)) if targets and self._rng.random() < 0.7 else None
        start = MIDDLE + 300 * np.array([0.0, 1.0 - 2 * seat])
        end = self._free_place(280.0 if targets else 60.0) if victim is None else self._discs[victim][1]
        if not targets and self._rng.random() < 0.3 and self._is_free(MIDDLE):
            end = MIDDLE
        if victim is not None:
            self._discs[victim] = (1 - seat, self._free_place(330.0))
        self._discs.append((seat, start))
        for step in range(1, GLIDE + 1):
            self._discs[-1] = (seat, start + (end - start) * step / GLIDE)
            yield self.picture()
        yield from self._still(REST)
        self._clear(has_touched=victim is not None or not targets)
        yield from self._still(REST)

    def _clear(self, *, has_touched: bool) -> None:
        """Take off what the rules take off: an idle shot, twenties, and what is out."""
        if not has_touched:
            self._discs.pop()
        outer = RINGS_MM[3] - DISC_MM / 2
        self._discs = [disc for disc in self._discs if 2 < _reach(disc[1]) < outer]

    def _free_place(self, reach_mm: float) -> np.ndarray:
        """Find a place that no disc covers and that is close to no line."""
        while True:
            angle, reach = self._rng.uniform(0, 2 * np.pi), self._rng.uniform(45, reach_mm)
            place = MIDDLE + reach * np.array([np.cos(angle), np.sin(angle)])
            if self._is_free(place) and all(abs(abs(reach - ring) - DISC_MM / 2) > 5 for ring in RINGS_MM):
                return place

    def _is_free(self, place: np.ndarray) -> bool:
        return all(np.hypot(*(place - middle)) > DISC_MM + 6 for _, middle in self._discs)

    def _still(self, count: int) -> Iterator[np.ndarray]:
        for _ in range(count):
            yield self.picture()

    def picture(self) -> np.ndarray:
        """Draw the board and its discs, with a camera's noise."""
        image = np.full((*SIZE_PX[::-1], 3), (120, 170, 205), np.uint8)
        for ring in RINGS_MM:
            self._circle(image, MIDDLE, ring, (30, 30, 30), 3)
        for seat, middle in self._discs:
            self._circle(image, middle, DISC_MM / 2, COLOURS[seat], cv2.FILLED)
        return np.clip(image + self._rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)

    def _circle(self, image: np.ndarray, middle: np.ndarray, radius_mm: float, colour, thickness: int) -> None:
        x, y = np.round(self._view.mm_to_px(middle[None])[0] * 16).astype(int)
        radius = round(radius_mm * FOCAL_PX / HEIGHT_MM * 16)
        cv2.circle(image, (int(x), int(y)), radius, colour, thickness, cv2.LINE_AA, 4)


def _reach(place: np.ndarray) -> float:
    return float(np.hypot(*(place - MIDDLE)))


def open_table(place: str, options: dict[str, str]) -> Table:
    """Open `crokinole:table?seed=N&discs=N`."""
    return Table(f"crokinole:{place}", int(options.get("seed", "1")), int(options.get("discs", "4")))
