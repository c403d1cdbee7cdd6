"""A die whose faces were learned: found as a small square on the table, and read in any turn."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.learned_photo import Shape, find_alone
from vision.errors import BadInput
from vision.frame import Image

Floats = NDArray[np.float32]

SIDE_PX = 24  # of a face laid flat
SQUARE = Shape(aspect=(0.75, 1.0), least_share=0.01)
SIDES_MM = (11.0, 22.0)  # dice are 12 to 20 mm wide; edges are seen a little outside or inside of that
WORK_PX_PER_MM = 1.5  # at which squares are sought
KNOWN = 0.75  # agreement from which on a square is taken for this die
AHEAD = 0.06  # agreement by which a face must lead the next one
TURNS_DEG = (-8.0, -4.0, 0.0, 4.0, 8.0)
ZOOMS = (0.9, 1.0, 1.1)
NUDGES = (-0.08, 0.0, 0.08)  # of a side
MOST, LOOKS = 60, 6  # squares taken from one picture, and looked at closely
_INNER = slice(2, SIDE_PX - 2)  # its edges are rounded, and what lies beyond is table
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, eq=False)
class LearnedDie:
    """The faces of a die by name: (N, SIDE_PX, SIDE_PX, 3)."""

    names: tuple[str, ...]
    faces: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class DieReading:
    """What a die shows: `face` is null where none lies there or it can't be told for sure; where it lies, if seen."""

    face: str | None
    confidence: float
    centre_px: tuple[float, float] | None = None


NO_DIE = DieReading(face=None, confidence=0.0)


def photograph_die(picture_bgr: Image) -> Floats:
    """Lay the upper face of the one die in a photograph flat (SIDE_PX, SIDE_PX, 3); raises BadInput without one."""
    found = find_alone(picture_bgr, SQUARE)
    if not found:
        raise BadInput("no die found; photograph it alone from straight above, on a table of another colour")
    return _laid_flat(picture_bgr.astype(np.float32), found[0].quad_px)


def read_die(picture_bgr: Image, die: LearnedDie, px_per_mm: float) -> DieReading:
    """Find the die in a picture of a table from above, and say which face is up.

    `px_per_mm` is the picture's scale. Only a die at rest can be read: give it pictures in which nothing moves there.
    """
    if not px_per_mm > 0:
        raise BadInput(f"a picture's scale is positive, not {px_per_mm} px/mm")
    squares = _squares(picture_bgr, px_per_mm)
    if not squares:
        return NO_DIE
    turned = np.stack([np.rot90(die.faces, quarter, (1, 2)) for quarter in range(4)], 1)
    faces = _normed(turned.reshape(-1, *turned.shape[2:]))
    likely = (_normed(np.stack([_laid_flat(picture_bgr, quad) for quad in squares])) @ faces.T).max(1)
    looks = [_look(picture_bgr, die, faces, squares[i]) for i in np.argsort(-likely)[:LOOKS]]
    return max(looks, key=lambda look: look.confidence)


def _look(picture_bgr: Image, die: LearnedDie, faces: Floats, quad_px: NDArray) -> DieReading:
    """Compare a square with every face in every turn, a little moved, turned and zoomed."""
    scores = faces @ _normed(np.stack([_laid_flat(picture_bgr, corners) for corners in _variations(quad_px)])).T
    best = scores.max(1).reshape(len(die.names), 4).max(1)
    order = np.argsort(-best)
    first = float(best[order[0]])
    lead = first - float(best[order[1]]) if len(best) > 1 else first
    centre = (float(quad_px[:, 0].mean()), float(quad_px[:, 1].mean()))
    confidence = float(1 / (1 + np.exp(-30 * (first - KNOWN) - 2)) / (1 + np.exp(-60 * (lead - AHEAD) - 1)))
    is_told = first >= KNOWN and lead >= AHEAD
    return DieReading(face=die.names[order[0]] if is_told else None, confidence=confidence, centre_px=centre)


def _normed(faces: Floats) -> Floats:
    """Take off the channels' means and norm: (N, pixels); products of such rows are correlations."""
    inner = faces[:, _INNER, _INNER]
    rows = (inner - inner.mean((1, 2), keepdims=True)).reshape(len(faces), -1)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3 * rows.shape[1])


def _variations(quad_px: NDArray) -> Iterator[NDArray[np.float64]]:
    middle, (across, down) = quad_px.mean(0), (quad_px[1] - quad_px[0], quad_px[3] - quad_px[0])
    for turn in np.radians(TURNS_DEG):
        way = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        for zoom in ZOOMS:
            at = _CORNERS * zoom @ way
            for dx in NUDGES:
                for dy in NUDGES:
                    yield middle + np.add(at, (dx, dy)) @ np.stack([across, down])


def _laid_flat(picture: NDArray, quad_px: NDArray) -> Floats:
    flat = np.array([(0, 0), (SIDE_PX, 0), (SIDE_PX, SIDE_PX), (0, SIDE_PX)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(quad_px.astype(np.float32), flat)
    return cv2.warpPerspective(picture, matrix, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _squares(picture_bgr: Image, px_per_mm: float) -> list[NDArray[np.float64]]:
    """Find what is square and as large as a die, in whichever channel it stands out from its surroundings."""
    scale = min(1.0, WORK_PX_PER_MM / px_per_mm)
    size = [max(1, round(side * scale)) for side in picture_bgr.shape[1::-1]]
    lab = cv2.cvtColor(cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    here = px_per_mm * scale
    squares: list[tuple[float, NDArray]] = []
    for mask in _standing_out(lab, here):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            area = cv2.contourArea(cv2.convexHull(contour)) / here**2
            if not 0.7 * SIDES_MM[0] ** 2 <= area <= SIDES_MM[1] ** 2:
                continue
            box = cv2.minAreaRect(contour)
            short, long = sorted(side / here for side in box[1])
            if SIDES_MM[0] <= long <= SIDES_MM[1] and short >= 0.75 * long:
                squares.append((area / (short * long), (cv2.boxPoints(box) + 0.5) / scale - 0.5))
    apart: list[NDArray] = []
    for _, quad in sorted(squares, key=lambda square: -square[0]):
        if all(np.linalg.norm(quad.mean(0) - other.mean(0)) > 1.5 * px_per_mm for other in apart):
            apart.append(quad)
    return apart[:MOST]


def _standing_out(lab: Image, px_per_mm: float) -> Iterator[NDArray[np.uint8]]:
    """Mark, a channel and a sign at a time, what differs from what lies around it, near and farther off."""
    close = np.ones([max(3, round(3 * px_per_mm))] * 2, np.uint8)
    soft = cv2.GaussianBlur(lab.astype(np.float32), (0, 0), 0.7)
    for around_mm in (30, 60):
        reach = 2 * round(around_mm / 2 * px_per_mm) + 1
        off = soft - cv2.blur(soft, (reach, reach))
        for channel in cv2.split(off):
            for least in (10, 30):
                for mask in (channel > least, channel < -least):
                    marked = mask.astype(np.uint8)
                    yield marked
                    yield cv2.morphologyEx(marked, cv2.MORPH_CLOSE, close)
