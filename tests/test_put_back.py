"""Who kicks a cap or takes it up, and puts it back, has done nothing: nobody is told of it, and nobody is asked."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision import Call, Expectation, Placed, Shot
from linesies.vision.shots.doubted import DOUBTED, Doubted
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.onset import Look, PlaceHistory
from linesies.vision.shots.tell import tell
from linesies.vision.shots.telling import tell_known
from linesies.vision.shots.track import Track
from tests.flicks import PLACES
from tests.scene_states import left, opened, place_of, seen

FRAME_S = 1 / 60
SET_OFF_S = 2.0
ANA, BO = Expectation(shooter="ana"), Expectation(shooter="bo")
LAY_MM = (100.0, 200.0)


def history(waits_s):
    """A cap beside which something waited for so long before it set off."""
    times_s = np.arange(0.0, 3.0, FRAME_S)
    shares = np.where((times_s > SET_OFF_S - waits_s) & (times_s < SET_OFF_S + 0.2), 0.2, 0.02)  # a shadow stays
    looks = [
        Look(t_s=float(t_s), luma=lambda: np.zeros((1, 1), np.uint8), share_beside=float(share))
        for t_s, share in zip(times_s, shares, strict=True)
    ]
    return PlaceHistory(place=None, beside=None, rows=slice(0), columns=slice(0), looks=tuple(looks))


def call(player, xy_mm):
    return Call(player=player, xy_mm=xy_mm, diameter_mm=30.0, location="1", gap_mm=9.0, sigma_mm=0.3, is_certain=True)


def glided(waits_s, *, way_mm=120.0, past_mm=()):
    """Ana's cap that slid to the right, and came to rest."""
    shares = np.linspace(0, 1, 12)
    xy_mm = np.array(LAY_MM) + np.outer(shares * (2 - shares) * way_mm, (1.0, 0.0))
    is_free = np.array([False] + [True] * 10 + [False])
    track = Track(player="ana", radius_mm=15.0, t_s=SET_OFF_S + 0.35 * shares, xy_mm=xy_mm, is_free=is_free)
    return Movement(
        call=call("ana", (LAY_MM[0] + way_mm, LAY_MM[1])),
        from_mm=LAY_MM,
        track=track,
        cause=MovementCause.FLOWN,
        past_mm=past_mm,
        history=history(waits_s),
    )


def carried(to_mm, *, past_mm):
    """Ana's cap that a hand hid while it moved."""
    track = Track(
        player="ana",
        radius_mm=15.0,
        t_s=np.array([2.0, 2.7]),
        xy_mm=np.array([LAY_MM, to_mm]),
        is_free=np.zeros(2, bool),
    )
    cause = MovementCause.CARRIED
    return Movement(call=call("ana", to_mm), from_mm=LAY_MM, track=track, cause=cause, past_mm=past_mm)


@pytest.fixture
def told(monkeypatch):
    """Tell of one movement, whose luma is not drawn: when it set off is known from its way."""
    monkeypatch.setattr(PlaceHistory, "set_off_s", lambda *_, **__: None)
    return lambda moved, expected: tell(
        moved if isinstance(moved, list) else [moved], frame_s=FRAME_S, t_end_s=2.5, expected=expected
    )


def test_a_cap_that_a_finger_waited_beside_was_shot(told):
    (shot,) = told(glided(0.4), ANA)
    assert isinstance(shot, Shot)
    assert shot.is_aimed
    assert shot.is_shooter_certain


def test_of_the_cap_of_whoever_is_to_shoot_that_nobody_waited_beside_people_are_asked(told):
    (shot,) = told(glided(0.0), ANA)
    assert isinstance(shot, Shot)
    assert not shot.is_aimed


def test_another_players_cap_that_nobody_waited_beside_was_kicked_and_nobody_is_asked(told):
    (placed,) = told(glided(0.0), BO)
    assert isinstance(placed, Placed)


def struck():
    """Bo's cap, which nobody waited beside, as it slides away from where Ana's comes to."""
    shares = np.linspace(0, 1, 8)
    xy_mm = np.array([LAY_MM[0] + 140.0, LAY_MM[1]]) + np.outer(shares * (2 - shares) * 60.0, (1.0, 0.0))
    track = Track(
        player="bo",
        radius_mm=15.0,
        t_s=SET_OFF_S + 0.25 + 0.25 * shares,
        xy_mm=xy_mm,
        is_free=np.array([False] + [True] * 6 + [False]),
    )
    at_mm = (float(xy_mm[-1, 0]), float(xy_mm[-1, 1]))
    cause = MovementCause.FLOWN
    return Movement(call=call("bo", at_mm), from_mm=(LAY_MM[0] + 140.0, LAY_MM[1]), track=track, cause=cause)


