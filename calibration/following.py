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
from linesies.calibration.view import View

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
# corners that are tracked: how many, how far apart, how strong beside the strongest; set by hand
POINTS, APART_PX, QUALITY = 1200, 8, 0.04
WINDOW_PX, LEVELS = 21, 5
NEAR_PX = 1.5  # what a point may stray from the plane's motion
ROUGH_SHARE, FINE_SHARE = 0.15, 0.5  # of the points must agree; else this is another view altogether
LEAST_POINTS = 16
BACK_PX = 0.5  # tracked forth and back, a point must return so near
GRAIN_PX = 12.0  # light is evened out over this reach, so that a cloud or a new exposure moves nothing
FLAT = 12.0  # grey levels; ground with less grain than this has none to track


def follow(calibration: Calibration, picture_bgr: Picture) -> Calibration | NoBoard:
    """Find the calibrated board in a picture (H, W, 3) of the moved camera; BadInput for one of another size."""
    if not calibration.has_frame_size(picture_bgr):
        raise BadInput("the picture is not of the size that was calibrated; calibrate anew with this camera mode")
    before, after = _evened(calibration.empty_bgr), _evened(picture_bgr)
    mask = _on_board(calibration)
    rough = _agreeing(*_track(before, after, mask), least_share=ROUGH_SHARE)
    if rough is None:
        return NoBoard(code="moved", reason="what the camera sees does not fit the board as it lay; calibrate anew")
    # moved there first, what is tracked has a short way and its right shape
    size_px = calibration.view.lens.size_px
    brought = cv2.warpPerspective(before, rough.plane, size_px, borderMode=cv2.BORDER_REPLICATE)
    where = cv2.warpPerspective(mask, rough.plane, size_px)
    fine = _agreeing(*_track(np.asarray(brought, np.uint8), after, np.asarray(where, np.uint8)), least_share=FINE_SHARE)
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
    if kept.sum() < LEAST_POINTS:
        return None
    plane, agree = cv2.findHomography(were_px[kept], are_px[kept], cv2.RANSAC, NEAR_PX)
    if plane is None or agree.sum() < max(LEAST_POINTS, least_share * len(kept)):
        return None
    chosen = np.ravel(agree) > 0
    return _Plane(plane=np.asarray(plane, float), were_px=were_px[kept][chosen], are_px=are_px[kept][chosen])


def _evened(picture_bgr: Picture) -> Picture:
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    rise = grey - cv2.GaussianBlur(grey, (0, 0), GRAIN_PX)
    spread = np.sqrt(cv2.GaussianBlur(rise**2, (0, 0), GRAIN_PX)) + FLAT
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
    corners = cv2.goodFeaturesToTrack(before, POINTS, QUALITY, APART_PX, mask=where)
    if corners is None:
        return np.empty((0, 2)), np.empty((0, 2))
    start = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    size = (WINDOW_PX, WINDOW_PX)
    there, seen, _ = cv2.calcOpticalFlowPyrLK(before, after, start, np.empty(0), winSize=size, maxLevel=LEVELS)
    back, returned, _ = cv2.calcOpticalFlowPyrLK(after, before, there, np.empty(0), winSize=size, maxLevel=LEVELS)
    off = np.linalg.norm((back - start).reshape(-1, 2), axis=1)
    lost = (np.ravel(seen) == 0) | (np.ravel(returned) == 0) | (off >= BACK_PX)
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
    steps = np.stack(np.meshgrid(np.arange(0, width + 8, 8.0), np.arange(0, height + 8, 8.0)), axis=-1)
    came = calibration.view.mm_to_px(view.px_to_mm(steps.reshape(-1, 2))).astype(np.float32).reshape(steps.shape)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32) / 8
    across = cv2.remap(came, xs, ys, cv2.INTER_LINEAR)
    drawn = cv2.remap(calibration.empty_bgr, across[..., 0], across[..., 1], cv2.INTER_CUBIC)
    x, y = across[..., 0], across[..., 1]
    is_known = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    return np.where(is_known[..., None], drawn, picture_bgr).astype(np.uint8)
