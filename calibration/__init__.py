"""Geometry: lens, camera pose, the board as drawn and as really painted, and where a footprint lies.

Imports nothing of ours but what loads names late: who only asks what lies on a line loads no arithmetic. Lengths are
millimetres on the board's plane, picture positions pixels.
"""

from typing import TYPE_CHECKING

from linesies.late import late

if TYPE_CHECKING:
    from linesies.calibration.aligning import NO_BOARD as NO_BOARD
    from linesies.calibration.aligning import NoBoard as NoBoard
    from linesies.calibration.bell import share_below as share_below
    from linesies.calibration.board import Board as Board
    from linesies.calibration.board import Region as Region
    from linesies.calibration.board_file import read_board as read_board
    from linesies.calibration.board_file import write_board as write_board
    from linesies.calibration.calibrating import calibrate as calibrate
    from linesies.calibration.calibrating import calibrate_by_markers as calibrate_by_markers
    from linesies.calibration.calibrating import surveys_again as surveys_again
    from linesies.calibration.cameras import ANY_CAMERA as ANY_CAMERA
    from linesies.calibration.cameras import CAMERAS as CAMERAS
    from linesies.calibration.cameras import LensPrior as LensPrior
    from linesies.calibration.charuco import SHEET_SIZE_MM as SHEET_SIZE_MM
    from linesies.calibration.charuco import LensFit as LensFit
    from linesies.calibration.charuco import NoLens as NoLens
    from linesies.calibration.charuco import SeenSheet as SeenSheet
    from linesies.calibration.charuco import charuco_picture as charuco_picture
    from linesies.calibration.charuco import find_sheet as find_sheet
    from linesies.calibration.charuco import fit_lens as fit_lens
    from linesies.calibration.errors import BadInput as BadInput
    from linesies.calibration.errors import CalibrationError as CalibrationError
    from linesies.calibration.files import read_json as read_json
    from linesies.calibration.following import follow as follow
    from linesies.calibration.lens import Lens as Lens
    from linesies.calibration.lens import read_lens as read_lens
    from linesies.calibration.lens import write_lens as write_lens
    from linesies.calibration.light import linear as linear
    from linesies.calibration.light import stored as stored
    from linesies.calibration.light import to_linear as to_linear
    from linesies.calibration.light import to_stored as to_stored
    from linesies.calibration.locating import Located as Located
    from linesies.calibration.locating import locate as locate
    from linesies.calibration.locations import is_on_line as is_on_line
    from linesies.calibration.markers import MARKER_MM as MARKER_MM
    from linesies.calibration.markers import MARKER_OFF_MM as MARKER_OFF_MM
    from linesies.calibration.markers import corners_from_markers as corners_from_markers
    from linesies.calibration.markers import marker_cells as marker_cells
    from linesies.calibration.markers import markers_mm as markers_mm
    from linesies.calibration.record import Calibration as Calibration
    from linesies.calibration.record import geometry_json as geometry_json
    from linesies.calibration.record import identity as identity
    from linesies.calibration.record import read_calibration as read_calibration
    from linesies.calibration.record import read_geometry as read_geometry
    from linesies.calibration.record import write_calibration as write_calibration
    from linesies.calibration.resizing import resized as resized
    from linesies.calibration.seats import Seating as Seating
    from linesies.calibration.seats import misfit as misfit
    from linesies.calibration.seats import seat_for as seat_for
    from linesies.calibration.seats import seated as seated
    from linesies.calibration.seats import seats_of as seats_of
    from linesies.calibration.seats import sits_after as sits_after
    from linesies.calibration.survey import PaintedLine as PaintedLine
    from linesies.calibration.survey import Survey as Survey
    from linesies.calibration.tuning import TunedNumber as TunedNumber
    from linesies.calibration.tuning import Tuning as Tuning
    from linesies.calibration.tuning import numbers_of as numbers_of
    from linesies.calibration.tuning import tuned as tuned
    from linesies.calibration.view import View as View
else:
    __getattr__ = late(__name__, __file__)
