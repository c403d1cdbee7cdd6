"""Geometry: lens, camera pose, the board as drawn and as really painted, and where a footprint lies.

Imports nothing of ours. Lengths are millimetres on the board's plane, picture positions pixels.
"""

from linesies.calibration.aligning import NO_BOARD, NoBoard
from linesies.calibration.bell import share_below
from linesies.calibration.board import Board, Region
from linesies.calibration.board_file import read_board, write_board
from linesies.calibration.calibrate import calibrate, calibrate_by_markers, survey_again
from linesies.calibration.cameras import ANY_CAMERA, CAMERAS, LensPrior
from linesies.calibration.charuco import (
    SHEET_SIZE_MM,
    LensFit,
    NoLens,
    SeenSheet,
    charuco_picture,
    find_sheet,
    fit_lens,
)
from linesies.calibration.errors import BadInput, CalibrationError
from linesies.calibration.files import read_json
from linesies.calibration.following import follow
from linesies.calibration.lens import Lens, read_lens, write_lens
from linesies.calibration.light import linear, stored, to_linear, to_stored
from linesies.calibration.locate import Located, locate
from linesies.calibration.markers import MARKER_MM, MARKER_OFF_MM, corners_from_markers, marker_cells, markers_mm
from linesies.calibration.record import (
    Calibration,
    geometry_json,
    identity,
    read_calibration,
    read_geometry,
    write_calibration,
)
from linesies.calibration.resizing import resized
from linesies.calibration.survey import PaintedLine, Survey
from linesies.calibration.tuning import TunedNumber, Tuning, numbers_of, tuned
from linesies.calibration.view import View

__all__ = [
    "ANY_CAMERA",
    "CAMERAS",
    "MARKER_MM",
    "MARKER_OFF_MM",
    "NO_BOARD",
    "SHEET_SIZE_MM",
    "BadInput",
    "Board",
    "Calibration",
    "CalibrationError",
    "Lens",
    "LensFit",
    "LensPrior",
    "Located",
    "NoBoard",
    "NoLens",
    "PaintedLine",
    "Region",
    "SeenSheet",
    "Survey",
    "TunedNumber",
    "Tuning",
    "View",
    "calibrate",
    "calibrate_by_markers",
    "charuco_picture",
    "corners_from_markers",
    "find_sheet",
    "fit_lens",
    "follow",
    "geometry_json",
    "identity",
    "linear",
    "locate",
    "marker_cells",
    "markers_mm",
    "numbers_of",
    "read_board",
    "read_calibration",
    "read_geometry",
    "read_json",
    "read_lens",
    "resized",
    "share_below",
    "stored",
    "survey_again",
    "to_linear",
    "to_stored",
    "tuned",
    "write_board",
    "write_calibration",
    "write_lens",
]
