"""Draws pictures of caps on textured ground through a view: solids with shaded sides and a cast shadow."""

import cv2
import numpy as np

from linesies.calibration import Board, Calibration, Lens, PaintedLine, Region, Survey, View
from linesies.vision import Cap
from linesies.vision.caps.solid import inner_mm, outline_px, project, shadow_px, solid_of

SIZE_PX = (640, 480)
FINE = 4  # drawn this many times larger and shrunk, so that edges fall between pixels
SLOPE = np.array([0.6, 0.3])  # how far shadows fall per mm of height
GLASS = 0.7  # of the light behind it glass takes away
BRIGHT = 0.5  # is paint
LINE_X_MM = 300.0
LINE_HALF_MM = 6.0

RED = Cap(player="ana", colour_rgb=(192, 57, 43), diameter_mm=32.0, height_mm=6.0, kind="crown")
BLUE = Cap(player="bo", colour_rgb=(31, 95, 174), diameter_mm=40.0, height_mm=10.0, kind="lid")
YELLOW = Cap(player="cal", colour_rgb=(232, 194, 30), diameter_mm=28.0, height_mm=6.0, kind="crown_upturned")
CAPS = (RED, BLUE, YELLOW)


def tilted_view(size_px=SIZE_PX):
    """A camera 1.2 m up, tilted by 20 degrees: half a pixel a millimetre."""
    camera_matrix = np.array([[600.0, 0, size_px[0] / 2 - 0.5], [0, 600.0, size_px[1] / 2 - 0.5], [0, 0, 1]])
    lens = Lens(size_px=size_px, camera_matrix=camera_matrix, distortion=np.array([-0.05, 0.01, 0, 0, 0]))
    tilt = np.radians(20)
    rotation = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    middle = np.array([300.0, 300.0, 0.0])
    return View(lens=lens, rotation=rotation, translation_mm=np.array([0, 0, 1200.0]) - rotation @ middle)


def calibration(seed=1):
    """Box `1` left of a painted line at x = 300 mm and box `2` right of it, on rough grey ground."""
    view = tilted_view()
    ends = np.array([[LINE_X_MM, 0.0], [LINE_X_MM, 600.0]])
    side = np.array([LINE_HALF_MM, 0.0])
    line = PaintedLine(left_mm=ends - side, right_mm=ends + side, sigma_mm=np.full(2, 0.2))
    regions = (_box("1", 0.0), _box("2", LINE_X_MM))
    return Calibration(
        board=Board(name="two boxes", size_mm=(600.0, 600.0), line_width_mm=12.0, regions=regions),
        view=view,
        survey=Survey(lines=(line,), misfit_px=0.1),
        regions=regions,
        reprojection_px=0.1,
        empty_bgr=_stored(_noisy(_ground(view, line), seed)),
    )


def picture(calibration, placed, *, seed=2, light=1.0, paint=1.0):
    """Draw caps [(cap, (x, y) in mm)] on the calibrated ground, under a light stronger or weaker than then.

    `paint` is how much brighter the paint alone looks.
    """
    scene = _ground(calibration.view, calibration.survey.lines[0])
    scene[scene.min(axis=-1) > BRIGHT] *= paint
    for cap, xy_mm in placed:
        _draw(scene, calibration.view, cap, np.asarray(xy_mm, float))
    return _stored(_noisy(scene * light, seed))


def _box(name, left_mm):
    corners = [[left_mm, 0.0], [left_mm + 300, 0.0], [left_mm + 300, 600.0], [left_mm, 600.0]]
    return Region(name=name, polygon_mm=np.array(corners))


def _ground(view, line):
    width, height = SIZE_PX
    rough = np.random.default_rng(7).normal(0, 1, (height, width)).astype(np.float32)
    rough = cv2.GaussianBlur(rough, (0, 0), 1.2)
    scene = np.repeat((0.16 * (1 + 0.25 * rough / rough.std()))[..., None], 3, axis=2)
    return _filled(scene, view.mm_to_px(line.outline_mm), np.array([0.8, 0.8, 0.78]))


def _draw(scene, view, cap, xy_mm):
    solid = solid_of(cap, cap.kind)
    colour = (np.array(cap.colour_rgb[::-1]) / 255) ** 2.2
    if cap.kind == "ring":
        bare = scene.copy()
        scene[:] = _filled(scene, _hull(outline_px(view, solid, xy_mm)), GLASS * colour * 0.3 + (1 - GLASS) * scene)
        (inner_px,) = project(view, inner_mm(solid, xy_mm))
        scene[:] = _filled(scene, _hull(inner_px), bare)
        return
    scene[:] = _filled(scene, _hull(shadow_px(view, solid, xy_mm, SLOPE)), scene * 0.45)
    scene[:] = _filled(scene, _hull(outline_px(view, solid, xy_mm)), colour * 0.6)
    top = solid.radii_mm[-1] * np.column_stack([f(np.linspace(0, 2 * np.pi, 64)) for f in (np.cos, np.sin)])
    scene[:] = _filled(scene, _hull(view.mm_to_px(xy_mm + top, cap.height_mm)), colour)


def _hull(points_px):
    return cv2.convexHull(points_px.astype(np.float32)).reshape(-1, 2)


def _filled(scene, polygon_px, colour):
    width, height = SIZE_PX
    mask = np.zeros((height * FINE, width * FINE), np.uint8)
    points = np.round(((polygon_px + 0.5) * FINE - 0.5) * 256).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, shift=8)
    cover = cv2.resize(mask, SIZE_PX, interpolation=cv2.INTER_AREA)[..., None] / 255.0
    return (1 - cover) * scene + cover * colour


def _noisy(scene, seed):
    blurred = cv2.GaussianBlur(scene, (0, 0), 0.7)
    return blurred + np.random.default_rng(seed).normal(0, 0.003, scene.shape)


def _stored(linear):
    linear = np.clip(linear, 0, 1)
    stored = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(stored * 255).astype(np.uint8)
