"""The numbers painted in the boxes, which tell which way round a board lies.

The lines of a Skully board look the same from all four sides. So each box is looked at as if the board lay one way,
and compared with its number drawn in several hands and sizes; the way in which all boxes together agree best wins,
if it wins clearly.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np

from linesies.calibration.board import Board, Region
from linesies.calibration.digits import write
from linesies.calibration.profiles import Picture
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.calibration.view import View

PATCH = 56  # pixels across a box
INSET = 0.1  # of a box is left out on each side: lines stray
HEIGHTS = (16, 20, 25, 31, 38)  # of the digits, in patch pixels
STRETCHES = (0.8, 1.0, 1.25)
STROKES = (0.12, 0.19)  # of the digits' height
RIM = 4  # pixels of bare ground that belong round a number


@dataclass(frozen=True)
class NumberTuning(Tuning):
    """What of a box counts as ground and what as paint."""

    paint_percentile: float = tuned(
        97.0,
        title="per cent of a box's pixels that are darker than its paint",
        unit="%",
        low=60,
        high=100,
        source=by_hand_in("34d10d3"),
    )
    darkest: float = tuned(
        -0.5,
        title="of the paint's step from the ground: no pixel counts for darker",
        unit="1",
        low=-3,
        high=0,
        source=by_hand_in("34d10d3"),
    )
    brightest: float = tuned(1.2, title="likewise for brighter", unit="1", low=1, high=4, source=by_hand_in("34d10d3"))


NUMBERS = NumberTuning()


def has_numbers(board: Board) -> bool:
    """Tell whether numbers are painted in the board's boxes."""
    return bool(_boxes(board))


def numbers_agree(mixed: Picture, view: View, board: Board) -> float:
    """Compare the boxes with their numbers: the mean of their correlations, each 0 to 1."""
    return float(np.mean([_likeness(_patch(mixed, view, box), box.name) for box in _boxes(board)]))


def _boxes(board: Board) -> list[Region]:
    return [region for region in board.regions if re.fullmatch(r"\d{1,2}", region.name)]


def _patch(mixed: Picture, view: View, region: Region) -> Picture:
    """See a box from straight above, its lines left out, ground 0 and paint about 1."""
    low, high = region.polygon_mm.min(axis=0), region.polygon_mm.max(axis=0)
    shares = INSET + (1 - 2 * INSET) * (np.arange(PATCH) + 0.5) / PATCH
    x, y = (low[i] + shares * (high[i] - low[i]) for i in (0, 1))
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    across = view.mm_to_px(places).astype(np.float32).reshape(PATCH, PATCH, 2)
    seen = cv2.remap(mixed, across[..., 0], across[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    ground = float(np.median(seen))
    paint = max(float(np.percentile(seen, NUMBERS.paint_percentile)) - ground, 1e-6)
    return np.asarray(np.clip((seen - ground) / paint, NUMBERS.darkest, NUMBERS.brightest), np.float32)


def _likeness(patch: Picture, number: str) -> float:
    framed = cv2.copyMakeBorder(patch, RIM, RIM, RIM, RIM, cv2.BORDER_CONSTANT, value=0.0)
    best = 0.0
    for template in _drawn(number):
        if template.shape[0] <= framed.shape[0] and template.shape[1] <= framed.shape[1]:
            best = max(best, float(cv2.matchTemplate(framed, template, cv2.TM_CCOEFF_NORMED).max()))
    return best


@lru_cache(maxsize=32)
def _drawn(number: str) -> tuple[Picture, ...]:
    """Draw a number in several hands, widths and sizes."""
    return tuple(_templates(number))


def _templates(number: str) -> Iterator[Picture]:
    hands = (True, False) if "1" in number else (False,)
    for stroke, has_foot in product(STROKES, hands):
        large = write(number, stroke=stroke, has_foot=has_foot)
        for height, stretch in product(HEIGHTS, STRETCHES):
            width = max(round(large.shape[1] / large.shape[0] * height * stretch), 3)
            small = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
            framed = cv2.copyMakeBorder(small, RIM, RIM, RIM, RIM, cv2.BORDER_CONSTANT, value=0.0)
            yield np.asarray(cv2.GaussianBlur(framed, (0, 0), 1.0), np.float32)
