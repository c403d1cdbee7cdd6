"""The empty board as the camera sees it: paint over ground, each pixel the mean of what it covers.

Lines are filled as projected outlines on a grid several times finer than the picture, band by band, so that
their edges stand where the true outlines say to a few hundredths of a pixel.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.simulator.noise import noise_at, noise_tile
from linesies.simulator.street.ground import Ground
from linesies.simulator.street.paint import PaintedBoard, ragged_outline

Array = NDArray[np.float32]

PAINTS = {  # name: albedo (r, g, b), worn share, grain of the wear in mm
    "white": ((0.78, 0.78, 0.76), (0.02, 0.16), 4.0),
    "yellow": ((0.68, 0.40, 0.035), (0.02, 0.16), 4.0),
    "black": ((0.022, 0.022, 0.024), (0.01, 0.10), 3.0),
    "chalk": ((0.66, 0.67, 0.69), (0.16, 0.34), 2.2),
}
FINE = 4  # sub-pixels each way
BAND = 60  # rows painted at a time
NUMERALS = 2200  # pixels across the board of the canvas that numbers are written on
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wear:
    """Where paint is missing: its grain, the share worn away, and tiles of fine and wide noise."""

    grain_mm: float
    share: float
    fine: Array
    wide: Array

    def left(self, ground_mm: Array) -> Array:
        """Tell the share of paint left at ground points (H, W, 2)."""
        local = self.share + 0.10 * np.maximum(noise_at(self.wide, ground_mm, 14.0), -0.5)
        threshold = np.float32(2.2) * (np.clip(local, 0.0, 0.75) * 2 - 1) - np.float32(0.35)
        return np.clip(1.6 * (noise_at(self.fine, ground_mm, self.grain_mm) - threshold) + 0.5, 0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """How the board is lettered: the numbers in the trapezoids, and the chance of hand and wear."""

    skull: tuple[str, str, str, str]
    font: int
    thickness: float  # of a stroke, of a number's height
    rng: np.random.Generator

    @classmethod
    def choose(cls, rng: np.random.Generator, *, has_worth: bool) -> "Numbers":
        """Letter the trapezoids with what they are worth, or else by either custom."""
        skull = ("2", "4", "6", "8") if has_worth or rng.random() < 0.4 else ("1", "2", "3", "4")
        return cls(skull=skull, font=int(rng.choice(FONTS)), thickness=rng.uniform(0.11, 0.2), rng=rng)


def ground_map(view: View) -> Array:
    """Find the ground point (mm) under every pixel, (H, W, 2) float32."""
    width, height = view.lens.size_px
    ground_mm = np.empty((height, width, 2), np.float32)
    for top in range(0, height, BAND):
        xs, ys = np.meshgrid(np.arange(width, dtype=float), np.arange(top, min(top + BAND, height), dtype=float))
        points = view.px_to_mm(np.column_stack([xs.ravel(), ys.ravel()]))
        ground_mm[top : top + BAND] = points.reshape(-1, width, 2)
    return ground_mm


def picture(painted: PaintedBoard, ground: Ground, paint: str, ground_mm: Array, view: View, numbers: Numbers) -> Array:
    """Paint the board onto the ground: albedo (H, W, 3), linear, before light and lens blur."""
    rgb, worn, grain_mm = PAINTS[paint]
    rng = numbers.rng
    scale = painted.board.size_mm[0] / 1828.8
    grain_mm = max(grain_mm * (0.35 + 0.65 * scale), 1.0)
    wear = Wear(
        grain_mm=grain_mm / 1.2,
        share=rng.uniform(*worn),
        fine=noise_tile(rng, 1.2),
        wide=noise_tile(rng, 12.0),
    )
    lines = [*painted.survey.lines, painted.start_line]
    outlines = [view.mm_to_px(ragged_outline(line, rng)) for line in lines]
    numerals = _numerals(painted, numbers)
    albedo = np.empty((*ground_mm.shape[:2], 3), np.float32)
    for top in range(0, len(ground_mm), BAND):
        rows = slice(top, min(top + BAND, len(ground_mm)))
        cover = _cover(outlines, numerals, wear, ground_mm, rows, painted.board.size_mm[0])[..., None]
        albedo[rows] = ground(ground_mm[rows]) * (1 - cover) + np.array(rgb, np.float32) * cover
    return albedo


def _cover(
    outlines: list[NDArray[np.float64]],
    numerals: NDArray[np.uint8],
    wear: Wear,
    ground_mm: Array,
    rows: slice,
    size_mm: float,
) -> Array:
    """Find the share of each pixel of some rows that paint covers."""
    height, width = rows.stop - rows.start, ground_mm.shape[1]
    fine_mm = _refined(ground_mm, rows)
    mask = np.zeros((height * FINE, width * FINE), np.uint8)
    for outline in outlines:
        if outline[:, 1].max() < rows.start - 2 or outline[:, 1].min() > rows.stop + 2:
            continue
        shifted = _inset((outline - [0.0, rows.start] + 0.5) * FINE - 0.5)
        cv2.fillPoly(mask, [np.rint(shifted * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    steps = (fine_mm + np.float32(size_mm * 0.05)) * np.float32(NUMERALS / (1.1 * size_mm))
    mask = np.maximum(mask, cv2.remap(numerals, steps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT))
    left = (mask > 127) * wear.left(fine_mm)
    return cv2.resize(left.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)


def _inset(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Draw a closed outline in by what `fillPoly` adds: every pixel that it touches, half of one on each side."""
    ahead = np.roll(outline, -1, axis=0) - np.roll(outline, 1, axis=0)
    ahead /= np.maximum(np.hypot(*ahead.T), 1e-9)[:, None]
    x, y = outline.T
    is_clockwise = (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0
    inwards = np.column_stack([-ahead[:, 1], ahead[:, 0]]) * (1 if is_clockwise else -1)
    return outline + 0.5 * np.abs(ahead).max(axis=1)[:, None] * inwards


def _refined(ground_mm: Array, rows: slice) -> Array:
    """Ground points on the finer grid; a margin row either side keeps the bands' seams true."""
    first, last = max(rows.start - 1, 0), min(rows.stop + 1, len(ground_mm))
    height, width = last - first, ground_mm.shape[1]
    fine = cv2.resize(ground_mm[first:last], (width * FINE, height * FINE), interpolation=cv2.INTER_LINEAR)
    skip = (rows.start - first) * FINE
    return fine[skip : skip + (rows.stop - rows.start) * FINE]


def _numerals(painted: PaintedBoard, numbers: Numbers) -> NDArray[np.uint8]:
    """Write the boxes' numbers by hand on a canvas a tenth wider than the board."""
    canvas = np.zeros((NUMERALS, NUMERALS), np.uint8)
    scale = NUMERALS / (1.1 * painted.board.size_mm[0])
    words = dict(zip(("skull1", "skull2", "skull3", "skull4"), numbers.skull, strict=True))
    rng = numbers.rng
    for region in painted.regions:
        text = words.get(region.name, region.name)
        tall = scale * painted.board.size_mm[0] / 6 * (0.22 if region.name in words else 0.34) * rng.uniform(0.9, 1.15)
        middle = (region.polygon_mm.mean(axis=0) + painted.board.size_mm[0] * 0.05) * scale
        _write(canvas, text, numbers, middle + rng.normal(0, 0.05 * tall, 2), tall)
    return canvas


def _write(canvas: NDArray[np.uint8], text: str, numbers: Numbers, middle: NDArray[np.float64], tall: float) -> None:
    size = tall / 22.0
    thick = max(int(tall * numbers.thickness), 1)
    (wide, high), _ = cv2.getTextSize(text, numbers.font, size, thick)
    patch = np.zeros((int(3 * tall), int(4 * tall)), np.uint8)
    origin = (int((patch.shape[1] - wide) / 2), int((patch.shape[0] + high) / 2))
    cv2.putText(patch, text, origin, numbers.font, size, 255, thick, cv2.LINE_AA)
    centre = np.array([patch.shape[1] / 2, patch.shape[0] / 2])
    spin = cv2.getRotationMatrix2D(centre.tolist(), float(np.degrees(numbers.rng.normal(0, 0.07))), 1.0)
    spin[:, 2] += middle - centre
    whole = cv2.warpAffine(patch, spin, canvas.shape[::-1])
    np.maximum(canvas, whole, out=canvas)
