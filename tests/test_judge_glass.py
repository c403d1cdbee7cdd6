"""Glass shows the ground, steel the sky: rings are found by their band, shadows are none; no dark thing is a glide."""

import cv2
import numpy as np
import pytest

from linesies.vision import Cap, Judge, KnownCap
from linesies.vision.caps.glass import goes_on, seek_glass
from tests import cap_pictures

SIDE, MIDDLE, RADIUS_PX = 121, np.array([62.0, 58.0]), 8.0
GLASS = Cap(player="fin", colour_rgb=(90, 164, 106), diameter_mm=30.0, height_mm=12.0, kind="ring")
STEEL = Cap(player="eve", colour_rgb=(185, 188, 192), diameter_mm=30.0, height_mm=6.0, kind="glide")


def away_px():
    rows, columns = np.mgrid[:SIDE, :SIDE]
    return np.hypot(columns - MIDDLE[0], rows - MIDDLE[1])


@pytest.fixture(scope="module")
def ground():
    rough = cv2.GaussianBlur(np.random.default_rng(4).normal(0, 1, (SIDE, SIDE)).astype(np.float32), (0, 0), 1.2)
    return np.repeat((120 * (1 + 0.25 * rough / rough.std()))[..., None], 3, axis=2).clip(20, 250).astype(np.uint8)


def darkened(ground, where, share):
    soft = cv2.GaussianBlur(where.astype(np.float32), (0, 0), 0.8)[..., None]
    return (ground * (1 - soft * (1 - share))).astype(np.uint8)


@pytest.mark.parametrize("off_px", [(0, 0), (4, -3), (-2, 4)])
def test_a_ring_is_found_by_the_darker_band_round_its_hole(ground, off_px):
    band = (away_px() < RADIUS_PX) & (away_px() > 0.68 * RADIUS_PX)
    found = seek_glass(darkened(ground, band, 0.6), ground, MIDDLE + off_px, RADIUS_PX)
    assert found == pytest.approx(MIDDLE, abs=1.0)


def test_a_ring_several_times_larger_is_found_as_well(ground):
    band = (away_px() < 2.4 * RADIUS_PX) & (away_px() > 0.7 * 2.4 * RADIUS_PX)
    found = seek_glass(darkened(ground, band, 0.6), ground, MIDDLE + 3, 2.4 * RADIUS_PX)
    assert found == pytest.approx(MIDDLE, abs=2.5)


def test_bare_ground_holds_no_ring(ground):
    noisy = np.clip(ground + np.random.default_rng(5).normal(0, 3, ground.shape), 0, 255).astype(np.uint8)
    assert seek_glass(noisy, ground, MIDDLE, RADIUS_PX) is None


@pytest.mark.parametrize("wide", [1.0, 1.6])
def test_a_stripe_of_shadow_is_no_ring(ground, wide):
    rows, columns = np.mgrid[:SIDE, :SIDE]
    stripe = np.abs((columns - MIDDLE[0]) - 0.4 * (rows - MIDDLE[1])) < wide * RADIUS_PX
    assert seek_glass(darkened(ground, stripe, 0.5), ground, MIDDLE, RADIUS_PX) is None


def test_darkness_goes_on_beyond_a_disc_in_a_stripe_and_not_about_a_lone_disc():
    away = away_px() / RADIUS_PX
    columns = np.arange(SIDE)[None].repeat(SIDE, axis=0)
    lone, stripe = (0.8 * where.astype(np.float32) for where in (away < 1.1, np.abs(columns - MIDDLE[0]) < RADIUS_PX))
    assert goes_on(stripe, away)
    assert not goes_on(lone, away)
    assert not goes_on(np.zeros_like(lone), away)


def test_a_glide_of_steel_is_found():
    calibration = cap_pictures.calibration()
    (call,) = Judge(calibration, (STEEL,)).judge(cap_pictures.picture(calibration, [(STEEL, (180.0, 200.0))])).caps
    assert call.xy_mm == pytest.approx((180.0, 200.0), abs=1.5)


def test_a_dark_disc_is_not_taken_for_a_missing_glide_of_steel():
    calibration = cap_pictures.calibration()
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    outline_mm = np.array([420.0, 420.0]) + 15.0 * np.column_stack([np.cos(turn), np.sin(turn)])
    seen = np.rint(calibration.view.mm_to_px(outline_mm) * 16).astype(np.int32)
    picture = cv2.fillPoly(cap_pictures.picture(calibration, []), [seen], (44, 42, 42), cv2.LINE_AA, 4)
    assert Judge(calibration, (STEEL,)).judge(picture).caps == ()


@pytest.mark.parametrize("paint", [0.94, 1.06])
@pytest.mark.parametrize("short_mm", [1.0, 3.0])
@pytest.mark.parametrize("side", [-1, 1])
def test_bright_paint_that_looks_a_little_otherwise_draws_no_glass_to_it(paint, short_mm, side):
    calibration = cap_pictures.calibration()
    away_mm = cap_pictures.LINE_HALF_MM + GLASS.diameter_mm / 2 + short_mm
    true_mm = np.array([cap_pictures.LINE_X_MM + side * away_mm, 280.0])
    picture = cap_pictures.picture(calibration, [(GLASS, true_mm)], paint=paint)
    call = Judge(calibration, (GLASS,)).fit(picture, KnownCap(cap=GLASS, near_mm=true_mm))
    off_px = np.hypot(*(call.xy_mm - true_mm)) * calibration.view.px_per_mm(true_mm)
    assert off_px < 0.2
