"""What is polished shows what lies round it: the sky where it faces up, the ground where it faces aside, the sun."""

import numpy as np
import pytest

from linesies.simulator.street.environment import Environment, Mass
from linesies.simulator.street.light import choose_light
from linesies.simulator.street.polish import FACE, Polish, choose_polish

UP = np.array([0.0, 0.0, 1.0], np.float32)
OPEN = Environment(masses=(), horizon=0.5, glow=0.2, ground=0.1)
WALL = Mass(azimuth_rad=0.0, half_rad=0.6, rises=0.9, share=0.05)


@pytest.fixture
def overcast():
    return choose_light("overcast", np.random.default_rng(1))


@pytest.fixture
def sunny():
    return choose_light("sun_low", np.random.default_rng(1))


def polish(environment=OPEN, **given):
    flat = np.zeros((FACE, FACE, 2), np.float32)
    made = {"share": 0.5, "is_metal": False, "along": 0.1, "across": 0.1, "brushed_rad": 0.0, "relief": flat} | given
    return Polish(environment=environment, **made)


def test_a_level_mirror_shows_the_sky_and_a_steep_one_the_ground(overcast):
    level, steep = polish().mirrored(np.array([[0.0, 0.0], [4.0, 0.0]], np.float32), UP, 0.0, overcast).mean(axis=1)
    assert level > 3 * steep


def test_a_wall_darkens_the_side_that_faces_it(overcast):
    away, facing = polish(Environment(masses=(WALL,), horizon=0.5, glow=0.0, ground=0.1)).mirrored(
        np.array([[-0.35, 0.0], [0.35, 0.0]], np.float32), UP, 0.0, overcast
    )
    assert facing.mean() < 0.5 * away.mean()


def test_the_sun_is_brightest_where_the_surface_turns_half_way_to_it(sunny):
    half = sunny.to_sun + UP
    slopes = np.array([half[:2] / half[2], (0.0, 0.0)], np.float32)
    at_it, level = polish().mirrored(slopes, UP, 0.0, sunny).mean(axis=1)
    assert at_it > 10 * level


def test_a_brushed_mirror_draws_the_sun_out_along_its_brush(sunny):
    half = sunny.to_sun + UP
    middle = half[:2] / half[2]
    slopes = (middle + np.array([[0.2, 0.0], [0.0, 0.2]])).astype(np.float32)
    along, across = polish(along=0.4, across=0.05).mirrored(slopes, UP, 0.0, sunny).mean(axis=1)
    assert along > 2 * across
    turned = polish(along=0.4, across=0.05).mirrored(slopes, UP, np.pi / 2, sunny).mean(axis=1)
    assert turned[1] > 2 * turned[0]


def test_metal_tints_what_it_mirrors_and_lacquer_does_not():
    scattered, white = np.zeros((1, 3), np.float32), np.ones((1, 3), np.float32)
    gold = np.array([[0.5, 0.3, 0.1]], np.float32)
    assert np.ptp(polish(is_metal=True).over(scattered, white, gold)) > 0.1
    assert np.ptp(polish(is_metal=False).over(scattered, white, gold)) == 0


def test_the_relief_turns_with_its_cap():
    relief = np.zeros((FACE, FACE, 2), np.float32)
    relief[:, FACE // 2 :, 0] = 0.2  # the half at +x slopes to +x
    bent = polish(relief=relief)
    at = np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]], np.float32)
    assert bent.relief_at(at[:2], 0.0) == pytest.approx(np.array([[0.2, 0], [0, 0]]), abs=1e-6)
    assert bent.relief_at(at[2:], np.pi / 2) == pytest.approx(np.array([[0, 0.2], [0, 0]]), abs=1e-6)


def test_glass_has_a_gleam_of_its_own_and_glides_are_mostly_metal():
    rng = np.random.default_rng(3)
    assert choose_polish("ring", OPEN, rng) is None
    glides = [choose_polish("glide", OPEN, rng) for _ in range(40)]
    assert sum(one.is_metal for one in glides) > 25
