"""Caps in the sun: what lights one side of a cap and hides the other does not move it."""

import dataclasses

import numpy as np
import pytest

from linesies.calibration.light import to_linear, to_stored
from linesies.simulator.street.canvas import Canvas
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.solids import solid
from linesies.simulator.street.stage import Wishes, set_stage
from linesies.vision import Cap, Judge, KnownCap
from linesies.vision.caps import fitting
from linesies.vision.caps.candidates import Candidates, CapCandidate
from linesies.vision.caps.cap import Listed
from linesies.vision.caps.fitting import fit_cap
from linesies.vision.caps.found import Found
from linesies.vision.caps.hypothesis import suppose, suppose_cap
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.seek import seek, seek_cap
from linesies.vision.caps.shadow import light_of
from linesies.vision.caps.solid import outline_px, solid_of
from linesies.vision.caps.sunlight import Sunlight
from linesies.vision.caps.uncertainty import fit_covariance_mm2
from linesies.vision.shadow_light import ShadowLight
from tests import cap_pictures
from tests.cap_pictures import RED
from tests.thorough import cases

COLOURS = ((125, 63, 160), (31, 95, 174), (192, 57, 43), (46, 139, 87))
PLACES_MM = [(x, y) for x in (420.0, 760.0, 1070.0, 1400.0) for y in (500.0, 1000.0, 1350.0)]


def sunny(seed, light, ground):
    return set_stage(Wishes(seed=seed, light=light, ground=ground, is_for_stills=True, size_px=(1920, 1080)))


def judged(stage, lying):
    """Lay caps down at places (2,); the judge of that board, and the picture."""
    lit = (stage.albedo * (stage.light.sky_rgb + stage.light.sun_rgb)).astype(np.float32)
    canvas = Canvas(lit, stage.ground_mm, stage.view, stage.light, stage.rng(4))
    ground = dataclasses.replace(stage.truth, empty_bgr=canvas.picture())
    for i, (cap, xy_mm) in enumerate(lying):
        canvas.put(f"cap {i}", solid(cap, stage.rng(5)), Pose(xy_mm=xy_mm.astype(np.float32), angle_rad=0.3 * i))
    return Judge(ground, tuple(cap for cap, _ in lying)), canvas.picture()


def drawn_to_its_shadow_px(stage, kind):
    """Lay caps on a sunlit board, one at each place; tell how far each is measured towards its shadow."""
    caps = [Cap(player="x", colour_rgb=c, diameter_mm=32.0, height_mm=6.0, kind=kind) for c in COLOURS]
    lying = [(caps[i % len(caps)], np.array(place)) for i, place in enumerate(PLACES_MM)]
    judge, picture = judged(stage, lying)
    towards = stage.light.per_mm / np.hypot(*stage.light.per_mm)
    calls = [judge.fit(picture, KnownCap(cap=cap, near_mm=xy_mm)) for cap, xy_mm in lying]
    assert all(calls)
    return [
        float((np.array(call.xy_mm) - xy_mm) @ towards * stage.view.px_per_mm(xy_mm))
        for call, (_, xy_mm) in zip(calls, lying, strict=True)
    ]


@pytest.mark.parametrize(
    ("ground", "kind"),
    cases(
        [("concrete", "crown"), ("asphalt", "lid")],
        more=[("concrete", "crown_upturned"), ("concrete", "lid"), ("asphalt", "crown"), ("asphalt", "crown_upturned")],
    ),
)
def test_the_sun_draws_no_cap_to_its_shadow(ground, kind):
    assert abs(np.median(drawn_to_its_shadow_px(sunny(8, "sun_high", ground), kind))) < 0.28


def test_a_black_cap_is_told_from_its_shadow_by_where_that_of_another_falls():
    black = Cap(player="bo", colour_rgb=(38, 38, 42), diameter_mm=28.0, height_mm=12.0, kind="lid")
    yellow = Cap(player="ana", colour_rgb=(232, 194, 30), diameter_mm=32.0, height_mm=6.0, kind="crown")
    at_mm, elsewhere_mm = np.array([760.0, 1000.0]), np.array([1070.0, 1350.0])
    judge, picture = judged(sunny(7, "sun_low", "asphalt"), [(black, at_mm), (yellow, elsewhere_mm)])
    known = KnownCap(cap=black, near_mm=at_mm + np.array([6.0, -5.0]), beside=((yellow, elsewhere_mm),))
    call = judge.fit(picture, known)
    assert call.xy_mm == pytest.approx(at_mm, abs=1.0)


BLACK = Cap(player="bo", colour_rgb=(38, 38, 42), diameter_mm=28.0, height_mm=12.0, kind="lid")
BLACK_MM = np.array([760.0, 1000.0])


