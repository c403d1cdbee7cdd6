"""A board as a hand paints it: crooked corners, wavy lines of varying width, and what they truly enclose."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, PaintedLine, Region, Survey
from linesies.calibration.standard_boards import line_classes
from linesies.simulator.noise import noise_along

Array = NDArray[np.float64]
Node = tuple[float, float]

STATION = 0.32  # between stations along a line, in line widths
CORNER_STRAY = 0.35  # how far corners stray from the drawing (spread), in line widths
WAVE = 0.14  # how far a line strays between its corners, in line widths
WAVE_GRAIN = 9.0  # in stations
WIDTH_STRAY = 0.09  # spread of the width, of itself
RAGGED = 0.024  # spread of the paint's edge, in line widths
BLEED = 0.02  # how far paint runs beyond the outline that counts, in line widths: as on pictures of known outline


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaintedBoard:
    """What was drawn and what stands on the ground: the truth that gaps are measured to."""

    board: Board
    survey: Survey
    regions: tuple[Region, ...]
    start_line: PaintedLine


def paint_board(board: Board, rng: np.random.Generator) -> PaintedBoard:
    """Paint a drawn board by an unsteady hand."""
    width_mm = board.line_width_mm
    edges = _edges(board)
    nodes = {node: np.array(node) + rng.normal(0, CORNER_STRAY * width_mm, 2) for edge in edges for node in edge}
    painted = {edge: _line(rng, nodes[edge[0]], nodes[edge[1]], width_mm, edges[edge]) for edge in edges}
    regions = tuple(
        Region(name=region.name, polygon_mm=_enclosed(region.polygon_mm, painted)) for region in board.regions
    )
    assert board.start_line_mm is not None
    start, end = board.start_line_mm + rng.normal(0, CORNER_STRAY * width_mm, (2, 2))
    return PaintedBoard(
        board=board,
        survey=Survey(lines=tuple(painted.values()), misfit_px=0.0),
        regions=regions,
        start_line=_line(rng, start, end, width_mm),
    )


def ragged_outline(line: PaintedLine, rng: np.random.Generator) -> Array:
    """Trace the outline (N, 2) with the rough edge that a brush leaves, a trace wider than what counts."""
    across = line.left_mm - line.right_mm
    outline = np.vstack([line.left_mm + BLEED * across, (line.right_mm - BLEED * across)[::-1]])
    width_mm = float(np.median(np.hypot(*across.T)))
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(outline, axis=0).T))])
    fine = np.arange(0.0, length[-1], 1.2)
    rough = np.column_stack([np.interp(fine, length, outline[:, i]) for i in range(2)])
    return rough + RAGGED * width_mm * np.column_stack([noise_along(rng, len(fine), 1.2) for _ in range(2)])


def _edges(board: Board) -> dict[tuple[Node, Node], str]:
    """Each side of each region once, and the border between; the value is its class."""
    edges: dict[tuple[Node, Node], str] = {}
    classes = line_classes(board)
    for region in board.regions:
        for a, b in _sides(region.polygon_mm):
            edge = (b, a) if (b, a) in edges else (a, b)
            edges[edge] = edges.get(edge, "") or classes[region.name]
    for a, b in _border(board, {node for edge in edges for node in edge}):
        if (a, b) not in edges and (b, a) not in edges:
            edges[a, b] = ""
    return edges


def _sides(polygon_mm: Array) -> list[tuple[Node, Node]]:
    nodes = [(round(float(x), 3), round(float(y), 3)) for x, y in polygon_mm]
    return list(zip(nodes, nodes[1:] + nodes[:1], strict=True))


def _border(board: Board, nodes: set[Node]) -> list[tuple[Node, Node]]:
    width, height = (round(v, 3) for v in board.size_mm)
    sides = [
        sorted(n for n in nodes if n[1] == 0.0),
        sorted(n for n in nodes if n[0] == width),
        sorted(n for n in nodes if n[1] == height),
        sorted(n for n in nodes if n[0] == 0.0),
    ]
    return [pair for side in sides for pair in pairwise(side)]


def _line(rng: np.random.Generator, start: Array, end: Array, width_mm: float, line_class: str = "") -> PaintedLine:
    length = float(np.hypot(*(end - start)))
    ahead = (end - start) / length
    aside = np.array([-ahead[1], ahead[0]])
    steps = _stations(length, width_mm)
    hold = np.sin(np.pi * np.clip(steps / length, 0, 1)) ** 0.5  # lines meet where they were meant to meet
    stray = WAVE * width_mm * hold * noise_along(rng, len(steps), WAVE_GRAIN)
    half = width_mm / 2 * np.clip(1 + WIDTH_STRAY * noise_along(rng, len(steps), WAVE_GRAIN / 2), 0.6, 1.5)
    middle = start + steps[:, None] * ahead + stray[:, None] * aside
    return PaintedLine(
        line_class=line_class,
        left_mm=middle + half[:, None] * aside,
        right_mm=middle - half[:, None] * aside,
        sigma_mm=np.full(len(steps), 1e-3),
    )


def _stations(length_mm: float, width_mm: float) -> Array:
    """Where a line is described: evenly between its corners, and half a width beyond each."""
    inner = np.linspace(0.0, length_mm, max(int(length_mm / (STATION * width_mm)), 2))
    return np.concatenate([[-width_mm / 2], inner, [length_mm + width_mm / 2]])


def _enclosed(polygon_mm: Array, painted: dict[tuple[Node, Node], PaintedLine]) -> Array:
    """Walk along the middle of the painted lines round a region."""
    walk = []
    for a, b in _sides(polygon_mm):
        middle = painted[a, b].middle_mm if (a, b) in painted else painted[b, a].middle_mm[::-1]
        walk.append(middle[1:-2])
    return np.vstack(walk)
