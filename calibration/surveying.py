"""The survey: every line's edges fitted in the picture, tied together where lines meet, and laid out in millimetres."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.board import Board, Region
from linesies.calibration.drawing import Drawing
from linesies.calibration.edges import CrossSections, Edges, Pin, Stiffness, fit_edges
from linesies.calibration.profiles import LineCourse, Picture, course, cut, is_inside
from linesies.calibration.ridges import Ridge
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.survey import PaintedLine, Survey
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.calibration.view import View

Array = NDArray[np.float64]
STIFFNESS = Stiffness()
HALF_DIAGONAL_PX = 0.7  # of a pixel
ENDS = (0, -1)  # of a line's stations
BLURS_PX = (0.5, 0.7, 0.9, 1.1, 1.3, 1.6, 2.0, 2.5)  # tried; between them the lowest misfit is taken


@dataclass(frozen=True, kw_only=True)
class SurveyTuning(Tuning):
    """How edges of paint are looked for, and how exactly they are known."""

    flank_px: float = tuned(
        6.0,
        title="how much ground on either side of the paint is looked at",
        unit="px",
        low=2,
        high=20,
        source="three deviations of a wide blur of luma (1.6 px) and a pixel: beyond, ground shows as it is",
    )
    keep_off_px: float = tuned(
        2.0,
        title="how far from other lines' paint one looks",
        unit="px",
        low=0,
        high=10,
        source="two deviations of a usual camera's blur (0.8 to 1.1 px): within them other paint still shows",
    )
    node_spread_px: float = tuned(
        8.0,
        title="how far places where lines meet stray from where they were drawn",
        unit="px",
        low=1,
        high=40,
        source=by_hand_in("6becef9"),
    )
    pin_sigma_px: float = tuned(
        0.15, title="how exactly two lines meet in one place", unit="px", low=0.01, high=2, source=by_hand_in("6becef9")
    )
    blur_lines: int = tuned(
        12, title="lines of which the camera's blur is told", unit="1", low=1, high=60, source=by_hand_in("391e905")
    )
    station_px: float = tuned(
        2.0,
        title="between the stations that are kept",
        unit="px",
        low=1,
        high=10,
        source="sampling: blurred by a deviation of about a pixel, paint shows nothing finer",
    )
    least_sigma_px: float = tuned(
        0.1,
        title="what ragged edges and stored colours leave open at best",
        unit="px",
        low=0.01,
        high=1,
        source="what a camera's tone curve left on the public scenes once sRGB was undone: about 0.1 px",
    )
    model_share: float = tuned(
        1.15,
        title="by how much errors are larger than the fit believes: paint is not quite a box",
        unit="1",
        low=1,
        high=3,
        source=by_hand_in("54dd8b3"),
    )
    darkest: int = tuned(
        4,
        title="stored level up to which a colour is cut off",
        unit="1",
        low=-1,
        high=40,
        source="0 is cut off; a JPEG of quality 90 and more strays from it by a few levels",
    )
    brightest: int = tuned(
        250,
        title="stored level from which on a colour is cut off",
        unit="1",
        low=200,
        high=256,
        source="255 is cut off; a JPEG of quality 90 and more strays from it by a few levels",
    )
    told_share: float = tuned(
        0.3, title="least share of a line's pixels that must not be cut off", unit="1", low=0, high=1, source=BY_HAND
    )
    fringe: float = tuned(
        0.02,
        title="how much farther than its outline paint reaches, of a line's width",
        unit="1",
        low=0,
        high=0.2,
        source="seen on boards of known outline",
    )
    end: float = tuned(
        0.05,
        title="of its width, how far off a line may end where paint lies on paint",
        unit="1",
        low=0,
        high=0.5,
        source="480 ends on simulated streets 10034, 10041 and varied 11005 are off by 0.75 to 0.9 mm of 12.7; what "
        "else was stated explains 0.6 to 0.7 of that, 2026-11-27",
    )


SURVEY = SurveyTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surveyed:
    """Each drawn line's course in the picture, the edges fitted on it, where lines meet, and the camera's blur."""

    courses: list[LineCourse]
    edges: list[Edges]
    nodes_px: Array  # (nodes, 2): how far each node lies from where it was drawn
    blur_px: float

    @property
    def usual_width_px(self) -> float:
        """How wide most of the paint is."""
        return float(np.median(np.concatenate([found.width_px for found in self.edges])))

    @property
    def misfit_px(self) -> float:
        """The RMS of the edges' standard errors."""
        return float(np.sqrt(np.mean([np.mean(found.sigma_px**2) for found in self.edges])))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """One plane of a picture, (H, W), higher on paint than beside it, and in which of its pixels a colour is cut off.

    Where the sun overexposes paint, or a camera's strong colours leave none of one, a pixel tells no more than that it
    is paint: taken at its word, edges come out up to a pixel too far outside.
    """

    light: Picture
    is_cut_off: NDArray[np.bool_]


