"""The lens from pictures of a printed ChArUco sheet (chessboard squares with markers between them).

Some OpenCV versions return ChArUco corners half a pixel off (its issue 25539), so that only their rough place is
taken and each is refined on the picture again, as a plain chessboard's corner. A picture that fits far worse than
the rest (blurred, bent paper) is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.errors import BadInput
from linesies.calibration.lens import Lens

Array = NDArray[np.float64]
DICTIONARY = cv2.aruco.DICT_5X5_50
SQUARES = (7, 5)  # across, down
SQUARE_MM = 36.0
CELL_MM = 4.0  # of the markers; nine to a square's side, so that the whole sheet is a grid of them
MARKER_MM = 7 * CELL_MM
SHEET_SIZE_MM = (SQUARES[0] * SQUARE_MM, SQUARES[1] * SQUARE_MM)
LEAST_CORNERS = 8
LEAST_PICTURES = 5
LEAST_LEAN_DEG = (
    12.0  # between the sheet's most different leanings; flatter sets cannot tell focal length from distance
)
WORST_RATIO = 2.5  # of the median picture's error; above it a picture is left out
REFINE_PX = 5  # half the window of the refinement, at most
REFINE_SHARE = 0.2  # of the way to the next corner, that window's half: no other corner lies in it
ENOUGH = cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenSheet:
    """The sheet in one picture: corners' places on it (N, 2) in millimetres and in the picture (N, 2)."""

    on_sheet_mm: Array
    seen_px: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LensFit:
    """A lens fitted to several pictures; `used` are the indices of those that took part."""

    lens: Lens
    reprojection_px: float
    focal_sigma_px: float
    used: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoLens:
    """The pictures do not tell the lens; `reason` says why and how to mend it."""

    reason: str

    def __bool__(self) -> bool:
        """Be falsy, as no lens is."""
        return False


def charuco_board() -> cv2.aruco.CharucoBoard:
    """Give the printed sheet's layout; its marker numbers run along its rows."""
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, cv2.aruco.getPredefinedDictionary(DICTIONARY))


def charuco_picture() -> NDArray[np.uint8]:
    """Draw the sheet with one pixel to a cell, (45, 63), black 0 and white 255."""
    fine = 8
    size = tuple(int(fine * side / CELL_MM) for side in SHEET_SIZE_MM)
    return np.asarray(charuco_board().generateImage(size)[fine // 2 :: fine, fine // 2 :: fine], np.uint8)


def find_sheet(picture_bgr: NDArray[np.uint8]) -> SeenSheet | None:
    """Find the sheet's inner corners in a picture (H, W, 3); None where fewer than LEAST_CORNERS are seen."""
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY)
    board = charuco_board()
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    if numbers is None or len(numbers) < LEAST_CORNERS:
        return None
    rough = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    apart = np.linalg.norm(rough[:, None, 0] - rough[None, :, 0], axis=-1) + 1e9 * np.eye(len(rough))
    half = int(np.clip(REFINE_SHARE * np.median(apart.min(axis=1)), 2, REFINE_PX))
    fine = cv2.cornerSubPix(grey, rough, (half, half), (-1, -1), (ENOUGH, 40, 1e-3))
    places = np.asarray(board.getChessboardCorners(), float)[np.ravel(numbers), :2]
    return SeenSheet(on_sheet_mm=places, seen_px=np.asarray(fine, float).reshape(-1, 2))


def fit_lens(sheets: Sequence[SeenSheet | None], size_px: tuple[int, int]) -> LensFit | NoLens:
    """Fit a camera's lens to its pictures of the sheet, each None where it was not found; BadInput for no pictures."""
    if not sheets:
        raise BadInput("no picture is given; take some of the printed sheet (linesies print lens)")
    kept = [i for i, sheet in enumerate(sheets) if sheet is not None]
    if len(kept) < LEAST_PICTURES:
        return NoLens(
            reason=f"the sheet is found in {len(kept)} of {len(sheets)} pictures, at least {LEAST_PICTURES} are "
            f"needed; show it large, sharp, flat and evenly lit, leaning another way in each (linesies print lens)"
        )
    found = {i: sheet for i, sheet in enumerate(sheets) if sheet is not None}
    solved = _solve([found[i] for i in kept], size_px)
    fair = [i for i, error in zip(kept, solved.errors_px, strict=True) if error <= _worst_px(solved.errors_px)]
    if LEAST_PICTURES <= len(fair) < len(kept):
        kept, solved = fair, _solve([found[i] for i in fair], size_px)
    if solved.lean_deg < LEAST_LEAN_DEG:
        return NoLens(
            reason=f"the sheet leans almost alike in all pictures (within {solved.lean_deg:.0f} degrees), so that "
            f"focal length and distance cannot be told apart; lean it by 30 degrees to each side in turn"
        )
    return LensFit(
        lens=solved.lens, reprojection_px=solved.rms_px, focal_sigma_px=solved.focal_sigma_px, used=tuple(kept)
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Solved:
    lens: Lens
    rms_px: float
    focal_sigma_px: float
    errors_px: Array
    lean_deg: float


def _solve(sheets: list[SeenSheet], size_px: tuple[int, int]) -> _Solved:
    places = [np.column_stack([s.on_sheet_mm, np.zeros(len(s.on_sheet_mm))]).astype(np.float32) for s in sheets]
    seen = [s.seen_px.astype(np.float32).reshape(-1, 1, 2) for s in sheets]
    rms, matrix, bend, turns, _, spread, _, errors = cv2.calibrateCameraExtended(
        places, seen, size_px, np.eye(3), np.zeros(5)
    )
    normals = np.array([cv2.Rodrigues(np.asarray(turn, float))[0][:, 2] for turn in turns])
    between = np.degrees(np.arccos(np.clip(normals @ normals.T, -1, 1)))
    lens = Lens(
        size_px=size_px, camera_matrix=np.asarray(matrix, float), distortion=np.asarray(bend, float).ravel()[:5]
    )
    return _Solved(
        lens=lens,
        rms_px=float(rms),
        focal_sigma_px=float(np.ravel(spread)[0]),
        errors_px=np.asarray(errors, float).ravel(),
        lean_deg=float(between.max()),
    )


def _worst_px(errors_px: Array) -> float:
    return WORST_RATIO * float(np.median(errors_px))
