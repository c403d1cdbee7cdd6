"""A camera that was moved a little: the paint has not moved, so only the pose is sought anew.

Corners of paint and specks of the ground are tracked from the empty picture into the new one; what lies on the board's
plane gives the pose, what does not (hands, caps, shadows) is left out. The survey stays as it is, and the empty
picture is redrawn as the moved camera would see it, so that caps which lie there now are not taken for ground.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.aligning import NoBoard
from linesies.calibration.errors import BadInput
from linesies.calibration.record import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.calibration.view import View

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class FollowingTuning(Tuning):
    """How corners are tracked from the empty picture into that of a moved camera."""

    least_points: int = tuned(
        16,
        title="points that must agree on how the camera moved",
        unit="1",
        low=6,
        high=200,
        source=by_hand_in("43e76ed"),
    )
    points: int = tuned(
        1200, title="corners that are tracked at most", unit="1", low=100, high=10000, source=by_hand_in("43e76ed")
    )
    apart_px: int = tuned(
        8, title="how far apart they lie at least", unit="px", low=2, high=60, source=by_hand_in("43e76ed")
    )
    quality: float = tuned(
        0.04,
        title="how strong they are beside the strongest",
        unit="1",
        low=0.001,
        high=0.5,
        source=by_hand_in("43e76ed"),
    )
    window_px: int = tuned(
        21, title="width of what is compared about one", unit="px", low=5, high=99, source=by_hand_in("43e76ed")
    )
    levels: int = tuned(
        5,
        title="times that the picture is halved to track long ways",
        unit="1",
        low=0,
        high=10,
        source=by_hand_in("43e76ed"),
    )
    near_px: float = tuned(
        1.5,
        title="what a point may stray from the plane's motion",
        unit="px",
        low=0.2,
        high=10,
        source=by_hand_in("43e76ed"),
    )
    rough_share: float = tuned(
        0.15,
        title="of the points, what must agree at first; else this is another view altogether",
        unit="1",
        low=0.02,
        high=0.9,
        source=by_hand_in("43e76ed"),
    )
    fine_share: float = tuned(
        0.5,
        title="likewise once the picture is moved there",
        unit="1",
        low=0.05,
        high=0.95,
        source=by_hand_in("43e76ed"),
    )
    back_px: float = tuned(
        0.5,
        title="tracked forth and back, a point must return so near",
        unit="px",
        low=0.05,
        high=5,
        source=by_hand_in("43e76ed"),
    )
    grain_px: float = tuned(
        12.0,
        title="reach over which light is evened out, so that a cloud or a new exposure moves nothing",
        unit="px",
        low=3,
        high=60,
        source=by_hand_in("43e76ed"),
    )
    flat_levels: float = tuned(
        12.0,
        title="grain of the ground below which it has none to track",
        unit="levels",
        low=1,
        high=60,
        source=by_hand_in("43e76ed"),
    )


FOLLOWING = FollowingTuning()

MESH_PX = 8  # between the places at which the picture's way is reckoned; what lies between them is interpolated


def follow(calibration: Calibration, picture_bgr: Picture) -> Calibration | NoBoard:
    """Find the calibrated board in a picture (H, W, 3) of the moved camera; BadInput for one of another size."""
    if not calibration.has_frame_size(picture_bgr):
        raise BadInput("the picture is not of the size that was calibrated; calibrate anew with this camera mode")
    before, after = _evened(calibration.empty_bgr), _evened(picture_bgr)
    mask = _on_board(calibration)
    rough = _agreeing(*_track(before, after, mask), least_share=FOLLOWING.rough_share)
    if rough is None:
        return NoBoard(code="moved", reason="what the camera sees does not fit the board as it lay; calibrate anew")
    # moved there first, what is tracked has a short way and its right shape
    size_px = calibration.view.lens.size_px
    brought = cv2.warpPerspective(before, rough.plane, size_px, borderMode=cv2.BORDER_REPLICATE)
    where = cv2.warpPerspective(mask, rough.plane, size_px)
    fine = _agreeing(
        *_track(np.asarray(brought, np.uint8), after, np.asarray(where, np.uint8)), least_share=FOLLOWING.fine_share
    )
    if fine is None:
        reason = "too little of the board is recognised after the camera moved; calibrate anew"
        return NoBoard(code="moved", reason=reason)
    were_px = cv2.perspectiveTransform(fine.were_px[None], np.linalg.inv(rough.plane))[0]
    view = _pose(calibration.view, np.asarray(were_px, float), fine.are_px)
    return replace(calibration, view=view, empty_bgr=_redraw(calibration, view, picture_bgr))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Plane:
    """A plane's motion (3, 3) from one picture to the other, and the points (N, 2) that agree with it."""

    plane: Array
    were_px: Array
    are_px: Array


