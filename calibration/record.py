"""The calibration: everything known about one camera over one board, and its file."""

import base64
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import cv2
import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from linesies.calibration.board import Board, Region
from linesies.calibration.board_file import BoardFile, board_from_file, board_to_file
from linesies.calibration.drawing import corners_mm
from linesies.calibration.errors import BadInput
from linesies.calibration.files import read_json, write_whole
from linesies.calibration.lens import LensFile, lens_from_file, lens_to_file
from linesies.calibration.standard_boards import SKULL
from linesies.calibration.survey import PaintedLine, Survey
from linesies.calibration.view import View

MOST_AWAY_MM = 100_000.0  # a hundred metres: no camera hangs farther
MOST_OUTSIDE_PX = 1e6  # a corner that lies farther outside is none that anybody could have shown
MOST_TIMES = 1000.0  # that stated errors are too small; no installation is so bad
MOST_PIXELS = 200_000_000  # of a picture; no camera for sale has more
PICTURE_QUALITY = 97  # JPEG; what it loses is below the camera's own noise


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """The board as drawn, the view on it, its paint as surveyed, and the picture that it was surveyed from.

    `regions` are the drawn regions moved onto the middle of the surveyed lines; `empty_bgr` (H, W, 3) uint8
    is the picture that later ones are compared with; `reprojection_px` is the RMS over the points used;
    `focal_doubt` is the standard error of the focal length, of itself: 0 where the lens was given; `sigma_times` is by
    how much stated errors have proved too small here, at least 1.
    """

    board: Board
    view: View
    survey: Survey
    regions: tuple[Region, ...]
    reprojection_px: float
    empty_bgr: NDArray[np.uint8]
    focal_doubt: float = 0.0
    sigma_times: float = 1.0

    def has_frame_size(self, image: NDArray[np.uint8]) -> bool:
        """Tell whether a picture (H, W, ...) is of the size that was calibrated."""
        return (image.shape[1], image.shape[0]) == tuple(self.view.lens.size_px)

    def apart_px(self, other: "Calibration") -> float:
        """Tell by how much the farthest corner of the board is seen elsewhere than by another calibration of it."""
        corners = corners_mm(self.board)
        return float(np.hypot(*(self.view.mm_to_px(corners) - other.view.mm_to_px(corners)).T).max())


class _LineFile(msgspec.Struct, omit_defaults=True):
    left: list[tuple[float, float]]
    right: list[tuple[float, float]]
    sigma: list[float]
    line_class: str = msgspec.field(name="class", default="")
    is_skull: bool = False  # what was written before lines had classes


class _RegionFile(msgspec.Struct):
    name: str
    polygon: list[tuple[float, float]]


class _CalibrationFile(msgspec.Struct):
    reprojection_px: float
    regions: list[_RegionFile]
    board: BoardFile
    lens: LensFile
    rotation: list[list[float]]
    translation: list[float]
    lines: list[_LineFile]
    misfit_px: float
    empty_jpeg: str
    focal_doubt: float = 0.0
    sigma_times: Annotated[float, Meta(ge=1, le=MOST_TIMES)] = 1.0


def write_calibration(calibration: Calibration, path: str | os.PathLike[str]) -> None:
    """Write a calibration to its file, whole or not at all."""
    done, jpeg = cv2.imencode(".jpg", calibration.empty_bgr, [cv2.IMWRITE_JPEG_QUALITY, PICTURE_QUALITY])
    if not done:
        raise BadInput(f"{path}: the empty picture cannot be encoded")
    file = _file_of(calibration, places=3, empty_jpeg=base64.b64encode(jpeg.tobytes()).decode())
    write_whole(path, msgspec.json.encode(file))


def geometry_json(calibration: Calibration) -> bytes:
    """Write a calibration exactly, but for its picture, which shows more of a street than a measurement needs."""
    return msgspec.json.encode(_file_of(calibration, places=None, empty_jpeg=""))


@lru_cache(maxsize=1)  # asked for twenty times a second of the same one
def identity(calibration: Calibration) -> str:
    """Name a calibration by what it measures with (SHA-256), alike before it is written to its file and after."""
    return hashlib.sha256(msgspec.json.encode(_file_of(calibration, places=3, empty_jpeg=""))).hexdigest()


