"""Digits as people paint them: strokes of our own, alike under every version of every library."""

import cv2
import numpy as np
from numpy.typing import NDArray

Stroke = tuple[tuple[float, float], ...]
TALL = 96  # pixels of a digit's height
WIDE, APART = 0.6, 0.2  # of the height: a digit's width, the space between two

_SIX: Stroke = (
    (0.52, 0.1), (0.32, 0), (0.12, 0.14), (0.02, 0.45), (0.02, 0.7), (0.14, 0.93), (0.32, 1),
    (0.5, 0.92), (0.6, 0.7), (0.5, 0.48), (0.3, 0.4), (0.1, 0.5), (0.02, 0.68),
)  # fmt: skip
_STROKES: dict[str, Stroke] = {
    "0": (
        (0.3, 0), (0.5, 0.1), (0.6, 0.35), (0.6, 0.65), (0.5, 0.9), (0.3, 1), (0.1, 0.9), (0, 0.65), (0, 0.35),
        (0.1, 0.1), (0.3, 0),
    ),
    "1": ((0.08, 0.22), (0.33, 0), (0.33, 1)),
    "2": ((0.02, 0.25), (0.1, 0.07), (0.3, 0), (0.5, 0.07), (0.58, 0.27), (0.5, 0.48), (0, 1), (0.6, 1)),
    "3": (
        (0.03, 0.12), (0.2, 0), (0.42, 0.02), (0.56, 0.15), (0.55, 0.33), (0.42, 0.46), (0.22, 0.48), (0.44, 0.5),
        (0.58, 0.65), (0.58, 0.83), (0.42, 0.98), (0.2, 1), (0.02, 0.88),
    ),
    "4": ((0.43, 1), (0.43, 0), (0, 0.68), (0.6, 0.68)),
    "5": (
        (0.53, 0), (0.1, 0), (0.06, 0.45), (0.3, 0.38), (0.5, 0.46), (0.6, 0.68), (0.5, 0.92), (0.28, 1), (0.02, 0.88),
    ),
    "6": _SIX,
    "7": ((0, 0), (0.6, 0), (0.22, 1)),
    "8": (
        (0.3, 0.47), (0.1, 0.37), (0.06, 0.2), (0.14, 0.05), (0.3, 0), (0.46, 0.05), (0.54, 0.2), (0.5, 0.37),
        (0.3, 0.47), (0.06, 0.6), (0, 0.77), (0.1, 0.95), (0.3, 1), (0.5, 0.95), (0.6, 0.77), (0.54, 0.6), (0.3, 0.47),
    ),
    "9": tuple((WIDE - x, 1 - y) for x, y in _SIX),
}  # fmt: skip
_FOOT: Stroke = ((0.05, 1), (0.6, 1))


def write(number: str, *, stroke: float, has_foot: bool) -> NDArray[np.float32]:
    """Paint a number, 1 on 0, cropped to its paint; `stroke` is the brush's width as a share of the height.

    `has_foot` gives every 1 a line to stand on.
    """
    margin = round(TALL * stroke) + 2
    thick = max(round(stroke * TALL), 1)
    step = TALL * (WIDE + APART)
    sheet = np.zeros((TALL + 2 * margin, round(step * len(number)) + 2 * margin), np.uint8)
    for i, digit in enumerate(number):
        strokes = (_STROKES[digit], _FOOT) if digit == "1" and has_foot else (_STROKES[digit],)
        for line in strokes:
            points = np.array(line) * TALL + (margin + i * step, margin)
            course = [np.round(points).astype(np.int32)]
            cv2.polylines(sheet, course, isClosed=False, color=255, thickness=thick, lineType=cv2.LINE_AA)
    rows, columns = np.flatnonzero(sheet.any(axis=1)), np.flatnonzero(sheet.any(axis=0))
    return np.asarray(sheet[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], np.float32) / np.float32(255)