def _agreeing(were_px: Array, are_px: Array, *, least_share: float) -> _Plane | None:
    kept = np.asarray(np.isfinite(are_px).all(axis=1), bool)
    if kept.sum() < FOLLOWING.least_points:
        return None
    plane, agree = cv2.findHomography(were_px[kept], are_px[kept], cv2.RANSAC, FOLLOWING.near_px)
    if plane is None or agree.sum() < max(FOLLOWING.least_points, least_share * len(kept)):
        return None
    chosen = np.ravel(agree) > 0
    return _Plane(plane=np.asarray(plane, float), were_px=were_px[kept][chosen], are_px=are_px[kept][chosen])


def _evened(picture_bgr: Picture) -> Picture:
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    rise = grey - cv2.GaussianBlur(grey, (0, 0), FOLLOWING.grain_px)
    spread = np.sqrt(cv2.GaussianBlur(rise**2, (0, 0), FOLLOWING.grain_px)) + FOLLOWING.flat_levels
    return np.asarray(np.clip(128 + 40 * rise / spread, 0, 255), np.uint8)


def _on_board(calibration: Calibration) -> Picture:
    width, height = calibration.view.lens.size_px
    mask = np.zeros((height, width), np.uint8)
    w, h = calibration.board.size_mm
    corners = calibration.view.mm_to_px(np.array([[0, 0], [w, 0], [w, h], [0, h]], float))
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((25, 25), np.uint8)), np.uint8)


def _track(before: Picture, after: Picture, where: Picture) -> tuple[Array, Array]:
    """Track points (N, 2) of one picture into the other and back; those that do not return are infinitely far."""
    corners = cv2.goodFeaturesToTrack(before, FOLLOWING.points, FOLLOWING.quality, FOLLOWING.apart_px, mask=where)
    if corners is None:
        return np.empty((0, 2)), np.empty((0, 2))
    start = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    size = (FOLLOWING.window_px, FOLLOWING.window_px)
    there, seen, _ = cv2.calcOpticalFlowPyrLK(
        before, after, start, np.empty(0), winSize=size, maxLevel=FOLLOWING.levels
    )
    back, returned, _ = cv2.calcOpticalFlowPyrLK(
        after, before, there, np.empty(0), winSize=size, maxLevel=FOLLOWING.levels
    )
    off = np.linalg.norm((back - start).reshape(-1, 2), axis=1)
    lost = (np.ravel(seen) == 0) | (np.ravel(returned) == 0) | (off >= FOLLOWING.back_px)
    there[lost] = np.inf
    return np.asarray(start.reshape(-1, 2), float), np.asarray(there.reshape(-1, 2), float)


def _pose(view: View, were_px: Array, are_px: Array) -> View:
    """Find the pose from which the points, on the board's plane where they were seen before, are seen now."""
    places = np.column_stack([view.px_to_mm(were_px), np.zeros(len(were_px))])
    turn = np.asarray(cv2.Rodrigues(view.rotation)[0], float)
    shift = view.translation_mm.reshape(3, 1).copy()
    found = cv2.solvePnPRefineLM(places, view.lens.undistort(are_px), np.eye(3), np.zeros(4), turn, shift)
    rotation = np.asarray(cv2.Rodrigues(np.asarray(found[0], float))[0], float)
    return replace(view, rotation=rotation, translation_mm=np.asarray(found[1], float).ravel())


def _redraw(calibration: Calibration, view: View, picture_bgr: Picture) -> Picture:
    """Draw the empty picture as the moved camera sees it; what it did not show before is taken from the new one."""
    width, height = view.lens.size_px
    steps = np.stack(
        np.meshgrid(*(np.arange(0, side + MESH_PX, MESH_PX, dtype=float) for side in (width, height))), axis=-1
    )
    came = calibration.view.mm_to_px(view.px_to_mm(steps.reshape(-1, 2))).astype(np.float32).reshape(steps.shape)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32) / MESH_PX
    across = cv2.remap(came, xs, ys, cv2.INTER_LINEAR)
    drawn = cv2.remap(calibration.empty_bgr, across[..., 0], across[..., 1], cv2.INTER_CUBIC)
    x, y = across[..., 0], across[..., 1]
    is_known = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    return np.where(is_known[..., None], drawn, picture_bgr).astype(np.uint8)