def read_geometry(data: bytes, whence: str) -> Calibration:
    """Read what `geometry_json` wrote, with a black picture; raises BadInput naming whence it came and the key."""
    try:
        file = msgspec.json.decode(data, type=_CalibrationFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise BadInput(f"{whence}: {fault}") from None
    width, height = file.lens.size
    if width * height > MOST_PIXELS:
        raise BadInput(f"{whence}: `lens.size` is of no camera: {width}x{height}")
    return _calibration_of(file, whence, lambda: np.zeros((height, width, 3), np.uint8))


def read_calibration(path: str | os.PathLike[str]) -> Calibration:
    """Read a calibration file; raises BadInput naming the file and the key."""
    file = read_json(path, _CalibrationFile)
    return _calibration_of(file, path, lambda: _picture(file.empty_jpeg, file.lens.size, path))


def _file_of(calibration: Calibration, *, places: int | None, empty_jpeg: str) -> _CalibrationFile:
    """Write points to so many decimals of a millimetre; None: exactly."""
    return _CalibrationFile(
        reprojection_px=calibration.reprojection_px,
        regions=[_RegionFile(name=r.name, polygon=_points(r.polygon_mm, places)) for r in calibration.regions],
        board=board_to_file(calibration.board),
        lens=lens_to_file(calibration.view.lens),
        rotation=calibration.view.rotation.tolist(),
        translation=calibration.view.translation_mm.tolist(),
        lines=[_line_to_file(line, places) for line in calibration.survey.lines],
        misfit_px=calibration.survey.misfit_px,
        empty_jpeg=empty_jpeg,
        focal_doubt=calibration.focal_doubt,
        sigma_times=calibration.sigma_times,
    )


def _calibration_of(
    file: _CalibrationFile, path: str | os.PathLike[str], picture: Callable[[], NDArray[np.uint8]]
) -> Calibration:
    lens = lens_from_file(file.lens, f"{path}: `lens`")
    if [len(row) for row in file.rotation] != [3, 3, 3] or len(file.translation) != 3:
        raise BadInput(f"{path}: `rotation` must be 3x3 and `translation` three numbers; calibrate again")
    _check_view(file, path)
    board = board_from_file(file.board, f"{path}: `board`")
    view = View(lens=lens, rotation=np.array(file.rotation), translation_mm=np.array(file.translation))
    _check_board_is_seen(board, view, path)
    return Calibration(
        board=board,
        view=view,
        survey=Survey(lines=tuple(_line_from_file(line, path) for line in file.lines), misfit_px=file.misfit_px),
        regions=tuple(Region(name=r.name, polygon_mm=np.array(r.polygon, float)) for r in file.regions),
        reprojection_px=file.reprojection_px,
        empty_bgr=picture(),
        focal_doubt=file.focal_doubt,
        sigma_times=file.sigma_times,
    )


def _check_view(file: _CalibrationFile, path: str | os.PathLike[str]) -> None:
    """Raise BadInput for a camera that stands nowhere: turned by no rotation, or farther off than a street is long."""
    turn, away_mm = np.array(file.rotation, float), np.array(file.translation, float)
    is_turn = (np.abs(turn) < 2).all() and np.allclose(turn @ turn.T, np.eye(3), atol=1e-3)
    if not is_turn or not (np.abs(away_mm) <= MOST_AWAY_MM).all():
        raise BadInput(f"{path}: `rotation` and `translation` place no camera above the board; calibrate again")
    sides = [*(s for line in file.lines for s in (line.left, line.right)), *(r.polygon for r in file.regions)]
    places_mm = [value for side in sides for point in side for value in point]
    sizes = [*(s for line in file.lines for s in line.sigma), file.misfit_px, file.reprojection_px, file.focal_doubt]
    if not all(abs(value) <= MOST_AWAY_MM for value in (*places_mm, *sizes)):
        raise BadInput(f"{path}: `lines` and `regions` hold numbers that no board has; calibrate again")


def _check_board_is_seen(board: Board, view: View, path: str | os.PathLike[str]) -> None:
    """Raise BadInput where the board's corners are seen nowhere: the camera stands in its plane, or looks past it."""
    width, height = board.size_mm
    with np.errstate(all="ignore"):
        corners_px = view.mm_to_px(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    if not (np.abs(corners_px) <= MOST_OUTSIDE_PX).all():
        raise BadInput(f"{path}: `rotation`, `translation` and `lens` show no board; calibrate again")


def _picture(jpeg: str, size_px: tuple[int, int], path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    try:
        data = np.frombuffer(base64.b64decode(jpeg, validate=True), np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    except ValueError:
        image = None
    if image is None or (image.shape[1], image.shape[0]) != tuple(size_px):
        raise BadInput(f"{path}: `empty_jpeg` is no picture of the lens's size; calibrate again")
    return np.asarray(image, np.uint8)


def _points(points_mm: NDArray[np.float64], places: int | None) -> list[tuple[float, float]]:
    return [(_written(x, places), _written(y, places)) for x, y in points_mm]


def _written(value: float, places: int | None) -> float:
    return float(value) if places is None else round(float(value), places)


def _line_to_file(line: PaintedLine, places: int | None) -> _LineFile:
    return _LineFile(
        line_class=line.line_class,
        left=_points(line.left_mm, places),
        right=_points(line.right_mm, places),
        sigma=[_written(s, places) for s in line.sigma_mm],
    )


def _line_from_file(file: _LineFile, path: str | os.PathLike[str]) -> PaintedLine:
    if not len(file.left) == len(file.right) == len(file.sigma) >= 2:
        raise BadInput(f"{path}: `lines` has edges of unlike length; calibrate again")
    return PaintedLine(
        line_class=SKULL if file.is_skull else file.line_class,
        left_mm=np.array(file.left, float),
        right_mm=np.array(file.right, float),
        sigma_mm=np.array(file.sigma, float),
    )