def sight_of(picture_bgr: NDArray[np.uint8], light: Picture) -> Sight:
    """Tell of which pixels of a picture (H, W, 3) a plane of it (H, W) says nothing exact."""
    is_cut_off = (picture_bgr <= SURVEY.darkest) | (picture_bgr >= SURVEY.brightest)
    return Sight(light=light, is_cut_off=np.asarray(is_cut_off.any(axis=-1), bool))


def survey_lines(sight: Sight, drawing: Drawing, view: View, board: Board, ridges: list[Ridge]) -> Surveyed:
    """Fit all lines twice: alone, then with the nodes where they meet held together."""
    guess = {ridge.line: ridge for ridge in ridges}
    courses = [
        course(view, drawing.nodes_mm[[line.start, line.end]], board.line_width_mm, 1.0) for line in drawing.lines
    ]
    middles = [_guess(where, guess.get(i)) for i, where in enumerate(courses)]
    widths = [where.width_px for where in courses]
    pins: list[tuple[Pin, ...]] = [()] * len(courses)
    edges: list[Edges] = []
    nodes_px = np.zeros((len(drawing.nodes_mm), 2))
    blur_px = BLURS_PX[2]
    for turn in range(3):
        crowd = _crowd(sight.light.shape[:2], courses, middles, widths)
        cuts = [_cuts(sight, *line, crowd) for line in zip(courses, middles, widths, strict=True)]
        if turn == 1:
            blur_px = _blur(cuts)
        edges = [fit_edges(cut, blur_px, STIFFNESS, pin) for cut, pin in zip(cuts, pins, strict=True)]
        middles = [found.middle_px for found in edges]
        widths = [found.width_px for found in edges]
        nodes_px = _nodes(drawing, courses, edges)
        pins = _pins(drawing, courses, nodes_px)
    return Surveyed(courses=courses, edges=edges, nodes_px=nodes_px, blur_px=blur_px)


def _guess(where: LineCourse, ridge: Ridge | None) -> Array:
    if ridge is None:
        return np.zeros(len(where.share))
    return np.interp(where.share, ridge.share, ridge.offset_px)


def _outline(where: LineCourse, middle: Array, half: Array) -> Array:
    left = where.centre_px + (middle - half)[:, None] * where.normal_px
    right = where.centre_px + (middle + half)[:, None] * where.normal_px
    return np.vstack([left, right[::-1]])


def _crowd(
    shape: tuple[int, int], courses: list[LineCourse], middles: list[Array], widths: list[Array]
) -> NDArray[np.uint8]:
    """Count the lines on each pixel, each as broad as its paint and what blurs from it."""
    count = np.zeros(shape, np.uint8)
    for where, middle, width in zip(courses, middles, widths, strict=True):
        outline = _outline(where, middle, width / 2 + SURVEY.keep_off_px)
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, np.array(shape[::-1]))
        if (high <= low).any():
            continue
        piece = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillPoly(piece, [np.round((outline - low) * 16).astype(np.int32)], 1, shift=4)
        count[low[1] : high[1], low[0] : high[0]] += piece
    return count


def _cuts(sight: Sight, where: LineCourse, middle: Array, width: Array, crowd: NDArray[np.uint8]) -> CrossSections:
    """Cut across a line where it is known to lie so far, trusting nothing near other lines or outside the picture."""
    stray = np.round(middle)
    half = float(width.max()) / 2 + SURVEY.flank_px
    reach = np.arange(-np.ceil(half + 1), np.ceil(half + 1) + 1)
    centre = where.centre_px + stray[:, None] * where.normal_px
    across = cut(sight.light, centre, where.normal_px, reach).astype(float)
    places = (centre[:, None] + reach[None, :, None] * where.normal_px[:, None]).astype(np.float32)
    lines = _nearest(crowd, places)
    aside = np.abs(reach[None] + (stray - middle)[:, None])
    own_edge = width[:, None] / 2 + SURVEY.keep_off_px + HALF_DIAGONAL_PX
    free = lines <= (aside <= own_edge)
    near = aside <= width[:, None] / 2 + SURVEY.flank_px
    height, width_px = sight.light.shape
    inside = is_inside(centre, (width_px, height), 1.0)
    trusted = free & near & inside[:, None]
    told = trusted & (_nearest(sight.is_cut_off.view(np.uint8), places) == 0)
    # a line of which little else is seen is measured by what is cut off all the same
    is_told = told.sum() > SURVEY.told_share * trusted.sum()
    return CrossSections(
        share=where.share,
        light=across,
        weight=(told if is_told else trusted).astype(float),
        reach_px=reach[None] + stray[:, None],
        width_px=where.width_px,
        guess_px=middle,
    )


