"""What is told of caps whose ways are known: who shot, whom the caps touched, what a hand did."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision import Call, Cap, Expectation, Placed, Shot
from linesies.vision.shots.blobs import Blob
from linesies.vision.shots.doubles import guessed, guesses
from linesies.vision.shots.flights import is_rolling
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.pending import PendingShot
from linesies.vision.shots.tell import NOTHING_EXPECTED, tell
from linesies.vision.shots.track import Track
from linesies.vision.shots.tracks import End, follow, sightings_of

FLOWN, CARRIED = MovementCause.FLOWN, MovementCause.CARRIED

FRAME_S = 1 / 60
RADIUS_MM = 15.0


def moved(player, *points, is_flown=True):
    """A cap that went through points (s, mm, mm) from rest to rest."""
    t_s, x, y = np.array(points, float).T
    is_free = np.array([False] + [is_flown] * (len(t_s) - 2) + [False])
    track = Track(player=player, radius_mm=RADIUS_MM, t_s=t_s, xy_mm=np.stack([x, y], axis=1), is_free=is_free)
    call = Call(
        player=player,
        xy_mm=(float(x[-1]), float(y[-1])),
        diameter_mm=2 * RADIUS_MM,
        location="1",
        gap_mm=20.0,
        sigma_mm=0.3,
        is_certain=True,
    )
    return Movement(call=call, from_mm=(float(x[0]), float(y[0])), track=track, cause=FLOWN if is_flown else CARRIED)


def hit_cap():
    return moved("bo", (0.92, 200, 0), (0.97, 230, 0), (1.05, 262, 0), (1.15, 285, 0), (1.3, 300, 0))


def told(*caps, expected=NOTHING_EXPECTED):
    return tell(list(caps), frame_s=FRAME_S, t_end_s=1.3, expected=expected)


def pairs(shot):
    return [(hit.by, hit.victim) for hit in shot.hits]


def test_a_cap_whose_flight_a_hand_hid_has_shot_if_only_it_can_have_touched_what_flew():
    hidden = moved("ana", (0.0, 100, 0), (0.9, 165, 0), (1.3, 172, 0), is_flown=False)
    (shot,) = told(hidden, hit_cap())
    assert isinstance(shot, Shot)
    assert (shot.player, pairs(shot)) == ("ana", [("ana", "bo")])
    assert shot.t_start_s == pytest.approx(0.6, abs=0.05)  # no flick lasts as long as the hand was there


@pytest.mark.parametrize("was_free", [True, False])
def test_a_cap_that_left_the_hand_just_before_it_was_seen_near_another_has_likely_struck_it(was_free):
    ways = ((0.0, 60, 0), (0.84, 120, 0), (0.86, 129, 0), (0.88, 138, 0), (0.9, 146, 0), (0.92, 153, 0), (1.0, 158, 0))
    hidden = moved("ana", *ways, is_flown=False)
    track = replace(hidden.track, is_free=np.array([was_free and 0.84 < t_s < 0.95 for t_s, *_ in ways]))
    events = {type(event): event for event in told(replace(hidden, track=track), hit_cap())}
    shot = events[Shot]
    if was_free:  # 17 mm between the rims, as seen: people are asked
        assert (shot.player, pairs(shot), [hit.is_certain for hit in shot.hits]) == ("ana", [("ana", "bo")], [False])
    else:
        assert (shot.player, events[Placed].player) == ("bo", "ana")


def test_where_nobody_shot_every_cap_that_was_kicked_is_told_of(monkeypatch):
    monkeypatch.setattr("linesies.vision.shots.tell.weighed", lambda *_: None)  # a foot, and nobody aimed
    kicked = moved("ana", (0.6, 0, 0), (0.7, 60, 0), (0.8, 112, 0), (0.9, 162, 0), (0.92, 168, 0), (1.1, 169, 0))
    events = told(kicked, hit_cap())
    assert {event.call.player for event in events if isinstance(event, Placed)} == {"ana", "bo"}


def test_a_cap_pushed_by_the_second_of_two_shots_is_a_hit_of_that_one():
    first = moved("ana", (0.0, 0, 600), (0.2, 60, 600), (0.4, 112, 600), (0.6, 162, 600))
    second = moved("cal", (1.5, 0, 0), (1.6, 60, 0), (1.7, 112, 0), (1.8, 162, 0), (1.82, 168, 0), (2.0, 169, 0))
    hardly = moved("bo", (1.82, 200, 0), (2.0, 203, 0), is_flown=False)
    hardly = replace(hardly, track=None, cause=MovementCause.STIRRED)
    shots = tell([first, second, hardly], frame_s=FRAME_S, t_end_s=2.1)
    assert [(shot.player, pairs(shot)) for shot in shots] == [("ana", []), ("cal", [("cal", "bo")])]


def test_a_cap_that_gave_all_it_had_to_its_neighbour_has_shot():
    spent = moved("ana", (0.9, 166, 0), (1.1, 169, 0), is_flown=False)
    (shot,) = told(spent, hit_cap())
    assert (shot.player, pairs(shot)) == ("ana", [("ana", "bo")])


@pytest.mark.parametrize(("shoved_mm", "shooter"), [((2.5, 0), "ana"), ((-2.5, 0), "bo"), ((0, 2.5), "bo")])
def test_a_cap_too_little_moved_to_be_followed_has_shot_its_neighbour_if_it_went_there(shoved_mm, shooter):
    shoved = moved("ana", (0.9, 167, 0), (0.92, 167 + shoved_mm[0], shoved_mm[1]), is_flown=False)
    shoved = replace(shoved, track=None, cause=MovementCause.TOUCHED)
    (shot,) = (event for event in told(shoved, hit_cap()) if event.t_start_s < 1.0)
    assert shot.player == shooter
    assert shooter == "bo" or pairs(shot) == [("ana", "bo")]


def test_a_cap_that_hardly_moved_when_it_was_hit_has_not_shot():
    shooter = moved("ana", (0.6, 0, 0), (0.7, 60, 0), (0.8, 112, 0), (0.9, 162, 0), (0.92, 168, 0), (1.1, 169, 0))
    hardly = moved("bo", (0.92, 200, 0), (1.1, 203, 0), is_flown=False)
    (shot,) = told(shooter, hardly)
    assert (shot.player, pairs(shot)) == ("ana", [("ana", "bo")])


def shooting_cap():
    return moved("ana", (0.6, 0, 0), (0.7, 60, 0), (0.8, 112, 0), (0.9, 162, 0), (0.92, 168, 0), (1.1, 169, 0))


ANA = Cap(player="ana", colour_rgb=(30, 60, 200), diameter_mm=30.0, height_mm=6.0)
BO = replace(ANA, player="bo")
RED_BO = replace(BO, colour_rgb=(200, 60, 30))
NOBODY, BOTH = frozenset[str](), frozenset({"ana", "bo"})


@pytest.mark.parametrize(("bo", "aside_mm", "found"), [(BO, 0, BOTH), (RED_BO, 0, NOBODY), (BO, 90, NOBODY)])
def test_whose_caps_that_look_alike_are_is_a_guess_once_they_have_met(bo, aside_mm, found):
    other = moved("bo", (0.92, 200, aside_mm), (0.97, 230, aside_mm), (1.3, 300, aside_mm))
    assert guesses(NOBODY, [shooting_cap(), other], [ANA, bo], NOTHING_EXPECTED) == found


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (Expectation(placing={"ana": "1"}), {"bo"}),
        (Expectation(shooter="ana"), {"bo"}),
        (Expectation(placing={"ana": "1"}, shooter="bo"), BOTH),
        (NOTHING_EXPECTED, BOTH),
    ],
)
def test_a_cap_that_looks_like_another_is_known_once_it_is_put_down_as_only_it_was_to_be(expected, found):
    put_down = replace(moved("ana", (0.0, 100, 200), (0.9, 120, 200), is_flown=False), from_mm=None)
    assert guesses(BOTH, [put_down], [ANA, BO], expected) == found


@pytest.mark.parametrize("doubt", [guessed, lambda m: replace(m, is_lit=False)])
@pytest.mark.parametrize(
    ("doubted", "is_shooter_certain", "are_certain"),
    [((), True, [True]), (("ana",), False, [False]), (("bo",), True, [False])],
)
def test_a_hit_is_certain_only_where_both_caps_were_surely_seen(doubt, doubted, is_shooter_certain, are_certain):
    caps = [doubt(m) if m.player in doubted else m for m in (shooting_cap(), hit_cap())]
    (shot,) = told(*caps)
    assert shot.is_shooter_certain is is_shooter_certain
    assert [hit.is_certain for hit in shot.hits] == are_certain


def test_a_cap_that_was_carried_elsewhere_has_no_part_in_a_shot():
    carried = moved("ana", (0.0, 100, 200), (0.9, 165, 200), (1.3, 400, 200), is_flown=False)
    shot, placed = sorted(told(carried, hit_cap()), key=lambda event: isinstance(event, Placed))
    assert (shot.player, shot.hits, placed.player) == ("bo", (), "ana")


@pytest.mark.parametrize(
    ("expected", "kind"),
    [
        (NOTHING_EXPECTED, Shot),
        (Expectation(shooter="ana"), Shot),
        (Expectation(shooter="ana", put_back=frozenset({"ana"})), Placed),
        (Expectation(shooter="bo"), Placed),
    ],
)
def test_a_hand_that_shifts_a_cap_has_touched_it_unless_it_is_to_be_put_back_or_another_is_to_shoot(expected, kind):
    (event,) = told(moved("ana", (0.0, 100, 200), (0.9, 120, 200), is_flown=False), expected=expected)
    assert isinstance(event, kind)


@pytest.mark.parametrize(
    ("expected", "kind"),
    [
        (Expectation(shooter="ana"), Shot),
        (Expectation(shooter="ana", placing={"ana": "7"}), Placed),
        (Expectation(shooter="ana", put_back=frozenset({"ana"})), Placed),
        (NOTHING_EXPECTED, Placed),
    ],
)
def test_a_cap_that_glided_out_from_under_an_arm_was_shot_if_its_owner_had_nothing_else_to_do(expected, kind):
    times = [0.0, 0.6, *np.linspace(0.7, 0.8, 7), 0.9]
    ways = [0.0, 150.0, *np.linspace(270.0, 300.0, 7), 300.0]
    glided = moved("ana", *((t, x, 0) for t, x in zip(times, ways, strict=True)), is_flown=False)
    free = replace(glided.track, is_free=np.array(times) > 0.65)
    (event,) = told(replace(glided, track=free), expected=expected)
    assert isinstance(event, kind)


def test_a_cap_that_was_pushed_may_have_pushed_another_though_nobody_saw_it_fly_free():
    shooter = moved("ana", (0.6, 0, 0), (0.7, 60, 0), (0.8, 112, 0), (0.9, 162, 0), (0.92, 170, 0), (1.1, 190, 0))
    pushed = moved("bo", (0.92, 200, 0), (0.97, 226, 0), (1.05, 262, 0), (1.3, 300, 0), is_flown=False)
    last = moved("cal", (0.98, 260, 4), (1.03, 290, 8), (1.1, 320, 12), (1.3, 350, 16))
    (shot,) = told(shooter, pushed, last)
    assert (shot.player, pairs(shot)) == ("ana", [("ana", "bo"), ("bo", "cal")])


def small_blob(t_s, xy, *, misfit):
    return Blob(
        t_s=t_s,
        middle_small=xy,
        xy_small=np.array([xy]),
        misfit=np.array([misfit]),
        fill=np.array([0.2]),
        is_free=True,
    )


@pytest.mark.parametrize("fps", [60, 30])
def test_a_cap_that_rolls_on_its_edge_is_followed_past_a_mark_that_it_left_where_it_lay(fps):
    times = np.arange(1, round(0.5 * fps)) / fps
    rolling = [small_blob(t, (600.0 * t, 0.0), misfit=0.0) for t in times]
    mark = [small_blob(t, (2.0, 25.0), misfit=1.0) for t in times]
    blobs = sorted(rolling + mark, key=lambda blob: blob.t_s)
    xy_mm = np.array([blob.xy_small[0] for blob in blobs])
    sightings = sightings_of(blobs, 0, xy_mm, is_any_colour=True)
    track = follow(sightings, End(t_s=0.0, xy_mm=(0.0, 0.0)), None, player="ana", diameter_mm=30.0)
    assert track.xy_mm[-1] == pytest.approx((600.0 * times[-1], 0.0))
    assert is_rolling(track)


@pytest.mark.parametrize(("stop_frames", "rolls"), [(0, True), (6, False)])
def test_what_rolls_may_be_seen_a_little_before_or_behind_where_it_is_but_does_not_stop(stop_frames, rolls):
    way_mm = np.concatenate([np.arange(0.0, 300.0, 15.0), np.full(stop_frames, 300.0), np.arange(300.0, 600.0, 15.0)])
    way_mm[[12, 13]] += 7.0, -7.5  # seen in one place twice
    points = [(i / 60, x, 0.0) for i, x in enumerate(way_mm)]
    assert is_rolling(moved("ana", *points).track) is rolls


@pytest.mark.parametrize("fps", [60, 30])
@pytest.mark.parametrize("seed", range(5))
def test_what_rolls_slowly_is_known_though_its_middle_is_seen_now_here_and_now_there(seed, fps):
    t_s = np.arange(0.0, 1.5, 1 / fps)
    trembling = np.random.default_rng(seed).normal(0.0, 3.0, (2, len(t_s)))
    points = zip(t_s, 250.0 * t_s + trembling[0], 40.0 * t_s**2 + trembling[1], strict=True)
    assert is_rolling(moved("ana", *points).track)


@pytest.mark.parametrize("seed", range(5))
def test_what_wanders_to_and_fro_does_not_roll(seed):
    t_s = np.arange(0.0, 1.5, 1 / 60)
    places = np.cumsum(np.random.default_rng(seed).normal(0.0, 12.0, (len(t_s), 2)), axis=0)
    assert not is_rolling(moved("ana", *((t, x, y) for t, (x, y) in zip(t_s, places, strict=True))).track)


@pytest.mark.parametrize(
    ("left_s", "t_s", "waits"),
    [(1.1, 1.9, True), (0.7, 1.9, True), (0.3, 1.9, False), (1.6, 1.9, False), (0.7, 3.9, False)],
)
def test_a_shot_waits_a_while_for_a_cap_that_left_as_another_flew_or_before_and_may_have_struck_it(left_s, t_s, waits):
    struck = moved("bo", (1.0, 0, 0), (1.1, 40, 0), (1.4, 90, 0))
    shot = PendingShot(moved=(struck,), since_s=1.8, t_end_s=1.4)
    assert shot.is_waiting(t_s, [(left_s, left_s)]) is waits
