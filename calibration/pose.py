"""The camera's pose: first from four taps, then from all painted lines at once; without a lens, the lens too."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.cameras import ANY_CAMERA, LensPrior
from linesies.calibration.drawing import Drawing
from linesies.calibration.grid import on_grid
from linesies.calibration.lens import Lens
from linesies.calibration.ridges import Ridge
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.calibration.view import View

Array = NDArray[np.float64]

TURN_STEP, ZOOM_STEP, BEND_STEP = (
    0.02,
    0.1,
    0.05,
)  # radians (or board sizes), logarithm, 1: what the fit takes for alike


@dataclass(frozen=True)
class CameraPoseTuning(Tuning):
    """How far a lens may be from what is usual, and what a line's middle tells of the pose."""

    least_focal: float = tuned(
        0.6,
        title="of the usual focal length, which four taps may tell at least",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("b91fb5a"),
    )
    most_focal: float = tuned(1.7, title="likewise at most", unit="1", low=1, high=10, source=by_hand_in("b91fb5a"))
    usual_percentile: float = tuned(
        70.0,
        title="per cent of the middles that respond less than a usual one",
        unit="%",
        low=30,
        high=100,
        source=by_hand_in("b91fb5a"),
    )
    least_counts: float = tuned(
        0.02,
        title="of a usual one, what a middle counts that hardly responds",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("b91fb5a"),
    )
    most_zoom: float = tuned(
        1.5,
        title="logarithm by which the fit may change the focal length",
        unit="1",
        low=0.1,
        high=3,
        source=by_hand_in("b91fb5a"),
    )
    rounds: int = tuned(
        60, title="times that the misses are reckoned at most", unit="1", low=10, high=500, source=by_hand_in("b91fb5a")
    )


POSE = CameraPoseTuning()
TURN_LINES, SHIFT_LINES = 2.0**23, 2.0**13  # a radian, a millimetre: 0.0003 mm under a camera 2.7 m high
# as far as numbers go: where a search ends by how little it gains, it ends elsewhere on another machine
TO_THE_LAST = {"ftol": 1e-15, "xtol": 1e-15, "gtol": 1e-15}


def guess_lens(size_px: tuple[int, int], focal_px: float | None = None) -> Lens:
    """Give a lens without bend, centred, of the given or the usual focal length: where a search for it starts."""
    width, height = size_px
    focal = focal_px or ANY_CAMERA.focal * width
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], float)
    return Lens(size_px=size_px, camera_matrix=matrix, distortion=np.zeros(5))


def focal_from_taps(corners_px: Array, corners_mm: Array, size_px: tuple[int, int], prior: LensPrior) -> float:
    """Find the focal length that makes the tapped corners a rectangle of the board's shape, within what lenses have."""
    centred = corners_px - (np.array(size_px) - 1) / 2
    h = cv2.getPerspectiveTransform(corners_mm.astype(np.float32), centred.astype(np.float32))
    a, b = h[:, 0], h[:, 1]
    # both equations of the rotation's columns, weighed by how much they know of the focal length
    tops = np.array([-(a[0] * b[0] + a[1] * b[1]), (b[0] ** 2 + b[1] ** 2) - (a[0] ** 2 + a[1] ** 2)])
    lows = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    square = float(tops @ lows) / max(float(lows @ lows), 1e-30)
    usual = prior.focal * size_px[0]
    return float(np.clip(np.sqrt(square) if square > 0 else usual, POSE.least_focal * usual, POSE.most_focal * usual))


