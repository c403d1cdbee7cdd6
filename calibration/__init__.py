"""Geometry: lens, camera pose, the board as drawn and as really painted, and where a footprint lies.

Imports nothing of ours. Lengths are millimetres on the board's plane, picture positions pixels.
"""

from calibration.aligning import NoBoard
from calibration.board import Board, Region, read_board
from calibration.calibrate import calibrate
from calibration.errors import BadInput, CalibrationError
from calibration.files import read_json
from calibration.lens import Lens, read_lens
from calibration.locate import Place, locate
from calibration.record import Calibration, read_calibration, write_calibration
from calibration.survey import PaintedLine, Survey
from calibration.view import View

__all__ = [
    "BadInput",
    "Board",
    "Calibration",
    "CalibrationError",
    "Lens",
    "NoBoard",
    "PaintedLine",
    "Place",
    "Region",
    "Survey",
    "View",
    "calibrate",
    "locate",
    "read_board",
    "read_calibration",
    "read_json",
    "read_lens",
    "write_calibration",
]