def test_a_cap_that_lay_nowhere_glides_and_hits_another_is_a_shot_of_which_people_are_asked(told):
    from_nowhere = replace(glided(0.0), from_mm=None, cause=MovementCause.CARRIED, history=None)
    (shot,) = told([from_nowhere, replace(struck(), history=history(0.0))], ANA)
    assert isinstance(shot, Shot)
    assert (shot.player, [(hit.by, hit.victim) for hit in shot.hits]) == ("ana", [("ana", "bo")])
    assert not shot.is_shooter_certain


def told_first(*moved):
    """Tell what those caps did where ana's had not been on the board before."""
    state = opened({player: xy_mm for player, xy_mm in PLACES.items() if player != "ana"}).gathered(moved, 2.5)
    return tell_known(state, ANA, LatestFrames()).events


@pytest.mark.usefixtures("told")
def test_a_cap_flicked_by_the_hand_that_laid_it_before_it_was_ever_seen_is_a_shot_of_which_people_are_asked():
    flicked = replace(glided(0.0), from_mm=None, cause=MovementCause.CARRIED, history=None)
    (alone,) = told_first(flicked)
    (shot,) = told_first(flicked, replace(struck(), history=history(0.0)))
    assert [(one.player, one.is_shooter_certain) for one in (alone, shot)] == [("ana", False)] * 2
    assert [(hit.by, hit.victim) for hit in shot.hits] == [("ana", "bo")]


@pytest.mark.usefixtures("told")
def test_a_cap_that_is_first_seen_where_a_hand_has_laid_it_is_no_news():
    still = replace(glided(0.0).followed, is_free=np.zeros(12, bool))
    assert told_first(replace(glided(0.0), from_mm=None, cause=MovementCause.CARRIED, history=None, track=still)) == ()


def stirred():
    """Bo's cap, which lies five millimetres farther on than it did, as Ana's comes to rest beside it."""
    lay_mm = (LAY_MM[0] + 140.0, LAY_MM[1])
    at_mm = (lay_mm[0] + 5.0, lay_mm[1])
    return Movement(call=call("bo", at_mm), from_mm=lay_mm, track=None, cause=MovementCause.STIRRED)


@pytest.mark.parametrize("from_mm", [None, LAY_MM])
def test_a_cap_that_glides_and_stirs_another_has_hit_it_though_nobody_saw_how_it_set_off(told, from_mm):
    carried = replace(glided(0.0), from_mm=from_mm, cause=MovementCause.CARRIED, history=None)
    (shot,) = told([carried, stirred()], ANA)
    assert isinstance(shot, Shot)
    assert (shot.player, [(hit.by, hit.victim) for hit in shot.hits]) == ("ana", [("ana", "bo")])
    assert {one.player for one in shot.calls} == {"ana", "bo"}


def test_a_cap_that_a_hand_puts_down_where_another_is_stirred_has_not_been_shot(told):
    unseen = glided(0.0).followed
    still = replace(unseen, is_free=np.zeros(len(unseen.t_s), bool))
    laid = replace(glided(0.0), from_mm=None, cause=MovementCause.CARRIED, history=None, track=still)
    (placed,) = told([laid, stirred()], ANA)
    assert isinstance(placed, Placed)


def test_a_cap_that_a_hand_puts_down_beside_another_on_its_way_has_hit_nobody(told):
    unseen = glided(0.0).followed
    laid = replace(
        glided(0.0),
        from_mm=None,
        cause=MovementCause.CARRIED,
        history=None,
        track=replace(unseen, is_free=np.zeros(len(unseen.t_s), bool)),
    )
    events = told([laid, replace(struck(), history=history(0.0))], ANA)
    assert all(not event.hits for event in events if isinstance(event, Shot))


def test_another_players_cap_that_a_finger_waited_beside_was_shot_out_of_turn(told):
    (shot,) = told(glided(0.4), BO)
    assert isinstance(shot, Shot)
    assert shot.is_shooter_certain


@pytest.mark.parametrize("expected", [ANA, BO])
@pytest.mark.parametrize("apart_mm", [0.5, 4.0])
def test_of_a_cap_that_a_hand_put_back_where_it_lay_nothing_is_told(told, expected, apart_mm):
    assert told(carried((130.0, 200.0), past_mm=((130.0, 200.0 + apart_mm),)), expected) == ()


@pytest.mark.parametrize("expected", [Expectation(placing={"ana": "1"}), Expectation(put_back=frozenset({"ana"}))])
def test_a_cap_that_was_to_be_put_there_is_told_of_all_the_same(told, expected):
    assert len(told(carried((130.0, 200.0), past_mm=((130.0, 200.0),)), expected)) == 1


@pytest.mark.parametrize("way_mm", [30.0, 60.0])
def test_a_cap_that_a_hand_moved_elsewhere_may_have_been_shot(told, way_mm):
    (shot,) = told(carried((100.0 + way_mm, 200.0), past_mm=((100.0, 230.0),)), ANA)
    assert isinstance(shot, Shot)
    assert not shot.is_shooter_certain


