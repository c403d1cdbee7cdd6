"""A camera that was moved finds its board again, without surveying it anew."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.calibration import BadInput, NoBoard, calibrate, follow
from tests.painted_boards import bare_ground, paint_scene, slanted_view

PLACES_MM = np.array([[x, y] for x in (0.0, 300, 600) for y in (0.0, 300, 600)])


@pytest.fixture(scope="module")
def scene():
    return paint_scene()


@pytest.fixture(scope="module")
def calibration(scene):
    return calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens, corners_px=scene.taps_px)


def knocked(view, *, turn_deg, shift_mm):
    turn = cv2.Rodrigues(np.radians(np.array(turn_deg, float)))[0]
    return replace(view, rotation=turn @ view.rotation, translation_mm=view.translation_mm + np.array(shift_mm, float))


@pytest.mark.parametrize(
    ("turn_deg", "shift_mm"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((0.2, 0, 0), (0, 0, 0)),
        ((0.5, -0.8, 1.5), (6, -9, 4)),
        ((-2, 1, -3), (20, 15, -10)),
        ((4, -3, 20), (40, -30, 60)),
    ],
)
def test_places_on_the_board_are_seen_where_they_are_again(scene, calibration, turn_deg, shift_mm):
    moved = paint_scene(knocked(scene.view, turn_deg=turn_deg, shift_mm=shift_mm), seed=5)
    found = follow(calibration, moved.picture_bgr)
    err_px = found.view.mm_to_px(PLACES_MM) - moved.view.mm_to_px(PLACES_MM)
    was_px = calibration.view.mm_to_px(PLACES_MM) - scene.view.mm_to_px(PLACES_MM)
    assert np.abs(err_px - was_px).max() < 0.15


def test_caps_and_hands_that_lie_there_now_do_not_become_ground(scene, calibration):
    moved = paint_scene(knocked(scene.view, turn_deg=(0.3, -0.4, 0.8), shift_mm=(3, 2, 0)), seed=5)
    crowded = moved.picture_bgr.copy()
    for x, y in ((300.0, 210.0), (120.0, 330.0), (480.0, 500.0)):
        at = moved.view.mm_to_px(np.array([[x, y]]))[0].round().astype(int)
        cv2.circle(crowded, tuple(int(v) for v in at), 14, (40, 40, 220), -1)
    cv2.rectangle(crowded, (0, 300), (240, 420), (120, 150, 200), -1)
    found = follow(calibration, crowded)
    apart = cv2.absdiff(found.empty_bgr, moved.picture_bgr)[60:-60, 60:-60].max(axis=2)
    assert np.percentile(apart, 99) < 40
    at = moved.view.mm_to_px(np.array([[300.0, 210.0]]))[0].round().astype(int)
    assert apart[at[1] - 60, at[0] - 60] < 40


def test_a_new_exposure_moves_nothing(scene, calibration):
    darker = cv2.convertScaleAbs(scene.picture_bgr, alpha=0.7, beta=-5)
    found = follow(calibration, darker)
    assert np.abs(found.view.mm_to_px(PLACES_MM) - calibration.view.mm_to_px(PLACES_MM)).max() < 0.1


def test_the_survey_stays_as_it_was(scene, calibration):
    moved = paint_scene(knocked(scene.view, turn_deg=(0.3, 0, 0), shift_mm=(0, 0, 0)), seed=5)
    assert follow(calibration, moved.picture_bgr).survey is calibration.survey


def test_a_board_that_looks_alike_from_four_sides_is_not_guessed_at_where_its_ground_is_unknown(calibration):
    far = paint_scene(slanted_view(tilt_deg=38, turn_deg=100), seed=2)
    assert isinstance(follow(calibration, far.picture_bgr), NoBoard)


@pytest.mark.parametrize("way", [np.s_[:, ::-1], np.s_[::-1]])
def test_a_mirrored_picture_is_none_of_the_board(calibration, way):
    assert isinstance(follow(calibration, np.ascontiguousarray(calibration.empty_bgr[way])), NoBoard)


def test_lines_painted_elsewhere_are_another_board_s(scene, calibration):
    other = paint_scene(scene.view, moved=dict.fromkeys(range(0, 64, 2), 4.0), seed=5)
    assert isinstance(follow(calibration, other.picture_bgr), NoBoard)


@pytest.mark.parametrize("seed", range(6))
def test_however_a_picture_is_distorted_an_answer_is_given(calibration, seed):
    rng = np.random.default_rng(seed)
    bent = np.eye(3) + rng.normal(0, 1, (3, 3)) * np.array([[0.3, 0.3, 200], [0.3, 0.3, 200], [4e-4, 4e-4, 0]])
    height, width = calibration.empty_bgr.shape[:2]
    picture = cv2.warpPerspective(calibration.empty_bgr, bent, (width, height))
    assert follow(calibration, picture) is not None


@pytest.mark.parametrize("picture", [bare_ground(), np.zeros_like(bare_ground()), np.full_like(bare_ground(), 255)])
def test_where_no_board_is_none_is_guessed_at(calibration, picture):
    assert isinstance(follow(calibration, picture), NoBoard)


def test_a_mat_without_painted_lines_is_followed_by_what_it_shows(scene, calibration):
    mat = replace(calibration, survey=replace(calibration.survey, lines=()))
    moved = paint_scene(knocked(scene.view, turn_deg=(1, -1, 20), shift_mm=(20, 15, 5)), seed=5)
    assert isinstance(follow(mat, bare_ground()), NoBoard)
    found = follow(mat, moved.picture_bgr)
    assert found.view.mm_to_px(PLACES_MM) == pytest.approx(moved.view.mm_to_px(PLACES_MM), abs=0.5)


def test_a_fence_s_shadow_that_wanders_moves_nothing(scene, calibration):
    def fenced(picture, start):
        rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
        shade = np.where((columns + rows + start) % 40 < 16, 0.45, 1.0)
        return (picture * shade[..., None]).astype(np.uint8)

    before = replace(calibration, empty_bgr=fenced(calibration.empty_bgr, 0))
    found = follow(before, fenced(paint_scene(scene.view, seed=5).picture_bgr, 22))
    assert found.view.mm_to_px(PLACES_MM) == pytest.approx(calibration.view.mm_to_px(PLACES_MM), abs=0.3)


def test_a_picture_of_another_size_is_refused(calibration):
    with pytest.raises(BadInput):
        follow(calibration, np.zeros((48, 64, 3), np.uint8))
