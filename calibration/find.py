"""Finding the board without taps.

Straight bars of paint are taken in fours as its outer border, and the drawing is laid on each four to see whether
paint lies where lines are drawn and nowhere else.
"""

from dataclasses import dataclass
from itertools import combinations, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.board import Board
from linesies.calibration.drawing import Drawing, corners_mm
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned

Array = NDArray[np.float64]
WORKING_PX = 960  # the picture's width for the search
BAR_STEP_PX, BAR_STEP_RAD = 1.5, np.pi / 360  # between bars that are told apart
AT_ONCE = 500  # quadrangles scored in one go: more would only take memory


@dataclass(frozen=True, kw_only=True)
class BoardSearchTuning(Tuning):
    """What may be a board that nobody has tapped."""

    usual_extent: float = tuned(
        0.75,
        title="of the picture's height that a board fills",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("34d10d3"),
    )
    bars: int = tuned(
        26,
        title="the strongest straight bars that are tried as sides",
        unit="1",
        low=4,
        high=80,
        source=by_hand_in("34d10d3"),
    )
    strong_share: float = tuned(
        0.05, title="of all pixels that count as bars", unit="1", low=0.001, high=0.5, source=by_hand_in("34d10d3")
    )
    least_area: float = tuned(
        0.08,
        title="of the picture that a board covers",
        unit="1",
        low=0.01,
        high=0.5,
        source="geometry: of a smaller 6 ft board in 1920x1080, a crown cap is less than six pixels wide",
    )
    outside: float = tuned(
        0.15,
        title="how far outside the picture a corner may lie, of its size",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("34d10d3"),
    )
    side_samples: int = tuned(
        24, title="places on each side that are asked", unit="1", low=4, high=200, source=by_hand_in("34d10d3")
    )
    line_samples: int = tuned(
        6, title="places on each line that are asked", unit="1", low=2, high=50, source=by_hand_in("34d10d3")
    )
    same_bar_px: float = tuned(
        8.0,
        title="how far apart two bars may be and still be one",
        unit="px",
        low=1,
        high=50,
        source=by_hand_in("34d10d3"),
    )
    same_bar_rad: float = tuned(
        0.05,
        title="by how much two bars may be turned and still be one",
        unit="rad",
        low=0.005,
        high=0.5,
        source=by_hand_in("34d10d3"),
    )
    tried: int = tuned(
        400,
        title="quadrilaterals at most that are tried on all lines, by their sides",
        unit="1",
        low=50,
        high=5000,
        source=BY_HAND,
    )
    least_blur_px: float = tuned(
        0.8, title="least blur before bars are told", unit="px", low=0.3, high=3, source=BY_HAND
    )
    least_strong: float = tuned(
        0.2, title="least strength of a strong bar", unit="1", low=0.05, high=0.9, source=BY_HAND
    )
    lines: int = tuned(
        600, title="strongest straight lines that are looked at", unit="1", low=50, high=5000, source=BY_HAND
    )
    parallel_deg: float = tuned(
        35.0, title="turn up to which two bars are roughly parallel", unit="deg", low=5, high=60, source=BY_HAND
    )
    across_deg: float = tuned(
        40.0, title="turn from which two run across one another", unit="deg", low=10, high=80, source=BY_HAND
    )
    least_corner: float = tuned(
        0.25,
        title="of a quadrangle's area, what each corner turns at least: with less it is nearly a triangle",
        unit="1",
        low=0.02,
        high=0.9,
        source=by_hand_in("34d10d3"),
    )


SEARCH = BoardSearchTuning()


def find_corners(picture_bgr: NDArray[np.uint8], board: Board, drawing: Drawing, count: int) -> list[Array]:
    """List the likeliest places of the board's corners (4, 2) in the picture, best first, at most `count`.

    They run clockwise; which of them is the corner of box 1 is not known.
    """
    scale = min(WORKING_PX / picture_bgr.shape[1], 1.0)
    small = (
        cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture_bgr
    )
    width_px = max(board.line_width_mm / max(board.size_mm) * SEARCH.usual_extent * small.shape[0], 1.5)
    found: list[tuple[float, Array]] = []
    on_mm, off_mm = _places(board, drawing)
    for bars in _bar_maps(np.asarray(small, np.uint8), width_px):
        quads = _quads(_straight(bars), (small.shape[1], small.shape[0]))
        if not len(quads):
            continue
        soft = np.asarray(cv2.dilate(bars, np.ones((5, 5), np.uint8)), np.float32)
        sides = _scores(soft, quads, board, _along_border(board), off_mm)
        best = np.argsort(-sides)[: SEARCH.tried]
        scores = _scores(soft, quads[best], board, on_mm, off_mm)
        found += [(float(scores[i]), quads[best[i]]) for i in np.argsort(-scores)[:count]]
    found.sort(key=lambda pair: -pair[0])
    distinct: list[Array] = []
    for _, quad in found:
        if all(np.abs(quad - other).max() > 2 * SEARCH.same_bar_px for other in distinct):
            distinct.append(quad)
    return [(quad + 0.5) / scale - 0.5 for quad in distinct[:count]]


