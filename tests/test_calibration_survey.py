"""Calibration on painted boards whose every edge is known."""

import cv2
import numpy as np
import pytest

from linesies.calibration import BadInput, Calibration, NoBoard, calibrate, share_below
from linesies.calibration.edges import CrossSections, Edges, Stiffness, fit_edges
from linesies.calibration.surveying import SURVEY, Surveyed
from linesies.calibration.weighing import WEIGHING, PlaneReading, weighed
from tests.painted_boards import BLACK, WHITE, YELLOW, bare_ground, paint_scene, photographed, slanted_view


def survey(scene, **options):
    found = calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens, corners_px=scene.taps_px, **options)
    assert isinstance(found, Calibration), found.reason
    return found


def edge_errors_px(found, scene):
    """How far each surveyed edge lies outside its true place, in pixels; a line's ends are left out."""
    errors = []
    for line, ends in zip(found.survey.lines, scene.middles_mm, strict=True):
        along = (ends[1] - ends[0]) / np.hypot(*(ends[1] - ends[0]))
        aside = np.array([-along[1], along[0]])
        inner = slice(len(line.left_mm) // 8, -(len(line.left_mm) // 8))
        for edge in (line.left_mm, line.right_mm):
            seen_mm = scene.view.px_to_mm(found.view.mm_to_px(edge[inner]))
            off = np.abs((seen_mm - ends[0]) @ aside) - (0.5 - SURVEY.fringe) * scene.width_mm
            errors.append(off * [scene.view.px_per_mm(p) for p in seen_mm])
    return np.concatenate(errors)


@pytest.fixture(scope="module")
def plain():
    scene = paint_scene()
    return scene, survey(scene)


def test_every_line_of_the_drawing_is_surveyed_once(plain):
    _, found = plain
    assert len(found.survey.lines) == 64
    assert sum(line.line_class == "skull" for line in found.survey.lines) == 12


def test_edges_are_found_to_a_tenth_of_a_pixel_and_without_bias(plain):
    scene, found = plain
    errors = edge_errors_px(found, scene)
    assert np.median(np.abs(errors)) < 0.06
    assert np.percentile(np.abs(errors), 95) < 0.2
    assert abs(errors.mean()) < 0.05


def test_the_camera_is_found_where_it_stands(plain):
    scene, found = plain
    assert found.view.camera_height_mm == pytest.approx(scene.view.camera_height_mm, rel=0.005)
    assert found.view.tilt_deg == pytest.approx(scene.view.tilt_deg, abs=0.2)
    assert found.reprojection_px < 0.5


def test_the_survey_says_how_sure_it_is(plain):
    scene, found = plain
    sigma_px = np.concatenate([line.sigma_mm for line in found.survey.lines]) * scene.view.px_per_mm(
        np.array([300.0, 300.0])
    )
    assert 0.05 < np.median(sigma_px) < 0.3


@pytest.mark.parametrize(("paint", "ground"), [(BLACK, (0.1, 0.2, 0.3)), (YELLOW, (0.2, 0.2, 0.2))])
def test_dark_and_coloured_paint_are_surveyed_as_well(paint, ground):
    scene = paint_scene(paint=paint, ground=ground)
    errors = edge_errors_px(survey(scene), scene)
    assert np.percentile(np.abs(errors), 95) < 0.3


@pytest.mark.parametrize("ground", [0.12, 0.28])
@pytest.mark.parametrize(("paint", "most_px"), [(WHITE, 0.04), (YELLOW, 0.1)])
def test_paint_reads_as_wide_as_it_is_though_colour_is_stored_at_half_resolution(paint, most_px, ground):
    scene = photographed(paint_scene(paint=paint, ground=(ground,) * 3))
    assert abs(edge_errors_px(survey(scene), scene).mean()) < most_px


@pytest.mark.parametrize(
    "paint",
    [
        pytest.param((1.6, 1.6, 1.6), id="white that the sun overexposes"),
        pytest.param((-0.15, 0.55, 0.75), id="yellow whose blue the camera cuts off"),
        pytest.param((0.1, 0.9, 1.4), id="yellow whose red is overexposed"),
    ],
)
def test_paint_reads_as_wide_as_it_is_though_the_camera_cuts_its_light_off(paint):
    scene = paint_scene(paint=paint, ground=(0.25,) * 3)
    assert abs(edge_errors_px(survey(scene), scene).mean()) < 0.1


def test_what_counts_is_the_paint_not_the_drawing():
    scene = paint_scene(moved={44: 3.0, 20: -2.5})
    found = survey(scene)
    assert np.percentile(np.abs(edge_errors_px(found, scene)), 95) < 0.35
    line, ends = found.survey.lines[44], scene.middles_mm[44]
    inner = line.middle_mm[len(line.middle_mm) // 3 : -len(line.middle_mm) // 3]
    along = (ends[1] - ends[0]) / np.hypot(*(ends[1] - ends[0]))
    assert np.abs((inner - ends[0]) @ np.array([-along[1], along[0]])).max() < 0.3


def test_a_worn_stretch_is_bridged_and_known_as_less_sure():
    scene = paint_scene(worn=[(0, 0.4, 0.6)])
    line = survey(scene).survey.lines[0]
    share = np.linspace(0, 1, len(line.sigma_mm))
    worn, whole = np.abs(share - 0.5) < 0.06, (np.abs(share - 0.25) < 0.06)
    assert line.sigma_mm[worn].mean() > 1.5 * line.sigma_mm[whole].mean()
    middle = line.middle_mm[worn]
    assert np.abs(middle[:, 1] - scene.middles_mm[0, 0, 1]).max() < 1.5


def test_a_hard_shadow_across_the_board_moves_no_edge():
    scene = paint_scene()
    light = scene.picture_bgr.astype(float)
    light[:, 400:] *= 0.55
    shaded = light.round().astype(np.uint8)
    found = calibrate(shaded, scene.board, lens=scene.view.lens, corners_px=scene.taps_px)
    assert np.percentile(np.abs(edge_errors_px(found, scene)), 95) < 0.3


def test_regions_follow_the_paint(plain):
    scene, found = plain
    drawn = {region.name: region for region in scene.board.regions}
    assert [region.name for region in found.regions] == list(drawn)
    for region in found.regions:
        ours, nominal = (r.polygon_mm.astype(np.float32) for r in (region, drawn[region.name]))
        assert cv2.contourArea(ours) == pytest.approx(cv2.contourArea(nominal), rel=0.01)
        assert np.abs(ours.min(axis=0) - nominal.min(axis=0)).max() < 0.5


def test_without_a_lens_file_the_lens_is_estimated():
    scene = paint_scene(slanted_view(tilt_deg=28, bend=-0.12))
    found = calibrate(scene.picture_bgr, scene.board, corners_px=scene.taps_px)
    assert found.view.camera_height_mm == pytest.approx(scene.view.camera_height_mm, rel=0.03)
    assert found.view.lens.distortion[0] == pytest.approx(-0.12, abs=0.04)
    assert np.percentile(np.abs(edge_errors_px(found, scene)), 95) < 0.3


@pytest.mark.parametrize("turn_deg", [98, 188])
def test_the_board_is_found_by_itself_and_the_right_way_round(turn_deg):
    scene = paint_scene(slanted_view(turn_deg=turn_deg))
    found = calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens)
    assert found, found.reason
    corners = np.array([[0, 0], [600, 0], [600, 600], [0, 600.0]])
    assert np.abs(found.view.mm_to_px(corners) - scene.view.mm_to_px(corners)).max() < 1.0


def test_without_numbers_nobody_guesses_which_way_round():
    scene = paint_scene(numbers=False)
    found = calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens)
    assert not found
    assert "which way round" in found.reason
    assert "--corners" in found.reason


