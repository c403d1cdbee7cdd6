"""What truly happened, written as the truth files of clips and stills have it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Calibration, Lens, View, locate
from linesies.vision import Cap

Truth = dict[str, Any]


def camera_truth(view: View) -> Truth:
    """Write the camera: its lens, and its pose as the board's points are taken into its frame."""
    return {
        **lens_file(view.lens),
        "R": view.rotation.tolist(),
        "t": view.translation_mm.tolist(),
        "height": view.camera_height_mm,
        "tilt": view.tilt_deg,
    }


def lens_file(lens: Lens) -> Truth:
    """Write a lens as its file has it."""
    return {
        "size": list(lens.size_px),
        "camera_matrix": lens.camera_matrix.tolist(),
        "distortion": lens.distortion.tolist(),
    }


def board_file(board: Board) -> Truth:
    """Write a board as its file has it."""
    return {
        "name": board.name,
        "size": list(board.size_mm),
        "line_width": board.line_width_mm,
        "regions": [{"name": r.name, "polygon": r.polygon_mm.round(3).tolist()} for r in board.regions],
        "start_line": None if board.start_line_mm is None else board.start_line_mm.tolist(),
    }


def place_truth(calibration: Calibration, cap: Cap, xy_mm: NDArray[np.float64]) -> Truth:
    """Write where a cap lies: its gap to the paint as it really is, and the answers that count as right."""
    place = locate(calibration, xy_mm, cap.diameter_mm)
    is_seen = calibration.view.is_in_picture(xy_mm)
    truth: Truth = {
        "x": round(float(xy_mm[0]), 3),
        "y": round(float(xy_mm[1]), 3),
        "gap": round(place.gap_mm, 3),
        "location": place.location if is_seen else "off",
        "diameter": cap.diameter_mm,
    }
    if truth["location"] in ("open", "off") and _is_outside(calibration, xy_mm):
        truth["accept"] = ["open", "off"] if is_seen else ["off"]
    if not is_seen:
        truth["in_picture"] = False
    return truth


def _is_outside(calibration: Calibration, xy_mm: NDArray[np.float64]) -> bool:
    width, height = calibration.board.size_mm
    return not (0 <= xy_mm[0] <= width and 0 <= xy_mm[1] <= height)


def first_hits(shooter: str, touches: list[tuple[str, str]]) -> list[list[str]]:
    """Turn contacts in their order into hits: each cap once, by one that was already hit or is the shooter's."""
    known = {shooter}
    hits: list[list[str]] = []
    for a, b in touches:
        if (a in known) != (b in known):
            by, victim = (a, b) if a in known else (b, a)
            known.add(victim)
            hits.append([by, victim])
    return hits
