"""Caps at rest: found, named and measured, and told from litter, on pictures drawn with known truth."""

import dataclasses

import cv2
import numpy as np
import pytest

from linesies.vision import BadInput, Judge, KnownCap, NotSeen
from linesies.vision.caps.candidates import CapCandidate
from linesies.vision.caps.cap import doubles, similar
from linesies.vision.caps.fit import CapFit
from linesies.vision.caps.judge import judge
from linesies.vision.caps.reading import CapReading
from tests import cap_pictures
from tests.cap_pictures import BLUE, CAPS, LINE_HALF_MM, LINE_X_MM, RED, YELLOW

LEAF_MM, CAP_MM = (420.0, 420.0), (180.0, 200.0)
PLACES = {"ana": (180.0, 180.0), "bo": (420.0, 240.0), "cal": (260.0, 420.0)}


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def referee(calibration):
    return Judge(calibration, CAPS)


@pytest.fixture(scope="module")
def judgement(calibration, referee):
    return referee.judge(cap_pictures.picture(calibration, [(cap, PLACES[cap.player]) for cap in CAPS]))


def calls_of(judgement):
    return {call.player: call for call in judgement.caps}


def blue_near(xy_mm):
    return KnownCap(cap=BLUE, near_mm=np.array(xy_mm))


def test_every_cap_is_found_and_named(judgement):
    assert set(calls_of(judgement)) == {"ana", "bo", "cal"}
    assert judgement.unknown == ()


@pytest.mark.parametrize("player", ["ana", "bo", "cal"])
def test_a_footprint_is_where_the_cap_stands_not_where_its_top_is_seen(judgement, player):
    assert calls_of(judgement)[player].xy_mm == pytest.approx(PLACES[player], abs=1.0)


@pytest.mark.parametrize("player", ["ana", "bo", "cal"])
def test_a_gap_is_measured_to_the_edge_of_the_paint(judgement, player):
    call = calls_of(judgement)[player]
    radius = next(cap.diameter_mm for cap in CAPS if cap.player == player) / 2
    truth = abs(PLACES[player][0] - LINE_X_MM) - LINE_HALF_MM - radius
    assert call.gap_mm == pytest.approx(truth, abs=3 * call.sigma_mm)
    assert call.location == {"ana": "1", "bo": "2", "cal": "1"}[player]


def test_calls_far_from_any_line_are_certain(judgement):
    assert {player for player, call in calls_of(judgement).items() if call.is_certain} >= {"bo", "cal"}


def test_a_cap_over_paint_has_a_negative_gap_and_lies_on_the_line(calibration, referee):
    call = calls_of(referee.judge(cap_pictures.picture(calibration, [(RED, (LINE_X_MM - 14, 300.0))])))["ana"]
    assert call.gap_mm == pytest.approx(14 - LINE_HALF_MM - 16, abs=1.5)
    assert call.location == "line"
    assert call.is_certain


def test_an_empty_board_has_no_caps(calibration, referee):
    assert referee.judge(cap_pictures.picture(calibration, [])).caps == ()


def test_brighter_and_darker_light_change_no_call(calibration, referee):
    for light in (0.7, 1.3):
        found = calls_of(referee.judge(cap_pictures.picture(calibration, [(RED, PLACES["ana"])], light=light)))
        assert found["ana"].xy_mm == pytest.approx(PLACES["ana"], abs=1.2)


def test_a_shadow_over_the_board_is_no_cap(calibration, referee):
    dim = cap_pictures.picture(calibration, [])
    rows, columns = np.mgrid[: dim.shape[0], : dim.shape[1]]
    shadow = (columns + rows < 500)[..., None]
    assert referee.judge(np.where(shadow, dim * 0.7, dim).astype(np.uint8)).caps == ()


def test_what_lay_there_when_the_board_was_called_empty_and_is_gone_is_no_cap(calibration):
    littered = dataclasses.replace(
        calibration, empty_bgr=cap_pictures.picture(calibration, [(YELLOW, (200.0, 200.0))], seed=5)
    )
    assert Judge(littered, CAPS).judge(cap_pictures.picture(calibration, [])).caps == ()


def test_a_cap_of_no_told_kind_is_judged_too(calibration):
    unsaid = dataclasses.replace(RED, kind=None)
    found = calls_of(judge(cap_pictures.picture(calibration, [(RED, PLACES["ana"])]), calibration, (unsaid, BLUE)))
    assert found["ana"].xy_mm == pytest.approx(PLACES["ana"], abs=2.0)


def call_at(calibration, referee, short_mm, seed):
    x_mm = LINE_X_MM - LINE_HALF_MM - RED.diameter_mm / 2 - short_mm
    return calls_of(referee.judge(cap_pictures.picture(calibration, [(RED, (x_mm, 280.0))], seed=seed)))["ana"]


