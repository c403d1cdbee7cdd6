"""The light on the scene is divided out: exposure, white balance, lamp bands; what is saturated says no more."""

import cv2
import numpy as np
import pytest

from linesies.vision import Frame
from linesies.vision.picture.background import Background
from linesies.vision.picture.lighting import Lighting
from linesies.vision.picture.small_picture import look_at
from tests.flicks import PLACES, Drawn

BGR = Drawn(PLACES).draw().frames[0].bgr


def lit(gains_bgr, *, bands=0.0, phase=0.0):
    rows = np.arange(BGR.shape[0]) / BGR.shape[0]
    wave = 1 + bands * np.sin(2 * np.pi * (1.6 * rows + phase))
    levels = BGR * np.array(gains_bgr) * wave[:, None, None]
    bgr = np.clip(levels + 0.5, 0, 255).astype(np.uint8)
    return look_at(Frame.from_bgr(bgr, number=0, t_s=0.0))


@pytest.mark.parametrize("gains_bgr", [(0.7, 0.7, 0.7), (1.35, 1.35, 1.35), (0.84, 1.0, 1.16), (1.16, 1.0, 0.84)])
def test_caps_look_as_at_rest_in_any_exposure_and_white_balance(gains_bgr):
    rest = lit((1, 1, 1))
    scene = Background(rest, rest)
    left, _ = scene.leftover(scene.in_first_light(lit(gains_bgr)))
    assert np.count_nonzero(left) < 0.001 * left.size


@pytest.mark.parametrize("phase", [0.0, 0.3, 0.7])
def test_the_bands_of_mains_lamps_are_divided_out(phase):
    rest = lit((1, 1, 1))
    scene = Background(rest, rest)
    left, _ = scene.leftover(scene.in_first_light(lit((1, 1, 1), bands=0.15, phase=phase)))
    assert np.count_nonzero(left) < 0.001 * left.size


def test_a_cap_on_saturated_paint_is_still_seen():
    rest = lit((1, 1, 1))
    scene = Background(rest, rest)
    bright = lit((1.4, 1.4, 1.4))
    cv2.circle(bright, (320, 42), 12, (90, 128, 128), -1)  # on the white line
    left, _ = scene.leftover(scene.in_first_light(bright))
    assert np.count_nonzero(left[30:54, 308:332]) > 300


def test_paint_that_a_cap_has_left_bare_and_that_is_saturated_now_looks_bare():
    bare = lit((1, 1, 1))
    rest = bare.copy()
    cv2.circle(rest, (320, 42), 12, (90, 128, 128), -1)  # on the white line
    scene = Background(bare, rest)
    window = (slice(34, 51), slice(312, 329))
    _, is_bare = scene.looks_like(scene.in_first_light(lit((1.4, 1.4, 1.4))), window)
    assert is_bare.all()


@pytest.mark.parametrize("level", [0, 255])
def test_a_black_or_a_white_picture_has_a_light_in_which_numbers_stay_numbers(level):
    lighting = Lighting(lit((1, 1, 1)), 0.0, 255)
    with np.errstate(all="raise"):
        undone = lighting.undone(np.full((480, 640, 3), level, np.uint8))
    assert undone.shape == (480, 640, 3)


def test_two_gains_of_nearly_one_level_say_nothing_of_levels_far_from_it():
    """An even, noisy ground with a little black paint: what the noise does to the gains must not grow on the paint."""
    rng = np.random.default_rng(3)
    ground = np.full((360, 640, 3), 128, np.uint8)
    ground[:, :, 0] = 143
    ground[100:120, :, 0] = 60

    def seen():
        noisy = ground.astype(float)
        noisy[:, :, 0] += rng.normal(0, 3, ground.shape[:2])
        return np.clip(noisy + 0.5, 0, 255).astype(np.uint8)

    light = Lighting(seen(), 0.0, 255)
    for _ in range(5):
        frame = seen()
        even = light.undone(frame)
        assert np.abs(even[100:120, :, 0].astype(int) - frame[100:120, :, 0]).max() <= 5


@pytest.mark.parametrize("gain", [0.6, 0.75, 1.2])
def test_coloured_ground_keeps_its_colour_in_any_exposure(gain):
    wood = np.full((480, 640, 3), (60, 140, 200), np.uint8)
    wood[::2] = (50, 120, 170)
    first, then = (look_at(Frame.from_bgr(np.uint8(np.rint(wood * by)), number=0, t_s=0.0)) for by in (1.0, gain))
    even = Lighting(first, 0.0, 255).undone(then)
    assert np.abs(even.astype(int) - first).max() <= 4


def test_the_light_is_measured_again_once_enough_of_the_picture_has_changed():
    lighting = Lighting(lit((1, 1, 1)), 0.0, 255)
    lighting.undone(lit((1, 1, 1)))
    dim = lit((0.8, 0.8, 0.8))
    assert lighting.undone(dim, 0.1) is dim
    assert lighting.undone(dim, 0.15) is not dim


def test_in_another_light_than_the_first_it_is_measured_by_the_same_rule():
    lighting = Lighting(lit((1, 1, 1)), 0.0, 255)
    lighting.undone(lit((0.8, 0.8, 0.8)))
    dimmer = lit((0.7, 0.7, 0.7))
    assert lighting.undone(dimmer, 0.1)[..., 0].mean() < lit((1, 1, 1))[..., 0].mean() - 5
    assert abs(lighting.undone(dimmer, 0.15)[..., 0].mean() - lit((1, 1, 1))[..., 0].mean()) < 1
