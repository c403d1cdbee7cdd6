"""Four printed ArUco markers, one outside each corner of the board, that say where it lies and which way round.

Each sheet is cut so that one of its corners touches the outer corner of the board's paint; the marker lies
MARKER_OFF_MM from both cuts. Marker 0 belongs to the corner of box 1, the others follow clockwise, all upright.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.aligning import NoBoard
from linesies.calibration.board import Board
from linesies.calibration.drawing import corners_mm
from linesies.calibration.lens import Lens
from linesies.calibration.pose import guess_lens

Array = NDArray[np.float64]
DICTIONARY = cv2.aruco.DICT_4X4_50
MARKER_MM = 100.0  # as printed
MARKER_OFF_MM = 25.0  # as the printed sheet says
LEAST_MARKERS = 3  # two of them leave the far side of the board to luck
OUTWARD = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)


def marker_cells(number: int) -> NDArray[np.bool_]:
    """Give a marker's black cells (6, 6), its frame included."""
    side = 6
    picture = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, side, borderBits=1)
    return np.asarray(picture == 0, bool)


def markers_mm(board: Board) -> Array:
    """Give the board points (4, 4, 2) of each marker's corners, clockwise from its upper left one."""
    centre_off_mm = MARKER_OFF_MM + MARKER_MM / 2 + board.line_width_mm / 2
    centres = corners_mm(board) + centre_off_mm * OUTWARD
    return np.asarray(centres[:, None] + MARKER_MM / 2 * OUTWARD[None], float)


def corners_from_markers(picture_bgr: NDArray[np.uint8], board: Board, lens: Lens | None = None) -> Array | NoBoard:
    """Find the board's outer corners (4, 2), in pixels, clockwise from that of box 1, from the markers round it."""
    found = _find(picture_bgr)
    if len(found) < LEAST_MARKERS:
        seen = ", ".join(str(number) for number in sorted(found)) or "none"
        return NoBoard(
            code="markers",
            reason=f"at least {LEAST_MARKERS} of the markers 0 to 3 must be in the picture, seen: {seen}; "
            f"lay them flat, unshaded and clear of the picture's border (their sheets: linesies print markers)",
        )
    lens = lens or guess_lens((picture_bgr.shape[1], picture_bgr.shape[0]))
    numbers = sorted(found)
    ideal = lens.undistort(np.vstack([found[number] for number in numbers]))
    homography, _ = cv2.findHomography(markers_mm(board)[numbers].reshape(-1, 2), ideal)
    if homography is None:
        reason = "the markers lie in one line; lay one outside each corner of the board"
        return NoBoard(code="markers", reason=reason)
    corners = cv2.perspectiveTransform(corners_mm(board)[None], homography)[0]
    return lens.distort(np.asarray(corners, float))


def _find(picture_bgr: NDArray[np.uint8]) -> dict[int, Array]:
    """Find each marker's corners (4, 2) in the picture, by its number."""
    how = cv2.aruco.DetectorParameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX  # the finer AprilTag way is off by half a pixel
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), how)
    corners, numbers, _ = detector.detectMarkers(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY))
    if numbers is None:
        return {}
    return {
        int(number): np.asarray(quad, float).reshape(4, 2)
        for number, quad in zip(np.ravel(numbers), corners, strict=True)
        if number < len(OUTWARD)
    }
