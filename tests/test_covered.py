"""What lies where no hand has been went there by itself, though nobody saw it; what a hand has laid there did not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.vision import Expectation, Placed, Shot
from linesies.vision.shots.covered import Covered
from linesies.vision.shots.moved import MovementCause
from linesies.vision.shots.movement import to_rest
from linesies.vision.shots.onset import PlaceHistory
from tests.flicks import HEIGHT, WIDTH
from tests.scene_states import left, opened, place_of
from tests.test_flights import evenly, gone, in_a_hand, sliding
from tests.test_put_back import history
from tests.test_watch_told import FLOWN, hit_cap, moved, pairs, told

FRAME_S = 1 / 60
UNSEEN, CARRIED = MovementCause.UNSEEN, MovementCause.CARRIED
LEFT_S = 0.1


def frames(*shown):
    """Look at so many pictures, each with what is drawn in it: nothing, or a disc (place, radius in its cap's)."""
    covered = Covered((HEIGHT, WIDTH))
    for number, disc in enumerate(shown):
        leftover = np.zeros((HEIGHT, WIDTH), np.uint8)
        if disc is not None:
            place, radii = disc
            cv2.circle(leftover, tuple(place.centre_small.astype(int)), int(radii * place.radius_small), 255, -1)
        covered.see(leftover, number * FRAME_S)
    return covered


def test_a_hand_that_lay_over_a_place_since_a_cap_left_may_have_put_it_there():
    place = place_of("ana")
    hand, cap = (place, 3.5), (place, 1.0)
    assert frames(*[None] * 20, hand, cap, cap).has_been_handled(place, LEFT_S)
    assert not frames(hand, *[None] * 20, cap, cap).has_been_handled(place, LEFT_S)
    assert not frames(*[None] * 20, cap, cap).has_been_handled(place, LEFT_S)


def test_what_lies_still_over_a_place_is_over_it_until_it_goes():
    place = place_of("ana")
    covered = frames((place, 3.5))
    for number in range(1, 20):
        covered.see(None, number * FRAME_S)  # nothing new in the picture
    assert covered.has_been_handled(place, LEFT_S)


def test_what_nobody_looked_at_for_long_a_hand_may_have_done():
    place = place_of("ana")
    covered = frames(*[None] * 20)
    covered.see(np.zeros((HEIGHT, WIDTH), np.uint8), 3.0)
    assert covered.has_been_handled(place, LEFT_S)
    assert not covered.has_been_handled(place, 3.0)


@pytest.mark.parametrize(
    ("way", "was_by_hand", "cause"),
    [
        (in_a_hand, True, CARRIED),  # what sets off slowly and takes long, though nothing is seen beside it
        (sliding, True, FLOWN),
        (evenly, False, FLOWN),  # a slow roll
    ],
)
def test_what_sets_off_slowly_and_takes_long_was_carried_where_a_hand_was_at_its_end(way, was_by_hand, cause):
    cap = left(opened({"bo": (0.0, 0.0)}), ["bo"], t_s=0.1).caps["bo"]
    track = gone(way)
    call = moved("bo", (0, 0, 0), (2, 2000, 0)).call
    assert to_rest(cap, track, call, was_by_hand=was_by_hand).cause is cause


@pytest.mark.parametrize(
    ("was_by_hand", "to_mm", "sigma_mm", "cause"),
    [
        (False, 400.0, 0.5, UNSEEN),
        (True, 400.0, 0.5, CARRIED),
        (False, 10.0, 0.5, CARRIED),  # less than its radius: what was measured may be off by as much
        (False, 400.0, 5.0, CARRIED),  # the judge saw no cap there
    ],
)
def test_a_cap_that_nobody_followed_went_by_itself_where_no_hand_was_and_the_judge_sees_it(
    was_by_hand, to_mm, sigma_mm, cause
):
    cap = left(opened({"bo": (0.0, 0.0)}), ["bo"], t_s=0.1).caps["bo"]
    one = moved("bo", (0.0, 0, 0), (1.5, to_mm, 0), is_flown=False)
    found = to_rest(cap, one.track, replace(one.call, sigma_mm=sigma_mm), was_by_hand=was_by_hand)
    assert (found.cause, found.is_flown, found.is_sure) == (cause, cause is UNSEEN, cause is not UNSEEN)


def unseen(*points, player="ana"):
    return replace(moved(player, *points, is_flown=False), cause=UNSEEN)


def test_a_cap_that_nobody_followed_has_shot_the_one_that_it_can_have_pushed():
    pushed = unseen((0.92, 200, 0), (1.3, 300, 0), player="bo")
    a_hand = ((1.0, 100, 0), (1.05, 130, 20), (1.1, 110, 0), (1.8, 172, 0))  # seen where the cap had been
    for way, victim in (
        (((0.1, 100, 0), (1.8, 172, 0)), hit_cap()),
        (((0.1, 100, 0), (1.8, 172, 0)), pushed),
        (a_hand, hit_cap()),
    ):
        (shot,) = told(unseen(*way), victim)
        assert isinstance(shot, Shot)
        assert (shot.player, pairs(shot)) == ("ana", [("ana", "bo")])


def test_a_cap_that_nobody_followed_and_that_struck_nothing_has_been_shot_perhaps(monkeypatch):
    monkeypatch.setattr(PlaceHistory, "set_off_s", lambda *_, **__: None)
    (shot,) = told(unseen((0.1, 100, 0), (1.8, 700, 0)))
    assert isinstance(shot, Shot)
    assert (shot.player, shot.is_shooter_certain) == ("ana", False)
    kicked = replace(unseen((2.0, 100, 0), (2.9, 700, 0)), history=history(0.0))
    (placed,) = told(kicked, expected=Expectation(shooter="bo"))  # nobody waited beside it, and it was not her turn
    assert isinstance(placed, Placed)
    (shot,) = told(kicked, expected=Expectation(shooter="ana"))
    assert (shot.player, shot.is_shooter_certain) == ("ana", False)
    (placed,) = told(moved("ana", (0.1, 100, 0), (1.8, 700, 0), is_flown=False))
    assert isinstance(placed, Placed)