def played(stage, caps=4):
    """Measure crowns of four colours one after the other; the judge, the picture with a black lid, and the light."""
    crowns = [
        Cap(player=f"p{i}", colour_rgb=colour, diameter_mm=32.0, height_mm=6.0, kind="crown")
        for i, colour in enumerate(COLOURS)
    ]
    lying = list(zip(crowns, map(np.array, PLACES_MM[1::2]), strict=False))
    judge, picture = judged(stage, [*lying, (BLACK, BLACK_MM)])
    sunlight = Sunlight()
    for i, (crown, at_mm) in enumerate(lying[:caps]):
        known = KnownCap(cap=crown, near_mm=at_mm, light=sunlight.at(float(i)))
        sunlight.see(judge.measure(picture, known).shade, float(i))
    return judge, picture, sunlight


def test_a_black_cap_beside_which_nobody_lies_is_told_from_its_shadow_by_those_measured_before_it():
    judge, picture, sunlight = played(sunny(7, "sun_low", "asphalt"))
    near_mm = BLACK_MM + np.array([6.0, -5.0])
    alone = judge.fit(picture, KnownCap(cap=BLACK, near_mm=near_mm))
    told = judge.fit(picture, KnownCap(cap=BLACK, near_mm=near_mm, light=sunlight.at(5.0)))
    assert np.hypot(*(alone.xy_mm - BLACK_MM)) > 5.0
    assert told.xy_mm == pytest.approx(BLACK_MM, abs=0.5)


@pytest.mark.parametrize("seed", cases([7, 9], more=[11, 13]))
def test_several_caps_tell_where_shadows_fall(seed):
    stage = sunny(seed, "sun_low", "concrete")
    told = played(stage)[2].at(5.0).slope
    assert np.hypot(*(told - stage.light.per_mm)) < 0.3 * np.hypot(*stage.light.per_mm)


@pytest.mark.parametrize("ground", ["asphalt", "concrete"])
def test_under_a_grey_sky_several_caps_tell_that_no_shadow_falls(ground):
    assert played(sunny(7, "overcast", ground))[2].at(5.0).slope is None


def test_too_few_caps_tell_nothing_nor_what_was_told_long_ago_or_before_time_began_anew():
    stage = sunny(7, "sun_low", "asphalt")
    assert played(stage, caps=2)[2].at(5.0) is None
    sunlight = played(stage)[2]
    assert sunlight.at(200.0) is not None
    assert sunlight.at(400.0) is None
    assert sunlight.at(-1.0) is None


def found_red(picture, calibration, at_mm, shift_px):
    """Find a red crown supposed at a place (2,) of a picture so far from it (2,)."""
    pictures = BeforeAndNow(now=picture, empty=calibration.empty_bgr)
    own_px = outline_px(calibration.view, solid_of(RED, "crown"), at_mm)
    return Found(
        hypothesis=suppose_cap(RED, at_mm, pictures, calibration), shift_px=np.array(shift_px), outline_px=own_px
    )


def test_where_a_cap_was_supposed_counts_if_it_fits_better_there_and_the_other_place_is_doubt(monkeypatch):
    calibration, at_mm = cap_pictures.calibration(), np.array([180.0, 180.0])
    picture = cap_pictures.picture(calibration, [(RED, tuple(at_mm))])
    there = fit_cap(found_red(picture, calibration, at_mm, (0.0, 0.0)), None)
    astray = dataclasses.replace(there, xy_mm=there.xy_mm + np.array([5.0, 0.0]), misfit=there.misfit + 0.2)
    monkeypatch.setattr(fitting, "fit_from", lambda _, start_px, *__: astray if start_px.any() else there)
    fit = fit_cap(found_red(picture, calibration, at_mm, (-2.0, 1.0)), None)
    assert fit.xy_mm == pytest.approx(there.xy_mm)
    assert fit.scatter_mm2[0, 0] > there.scatter_mm2[0, 0] + 0.1


@pytest.mark.parametrize("rows", [slice(156, 196), slice(192, 252), slice(204, 404)])
def test_a_fence_shadow_that_moved_under_a_cap_tells_of_no_sun(rows):
    calibration, at_mm = cap_pictures.calibration(), np.array([180.0, 200.0])
    picture = under_a_board(cap_pictures.picture(calibration, [(RED, tuple(at_mm))]), rows)
    supposed = found_red(picture, calibration, at_mm, (0.0, 0.0)).hypothesis
    assert light_of([seek_cap(supposed, None)]).slope is None


