"""Shade of clouds, branches and people is divided out where the ground's texture goes on beneath it; hands are not."""

import cv2
import numpy as np
import pytest

from linesies.vision.picture.background import Background
from linesies.vision.picture.shade import GroundTexture

HEIGHT, WIDTH = 360, 640
YS, XS = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)


def ground(seed=1, texture_levels=8.0):
    """A small picture of grey, textured ground, tinted a little."""
    spots = cv2.GaussianBlur(np.random.default_rng(seed).normal(size=(HEIGHT, WIDTH)), (0, 0), 2)
    luma = np.clip(110 + texture_levels * spots / spots.std(), 30, 230)
    return np.dstack([luma, np.full_like(luma, 124), np.full_like(luma, 132)]).round().astype(np.uint8)


def shaded(picture, gain):
    """The same in a light of so much (h, w), with some noise."""
    noise = np.random.default_rng(2).normal(0, 1.0, (HEIGHT, WIDTH))
    luma = picture[..., 0] * gain + noise
    colours = 128 + (picture[..., 1:].astype(float) - 128) * gain[..., None]
    return np.clip(np.dstack([luma, colours]).round(), 0, 255).astype(np.uint8)


def cloud(edge_x, width=60.0):
    return 1 - 0.5 / (1 + np.exp((XS - edge_x) / (width / 4)))


def walker(x):
    beside = np.maximum(np.abs(XS - x - 0.3 * (YS - HEIGHT / 2)) / 35, np.abs(YS - 160) / 150)
    return 1 - 0.5 / (1 + np.exp(np.minimum((beside - 1) * 12, 50)))


def dapple(shift):
    spots = cv2.GaussianBlur(np.random.default_rng(3).normal(size=(HEIGHT, WIDTH + 40)), (0, 0), 17)
    return 1 - 0.4 / (1 + np.exp(-2.5 * (spots / spots.std())[:, shift : shift + WIDTH]))


SHADES = {"a cloud": cloud(300), "a walker": walker(300), "branches": dapple(20)}


@pytest.mark.parametrize("gain", SHADES.values(), ids=SHADES)
def test_moving_shade_on_textured_ground_is_explained(gain):
    rest = ground()
    scene = Background(rest, rest)
    left, _ = scene.leftover(scene.in_first_light(shaded(rest, gain)))
    assert np.count_nonzero(left) < 0.004 * left.size


@pytest.mark.parametrize("gain", SHADES.values(), ids=SHADES)
def test_most_of_a_hand_and_a_cap_in_shade_are_left_over(gain):
    rest = ground()
    scene = Background(rest, rest)
    came = rest.copy()
    came[:200, 400:460] = (150, 108, 150)  # skin
    cv2.circle(came, (150, 250), 7, (70, 150, 110), -1)
    left, _ = scene.leftover(scene.in_first_light(shaded(came, gain)))
    assert np.count_nonzero(left[:200, 400:460]) > 0.5 * 200 * 60
    assert np.count_nonzero(left[243:258, 143:158]) > 0.8 * np.pi * 49


def test_where_shade_has_gone_that_lay_there_at_first_the_ground_is_as_it_was():
    rest = shaded(ground(), cloud(300))
    scene = Background(rest, rest)
    left, _ = scene.leftover(scene.in_first_light(ground()))
    assert np.count_nonzero(left) < 0.004 * left.size


@pytest.mark.parametrize("gain", [0.6, 1.0, 1.5])
def test_what_is_the_same_for_all_of_the_picture_is_no_shade(gain):
    rest = ground()
    assert GroundTexture(rest, 255).shading_of(shaded(rest, np.full((HEIGHT, WIDTH), gain))) is None


def test_an_arms_own_shade_is_left_as_it_is_unless_it_is_asked_whether_things_keep_still():
    rest = ground()
    gain = np.where((np.abs(XS - 300) < 20) & (YS < 150), 0.6, 1.0)
    assert GroundTexture(rest, 255).shading_of(shaded(rest, gain)) is None
    assert GroundTexture(rest, 255, is_any=True).shading_of(shaded(rest, gain)) is not None


def test_shade_that_was_there_is_followed_until_it_has_left():
    texture, rest = GroundTexture(ground(), 255), ground()
    leaving = shaded(rest, cloud(8.0, width=12.0))
    assert texture.shading_of(leaving) is None
    assert texture.shading_of(leaving, was_there=True) is not None
    assert texture.shading_of(rest, was_there=True) is None


def test_on_ground_without_texture_nothing_tells_shade_from_what_is_laid_there():
    rest = ground(texture_levels=0.5)
    assert GroundTexture(rest, 255).shading_of(shaded(rest, cloud(300))) is None


@pytest.mark.parametrize("edge_x", range(290, 311, 5))
@pytest.mark.parametrize("is_there", [True, False])
def test_at_the_edge_of_shade_a_caps_place_shows_whether_it_lies_there_still(edge_x, is_there):
    bare = ground()
    rest = bare.copy()
    cv2.circle(rest, (300, 200), 7, (170, 110, 150), -1)
    scene = Background(bare, rest)
    window = (slice(195, 206), slice(295, 306))
    seen = scene.in_first_light(shaded(rest if is_there else bare, cloud(edge_x, width=20.0)))
    looks_at_rest, looks_bare = (np.mean(mask > 0) for mask in scene.looks_like(seen, window))
    assert (looks_at_rest > looks_bare) == is_there


@pytest.mark.parametrize("gain", SHADES.values(), ids=SHADES)
def test_ground_is_shown_in_shade_as_it_is_seen_there(gain):
    even = ground()
    seen = shaded(even, gain)
    shading = GroundTexture(even, 255).shading_of(seen)
    assert np.percentile(cv2.absdiff(shading.on(even), seen), 99) <= 12
