"""A camera that was moved: the paint has not moved, so only the pose is sought anew.

What the empty picture shows is recognised in the new one, however that is turned (Lowe, Distinctive Image Features from
Scale-Invariant Keypoints, 2004), which gives a rough pose. From there the drawing is laid on the paint, as when it was
calibrated: shadows move, paint does not. The empty picture is redrawn as seen from there (from the rough pose where no
lines are painted), and corners and specks are tracked from it into the new one; what does not lie on the board's plane
(hands, caps) is left out. The survey stays as it is, so that caps which lie there now are not taken for ground.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.aligning import Aligned, NoBoard, align
from linesies.calibration.drawing import corners_mm, draw
from linesies.calibration.errors import BadInput
from linesies.calibration.light import to_linear
from linesies.calibration.record import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.calibration.view import View

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

MOVED = "by hand, on 64 simulated pictures by cameras moved by 6 to 200 mm and turned by 0.15 to 5 degrees, 2026-11"


@dataclass(frozen=True)
class FollowingTuning(Tuning):
    """How what the empty picture shows is found in that of a moved camera."""

    least_points: int = tuned(
        16,
        title="points that must agree on how the camera moved",
        unit="1",
        low=6,
        high=200,
        source=by_hand_in("43e76ed"),
    )
    recognised_wide_px: int = tuned(
        640, title="width to which pictures are shrunk to be recognised", unit="px", low=200, high=4000, source=MOVED
    )
    features: int = tuned(3000, title="that are recognised at most", unit="1", low=200, high=20000, source=MOVED)
    likelier: float = tuned(
        0.8,
        title="of the next best one's distance, the most that a feature's like may be off",
        unit="1",
        low=0.4,
        high=1,
        source="Lowe 2004: 0.8 leaves out nine in ten false ones and one in twenty true ones",
    )
    most_unrecognised_px: float = tuned(
        8.0,
        title="by which a corner of the board may lie elsewhere, if no ground is recognised",
        unit="px",
        low=0,
        high=30,
        source="by hand: a fence's shadow hid all ground of a board that lay within 1 px",
    )
    most_crooked_px: float = tuned(
        0.8,
        title="beside where it was surveyed, where three quarters of the paint may be seen at most",
        unit="px",
        low=0.2,
        high=5,
        source="by hand, on 209 pictures of 42 boards, up to 0.62, and on those boards mirrored, mostly 0.6 to 3.7",
    )
    most_beside_paint_px: float = tuned(
        0.5,
        title="by which what is tracked may put a corner of the board beside its paint",
        unit="px",
        low=0.1,
        high=3,
        source="by hand: 36 pictures of nine boards, up to 0.37; under a fence's shadow that wandered 1.1; 2026-11",
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
        3,
        title="times that the picture is halved to track what is left of the way",
        unit="1",
        low=0,
        high=10,
        source=MOVED,
    )
    near_px: float = tuned(
        1.5,
        title="what a point may stray from the plane's motion; one recognised in a shrunk picture, pixels of that",
        unit="px",
        low=0.2,
        high=10,
        source=by_hand_in("43e76ed"),
    )
    rough_share: float = tuned(
        0.3,
        title="of the points recognised, what must agree; else this is another view altogether",
        unit="1",
        low=0.02,
        high=0.9,
        source=MOVED,
    )
    fine_share: float = tuned(
        0.5,
        title="likewise of those tracked",
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

EVERY = 7  # stretches of a line, of which one tells how crooked it is
QUIET = 1e-12  # keeps shares finite where two stations are one
MESH_PX = 8  # between the places at which the picture's way is reckoned; what lies between them is interpolated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pairs:
    """Points (N, 2) in the picture of one view, and where they are seen now (N, 2)."""

    were_px: Array
    are_px: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Evened:
    """The empty picture and the new one in even light, and where on the first the board is."""

    before: Picture
    after: Picture
    where: Picture


def follow(calibration: Calibration, picture_bgr: Picture) -> Calibration | NoBoard:
    """Find the calibrated board in a picture (H, W, 3) of the moved camera; BadInput for one of another size."""
    if not calibration.has_frame_size(picture_bgr):
        raise BadInput("the picture is not of the size that was calibrated; calibrate anew with this camera mode")
    plain = _Evened(before=_evened(calibration.empty_bgr), after=_evened(picture_bgr), where=_on_board(calibration))
    rough = _recognised_pose(calibration.view, plain)
    is_painted = bool(calibration.survey.lines)
    laid = _by_paint(calibration, rough, picture_bgr) if is_painted else None
    start = laid.view if laid else None if is_painted else rough
    tracked = None if start is None else _by_tracking(calibration, start, plain)
    found = _more_exact(laid, tracked)
    if found is None:
        return NoBoard(code="moved", reason="what the camera sees does not fit the board as it lay; calibrate anew")
    return replace(found, empty_bgr=_seen_from(calibration, found.view, picture_bgr))


def _recognised_pose(view: View, plain: _Evened) -> View | None:
    """Find roughly from where a picture was taken, by what of the empty one is recognised in it."""
    times = max(plain.before.shape[1] // FOLLOWING.recognised_wide_px, 1)
    near_px = times * FOLLOWING.near_px
    return _pose(view, _recognised(plain, times=times), near_px=near_px, least_share=FOLLOWING.rough_share)


def _by_paint(calibration: Calibration, rough: View | None, picture_bgr: Picture) -> Calibration | None:
    """Lay the drawing on the paint once more: shadows have moved since, and the ground's grain with them.

    Where no ground was recognised, the board must lie nearly as it did.
    """
    board = calibration.board
    try:
        aligned = align(to_linear(picture_bgr), draw(board), rough or calibration.view, board, prior=None)
    except BadInput:  # seen from there, lines would reach far beyond the picture
        return None
    if not isinstance(aligned, Aligned) or not _is_its_paint(calibration, aligned):
        return None
    found = replace(calibration, view=aligned.view)
    return found if rough or found.apart_px(calibration) <= FOLLOWING.most_unrecognised_px else None


def _is_its_paint(calibration: Calibration, aligned: Aligned) -> bool:
    """Tell whether lines are as crooked as they were: a board looks alike from four sides, and mirrored, as drawn."""
    seen_mm = aligned.view.px_to_mm(np.vstack([ridge.found_px for ridge in aligned.ridges])[::EVERY])
    starts, ends = (
        np.vstack([line.middle_mm[part] for line in calibration.survey.lines])
        for part in (slice(None, -1), slice(1, None))
    )
    along = ends - starts
    share = ((seen_mm[:, None] - starts) * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), QUIET)
    nearest_mm = starts + np.clip(share, 0, 1)[..., None] * along
    off_mm = np.linalg.norm(seen_mm[:, None] - nearest_mm, axis=2).min(axis=1)
    px_per_mm = aligned.view.px_per_mm(np.array(calibration.board.size_mm) / 2)
    return float(np.percentile(off_mm, 75)) * px_per_mm <= FOLLOWING.most_crooked_px


def _more_exact(laid: Calibration | None, tracked: Calibration | None) -> Calibration | None:
    """Take what was tracked, for it has more points, unless the paint lies elsewhere: then it is shadows that moved."""
    if laid is None or tracked is None:
        return laid or tracked
    return tracked if tracked.apart_px(laid) <= FOLLOWING.most_beside_paint_px else laid


def _by_tracking(calibration: Calibration, rough: View, plain: _Evened) -> Calibration | None:
    """Track what is seen from a rough pose to where it is seen truly."""
    came_px = _came_from(calibration.view, rough)
    tracked = _tracked(_redrawn(plain.before, came_px), plain.after, _redrawn(plain.where, came_px))
    view = _pose(rough, tracked, near_px=FOLLOWING.near_px, least_share=FOLLOWING.fine_share)
    return None if view is None else replace(calibration, view=view)


def _evened(picture_bgr: Picture) -> Picture:
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    rise = grey - cv2.GaussianBlur(grey, (0, 0), FOLLOWING.grain_px)
    spread = np.sqrt(cv2.GaussianBlur(rise**2, (0, 0), FOLLOWING.grain_px)) + FOLLOWING.flat_levels
    return np.asarray(np.clip(128 + 40 * rise / spread, 0, 255), np.uint8)


def _on_board(calibration: Calibration) -> Picture:
    width, height = calibration.view.lens.size_px
    mask = np.zeros((height, width), np.uint8)
    corners = calibration.view.mm_to_px(corners_mm(calibration.board))
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((25, 25), np.uint8)), np.uint8)


def _recognised(plain: _Evened, *, times: int) -> _Pairs:
    """Recognise features of the board in the new picture; both pictures are shrunk for that."""
    sift = cv2.SIFT_create(nfeatures=FOLLOWING.features)
    one, other, mask = (_shrunk(picture, times) for picture in (plain.before, plain.after, plain.where))
    points, looks = sift.detectAndCompute(one, np.asarray(mask == 255, np.uint8))
    others, others_look = sift.detectAndCompute(other, None)
    if len(points) < 2 or len(others) < 2:
        return _Pairs(were_px=np.empty((0, 2)), are_px=np.empty((0, 2)))
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(looks, others_look, k=2)
    likely = [best for best, next_best in pairs if best.distance < FOLLOWING.likelier * next_best.distance]
    were, are = [points[one.queryIdx].pt for one in likely], [others[one.trainIdx].pt for one in likely]
    were_px, are_px = ((np.array(at, float).reshape(-1, 2) + 0.5) * times - 0.5 for at in (were, are))
    return _Pairs(were_px=were_px, are_px=are_px)


def _shrunk(picture: Picture, times: int) -> Picture:
    size = (picture.shape[1] // times, picture.shape[0] // times)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _tracked(before: Picture, after: Picture, where: Picture) -> _Pairs:
    """Track corners of one picture, within a mask of it, into the other and back: those that return."""
    corners = cv2.goodFeaturesToTrack(before, FOLLOWING.points, FOLLOWING.quality, FOLLOWING.apart_px, mask=where)
    if corners is None:
        return _Pairs(were_px=np.empty((0, 2)), are_px=np.empty((0, 2)))
    start = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    size = (FOLLOWING.window_px, FOLLOWING.window_px)
    there, seen, _ = cv2.calcOpticalFlowPyrLK(
        before, after, start, np.empty(0), winSize=size, maxLevel=FOLLOWING.levels
    )
    back, returned, _ = cv2.calcOpticalFlowPyrLK(
        after, before, there, np.empty(0), winSize=size, maxLevel=FOLLOWING.levels
    )
    off_px = np.linalg.norm((back - start).reshape(-1, 2), axis=1)
    kept = (np.ravel(seen) > 0) & (np.ravel(returned) > 0) & (off_px < FOLLOWING.back_px)
    were_px, are_px = (np.asarray(at.reshape(-1, 2)[kept], float) for at in (start, there))
    return _Pairs(were_px=were_px, are_px=are_px)


def _pose(view: View, pairs: _Pairs, *, near_px: float, least_share: float) -> View | None:
    """Find the pose from which points, on the board's plane as that view saw them, are seen where they are.

    None where too few agree on how the plane has moved.
    """
    focal_px = view.lens.camera_matrix[0, 0]
    if len(pairs.were_px) < FOLLOWING.least_points:
        return None
    were, are = (view.lens.undistort(at) for at in (pairs.were_px, pairs.are_px))
    plane, agree = cv2.findHomography(were, are, cv2.RANSAC, near_px / focal_px)
    if plane is None or agree.sum() < max(FOLLOWING.least_points, least_share * len(were)):
        return None
    kept = np.ravel(agree) > 0
    places = np.column_stack([view.px_to_mm(pairs.were_px[kept]), np.zeros(np.count_nonzero(kept))])
    done, turn, shift = cv2.solvePnP(places, are[kept], np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return None
    turn, shift = cv2.solvePnPRefineLM(places, are[kept], np.eye(3), None, turn, shift)
    rotation = np.asarray(cv2.Rodrigues(turn)[0], float)
    found = replace(view, rotation=rotation, translation_mm=np.asarray(shift, float).ravel())
    return found if found.camera_mm[2] < 0 else None  # from beneath, a mirrored picture's board would fit


def _came_from(before: View, view: View) -> NDArray[np.float32]:
    """Tell of each pixel (H, W, 2) of a view of the board where the view before saw it."""
    width, height = view.lens.size_px
    steps = np.stack(
        np.meshgrid(*(np.arange(0, side + MESH_PX, MESH_PX, dtype=float) for side in (width, height))), axis=-1
    )
    came_px = before.mm_to_px(view.px_to_mm(steps.reshape(-1, 2))).astype(np.float32).reshape(steps.shape)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32) / MESH_PX
    return np.asarray(cv2.remap(came_px, xs, ys, cv2.INTER_LINEAR), np.float32)


def _redrawn(picture: Picture, came_px: NDArray[np.float32]) -> Picture:
    """Draw a picture as another view has it; black where it shows nothing."""
    return np.asarray(cv2.remap(picture, came_px[..., 0], came_px[..., 1], cv2.INTER_CUBIC), np.uint8)


def _seen_from(calibration: Calibration, view: View, picture_bgr: Picture) -> Picture:
    """Draw the empty picture as the moved camera sees it; what it did not show before is taken from the new one."""
    came_px = _came_from(calibration.view, view)
    width, height = view.lens.size_px
    x, y = came_px[..., 0], came_px[..., 1]
    is_known = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    return np.where(is_known[..., None], _redrawn(calibration.empty_bgr, came_px), picture_bgr).astype(np.uint8)