@pytest.mark.parametrize(("way_mm", "expected"), [(60.0, BO), (60.0, Expectation()), (100.0, ANA)])
def test_a_cap_that_a_hand_moved_far_or_out_of_turn_was_put_there(told, way_mm, expected):
    (placed,) = told(carried((100.0 + way_mm, 200.0), past_mm=((100.0, 230.0),)), expected)
    assert isinstance(placed, Placed)


def doubtful(t_end_s=2.0, **others):
    shot = Shot(
        player="ana",
        hits=(),
        calls=(call("ana", (300.0, 300.0)),),
        t_start_s=t_end_s - 0.5,
        t_end_s=t_end_s,
        is_aimed=False,
        from_mm=PLACES["ana"],
    )
    return replace(shot, **others)


def elsewhere(t_s):
    """The scene in which ana's cap lies where that shot took it."""
    return replace(opened({**PLACES, "ana": (300.0, 300.0)}), t_s=t_s)


def test_a_doubtful_shot_is_told_once_people_have_had_time_to_put_the_cap_back():
    doubted = Doubted()
    assert doubted.pass_on((doubtful(),), elsewhere(2.4), ANA) == ()
    assert doubted.pass_on((), elsewhere(2.0 + DOUBTED.patience_s), ANA) == ()
    assert doubted.pass_on((), elsewhere(2.1 + DOUBTED.patience_s), ANA) == (doubtful(),)
    assert doubted.pass_on((), elsewhere(9.0), ANA) == ()


def test_while_a_cap_is_in_a_hand_people_are_waited_for():
    doubted = Doubted()
    doubted.pass_on((doubtful(),), elsewhere(2.4), ANA)
    assert doubted.pass_on((), left(elsewhere(9.0), ["ana"], t_s=9.0), ANA) == ()


def covered(state, player, *, t_s):
    return seen(state, {cap.player: "covered" if cap.player == player else "there" for cap in state.placed}, t_s=t_s)


def test_while_another_cap_is_on_its_way_or_the_cap_itself_is_covered_people_are_waited_for():
    doubted = Doubted()
    doubted.pass_on((doubtful(),), elsewhere(2.4), ANA)
    assert doubted.pass_on((), left(elsewhere(9.0), ["bo"], t_s=9.0), ANA) == ()
    assert doubted.pass_on((), covered(elsewhere(9.0), "ana", t_s=9.0), ANA) == ()


def test_what_covers_a_cap_that_has_no_part_in_a_doubtful_shot_does_not_hold_it_up():
    doubted = Doubted()
    doubted.pass_on((doubtful(),), elsewhere(2.4), ANA)
    assert doubted.pass_on((), covered(elsewhere(9.0), "bo", t_s=9.0), ANA) == (doubtful(),)


def test_of_a_doubtful_shot_whose_cap_is_put_back_nothing_is_told():
    doubted = Doubted()
    doubted.pass_on((doubtful(),), elsewhere(2.4), ANA)
    assert doubted.pass_on((), replace(opened(), t_s=4.0), ANA) == ()
    assert doubted.give_up() == ()


def test_a_doubtful_shot_of_a_cap_that_lay_nowhere_before_is_told_since_it_can_be_put_back_nowhere():
    doubted, shot = Doubted(), doubtful(from_mm=None)
    assert doubted.pass_on((shot,), elsewhere(2.4), ANA) == ()
    assert doubted.pass_on((), elsewhere(2.1 + DOUBTED.patience_s), ANA) == (shot,)


def test_a_doubtful_shot_is_told_before_what_came_after_it():
    doubted = Doubted()
    sure = doubtful(3.0, player="bo", is_aimed=True)
    doubted.pass_on((doubtful(),), elsewhere(2.4), ANA)
    assert doubted.pass_on((sure,), elsewhere(3.4), ANA) == (doubtful(), sure)


def test_of_a_cap_that_was_moved_twice_people_are_asked_once():
    doubted = Doubted()
    again = doubtful(3.0, from_mm=(300.0, 300.0), calls=(call("ana", (280.0, 300.0)),))
    doubted.pass_on((doubtful(),), elsewhere(2.4), ANA)
    assert doubted.pass_on((again,), elsewhere(3.4), ANA) == ()
    (shot,) = doubted.give_up()
    assert isinstance(shot, Shot)
    assert (shot.from_mm, shot.calls, shot.t_end_s) == (PLACES["ana"], again.calls, 3.0)


def test_where_nobodys_shot_is_awaited_nothing_is_held_back():
    assert Doubted().pass_on((doubtful(),), elsewhere(2.4), Expectation()) == (doubtful(),)


def test_a_cap_remembers_where_it_lay_when_it_was_taken_up_and_put_down():
    state = left(opened(), ["ana"], t_s=1.0).taken_up(["ana"])
    state = state.found({"ana": place_of("ana", (300.0, 300.0))}).found({"ana": place_of("ana", (320.0, 300.0))})
    assert state.caps["ana"].past_mm == ((300.0, 300.0), PLACES["ana"])
