"""A die thrown on a simulated table, seen aslant: a cube whose sides are seen beside the face that is up."""

import cv2
import numpy as np
import pytest

from linesies.calibration import View
from linesies.simulator.bots.skipbo import FACES
from linesies.simulator.cards.canvas import TableCanvas
from linesies.simulator.cards.die import Thrown
from linesies.simulator.cards.photos import photograph_faces
from linesies.simulator.cards.stage import TableWishes, set_table
from linesies.vision import Frame, LearnedDie, photograph_die, read_die

PX_PER_MM = 1.5
HALF_MM = 50.0
TOP_MM = 16.0


@pytest.fixture(scope="module")
def stage():
    return set_table(TableWishes(game="skipbo", seed=4, light="indoor"))


@pytest.fixture(scope="module")
def die(stage):
    faces = {name: photograph_die(picture) for name, picture in photograph_faces(stage.rng(5))}
    return LearnedDie(tuple(faces), np.stack(list(faces.values())))


def from_above(picture_bgr, view: View, middle_mm):
    """Look at a square of the table as it lies at the height of the die's upper face."""
    side = round(2 * HALF_MM * PX_PER_MM)
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    places_mm = np.stack([x, y], -1).reshape(-1, 2) / PX_PER_MM - HALF_MM + middle_mm
    at_px = view.mm_to_px(places_mm, TOP_MM).astype(np.float32).reshape(side, side, 2)
    return cv2.remap(picture_bgr, at_px, None, cv2.INTER_LINEAR)


def test_every_face_is_read_from_a_tilted_camera(stage, die):
    tilt_deg = np.degrees(np.arccos(abs(stage.view.rotation[2, 2])))
    assert tilt_deg > 20
    canvas = TableCanvas(stage.table_light, stage.ground_mm, stage.view, stage.light, stage.rng(4))
    middle_mm = stage.board.region("die").polygon_mm.mean(axis=0)
    bare = from_above(canvas.picture(), stage.view, middle_mm)
    rng = np.random.default_rng(1)
    for face in FACES:
        thrown = Thrown(face=face, xy_mm=middle_mm + rng.uniform(-20, 20, 2), angle_rad=rng.uniform(0, 2 * np.pi))
        layers = dict(enumerate(thrown.layers()))
        canvas.change((), layers)
        frame = Frame.from_yuv420(canvas.frame([], ()), number=0, t_s=0.0, is_full_range=True)
        assert read_die(from_above(frame.bgr, stage.view, middle_mm), die, PX_PER_MM, bare=bare).face == face
        canvas.change(layers, {})
    assert read_die(bare, die, PX_PER_MM, bare=bare).face is None
