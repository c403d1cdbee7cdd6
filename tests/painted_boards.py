"""Paints boards whose every edge is known, as a camera would see them: the ground truth of the calibration's tests."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from linesies.calibration import Board, Lens, Region, View
from linesies.calibration.digits import write
from linesies.calibration.drawing import draw

FINE = 6  # sub-pixels each way
SIZE_PX = (960, 720)
BLUR_PX = 0.9
NOISE = 1.5  # grey levels
ROUGHNESS = 0.06  # of the ground's brightness
GREY, WHITE, BLACK, YELLOW = (0.16, 0.16, 0.16), (0.62, 0.62, 0.62), (0.02, 0.02, 0.02), (0.03, 0.36, 0.6)


@dataclass(frozen=True)
class PaintedScene:
    board: Board
    view: View
    picture_bgr: np.ndarray
    taps_px: np.ndarray
    middles_mm: np.ndarray  # (L, 2, 2): where each line of the drawing was painted
    width_mm: float


def skully_board(size_mm=600.0, line_width_mm=5.0) -> Board:
    box = size_mm / 6
    cells = {
        "1": (0, 0), "2": (5, 5), "3": (5, 0), "4": (0, 5), "5": (5, 2), "6": (0, 3), "7": (5, 3), "8": (0, 2),
        "9": (3, 0), "10": (2, 5), "11": (2, 0), "12": (3, 5),
    }  # fmt: skip
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    regions = [Region(name=name, polygon_mm=(square + cell) * box) for name, cell in cells.items()]
    out, inn = (square * 2 + 2) * box, (square * 0.75 + 2.625) * box
    regions.append(Region(name="13", polygon_mm=inn))
    for i in range(4):
        j = (i + 1) % 4
        regions.append(Region(name=f"skull{i + 1}", polygon_mm=np.array([out[i], out[j], inn[j], inn[i]])))
    return Board(name="test", size_mm=(size_mm, size_mm), line_width_mm=line_width_mm, regions=tuple(regions))


def slanted_view(*, tilt_deg=20.0, turn_deg=8.0, size_px=SIZE_PX, bend=-0.05, size_mm=600.0) -> View:
    width, height = size_px
    focal = 0.9 * width
    lens = Lens(
        size_px=size_px,
        camera_matrix=np.array([[focal, 0, width / 2 + 3], [0, focal, height / 2 - 2], [0, 0, 1]]),
        distortion=np.array([bend, 0.01, 0.0005, -0.0003, 0.0]),
    )
    turn, tilt = np.radians(turn_deg), np.radians(tilt_deg)
    about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = about_x @ about_z
    middle = np.array([size_mm / 2, size_mm / 2, 0])
    away = np.array([0, 0, size_mm * 1.28 * focal / height])
    return View(lens=lens, rotation=rotation, translation_mm=away - rotation @ middle)


def paint_scene(view=None, *, paint=WHITE, ground=GREY, moved=None, worn=(), numbers=True, seed=0) -> PaintedScene:
    """Paint the test board; `moved` shifts lines {number: mm to the right}, `worn` wipes (line, from, to) shares."""
    board, view = skully_board(), view or slanted_view()
    drawing = draw(board)
    ends = np.array([drawing.nodes_mm[[line.start, line.end]] for line in drawing.lines])
    for number, shift_mm in (moved or {}).items():
        along = ends[number, 1] - ends[number, 0]
        ends[number] += shift_mm * np.array([-along[1], along[0]]) / np.hypot(*along)
    width, height = view.lens.size_px
    mask = np.zeros((height * FINE, width * FINE), np.uint8)
    for line in ends:
        _fill(mask, view, _outline(line, board.line_width_mm), 255)
    for number, start, end in worn:
        a, b = ends[number]
        _fill(mask, view, _outline(np.array([a + start * (b - a), a + end * (b - a)]), 2 * board.line_width_mm), 0)
    if numbers:
        for region in board.regions:
            _number(mask, view, region)
    share = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA).astype(float)[..., None] / 255
    light = np.array(ground) + share * (np.array(paint) - np.array(ground))
    stored = _stored(cv2.GaussianBlur(light, (0, 0), BLUR_PX))
    rng = np.random.default_rng(seed)
    stored += rng.normal(0, NOISE, stored.shape[:2])[..., None]
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * board.size_mm
    return PaintedScene(
        board=board,
        view=view,
        picture_bgr=np.clip(np.round(stored), 0, 255).astype(np.uint8),
        taps_px=view.mm_to_px(corners) + rng.uniform(-8, 8, (4, 2)),
        middles_mm=ends,
        width_mm=board.line_width_mm,
    )


def photographed(scene: PaintedScene, *, seed=3) -> PaintedScene:
    """Roughen a scene and store it as cameras do: JPEG, its colours at half resolution."""
    rough = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, scene.picture_bgr.shape[:2]), (0, 0), 1.0)
    light = scene.picture_bgr * (1 + ROUGHNESS * rough / rough.std())[..., None]
    how = [cv2.IMWRITE_JPEG_QUALITY, 95, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
    _, stored = cv2.imencode(".jpg", np.clip(light, 0, 255).astype(np.uint8), how)
    return replace(scene, picture_bgr=cv2.imdecode(stored, cv2.IMREAD_COLOR))


def bare_ground(size_px=SIZE_PX, seed=1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rough = cv2.GaussianBlur(rng.normal(0, 1, (size_px[1], size_px[0])), (0, 0), 1.5)
    grey = np.clip(110 + 60 * rough, 0, 255).astype(np.uint8)
    return cv2.merge([grey, grey, grey])


def _stored(light):
    """What a camera writes, 0 to 255: sRGB's curve."""
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def _outline(ends, width_mm):
    along = (ends[1] - ends[0]) / np.hypot(*(ends[1] - ends[0]))
    aside = width_mm / 2 * np.array([-along[1], along[0]])
    a, b = ends[0] - width_mm / 2 * along, ends[1] + width_mm / 2 * along
    shares = np.linspace(0, 1, 20)[:, None]
    return np.vstack([a + aside + shares * (b - a), b - aside + shares * (a - b)])


def _fill(mask, view, outline_mm, value):
    # filled polygons take in the pixels under their outline: half a sub-pixel is taken off before
    points = (view.mm_to_px(outline_mm) + 0.5) * FINE - 0.5
    middle = points.mean(axis=0)
    after, before = np.roll(points, -1, axis=0), np.roll(points, 1, axis=0)
    normal = (after - before)[:, ::-1] * [1, -1]
    normal /= np.hypot(*normal.T)[:, None]
    outward = np.sign(((points - middle) * normal).sum(axis=1))[:, None]
    shrunk = points - 0.45 * outward * normal
    cv2.fillPoly(mask, [np.rint(shrunk * 16).astype(np.int32)], value, cv2.LINE_8, 4)


def _number(mask, view, region):
    small = region.name.startswith("skull")
    text = region.name.removeprefix("skull")
    low, high = region.polygon_mm.min(axis=0), region.polygon_mm.max(axis=0)
    middle, side = region.polygon_mm.mean(axis=0), float((high - low).max())
    glyph = write(text, stroke=0.16, has_foot=False)
    tall = side * (0.12 if small else 0.36)
    wide = tall * glyph.shape[1] / glyph.shape[0]
    box = middle + np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2
    source = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(glyph.shape[::-1])
    target = (view.mm_to_px(box) + 0.5) * FINE
    h = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    written = cv2.warpPerspective((glyph * 255).astype(np.uint8), h, mask.shape[::-1])
    np.maximum(mask, written, out=mask)
