"""What the page draws: the board as surveyed, how exact calls will be, its painted lines, and whose cap looks how."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Region
from linesies.vision import Cap, expected_sigma_mm

DRAWN_MM = 0.4  # how far a drawn outline may stray from the surveyed one


def set_up_json(calibration: Calibration, caps: Sequence[Cap]) -> dict[str, Any]:
    """Write board, lines and caps, in millimetres on the board."""
    board = calibration.board
    start_line = None if board.start_line_mm is None else _pairs(board.start_line_mm)
    return {
        "board": {
            "size": list(board.size_mm),
            "line_width": board.line_width_mm,
            "regions": [_region_json(region, calibration, caps) for region in calibration.regions],
            "start_line": start_line,
        },
        "lines": [
            {"outline": _pairs(_thinned(line.outline_mm)), "class": line.line_class}
            for line in calibration.survey.lines
        ],
        "caps": [_cap_json(cap) for cap in caps],
    }


def _region_json(region: Region, calibration: Calibration, caps: Sequence[Cap]) -> dict[str, Any]:
    """Write a region, and the standard error that gaps will have in it of the cap that fares worst."""
    middle = region.polygon_mm.mean(axis=0)
    sigma_mm = max((expected_sigma_mm(calibration, cap, middle) for cap in caps), default=None)
    exact = {} if sigma_mm is None else {"sigma": round(sigma_mm, 2)}
    return {"name": region.name, "polygon": _pairs(_thinned(region.polygon_mm)), **exact}


def _thinned(points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return cv2.approxPolyDP(points_mm.astype(np.float32)[:, None], DRAWN_MM, closed=True)[:, 0].astype(float)


def _pairs(points_mm: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points_mm]


def _cap_json(cap: Cap) -> dict[str, Any]:
    kind = {} if cap.kind is None else {"kind": cap.kind}
    return {
        "player": cap.player,
        "colour": "#{:02x}{:02x}{:02x}".format(*cap.colour_rgb),
        "diameter": cap.diameter_mm,
        "height": cap.height_mm,
        **kind,
    }