@pytest.mark.parametrize("has_taps", [True, False])
def test_bare_ground_is_no_board(has_taps):
    scene = paint_scene(numbers=False)
    found = calibrate(bare_ground(), scene.board, lens=scene.view.lens, corners_px=scene.taps_px if has_taps else None)
    assert isinstance(found, NoBoard)
    assert not found


def test_taps_far_off_still_find_the_board(plain):
    scene, _ = plain
    taps = scene.taps_px + np.array([[30, -20], [25, 30], [-30, 20], [10, -30]])
    found = calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens, corners_px=taps)
    assert np.percentile(np.abs(edge_errors_px(found, scene)), 95) < 0.2


def test_taps_turned_by_a_corner_turn_the_board(plain):
    scene, _ = plain
    found = calibrate(
        scene.picture_bgr, scene.board, lens=scene.view.lens, corners_px=np.roll(scene.taps_px, 1, axis=0)
    )
    was, now = scene.view.mm_to_px(np.array([[0.0, 0.0]])), found.view.mm_to_px(np.array([[600.0, 0.0]]))
    assert np.abs(was - now).max() < 2.0


@pytest.mark.parametrize(
    ("taps", "complaint"),
    [
        ([[800, 60], [100, 60], [100, 600], [800, 600]], "anticlockwise"),
        ([[100, 60], [800, 60], [100, 600], [800, 600]], "no quadrangle"),
        ([[100, 60], [101, 60], [101, 61], [100, 61]], "no quadrangle"),
        ([[9000, 60], [19000, 60], [19000, 6000], [9000, 6000]], "far outside"),
    ],
)
def test_impossible_taps_are_refused_with_what_is_wrong(plain, taps, complaint):
    scene, _ = plain
    with pytest.raises(BadInput, match=complaint):
        calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens, corners_px=np.array(taps, float))