@pytest.mark.parametrize("short_mm", [-0.4, -0.2, 0.0, 0.2])
def test_a_cap_within_doubt_of_the_line_is_never_certain(calibration, referee, short_mm):
    call = call_at(calibration, referee, short_mm, seed=2)
    assert not call.is_certain
    assert abs(call.gap_mm) < 2.5 * call.sigma_mm


@pytest.mark.parametrize("short_mm", [-0.1, 0.0, 0.1])
def test_a_cap_nearer_than_that_is_not_certain_in_any_noise(calibration, referee, short_mm):
    assert not any(call_at(calibration, referee, short_mm, seed).is_certain for seed in range(2, 6))


@pytest.mark.parametrize("short_mm", [-0.6, -0.4, -0.2, 0.2, 0.4, 0.6])
def test_a_certain_call_is_never_on_the_wrong_side_of_the_line(calibration, referee, short_mm):
    calls = [call_at(calibration, referee, short_mm, seed) for seed in range(2, 6)]
    assert all(np.sign(call.gap_mm) == np.sign(short_mm) for call in calls if call.is_certain)
    assert all(abs(call.gap_mm - short_mm) < 2.5 * call.sigma_mm for call in calls)


@pytest.mark.parametrize("cap", CAPS, ids=lambda cap: cap.kind)
def test_centres_scatter_by_less_than_half_a_pixel(calibration, referee, cap):
    rng = np.random.default_rng(3)
    errors_mm = []
    for seed in range(6):
        xy_mm = np.array([150.0, 250.0]) + rng.uniform(-3, 3, 2)
        call = calls_of(referee.judge(cap_pictures.picture(calibration, [(cap, xy_mm)], seed=seed)))[cap.player]
        errors_mm.append(np.hypot(*(call.xy_mm - xy_mm)))
    assert np.median(errors_mm) < 0.5 / calibration.view.px_per_mm(np.array([150.0, 250.0]))


def test_a_known_cap_is_measured_near_where_it_is_thought_to_be(calibration, referee):
    picture = cap_pictures.picture(calibration, [(BLUE, PLACES["bo"])])
    call = referee.fit(picture, blue_near(np.add(PLACES["bo"], (3.0, -3.0))))
    assert call.xy_mm == pytest.approx(PLACES["bo"], abs=1.2)


def test_a_cap_is_seen_where_it_would_be_measured_and_nowhere_else(calibration, referee):
    picture = cap_pictures.picture(calibration, [(BLUE, PLACES["bo"])])
    assert referee.sees(picture, blue_near(PLACES["bo"]))
    assert not referee.sees(picture, blue_near((5000.0, 200.0)))
    assert not referee.sees(cap_pictures.picture(calibration, []), blue_near(PLACES["bo"]))


def test_a_cap_outside_the_picture_is_not_seen_and_says_so(calibration, referee):
    seen = referee.fit(calibration.empty_bgr, blue_near((5000.0, 200.0)))
    assert isinstance(seen, NotSeen)
    assert not seen
    assert "not be in the picture" in seen.reason


def test_bare_ground_where_a_cap_is_thought_to_be_is_not_seen_and_says_so(calibration, referee):
    seen = referee.fit(cap_pictures.picture(calibration, []), blue_near(PLACES["bo"]))
    assert not seen
    assert "looks as it did without bo's cap" in seen.reason


def test_a_cap_beside_another_is_measured_better_when_that_is_known(calibration, referee):
    alone_mm, beside_mm = [], []
    for one, other in ((BLUE, RED), (RED, BLUE), (YELLOW, BLUE)):
        for bearing in (0.0, 1.2, 2.4, 3.6, 4.8):
            xy_mm, reach_mm = np.array([250.0, 300.0]), (one.diameter_mm + other.diameter_mm) / 2 + 0.5
            other_mm = xy_mm + reach_mm * np.array([np.cos(bearing), np.sin(bearing)])
            picture = cap_pictures.picture(calibration, [(one, xy_mm), (other, other_mm)], seed=int(10 * bearing))
            for beside, errors_mm in (((), alone_mm), (((other, np.add(other_mm, (1.5, 1.5))),), beside_mm)):
                call = referee.fit(picture, KnownCap(cap=one, near_mm=np.add(xy_mm, (2.0, -2.0)), beside=beside))
                errors_mm.append(np.hypot(*(call.xy_mm - xy_mm)))
    assert np.mean(beside_mm) < 0.9 * np.mean(alone_mm)


def test_a_picture_of_another_size_is_refused_with_both_sizes(referee):
    with pytest.raises(BadInput, match=r"100x50.*640x480"):
        referee.judge(np.zeros((50, 100, 3), np.uint8))


