"""From a picture to a view of the board: by taps, or from the paint alone, its numbers telling which way round."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.aligning import Aligned, NoBoard, align
from linesies.calibration.board import Board
from linesies.calibration.cameras import LensPrior
from linesies.calibration.drawing import Drawing, corners_mm
from linesies.calibration.errors import BadInput
from linesies.calibration.find import find_corners
from linesies.calibration.lens import Lens
from linesies.calibration.numbers import has_numbers, numbers_agree
from linesies.calibration.pose import focal_from_taps, guess_lens, pose_from_taps
from linesies.calibration.profiles import Picture
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class SeekTuning(Tuning):
    """When a board is found, and which way round."""

    tries: int = tuned(
        3, title="quadrangles that may be the board", unit="1", low=1, high=20, source=by_hand_in("34d10d3")
    )
    taps_off: float = tuned(
        0.06,
        title="how far taps may lie from a board found by itself, of the picture's width",
        unit="1",
        low=0.005,
        high=0.3,
        source=by_hand_in("34d10d3"),
    )
    least_agreement: float = tuned(
        0.65,
        title="of the numbers in the boxes with those that belong there",
        unit="1",
        low=0,
        high=1,
        source="by hand: 0.78 to 0.88 the right way round, 0.56 to 0.67 else",
    )
    least_lead: float = tuned(
        0.08, title="of that over the next best way round", unit="1", low=0, high=1, source=by_hand_in("34d10d3")
    )


SEEK = SeekTuning()


def check_taps(corners_px: Array, size_px: tuple[int, int]) -> None:
    """Raise BadInput where the taps (4, 2) are no convex quadrangle, clockwise in the picture, in or near it."""
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    turns = [float(a[0] * b[1] - a[1] * b[0]) for a, b in zip(sides, np.roll(sides, -1, axis=0), strict=True)]
    if max(turns) < 0:
        raise BadInput("`--corners` run anticlockwise; give them clockwise from the corner of box 1")
    if min(turns) < 1e-3 * size_px[0] ** 2:
        raise BadInput("`--corners` make no quadrangle; tap the four outer corners, clockwise from the corner of box 1")
    if (np.abs(corners_px - np.array(size_px) / 2) > np.array(size_px)).any():
        raise BadInput("`--corners` lie far outside the picture; give them in its own pixels")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardPicture:
    """One picture (H, W, 3), its linear light, and what is known of the board and the lens in it."""

    picture_bgr: NDArray[np.uint8]
    light: Picture
    board: Board
    drawing: Drawing
    lens: Lens | None
    prior: LensPrior


def align_to_taps(scene: BoardPicture, corners_px: Array) -> Aligned | NoBoard:
    """Align the board under rough taps (4, 2); where they mislead, the board found nearest to them."""
    aligned = _align_corners(scene, corners_px)
    if aligned:
        return aligned
    off_px = SEEK.taps_off * scene.light.shape[1]
    for quad in find_corners(scene.picture_bgr, scene.board, scene.drawing, SEEK.tries):
        turned = min(
            (np.roll(quad, turn, axis=0) for turn in range(4)), key=lambda q: float(np.abs(q - corners_px).max())
        )
        if np.abs(turned - corners_px).max() < off_px and (found := _align_corners(scene, turned)):
            return found
    return aligned


def align_by_itself(scene: BoardPicture) -> Aligned | NoBoard:
    """Find the board from its paint, and which way round from its numbers; doubt is NoBoard, never a guess."""
    for quad in find_corners(scene.picture_bgr, scene.board, scene.drawing, SEEK.tries):
        ways = [_align_corners(scene, np.roll(quad, turn, axis=0)) for turn in range(4)]
        found = [way for way in ways if isinstance(way, Aligned)]
        if found:
            return _right_way(scene, found)
    return NoBoard(reason="no board is found in the picture; show all of it in even light, or give its --corners")


def _right_way(scene: BoardPicture, ways: list[Aligned]) -> Aligned | NoBoard:
    if not has_numbers(scene.board):
        undecided = "its outline looks alike from more than one side and has no numbers; give its --corners"
        return ways[0] if len(ways) == 1 else NoBoard(code="which_way", reason=f"a board is found, but {undecided}")
    rated = sorted(((_agreement(scene, way), i) for i, way in enumerate(ways)), reverse=True)
    lead = rated[0][0] - (rated[1][0] if len(rated) > 1 else SEEK.least_agreement)
    if rated[0][0] < SEEK.least_agreement or lead < SEEK.least_lead:
        reason = "a board is found, but its numbers do not tell which way round it lies; give its --corners"
        return NoBoard(code="which_way", reason=reason)
    return ways[rated[0][1]]


def _agreement(scene: BoardPicture, way: Aligned) -> float:
    return numbers_agree(way.paint.mix(scene.light), way.view, scene.board)


def _align_corners(scene: BoardPicture, corners_px: Array) -> Aligned | NoBoard:
    size_px = (scene.light.shape[1], scene.light.shape[0])
    lens = scene.lens or guess_lens(size_px, focal_from_taps(corners_px, corners_mm(scene.board), size_px, scene.prior))
    start = pose_from_taps(corners_px, corners_mm(scene.board), lens)
    if start is None:
        reason = "no camera above the board sees its corners there; tap them again with --corners"
        return NoBoard(code="corners", reason=reason)
    return align(scene.light, scene.drawing, start, scene.board, prior=None if scene.lens else scene.prior)