def _bar_maps(small_bgr: NDArray[np.uint8], width_px: float) -> list[NDArray[np.float32]]:
    """Show, from 0 to 1, where bars of paint's width are: bright and dark ones, in light and in colour."""
    lab = cv2.cvtColor(small_bgr, cv2.COLOR_BGR2LAB).astype(np.float32)
    maps = []
    for channel in cv2.split(lab):
        smooth = cv2.GaussianBlur(channel, (0, 0), max(0.5 * width_px, SEARCH.least_blur_px))
        xx, yy, xy = (cv2.Sobel(smooth, cv2.CV_32F, *order, ksize=3) for order in ((2, 0), (0, 2), (1, 1)))
        mean, spread = (xx + yy) / 2, np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
        for sign in (1.0, -1.0):
            # the curvature across the bar less that along it, so that spots do not count
            bend = np.maximum(sign * mean + spread, 0) - np.abs(np.minimum(sign * mean - spread, 0)) * 0.5
            bend -= np.maximum(sign * mean - spread, 0)
            full = max(float(np.percentile(bend, 100 * (1 - SEARCH.strong_share / 2))), 1e-6)
            maps.append(np.clip(bend / full, 0, 1).astype(np.float32))
    return maps


def _straight(bars: NDArray[np.float32]) -> list[tuple[float, float]]:
    """Find the strongest straight bars as (rho, theta): x cos + y sin = rho."""
    crest = (bars >= cv2.dilate(bars, np.ones((1, 3), np.uint8))) | (
        bars >= cv2.dilate(bars, np.ones((3, 1), np.uint8))
    )
    strong = bars > max(float(np.percentile(bars, 100 * (1 - SEARCH.strong_share))), SEARCH.least_strong)
    mask = (crest & strong).astype(np.uint8) * 255
    lines = cv2.HoughLines(mask, BAR_STEP_PX, BAR_STEP_RAD, max(mask.shape[0] // 8, 20))
    kept: list[tuple[float, float]] = []
    for rho, theta in [] if lines is None else lines[: SEARCH.lines, 0].astype(float):
        if all(not _is_same(rho, theta, *other) for other in kept):
            kept.append((rho, theta))
        if len(kept) == SEARCH.bars:
            break
    return kept


def _is_same(rho: float, theta: float, rho2: float, theta2: float) -> bool:
    turned = theta - theta2
    if abs(turned) > np.pi / 2:
        turned, rho2 = np.pi - abs(turned), -rho2
    return bool(abs(turned) < SEARCH.same_bar_rad and abs(rho - rho2) < SEARCH.same_bar_px)


def _quads(bars: list[tuple[float, float]], size_px: tuple[int, int]) -> Array:
    """Cross all pairs of roughly parallel bars with all pairs that run across them: corners (N, 4, 2), clockwise."""
    if len(bars) < 4:
        return np.empty((0, 4, 2))
    rho, theta = np.array(bars).T
    pairs = [
        (i, j)
        for i, j in combinations(range(len(bars)), 2)
        if _turn(theta[i] - theta[j]) < np.radians(SEARCH.parallel_deg)
    ]
    crossings = [
        (i, k, j, m)
        for (i, j), (k, m) in combinations(pairs, 2)
        if min(_turn(theta[a] - theta[b]) for a in (i, j) for b in (k, m)) > np.radians(SEARCH.across_deg)
    ]
    if not crossings:
        return np.empty((0, 4, 2))
    ring = np.array(crossings)
    corners = np.stack([_meet(rho, theta, ring[:, a], ring[:, b]) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))], axis=1)
    after = np.roll(corners, -1, axis=1) - corners
    before = np.roll(after, 1, axis=1)
    turns = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    corners = np.where((turns.mean(axis=1) < 0)[:, None, None], corners[:, ::-1], corners)
    area = np.abs(turns).mean(axis=1)
    size = np.array(size_px, float)
    near = (np.abs(corners - size / 2) < size * (0.5 + SEARCH.outside)).all(axis=(1, 2))
    convex = np.abs(turns).min(axis=1) > SEARCH.least_corner * area
    same_turn = (np.sign(turns) == np.sign(turns[:, :1])).all(axis=1)
    return np.asarray(corners[near & convex & same_turn & (area > SEARCH.least_area * size.prod())], float)