def test_a_lens_for_another_picture_size_is_refused(plain):
    scene, _ = plain
    with pytest.raises(BadInput, match="960x720"):
        calibrate(scene.picture_bgr[:-2], scene.board, lens=scene.view.lens, corners_px=scene.taps_px)


def test_however_aslant_a_line_is_seen_it_ends_with_the_paint_that_it_meets():
    scene = paint_scene(view=slanted_view(tilt_deg=50.0))
    found = survey(scene)
    beyond_mm = []
    for line, ends in zip(found.survey.lines, scene.middles_mm, strict=True):
        along = (ends[1] - ends[0]) / np.hypot(*(ends[1] - ends[0]))
        last_mm, first_mm = (found.view.mm_to_px((line.left_mm[end] + line.right_mm[end])[None] / 2) for end in (-1, 0))
        beyond_mm += [float((scene.view.px_to_mm(last_mm)[0] - ends[1]) @ along)]
        beyond_mm += [float((ends[0] - scene.view.px_to_mm(first_mm)[0]) @ along)]
    off_mm = np.abs(np.array(beyond_mm) - scene.width_mm / 2)
    assert np.percentile(off_mm, 95) < 0.1 * scene.width_mm, off_mm


def line_of(*, edges_px, sigma_px=0.1):
    left_px, right_px = (np.full(9, edge) for edge in edges_px)
    sure = np.full(9, sigma_px)
    middle_px, width_px = (left_px + right_px) / 2, right_px - left_px
    fitted = {"middle_px": middle_px, "width_px": width_px, "sigma_px": sure, "middle_sigma_px": sure}
    edges = Edges(**fitted, step=np.ones(9), noise=0.01, misfit=0.01)
    return Surveyed(courses=[], edges=[edges], nodes_px=np.zeros((2, 2)), blur_px=1.0)


def test_what_two_planes_tell_otherwise_is_taken_between_them_and_doubted():
    luma, mix = line_of(edges_px=(-3.4, 3.4)), line_of(edges_px=(-3.0, 3.0))
    [alone] = weighed([PlaneReading(surveyed=luma, wide_px=0.1)]).edges
    [both] = weighed([PlaneReading(surveyed=one, wide_px=0.1) for one in (luma, mix)]).edges
    assert alone.width_px == pytest.approx(np.full(9, 6.6))
    assert both.width_px == pytest.approx(np.full(9, 6.2))
    assert both.sigma_px == pytest.approx(np.full(9, np.hypot(0.1, 0.2 * WEIGHING.apart)))
    [sure] = weighed([PlaneReading(surveyed=luma, wide_px=0.0), PlaneReading(surveyed=mix, wide_px=5.0)]).edges
    assert sure.width_px == pytest.approx(np.full(9, 6.8), abs=0.01)


def test_paint_that_bulges_is_followed_where_it_is_seen_clearly():
    along = np.arange(160.0)
    right = 3.2 + 1.5 * np.exp(-(((along - 80) / 16) ** 2))
    reach = np.tile(np.arange(-10.0, 11.0), (160, 1))
    paint = share_below((reach + 3.2) / 0.7) - share_below((reach - right[:, None]) / 0.7)
    rough = np.random.default_rng(5).normal(0, 0.004, paint.shape)
    found = fit_edges(
        CrossSections(
            share=along / 159,
            light=paint + rough,
            weight=np.ones_like(paint),
            reach_px=reach,
            width_px=np.full(160, 6.4),
            guess_px=np.zeros(160),
        ),
        0.7,
        Stiffness(),
    )
    assert np.abs(found.middle_px + found.width_px / 2 - right).max() < 0.35
