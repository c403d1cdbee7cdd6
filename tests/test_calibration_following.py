"""A camera that was moved a little finds its board again, without surveying it anew."""

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
    [((0, 0, 0), (0, 0, 0)), ((0.2, 0, 0), (0, 0, 0)), ((0.5, -0.8, 1.5), (6, -9, 4)), ((-2, 1, -3), (20, 15, -10))],
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


def test_another_view_altogether_is_not_guessed_at(calibration):
    assert isinstance(follow(calibration, bare_ground()), NoBoard)
    far = paint_scene(slanted_view(tilt_deg=38, turn_deg=100), seed=2)
    assert isinstance(follow(calibration, far.picture_bgr), NoBoard)


def test_a_picture_of_another_size_is_refused(calibration):
    with pytest.raises(BadInput):
        follow(calibration, np.zeros((48, 64, 3), np.uint8))
