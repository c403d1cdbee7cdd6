"""The simulated picture is true to its geometry: paint, caps and shadows stand where the camera must see them."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import locate, read_board, read_lens
from linesies.calibration.standard_boards import nominal_board
from linesies.device.cameras.opening import open_source
from linesies.simulator.commands.simulate import command
from linesies.simulator.street.canvas import Canvas, Moving
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.film import write_clip
from linesies.simulator.street.hand import _seen
from linesies.simulator.street.light import expose, linear
from linesies.simulator.street.solids import solid
from linesies.simulator.street.stage import Wishes, set_stage
from linesies.simulator.street.stills import write_stills
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.surface import _cover
from linesies.vision import Cap, read_caps

RED = solid(
    Cap(player="x", colour_rgb=(230, 30, 30), diameter_mm=60.0, height_mm=6.0, kind="lid"), np.random.default_rng(1)
)


@pytest.fixture(scope="module")
def stage():
    return set_stage(Wishes(seed=3, light="overcast", ground="asphalt", paint="white", size_px=(960, 540)))


@pytest.fixture(scope="module")
def canvas(stage):
    light = (stage.albedo * (stage.light.sky_rgb + stage.light.sun_rgb)).astype(np.float32)
    return Canvas(light, stage.ground_mm, stage.view, stage.light, stage.rng(4))


def test_the_whole_board_and_the_start_line_are_in_the_picture(stage):
    width, height = stage.painted.board.size_mm
    points = np.array([[0, 0], [width, 0], [width, height], [0, height], *stage.painted.board.start_line_mm])
    assert all(stage.view.is_in_picture(point) for point in points)


def test_every_side_of_every_box_is_painted_once_and_the_border_between(stage):
    assert len(stage.painted.survey.lines) == 64
    assert sum(line.line_class == "skull" for line in stage.painted.survey.lines) == 12


def test_paint_stands_where_the_outlines_say(stage):
    lit = expose(stage.albedo)[..., 1]
    for line in stage.painted.survey.lines[::7]:
        aside = (line.left_mm - line.middle_mm)[5:-5]
        middle = line.middle_mm[5:-5]
        on, left, right = (
            np.median([lit[round(y), round(x)] for x, y in stage.view.mm_to_px(middle + share * aside)])
            for share in (0.0, 3.0, -3.0)
        )
        assert on > max(left, right) + 40


def test_the_boxes_enclose_their_middles(stage):
    board = nominal_board("street")
    for region in board.regions:
        place = locate(stage.truth, region.polygon_mm.mean(axis=0), 26.0)
        assert place.location == region.name
        assert place.gap_mm > 10


def test_a_cap_covers_its_footprint_raised_by_its_height(stage, canvas):
    xy_mm = np.array([420.0, 430.0], np.float32)
    canvas.put("x", RED, Pose(xy_mm=xy_mm))
    image = canvas.picture().astype(int)
    canvas.take("x")
    reddish = np.clip(image[..., 2] - image[..., 1], 0, 80) / 80
    ys, xs = np.mgrid[: image.shape[0], : image.shape[1]]
    seen = np.array([(xs * reddish).sum(), (ys * reddish).sum()]) / reddish.sum()
    foot, top = (stage.view.mm_to_px(xy_mm[None].astype(float), height)[0] for height in (0.0, 6.0))
    assert np.hypot(*(seen - (foot + top) / 2)) < 0.6
    assert np.sqrt(reddish.sum() / np.pi) == pytest.approx(30 * stage.view.px_per_mm(xy_mm), rel=0.1)


def test_what_moved_leaves_no_trace(stage, canvas):
    before = canvas.picture()
    moving = Moving(pose=Pose(xy_mm=np.array([900.0, 900.0], np.float32)), velocity_mm_s=np.array([2000.0, 500.0]))
    shown = canvas.frame([(RED, moving)]).astype(int)
    after = canvas.frame([]).astype(int)
    assert (canvas.picture() == before).all()
    assert np.abs(shown - after).max() > 30


def test_a_fast_cap_is_smeared_along_its_way(stage, canvas):
    cap = Cap(player="x", colour_rgb=(245, 245, 245), diameter_mm=40.0, height_mm=6.0, kind="lid")
    white = solid(cap, np.random.default_rng(1))

    def extent(speed_mm_s):
        pose = Pose(xy_mm=np.array([900.0, 420.0], np.float32))
        moving = Moving(pose=pose, velocity_mm_s=np.array([speed_mm_s, 0.0]))
        shown = canvas.frame([(white, moving)]).astype(int)
        return (np.abs(shown - canvas.frame([]).astype(int)) > 15).sum()

    assert extent(4000.0) > 1.1 * extent(1.0)


def test_the_tone_curve_keeps_black_black_and_rises():
    levels = expose(np.linspace(0, 1.9, 50, dtype=np.float32))
    assert levels[0] == 0
    assert (np.diff(levels.astype(int)) >= 0).all()
    assert expose(linear(np.array([100], np.uint8)))[0] == pytest.approx(100, abs=1)


def test_every_ground_light_and_paint_can_be_had():
    for ground, light, paint in (("concrete", "sun_low", "yellow"), ("plywood", "indoor", "black")):
        board = "table" if ground == "plywood" else "street"
        wishes = Wishes(seed=1, board=board, ground=ground, light=light, paint=paint, size_px=(320, 180))
        assert set_stage(wishes).albedo.shape == (180, 320, 3)


def test_a_clip_is_written_with_everything_that_watch_needs(tmp_path):
    folder = tmp_path / "clip"
    write_clip(SimulatedStreet(wishes=Wishes(seed=2, size_px=(640, 360))), 70, folder)
    with open_source(str(folder / "clip.mp4")) as film:
        assert sum(1 for _ in film.frames()) == 70
    board, lens, caps = (folder / f"{name}.json" for name in ("board", "lens", "caps"))
    assert len(read_board(board).regions) == 17
    assert read_lens(lens).size_px == (640, 360)
    header = json.loads((folder / "truth.jsonl").read_text().splitlines()[0])
    assert header["event"] == "clip"
    assert set(header["start"]) == {cap.player for cap in read_caps(caps)}
    assert len((folder / "corners.txt").read_text().split()) == 4
    assert cv2.imread(str(folder / "empty.jpg")).shape == (360, 640, 3)
    assert json.loads((folder / "start.json").read_text())["game"] == "skully"


def test_a_still_scene_is_written_with_its_truth(tmp_path):
    stage = set_stage(Wishes(seed=2, board="table", is_for_stills=True, size_px=(640, 360)))
    write_stills(stage, 1, tmp_path / "scene")
    truth = json.loads((tmp_path / "scene" / "truth.json").read_text())
    assert len(truth["painted"]["lines"]) == 64
    assert truth["camera"]["size"] == [640, 360]
    caps = truth["frames"][0]["caps"]
    assert len(caps) >= 4
    assert {"player", "kind", "x", "y", "diameter", "height", "location", "gap"} <= set(caps[0])
    assert cv2.imread(str(tmp_path / "scene" / "frame_0.jpg")).shape == (360, 640, 3)


def test_frames_and_seconds_together_are_refused(tmp_path):
    result = CliRunner().invoke(command, ["--frames", "1", "--seconds", "1", "-o", str(tmp_path)])
    assert result.exit_code != 0


def test_the_empty_picture_shows_no_cap():
    street = SimulatedStreet(wishes=Wishes(seed=4, size_px=(640, 360)))
    next(frames := street.frames())
    shown = np.abs(next(frames).bgr.astype(int) - street.empty_bgr.astype(int)).max(axis=2) > 40
    seen = [street.stage.view.mm_to_px(street.world.pavement.xy_mm(p)[None])[0] for p in street.world.caps]
    assert all(shown[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5].any() for x, y in seen)


class Unworn:
    def left(self, ground_mm):
        return np.ones(ground_mm.shape[:2], np.float32)


def test_paint_covers_exactly_what_its_outline_encloses(stage):
    numerals = np.zeros((50, 50), np.uint8)
    shifts_px = []
    for line in stage.painted.survey.lines[::6]:
        outline = stage.view.mm_to_px(line.outline_mm)
        covered = sum(
            _cover([outline], numerals, Unworn(), stage.ground_mm, slice(top, top + 60), 1828.8).sum()
            for top in range(0, 540, 60)
        )
        area = cv2.contourArea(outline.astype(np.float32))
        shifts_px.append((covered - area) / cv2.arcLength(outline.astype(np.float32), closed=True))
    assert abs(np.mean(shifts_px)) < 0.015
    assert np.abs(shifts_px).max() < 0.05


def test_what_is_far_out_of_the_picture_does_not_fold_back_into_it(stage):
    barrel = replace(stage.view.lens, distortion=np.array([-0.3, 0.08, 0.0, 0.0, 0.0]))
    view = replace(stage.view, lens=barrel)
    middle = view.px_to_mm(np.array([[480.0, 270.0]]))[0]
    foot = view.camera_mm[:2] - middle
    outwards = middle + np.linspace(0, 1, 60)[:, None] * 0.95 * foot  # towards the place under the camera
    px = _seen(view, outwards, np.full(60, 0.45 * view.camera_height_mm)).reshape(-1, 2)
    away = np.hypot(*(px[np.isfinite(px[:, 0])] - (480, 270)).T)
    assert len(away) > 20
    assert (np.diff(away[away.argmin() :]) > 0).all()


def test_a_film_of_a_varied_world_shows_litter_that_the_empty_board_had_not():
    street = SimulatedStreet(wishes=Wishes(seed=3302, world="varied", play="nothing", size_px=(640, 360)))
    first = next(street.frames()).bgr.astype(int)
    caps = [street.stage.view.mm_to_px(np.array([[p["x"], p["y"]]]))[0] for p in street.header(1)["start"].values()]
    rows, columns = np.mgrid[: first.shape[0], : first.shape[1]]
    is_bare = np.all([np.hypot(columns - x, rows - y) > 30 for x, y in caps], axis=0)
    changed = np.abs(first - street.empty_bgr).max(axis=2) > 60
    assert (changed & is_bare).any()


def test_in_a_varied_world_caps_are_listed_as_a_person_would_write_them():
    street = SimulatedStreet(wishes=Wishes(seed=3302, world="varied", play="nothing", size_px=(640, 360)))
    true, listed = street.stage.caps, street.caps
    assert [cap.player for cap in listed] == [cap.player for cap in true]
    assert any(one.colour_rgb != other.colour_rgb for one, other in zip(true, listed, strict=True))
    assert all(abs(a.diameter_mm / b.diameter_mm - 1) < 0.05 for a, b in zip(true, listed, strict=True))
