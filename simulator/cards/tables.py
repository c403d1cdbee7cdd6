"""What the mat lies on, and the mat itself: albedo at any point of the table's plane."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, View
from linesies.simulator.noise import noise_at, noise_tile
from linesies.simulator.street.ground import Ground, choose_ground
from linesies.simulator.street.light import linear

Array = NDArray[np.float32]
TABLES = ("wood", "cloth", "stone", "plain")
FELTS = ((22, 96, 58), (48, 50, 54), (34, 58, 110), (112, 30, 38), (92, 70, 50), (150, 146, 136), (28, 84, 92))
LINES = ((238, 236, 226), (226, 206, 120), (30, 30, 34))
CHECKS = ((176, 40, 44), (40, 84, 150), (52, 120, 70), (150, 150, 156))
FINE = 3


def choose_table(name: str, rng: np.random.Generator) -> Ground:
    """Choose a table of that kind."""
    if name == "wood":
        return choose_ground("plywood", rng, 1000.0)
    return {"cloth": _cloth, "stone": _stone, "plain": _plain}[name](rng)


def _cloth(rng: np.random.Generator) -> Ground:
    rgb, step = linear(CHECKS[int(rng.integers(len(CHECKS)))]), np.float32(rng.uniform(14, 34))
    turn, weave = rng.uniform(0, np.pi), noise_tile(rng, 0.9)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)

    def albedo(ground_mm: Array) -> Array:
        share = ((np.mod(ground_mm @ axes / step, 2) < 1).sum(axis=-1) / 2).astype(np.float32)[..., None]
        cloth = rgb * share + np.float32(0.72) * (1 - share)
        return cloth * (1 + 0.05 * noise_at(weave, ground_mm, 0.7))[..., None]

    return albedo


def _stone(rng: np.random.Generator) -> Ground:
    tint = linear((232, 222, 206)) * np.float32(rng.uniform(0.6, 1.0))
    wide, vein = noise_tile(rng, 14.0), noise_tile(rng, 9.0)

    def albedo(ground_mm: Array) -> Array:
        cracks = np.exp(-((noise_at(vein, ground_mm, 6.0) / 0.06) ** 2))
        return tint * (1 + 0.08 * noise_at(wide, ground_mm, 9.0) - 0.35 * cracks)[..., None]

    return albedo


def _plain(rng: np.random.Generator) -> Ground:
    tint = linear((rng.integers(60, 220) + rng.integers(-30, 30, 3)).astype(np.uint8))
    grain = noise_tile(rng, 1.2)

    def albedo(ground_mm: Array) -> Array:
        return tint * (1 + 0.03 * noise_at(grain, ground_mm, 1.1))[..., None]

    return albedo


def lay_mat(table: Ground, board: Board, view: View, ground_mm: Array, rng: np.random.Generator) -> Array:
    """Lay a felt mat with printed zones onto the table: albedo (H, W, 3), linear."""
    felt = linear(FELTS[int(rng.integers(len(FELTS)))])
    ink = max(
        (linear(rgb) for rgb in LINES[: 2 + int(rng.integers(2))]), key=lambda rgb: abs(float((rgb - felt).mean()))
    )
    fibre, wide = noise_tile(rng, 0.9), noise_tile(rng, 16.0)
    width, height = board.size_mm
    mat_share = _share(view, [np.array([(0, 0), (width, 0), (width, height), (0, height)], float)], ground_mm.shape)
    half = board.line_width_mm / 2
    drawn = np.zeros(ground_mm.shape[:2], np.float32)
    for region in board.regions:
        middle = region.polygon_mm.mean(axis=0)
        out = np.sign(region.polygon_mm - middle) * half
        both = [region.polygon_mm + out, region.polygon_mm - out]
        outer, inner = (_share(view, [outline], ground_mm.shape) for outline in both)
        drawn = np.maximum(drawn, outer - inner)
    shade = 1 + 0.09 * noise_at(fibre, ground_mm, 0.8) + 0.05 * noise_at(wide, ground_mm, 8.0)
    mat = (felt * (1 - drawn[..., None]) + ink * drawn[..., None]) * shade[..., None]
    return (table(ground_mm) * (1 - mat_share[..., None]) + mat * mat_share[..., None]).astype(np.float32)


def _share(view: View, outlines_mm: list[NDArray[np.float64]], shape: tuple[int, ...]) -> Array:
    """Tell how much of each pixel lies within outlines whose sides are straight on the table."""
    mask = np.zeros((shape[0] * FINE, shape[1] * FINE), np.uint8)
    for outline in outlines_mm:
        shares = np.linspace(0, 1, 40, endpoint=False)[:, None]
        sides = [a + shares * (b - a) for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True)]
        seen = (view.mm_to_px(np.vstack(sides)) + 0.5) * FINE - 0.5
        cv2.fillPoly(mask, [np.rint(seen * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return cv2.resize(mask, (shape[1], shape[0]), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