def _nearest(mask: NDArray[np.uint8], places: NDArray[np.float32]) -> NDArray[np.intp]:
    """Read the nearest pixel of a mask (H, W) at places (N, U, 2), 255 outside."""
    found = cv2.remap(mask, places[..., 0], places[..., 1], cv2.INTER_NEAREST, borderValue=255)
    return np.asarray(found, np.intp)


def _blur(cuts: list[CrossSections]) -> float:
    """Find the camera's blur, under which the longest lines misfit least: by a parabola round the best of a few."""
    chosen = sorted(cuts, key=lambda cut: -len(cut.share))[: SURVEY.blur_lines]
    cost = np.array([sum(fit_edges(cut, blur, STIFFNESS).misfit for cut in chosen) for blur in BLURS_PX])
    best = int(np.clip(cost.argmin(), 1, len(BLURS_PX) - 2))
    bend, slope, _ = np.polyfit(BLURS_PX[best - 1 : best + 2], cost[best - 1 : best + 2], 2)
    lowest = -slope / (2 * bend) if bend > 0 else BLURS_PX[int(cost.argmin())]
    return float(np.clip(lowest, BLURS_PX[0], BLURS_PX[-1]))


def _nodes(drawing: Drawing, courses: list[LineCourse], edges: list[Edges]) -> Array:
    """Find from all lines that end there how far each node lies from where it was drawn: (nodes, 2)."""
    hessian = np.repeat(np.eye(2)[None] / SURVEY.node_spread_px**2, len(drawing.nodes_mm), axis=0)
    pull = np.zeros((len(drawing.nodes_mm), 2))
    for line, where, found in zip(drawing.lines, courses, edges, strict=True):
        for node, end in ((line.start, 0), (line.end, -1)):
            normal = where.normal_px[end]
            weight = 1 / (found.middle_sigma_px[end] ** 2 + SURVEY.pin_sigma_px**2)
            hessian[node] += weight * np.outer(normal, normal)
            pull[node] += weight * found.middle_px[end] * normal
    return np.asarray(np.linalg.solve(hessian, pull[..., None])[..., 0], float)


def _pins(drawing: Drawing, courses: list[LineCourse], moved: Array) -> list[tuple[Pin, ...]]:
    """Pin the ends of lines to the nodes where they meet."""
    return [
        (
            Pin(share=0.0, middle_px=float(moved[line.start] @ where.normal_px[0]), sigma_px=SURVEY.pin_sigma_px),
            Pin(share=1.0, middle_px=float(moved[line.end] @ where.normal_px[-1]), sigma_px=SURVEY.pin_sigma_px),
        )
        for line, where in zip(drawing.lines, courses, strict=True)
    ]


def lay_out(surveyed: Surveyed, drawing: Drawing, view: View) -> Survey:
    """Turn fitted edges into outlines in millimetres, squarely ended where the paint ends that they meet."""
    lines = []
    painted_px = [_painted_px(where, found) for where, found in zip(surveyed.courses, surveyed.edges, strict=True)]
    reaches_mm = _reaches_mm(drawing, surveyed, painted_px, view)
    for line, where, found, wide_px, reach_mm in zip(
        drawing.lines, surveyed.courses, surveyed.edges, painted_px, reaches_mm, strict=True
    ):
        beyond_px = [
            reach_mm[end] * _px_per_mm(view, _middle_px(where, found)[end], _out(where, found, end)) for end in ENDS
        ]
        strayed_px = surveyed.nodes_px[[line.start, line.end]]
        rows, left, right = _edges_px(where, found, wide_px, strayed_px, beyond_px)
        left_mm, right_mm = view.px_to_mm(left), view.px_to_mm(right)
        px_per_mm = found.width_px[rows] / np.maximum(np.hypot(*(left_mm - right_mm)[1:-1].T), 1e-9)
        sigma = np.hypot(SURVEY.model_share * found.sigma_px[rows], SURVEY.least_sigma_px) / px_per_mm
        sigma_mm = sigma[[0, *range(len(rows)), -1]]
        sigma_mm[list(ENDS)] = np.hypot(sigma_mm[list(ENDS)], 2 * SURVEY.end * np.array(reach_mm))
        lines.append(PaintedLine(line_class=line.line_class, left_mm=left_mm, right_mm=right_mm, sigma_mm=sigma_mm))
    return Survey(lines=tuple(lines), misfit_px=surveyed.misfit_px)