def _turn(angle: float) -> float:
    """Fold the angle between two undirected lines into 0 to 90 degrees."""
    return float(abs((angle + np.pi / 2) % np.pi - np.pi / 2))


def _meet(rho: Array, theta: Array, a: NDArray[np.intp], b: NDArray[np.intp]) -> Array:
    det = np.sin(theta[b] - theta[a])
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    x = (rho[a] * np.sin(theta[b]) - rho[b] * np.sin(theta[a])) / det
    y = (rho[b] * np.cos(theta[a]) - rho[a] * np.cos(theta[b])) / det
    return np.column_stack([x, y])


def _places(board: Board, drawing: Drawing) -> tuple[Array, Array]:
    """Board points (N, 2) on lines, and points (M, 2) well off them."""
    shares = (np.arange(SEARCH.line_samples) + 0.5) / SEARCH.line_samples
    ends = np.array([(drawing.nodes_mm[line.start], drawing.nodes_mm[line.end]) for line in drawing.lines])
    on_mm = (ends[:, :1] + shares[None, :, None] * (ends[:, 1:] - ends[:, :1])).reshape(-1, 2)
    axes = [np.linspace(0, side, 41)[1:-1] for side in board.size_mm]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    along = ends[:, 1] - ends[:, 0]
    share = np.clip(((grid[:, None] - ends[None, :, 0]) * along).sum(-1) / (along**2).sum(-1), 0, 1)
    gaps = np.linalg.norm(grid[:, None] - ends[None, :, 0] - share[..., None] * along, axis=-1).min(axis=1)
    return on_mm, grid[gaps > 3 * board.line_width_mm]


def _along_border(board: Board) -> Array:
    corners = corners_mm(board)
    shares = ((np.arange(SEARCH.side_samples) + 0.5) / SEARCH.side_samples)[:, None]
    return np.vstack([a + shares * (b - a) for a, b in pairwise([*corners, corners[0]])])


def _scores(soft: NDArray[np.float32], quads: Array, board: Board, on_mm: Array, off_mm: Array) -> Array:
    """How much more bar lies on the drawing's lines than off them, for each quadrangle (N, 4, 2)."""
    framed = np.pad(soft, 1)
    scores = []
    for start in range(0, len(quads), AT_ONCE):
        homographies = _homographies(corners_mm(board), quads[start : start + AT_ONCE])
        scores.append(_mean_at(framed, homographies, on_mm) - _mean_at(framed, homographies, off_mm))
    return np.concatenate(scores)


def _homographies(source: Array, quads: Array) -> Array:
    """Solve the plane maps (N, 3, 3) that take `source` (4, 2) to each quadrangle."""
    x, y = source.T
    u, v = quads[..., 0], quads[..., 1]
    zero, one = np.zeros_like(u), np.ones_like(u)
    x, y = np.broadcast_to(x, u.shape), np.broadcast_to(y, u.shape)
    upper = np.stack([x, y, one, zero, zero, zero, -u * x, -u * y], axis=-1)
    lower = np.stack([zero, zero, zero, x, y, one, -v * x, -v * y], axis=-1)
    solved = np.linalg.solve(np.concatenate([upper, lower], axis=1), np.concatenate([u, v], axis=1)[..., None])[..., 0]
    return np.concatenate([solved, np.ones((len(quads), 1))], axis=1).reshape(-1, 3, 3)


def _mean_at(framed: NDArray[np.float32], homographies: Array, places_mm: Array) -> Array:
    """Average a map, framed by a pixel of nothing, at places (P, 2) laid on it by each plane map (N, 3, 3)."""
    points = np.column_stack([places_mm, np.ones(len(places_mm))])
    seen = np.einsum("nij,pj->npi", homographies, points)
    xy = np.round(seen[..., :2] / seen[..., 2:]).astype(np.int32) + 1
    x, y = np.clip(xy[..., 0], 0, framed.shape[1] - 1), np.clip(xy[..., 1], 0, framed.shape[0] - 1)
    return np.asarray(framed[y, x].mean(axis=1), float)