def pose_from_taps(corners_px: Array, corners_mm: Array, lens: Lens) -> View | None:
    """Find the view in which the board's corners lie under the taps (4, 2), or None where there is none from above."""
    ideal = lens.undistort(corners_px)
    points = np.column_stack([corners_mm, np.zeros(4)])
    done, rvec, tvec = cv2.solvePnP(points, ideal, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return None
    rvec, tvec = cv2.solvePnPRefineLM(points, ideal, np.eye(3), None, rvec, tvec)
    rotation = np.asarray(cv2.Rodrigues(rvec)[0], float)
    view = View(lens=lens, rotation=rotation, translation_mm=np.asarray(tvec, float).ravel())
    return view if view.camera_mm[2] < 0 else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoseFit:
    """A refined view and how far the middles seen lie from the drawing in it (N,), in pixels."""

    view: View
    miss_px: Array


def refine(view: View, drawing: Drawing, ridges: list[Ridge], *, prior: LensPrior | None, scale_px: float) -> PoseFit:
    """Move the view so that the drawing lies on the middles seen; misses far above `scale_px` count little.

    With a prior the lens is sought too, without one it is known.
    """
    lines = np.concatenate([np.full(len(r.share), r.line) for r in ridges])
    share = np.concatenate([r.share for r in ridges])[:, None]
    ends = np.array([(line.start, line.end) for line in drawing.lines])[lines]
    places_mm = (1 - share) * drawing.nodes_mm[ends[:, 0]] + share * drawing.nodes_mm[ends[:, 1]]
    seen_px = np.vstack([r.found_px for r in ridges])
    normal_px = np.vstack([r.normal_px for r in ridges])
    held = _weights(ridges)

    def misses(seen_in: View) -> Array:
        return np.asarray(((seen_in.mm_to_px(places_mm) - seen_px) * normal_px).sum(axis=1), float)

    def robust(unknown: Array) -> Array:
        miss = misses(_moved(view, unknown)) / scale_px
        return np.concatenate([held * _soft(miss), _leanings(view, unknown, prior)])

    from scipy.optimize import least_squares  # noqa: PLC0415 - heavy; a box seeks its pose seldom

    start = np.zeros(6 if prior is None else 8)
    size_mm = float(np.ptp(drawing.nodes_mm))
    steps = np.array([*[TURN_STEP] * 3, *[TURN_STEP * size_mm] * 3, ZOOM_STEP, BEND_STEP])[: len(start)]
    solved = least_squares(
        robust, start, jac="3-point", x_scale=steps, method="trf", max_nfev=POSE.rounds, **TO_THE_LAST
    )
    found = _moved(view, solved.x)
    return PoseFit(view=found, miss_px=misses(found))


def on_pose_grid(view: View) -> View:
    """Put a pose that was sought to the last on a grid, so that it is the same whichever machine sought it."""
    return replace(
        view,
        rotation=on_grid(view.rotation, TURN_LINES),
        translation_mm=on_grid(view.translation_mm, SHIFT_LINES),
    )


def _weights(ridges: list[Ridge]) -> Array:
    response = np.concatenate([r.response for r in ridges])
    usual = max(float(np.percentile(response, POSE.usual_percentile)), 1e-9)
    return np.asarray(np.sqrt(np.clip(response / usual, POSE.least_counts, 1.0)), float)


def _soft(miss: Array) -> Array:
    """Square-root-of-Geman-McClure: as the miss itself when small, never above 1.4 when gross."""
    return np.asarray(miss / np.sqrt(1 + miss**2 / 2), float)


def _leanings(view: View, unknown: Array, prior: LensPrior | None) -> Array:
    """Give how far the lens strays from what is usual, as residuals: empty where it is known."""
    if prior is None:
        return np.empty(0)
    lens = _moved(view, unknown).lens
    focal = lens.camera_matrix[0, 0] / (prior.focal * lens.size_px[0])
    return np.array([np.log(focal) / prior.focal_spread, (lens.distortion.ravel()[0] - prior.bend) / prior.bend_spread])


def _moved(view: View, unknown: Array) -> View:
    """Turn and shift a view; with 8 unknowns, scale its focal length (keeping the board's size) and bend it."""
    turn = np.asarray(cv2.Rodrigues(np.asarray(unknown[:3], float))[0], float)
    shift = np.asarray(unknown[3:6], float)
    lens, translation = view.lens, view.translation_mm
    if len(unknown) == 8:
        zoom = float(np.exp(np.clip(unknown[6], -POSE.most_zoom, POSE.most_zoom)))
        matrix = lens.camera_matrix * np.array([[zoom, 1, 1], [1, zoom, 1], [1, 1, 1]])
        bend = lens.distortion.ravel() + np.array([unknown[7], *np.zeros(lens.distortion.size - 1)])
        lens = Lens(size_px=lens.size_px, camera_matrix=matrix, distortion=bend)
        translation = translation * np.array([1, 1, zoom])
    return View(lens=lens, rotation=turn @ view.rotation, translation_mm=translation + shift)
