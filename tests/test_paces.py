"""What is looked at now and then, or waited for, goes by seconds: a camera of 30 frames a second waits no longer."""

import cv2
import numpy as np
import pytest

from linesies.vision import Frame, Layout
from linesies.vision.picture.background import Background
from linesies.vision.picture.layout import black_of
from linesies.vision.shots.blobs import CapColours, find_blobs
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.opening import StillFrames

GREY = np.full((120, 160, 3), (90, 128, 128), np.uint8)


def beats(fps, every_s, seconds=6.0):
    """The numbers of the frames with which another stretch of seconds begins."""
    latest, begun = LatestFrames(), []
    for number in range(round(seconds * fps)):
        latest.add(Frame.from_bgr(GREY, number=number, t_s=number / fps))
        if latest.begins(every_s):
            begun.append(number)
    return begun


@pytest.mark.parametrize(("every_s", "frames"), [(0.1, 6), (0.25, 15), (1.0, 60)])
def test_at_60_frames_a_second_a_stretch_begins_with_every_so_many_frames(every_s, frames):
    assert beats(60, every_s) == list(range(0, 360, frames))


@pytest.mark.parametrize("fps", [30, 25, 12.5, 120])
@pytest.mark.parametrize("every_s", [0.25, 1.0])
def test_at_any_rate_as_many_stretches_begin_in_a_minute(fps, every_s):
    assert len(beats(fps, every_s)) == round(6.0 / every_s)


def test_a_frame_that_was_lost_takes_no_stretch_with_it():
    latest = LatestFrames()
    for number in (58, 59, 61):
        latest.add(Frame.from_bgr(GREY, number=number, t_s=number / 60))
    assert latest.begins(1.0)


@pytest.mark.parametrize("fps", [60, 30, 15])
@pytest.mark.parametrize(("levels", "stays_s"), [(15, 2.5), (70, 16.5)])
def test_what_comes_to_stay_is_ground_after_as_many_seconds_at_any_rate(fps, levels, stays_s):
    scene, changed = Background(GREY, GREY), GREY.copy()
    cv2.circle(changed, (80, 60), 9, (90 + levels, 128, 128), -1)
    nowhere = np.zeros(GREY.shape[:2], np.uint8)
    taken = (n for n in range(30 * fps) if scene.absorb(changed, keep_out=nowhere, lying=nowhere, frame_s=1 / fps))
    assert next(taken) / fps == pytest.approx(stays_s, abs=0.3)  # 2 and 15 s from when it keeps still


@pytest.mark.parametrize("fps", [60, 30, 15])
def test_a_scene_in_which_something_always_moves_is_taken_after_four_seconds_at_any_rate(fps):
    chance = np.random.default_rng(1)
    still = StillFrames()
    taken = (n for n in range(20 * fps) if still.see(chance.integers(0, 255, GREY.shape, np.uint8), frame_s=1 / fps))
    assert (next(taken) + 1) / fps == pytest.approx(4.0)


@pytest.mark.parametrize(("fps", "frames"), [(60, 12), (30, 12), (120, 24)])
def test_a_still_scene_is_taken_after_a_fifth_of_a_second_and_twelve_pictures(fps, frames):
    still = StillFrames()
    assert next(n for n in range(600) if still.see(GREY, frame_s=1 / fps)) + 1 == frames


@pytest.mark.parametrize("layout", Layout)
def test_a_deep_shadow_is_no_dark_cap_in_whatever_range_a_camera_tells_light(layout):
    black = black_of(layout)
    ground, cap = black + np.array([80.0, 6.0, -6.0]), black + np.array([6.0, 0.0, 0.0])
    bare = np.full((120, 160, 3), np.rint(ground), np.uint8)
    seen, leftover = bare.copy(), np.zeros(bare.shape[:2], np.uint8)
    for x, colour in ((40, cap), (110, black + 0.35 * (ground - black))):
        cv2.circle(seen, (x, 60), 10, tuple(np.rint(colour)), -1)
        cv2.circle(leftover, (x, 60), 10, 255, -1)
    one = np.ones(1)
    paint = CapColours(
        yuv=np.array([[cap, cap]]),
        first_share=one,
        area_small=np.pi * 10**2 * one,
        radius_small=10 * one,
        black=black,
    )
    fills = {round(blob.middle_small[0]): blob.fill[0] for blob in find_blobs(seen, bare, leftover, paint, 0.0)}
    assert fills[40] > 0.7
    assert fills[110] < 0.2