def _painted_px(where: LineCourse, found: Edges) -> Array:
    """Tell how wide a line is painted (N,), without its fringe, in pixels."""
    return np.asarray(found.width_px - 2 * SURVEY.fringe * where.width_px, float)


def _reaches_mm(
    drawing: Drawing, surveyed: Surveyed, painted_px: Sequence[Array], view: View
) -> list[tuple[float, float]]:
    """Tell how far each line reaches beyond its two nodes: half as far as those are wide that it meets there.

    There paint lies on paint, so that nothing shows where it ends; one that meets none reaches half its own width.
    """
    at_nodes: dict[int, list[tuple[int, float]]] = {}
    for i, (line, where, found) in enumerate(zip(drawing.lines, surveyed.courses, surveyed.edges, strict=True)):
        for node, end in zip((line.start, line.end), ENDS, strict=True):
            scale = _px_per_mm(view, _middle_px(where, found)[end], where.normal_px[end])
            at_nodes.setdefault(node, []).append((i, float(painted_px[i][end]) / scale))

    def reach_mm(i: int, node: int) -> float:
        others = [wide_mm for other, wide_mm in at_nodes[node] if other != i]
        return float(np.mean(others or [wide_mm for _, wide_mm in at_nodes[node]])) / 2

    return [(reach_mm(i, line.start), reach_mm(i, line.end)) for i, line in enumerate(drawing.lines)]


def _middle_px(where: LineCourse, found: Edges) -> Array:
    return np.asarray(where.centre_px + found.middle_px[:, None] * where.normal_px, float)


def _out(where: LineCourse, found: Edges, end: int) -> Array:
    """Tell which way (2,) a line leads out of the picture of it at its first or last station."""
    middle = _middle_px(where, found)
    return _unit(middle[end] - middle[5 if end == 0 else -6])


def _px_per_mm(view: View, at_px: Array, along: Array) -> float:
    """Tell how many pixels a millimetre spans at a picture point (2,) along a way (2,): the less, the more aslant."""
    one, other = view.px_to_mm(np.array([at_px - along / 2, at_px + along / 2]))
    return 1 / max(float(np.hypot(*(other - one))), 1e-9)


def _edges_px(
    where: LineCourse, found: Edges, wide_px: Array, nodes_px: Array, beyond_px: Sequence[float]
) -> tuple[NDArray[np.intp], Array, Array]:
    """List the stations kept, and both edges at each of them and, first and last, so far beyond the nodes."""
    middle = _middle_px(where, found)
    outs = [_out(where, found, end) for end in ENDS]
    # a node that strayed along the line takes its end with it
    beyond = [reach + float(strayed @ out) for reach, strayed, out in zip(beyond_px, nodes_px, outs, strict=True)]
    is_within = np.all(
        [(middle - middle[end]) @ out < reach for end, out, reach in zip(ENDS, outs, beyond, strict=True)], axis=0
    )
    rows = _thinned(np.flatnonzero(is_within))
    first, last = (middle[end] + reach * out for end, out, reach in zip(ENDS, outs, beyond, strict=True))
    sides = []
    for sign in (-0.5, 0.5):
        aside = sign * wide_px[:, None] * where.normal_px
        sides.append(np.vstack([first + aside[rows[0]], middle[rows] + aside[rows], last + aside[rows[-1]]]))
    return rows, sides[0], sides[1]


def _unit(vector: Array) -> Array:
    return vector / max(float(np.hypot(*vector)), 1e-9)


def _thinned(stations: NDArray[np.intp]) -> NDArray[np.intp]:
    steps = max(int(len(stations) / SURVEY.station_px), 2)
    return stations[np.unique(np.linspace(0, len(stations) - 1, steps).round().astype(np.intp))]


def move_regions(board: Board, drawing: Drawing, surveyed: Surveyed, view: View) -> tuple[Region, ...]:
    """Move the drawn regions onto the middles of the surveyed lines."""
    middles = {}
    for line, where, found in zip(drawing.lines, surveyed.courses, surveyed.edges, strict=True):
        middle_mm = view.px_to_mm(_middle_px(where, found))[:: int(SURVEY.station_px)]
        middles[line.start, line.end] = middle_mm
        middles[line.end, line.start] = middle_mm[::-1]
    rings = {name: zip(ring, (*ring[1:], ring[0]), strict=True) for name, ring in drawing.rings.items()}
    return tuple(
        Region(name=region.name, polygon_mm=np.vstack([middles[pair] for pair in rings[region.name]]))
        for region in board.regions
    )
