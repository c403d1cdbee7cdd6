"""A finger that shoots a cap has waited beside it; a foot that kicks it, or knocks it, came just then."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.simulator.street.fidgets import StreetFidgets
from linesies.simulator.street.gestures import shoot, wait
from linesies.vision import Shot
from linesies.vision.picture.background import Background
from linesies.vision.shots.onset import Look, PlaceHistory
from linesies.vision.shots.place import Surroundings
from linesies.vision.shots.shot_odds import ODDS
from tests.flicks import HEIGHT, WIDTH
from tests.scene_states import place_of
from tests.two_on_a_street import eyes_of, lay_two, street_of_two

FRAME_S = 1 / 60
SET_OFF_S = 2.0


def history(beside):
    """A cap's place, of which a share (second -> share) of the ground about it was hidden."""
    times_s = np.arange(0.0, 2.5, FRAME_S)
    return PlaceHistory(
        place=None, beside=None, rows=slice(0), columns=slice(0), looks=tuple(look(t_s, beside(t_s)) for t_s in times_s)
    )


def look(t_s, share_beside):
    return Look(t_s=float(t_s), luma=lambda: np.zeros((1, 1), np.uint8), share_beside=share_beside)


@pytest.mark.parametrize(
    ("beside", "is_aimed"),
    [
        (lambda t_s: 0.03 * (t_s > 1.6), True),  # the tip of a finger
        (lambda t_s: 0.3 * (t_s > 1.95), False),  # a foot
        (lambda t_s: 0.3 * (t_s > 1.8), False),  # a hand that takes it up
        (lambda t_s: 0.3 * (t_s < 1.5), False),  # a hand that was there before
        (lambda t_s: 0.0, False),
        (lambda t_s: 0.008, False),  # noise
        (lambda t_s: 0.085 + 0.2 * (1.95 < t_s < 2.1), False),  # a foot beside what has lain there for long
        (lambda t_s: 0.135 + 0.1 * (1.95 < t_s < 2.1) + 0.03 * (t_s > 2), False),  # likewise; its shade went too
        (lambda t_s: 0.085 + 0.01 * np.sin(20 * t_s), True),  # a finger that has waited for long, and trembles
        (lambda t_s: 0.085 + 0.2 * (t_s > 1.6), True),  # a finger beside what has lain there for long
    ],
)
def test_whoever_shoots_takes_aim(beside, is_aimed):
    assert (history(beside).waited_s(SET_OFF_S) >= ODDS.least_aim_s) == is_aimed


def test_of_a_cap_that_had_only_just_been_laid_there_people_are_asked():
    short = replace(history(lambda _: 0.0), looks=(look(1.8, 0.0), look(1.9, 0.0)))
    assert short.cover_s(SET_OFF_S) < ODDS.least_cover_s


def test_what_waits_beside_a_cap_in_glare_is_not_seen_so_nobody_says_that_nothing_did():
    hidden = history(lambda _: None)
    assert hidden.cover_s(SET_OFF_S) < ODDS.least_cover_s
    assert not hidden.had_beside(0.0)
    place = place_of("ana")
    rest = np.full((HEIGHT, WIDTH, 3), (120, 128, 128), np.uint8)
    beside = Surroundings.of(place)
    assert beside.share_changed(Background(rest, rest), rest) == 0.0
    rest[:, : int(place.centre_small[0]) + 10] = (255, 128, 128)
    assert beside.share_changed(Background(rest, rest), rest) is None


@pytest.mark.parametrize(("diameter_mm", "away_mm"), [(20.0, 45.0), (20.0, 56.0), (38.0, 55.0), (38.0, 64.0)])
def test_a_hand_waits_within_a_finger_s_length_of_a_small_cap_and_three_radii_of_a_large_one(diameter_mm, away_mm):
    place = place_of("ana")
    small_mm = place.cap.diameter_mm / (2 * place.radius_small)
    sized = replace(place.cap, diameter_mm=diameter_mm)
    place = replace(place, cap=sized, radius_small=diameter_mm / 2 / small_mm)
    rest = np.full((HEIGHT, WIDTH, 3), (120, 128, 128), np.uint8)
    hand = rest.copy()
    hand[:, : round(place.centre_small[0] - away_mm / small_mm)] = (200, 100, 150)
    share = Surroundings.of(place).share_changed(Background(rest, rest), hand)
    assert (share > 0) is (away_mm < max(50.0, 1.5 * diameter_mm))


@pytest.mark.parametrize("way_px", [0.0, 3.0])
def test_a_cap_that_a_hand_hid_a_second_ago_lies_otherwise_only_where_it_was_moved(way_px):
    lain = PlaceHistory.of(place_of("ana"))
    shape = (lain.rows.stop - lain.rows.start, lain.columns.stop - lain.columns.start)
    x, y = lain.place.centre_px - (lain.columns.start, lain.rows.start)

    def seen(t_s):
        ground = np.full(shape, 90, np.uint8)
        is_hidden, moved_px = 0.5 < t_s < 2.0, way_px * (t_s > 1.0)
        centre = (round(16 * (x + moved_px)), round(16 * y))
        cv2.circle(ground, centre, round(16 * lain.place.radius_px), 200, -1, cv2.LINE_AA, 4)
        if is_hidden:
            ground[:, shape[1] // 2 :] = 40
        return Look(t_s=float(t_s), luma=lambda: ground, share_beside=0.5 * is_hidden)

    looks = tuple(map(seen, np.arange(0.0, 2.5, FRAME_S)))
    assert replace(lain, looks=looks).lies_otherwise(looks[-1].t_s) == (way_px > 0)


def test_a_kicked_cap_is_told_as_a_shot_that_nobody_aimed_and_a_flicked_one_as_aimed():
    street = street_of_two()
    rng, world = street.stage.rng(99), street.world
    ana, bo = world.caps
    size_mm = street.board.size_mm[0]

    def acts():
        yield from lay_two(street, (0.3, 0.3), (0.7, 0.6))
        yield from shoot(world, ana, np.array([900.0, -500.0]), rng)
        yield from wait(1.5)
        yield from StreetFidgets(world, rng)._kick([bo, ana])
        yield from wait(1.0)

    street._game = acts()
    watcher = eyes_of(street)
    told = [event for frame in street.frames() for event in watcher.see(frame) if isinstance(event, Shot)]
    assert [(shot.player, shot.is_aimed) for shot in told] == [(ana, True), (bo, False)]
    assert np.hypot(*(np.array(told[0].from_mm) - 0.3 * size_mm)) < 5.0