def test_where_caps_were_seen_tells_the_sun_though_dark_ones_are_sought_in_their_shadows():
    stage = sunny(9, "sun_low", "concrete")
    colours = ((70, 60, 80), (60, 65, 70), (90, 60, 60), (75, 80, 60))
    lying = [
        (Cap(player=f"p{i}", colour_rgb=rgb, diameter_mm=30.0, height_mm=6.0, kind="crown_upturned"), np.array(place))
        for i, (rgb, place) in enumerate(zip(colours, PLACES_MM[::3], strict=True))
    ]
    judge, picture = judged(stage, lying)
    found, true = (complex(*slope) for slope in (judge.look(picture)[ShadowLight].slope, stage.light.per_mm))
    assert abs(np.degrees(np.angle(found / true))) < 25


@pytest.mark.parametrize("colour_rgb", [(60, 110, 50), (150, 150, 150)], ids=["dull", "grey"])
def test_a_shade_that_left_draws_no_cap_away_from_where_it_was_recognised(colour_rgb):
    calibration, at_mm = cap_pictures.calibration(), np.array([180.0, 200.0])
    cap = dataclasses.replace(RED, colour_rgb=colour_rgb)
    pictures = BeforeAndNow(
        now=cap_pictures.picture(calibration, [(cap, tuple(at_mm))]),
        empty=under_a_board(calibration.empty_bgr, slice(0, 190)),
    )
    seen = CapCandidate(xy_mm=at_mm + np.array([1.5, -1.0]), cap_share=0.99, owner_shares=np.array([0.99, 0.01]))
    supposed = suppose(Candidates(candidates=(seen,)), pictures, calibration, Listed(caps=(cap,)))
    (found,) = seek(supposed, ShadowLight(slope=None)).found
    assert np.abs(found.shift_px).max() <= 2


@pytest.mark.parametrize(("wider", "least_sigma_mm"), [(1.2, 0.0), (2.0, 5.0)])  # no cap to be seen, and no ground
def test_of_a_cap_that_another_hides_nothing_is_told_for_sure(wider, least_sigma_mm):
    calibration, at_mm = cap_pictures.calibration(), np.array([180.0, 180.0])
    picture = cap_pictures.picture(calibration, [(RED, tuple(at_mm))])
    wide = dataclasses.replace(RED, diameter_mm=wider * RED.diameter_mm)
    wide_px = outline_px(calibration.view, solid_of(wide, "crown"), at_mm)
    hidden = fit_cap(found_red(picture, calibration, at_mm, (0.0, 0.0)), np.array([1.0, 0.0]), (wide_px,))
    assert np.isfinite(hidden.xy_mm).all()
    assert fit_covariance_mm2(hidden, RED, 1.0)[0, 0] > least_sigma_mm**2


def test_touching_caps_are_measured_with_more_doubt_than_lone_ones():
    blue = Cap(player="bo", colour_rgb=(31, 95, 174), diameter_mm=40.0, height_mm=10.0, kind="lid")
    red = Cap(player="ana", colour_rgb=(192, 57, 43), diameter_mm=32.0, height_mm=6.0, kind="crown")
    stage = sunny(8, "overcast", "concrete")
    at_mm, beside_mm, away_mm = np.array([760.0, 1000.0]), np.array([797.0, 1000.0]), np.array([1070.0, 1350.0])
    touching, lone = (
        {call.player: call for call in judge.judge(picture).caps}
        for judge, picture in (judged(stage, [(red, at_mm), (blue, other)]) for other in (beside_mm, away_mm))
    )
    assert touching["ana"].xy_mm == pytest.approx(at_mm, abs=2.0)
    assert touching["bo"].xy_mm == pytest.approx(beside_mm, abs=2.0)
    together, apart = (sum(calls[player].sigma_mm for player in ("ana", "bo")) for calls in (touching, lone))
    assert together > 1.05 * apart


def under_a_board(picture_bgr, rows):
    """Let a board shade some rows of a picture, as a fence does."""
    light = to_linear(picture_bgr).copy()
    light[rows] *= 0.3
    return to_stored(light)


@pytest.mark.parametrize(
    ("shaded_then", "shaded_now"),
    [(slice(185, 480), slice(0, 0)), (slice(0, 190), slice(0, 0)), (slice(0, 190), slice(160, 216))],
)
def test_shadows_that_moved_since_the_board_was_empty_move_no_cap(shaded_then, shaded_now):
    calibration, at_mm = cap_pictures.calibration(), np.array([180.0, 200.0])
    dull = dataclasses.replace(RED, colour_rgb=(60, 110, 50))
    then = dataclasses.replace(calibration, empty_bgr=under_a_board(calibration.empty_bgr, shaded_then))
    picture = under_a_board(cap_pictures.picture(calibration, [(dull, tuple(at_mm))]), shaded_now)
    call = Judge(then, (dull,)).fit(picture, KnownCap(cap=dull, near_mm=at_mm + np.array([2.0, -1.0])))
    assert call.xy_mm == pytest.approx(at_mm, abs=0.8)
