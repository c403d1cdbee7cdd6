"""The lines' middles, found roughly: where along each cut a bar of paint's width differs most from both its sides."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.drawing import Drawing
from linesies.calibration.profiles import LineCourse, Picture, course, cut, is_inside
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.calibration.view import View

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class RidgeTuning(Tuning):
    """How the middle of a line is followed."""

    stretch_px: float = tuned(
        12.0,
        title="light is averaged along this much of a line: texture goes, crookedness stays",
        unit="px",
        low=2,
        high=60,
        source=by_hand_in("b91fb5a"),
    )
    step_px: float = tuned(
        1.5, title="between the stations of a rough course", unit="px", low=0.5, high=10, source=by_hand_in("b91fb5a")
    )
    leap_cost: float = tuned(
        0.15,
        title="of a line's best response, for each pixel that its middle leaps",
        unit="1",
        low=0.01,
        high=2,
        source=by_hand_in("b91fb5a"),
    )
    gap_px: float = tuned(
        1.5,
        title="beside the paint, which belongs neither to it nor to its flanks",
        unit="px",
        low=0,
        high=6,
        source=by_hand_in("b91fb5a"),
    )
    bar_share: float = tuned(
        0.8,
        title="of the paint's width, which is surely paint",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("b91fb5a"),
    )
    best_percentile: float = tuned(
        75.0,
        title="per cent of a line's stretches that respond less than its best",
        unit="%",
        low=30,
        high=100,
        source=by_hand_in("b91fb5a"),
    )


RIDGES = RidgeTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ridge:
    """One line's middle as seen, stretch by stretch.

    Stretches lie at `share` (N,) of its length, `offset_px` (N,) along `normal_px` (N, 2) from `centre_px` (N, 2);
    `response` (N,) is how much paint differs from ground there; `paint_bgr`, `ground_bgr` (N, 3) are both's colours.
    """

    line: int
    share: Array
    centre_px: Array
    normal_px: Array
    offset_px: Array
    response: Array
    paint_bgr: Array
    ground_bgr: Array

    @property
    def found_px(self) -> Array:
        """Where the middle was seen, (N, 2)."""
        return self.centre_px + self.offset_px[:, None] * self.normal_px


def find_ridges(
    picture: Picture, drawing: Drawing, view: View, width_mm: float, *, reach_px: float, mix_bgr: Array | None
) -> list[Ridge]:
    """Look for every line's middle within `reach_px` of its place in `view`; without a mix any colour may differ."""
    ridges = []
    for number, line in enumerate(drawing.lines):
        ends_mm = drawing.nodes_mm[[line.start, line.end]]
        ridge = _ridge(picture, course(view, ends_mm, width_mm, RIDGES.step_px), number, reach_px, mix_bgr)
        if ridge is not None:
            ridges.append(ridge)
    return ridges


def _ridge(picture: Picture, where: LineCourse, line: int, reach_px: float, mix_bgr: Array | None) -> Ridge | None:
    size_px = (picture.shape[1], picture.shape[0])
    inside = is_inside(where.centre_px, size_px, 2.0)
    width = float(np.median(where.width_px))
    inside &= (where.share * where.length_px > width) & ((1 - where.share) * where.length_px > width)
    group = max(int(RIDGES.stretch_px / RIDGES.step_px), 1)
    picked = np.flatnonzero(inside)
    picked = picked[: len(picked) // group * group]
    if len(picked) < 2 * group:
        return None
    flank = width + RIDGES.gap_px
    reach = np.arange(-np.ceil(reach_px + width / 2 + flank), np.ceil(reach_px + width / 2 + flank) + 1)
    light = cut(picture, where.centre_px[picked], where.normal_px[picked], reach)
    light = light.reshape(-1, group, *light.shape[1:]).mean(axis=1).astype(float)
    inner, left, right = _bars(light, width)
    step = inner - (left + right) / 2
    slope = np.abs(left - right)
    if mix_bgr is None:
        score = np.linalg.norm(step, axis=2) - 0.5 * np.linalg.norm(slope, axis=2)
    else:
        score = step @ mix_bgr - 0.5 * np.abs((left - right) @ mix_bgr)
    near = np.flatnonzero(np.abs(reach) <= reach_px)
    path = near[_best_path(score[:, near])]
    rows = np.arange(len(path))
    middle = picked.reshape(-1, group)
    return Ridge(
        line=line,
        share=where.share[middle].mean(axis=1),
        centre_px=where.centre_px[middle].mean(axis=1),
        normal_px=where.normal_px[middle[:, group // 2]],
        offset_px=_vertex(score, rows, path, reach),
        response=score[rows, path],
        paint_bgr=inner[rows, path],
        ground_bgr=((left + right) / 2)[rows, path],
    )


def _bars(light: Array, width: float) -> tuple[Array, Array, Array]:
    """Average each cut's light (N, U, 3) over a bar of the paint's width and over a flank on either side."""
    half = int(np.ceil(1.5 * (width + 1) + RIDGES.gap_px))
    u = np.arange(-half, half + 1)
    bar = np.clip(RIDGES.bar_share * width / 2 + 0.5 - np.abs(u), 0, 1)
    gap = width / 2 + RIDGES.gap_px
    right = np.clip(np.minimum(u - gap + 0.5, gap + width - u + 0.5), 0, 1)
    kernels = (bar / bar.sum(), right[::-1] / right.sum(), right / right.sum())
    inner, left, right_side = (
        np.asarray(cv2.sepFilter2D(light, -1, k, np.ones(1), borderType=cv2.BORDER_REPLICATE), float) for k in kernels
    )
    return inner, left, right_side


def _best_path(score: Array) -> NDArray[np.intp]:
    """Follow the strongest response from stretch to stretch, paying for leaps (Viterbi)."""
    count, wide = score.shape
    cost = RIDGES.leap_cost * max(float(np.percentile(score.max(axis=1), RIDGES.best_percentile)), 1e-9)
    leap = cost * np.abs(np.arange(wide)[:, None] - np.arange(wide)[None])
    best = score[0]
    came = np.zeros((count, wide), np.intp)
    for i in range(1, count):
        reached = best[None] - leap
        came[i] = reached.argmax(axis=1)
        best = reached.max(axis=1) + score[i]
    path = np.zeros(count, np.intp)
    path[-1] = int(best.argmax())
    for i in range(count - 1, 0, -1):
        path[i - 1] = came[i, path[i]]
    return path


def _vertex(score: Array, rows: NDArray[np.intp], path: NDArray[np.intp], reach: Array) -> Array:
    """Place each peak between pixels by the parabola through it and its neighbours."""
    inner = np.clip(path, 1, score.shape[1] - 2)
    before, at, after = score[rows, inner - 1], score[rows, inner], score[rows, inner + 1]
    bend = before - 2 * at + after
    shift = np.where(bend < -1e-12, 0.5 * (before - after) / np.where(bend < -1e-12, bend, 1.0), 0.0)
    return np.asarray(reach[inner] + np.clip(shift, -0.5, 0.5), float)