def lay_flat(calibration, picture, outline_mm, colour_rgb):
    """Fill an outline on the ground, without thickness or shadow."""
    seen = np.rint(calibration.view.mm_to_px(np.asarray(outline_mm)) * 16).astype(np.int32)
    laid = cv2.fillPoly(picture.copy(), [seen], colour_rgb[::-1], cv2.LINE_AA, 4)
    return cv2.GaussianBlur(laid, (0, 0), 0.6)


def leaf(xy_mm, long_mm=44.0, turn_rad=0.6):
    """A pointed leaf with a jagged rim."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    jag = 1 + 0.12 * np.sign(np.sin(14 * turn))
    x, y = 0.5 * long_mm * np.cos(turn) * jag, 0.32 * long_mm * np.sin(turn) * jag
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return np.column_stack([c * x - s * y, s * x + c * y]) + xy_mm


def disc(xy_mm, diameter_mm):
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    return np.column_stack([np.cos(turn), np.sin(turn)]) * diameter_mm / 2 + xy_mm


@pytest.mark.parametrize("cap", [RED, YELLOW])
def test_a_leaf_of_a_caps_colour_is_no_cap(calibration, referee, cap):
    picture = lay_flat(calibration, cap_pictures.picture(calibration, []), leaf(LEAF_MM), cap.colour_rgb)
    judgement = referee.judge(picture)
    assert not judgement.caps
    assert not judgement.unknown


@pytest.mark.parametrize("cap", [RED, YELLOW])
def test_a_cap_is_told_from_a_leaf_of_its_colour(calibration, referee, cap):
    picture = lay_flat(calibration, cap_pictures.picture(calibration, [(cap, CAP_MM)]), leaf(LEAF_MM), cap.colour_rgb)
    (call,) = referee.judge(picture).caps
    assert call.player == cap.player
    assert call.xy_mm == pytest.approx(CAP_MM, abs=1.5)


@pytest.mark.parametrize("grey", [35, 150, 235])
def test_a_speck_much_smaller_than_any_cap_is_no_cap(calibration, referee, grey):
    picture = lay_flat(calibration, cap_pictures.picture(calibration, []), disc(LEAF_MM, 12.0), (grey, grey, grey))
    judgement = referee.judge(picture)
    assert not judgement.caps
    assert not judgement.unknown


@pytest.mark.parametrize(("cap_share", "away_mm", "is_cap"), [(0.7, 2.0, True), (0.7, 6.0, False), (0.9, 6.0, True)])
def test_what_may_be_no_cap_is_one_only_if_it_fits_where_it_was_seen(cap_share, away_mm, is_cap):
    seen = CapCandidate(xy_mm=np.zeros(2), cap_share=cap_share, owner_shares=np.array([0.9, 0.1]))
    fit = CapFit(patch=None, xy_mm=np.array([away_mm, 0.0]), misfit=0.7, scatter_mm2=np.eye(2))
    assert CapReading(candidate=seen, fit=fit, cap=RED, crowd=0).is_cap == is_cap


@pytest.mark.parametrize(
    ("colour_rgb", "diameter_mm", "is_near"),
    [
        (RED.colour_rgb, RED.diameter_mm, True),
        (tuple(min(level + 40, 255) for level in RED.colour_rgb), RED.diameter_mm * 1.08, True),
        (RED.colour_rgb, RED.diameter_mm * 1.25, False),
        (tuple(255 - level for level in RED.colour_rgb), RED.diameter_mm, False),
    ],
)
def test_a_cap_near_which_another_is_listed_must_look_surely_like_itself(colour_rgb, diameter_mm, is_near):
    other = dataclasses.replace(RED, player="dee", colour_rgb=colour_rgb, diameter_mm=diameter_mm)
    assert similar([RED, other]) == ({RED.player, "dee"} if is_near else set())
    seen = CapCandidate(
        xy_mm=np.zeros(2),
        cap_share=1.0,
        owner_shares=np.array([0.999, 0.0005, 0.0005]),
        alone_share=0.9,
        has_similar=is_near,
    )
    fit = CapFit(patch=None, xy_mm=np.zeros(2), misfit=0.7, scatter_mm2=np.eye(2))
    assert CapReading(candidate=seen, fit=fit, cap=RED, crowd=0).is_told_apart == (not is_near)


def test_caps_of_which_whose_is_whose_would_be_a_guess_are_near_each_other_too():
    glide = dataclasses.replace(RED, kind="glide", colour_rgb=(150, 150, 150), diameter_mm=25.0)
    other = dataclasses.replace(glide, player="dee", colour_rgb=(205, 205, 205), diameter_mm=28.5)
    assert doubles([glide, other])
    assert similar([glide, other]) == {glide.player, "dee"}
