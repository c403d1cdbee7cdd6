"""The eyes over a card table whose camera goes away, whose people correct them, leave, and put things down."""

from dataclasses import replace
from itertools import chain, zip_longest

import numpy as np
import pytest

from linesies.simulator.cards.die import Thrown
from linesies.simulator.cards.gestures import arm_of, lay, reach_in, throw, wait
from linesies.simulator.cards.paper import Lie
from linesies.simulator.cards.photos import photograph_faces
from linesies.vision import LearnedDeck, LearnedDie, Reading, photograph_die
from linesies.vision.cards.table.plays import UNREAD_DIE
from tests.test_neighbouring_places import SEAT, Sitting, discard
from tests.test_plays import KnowsTheDeck


def test_after_the_camera_was_opened_again_cards_are_seen_as_before():
    def script(sitting):
        yield from wait(0.6)
        yield from sitting.lay("10", 2)
        sitting.open_camera_again()
        yield from wait(1.0)
        yield from sitting.lay("11", 3)
        yield from wait(1.0)

    sitting = Sitting(script, 4)
    assert sitting.events == [discard("10", 2), discard("11", 3)]
    assert sitting.told[-1][0] < 10.0
    assert len(sitting.eyes._watcher._stir._last) < 5


def test_a_card_that_lay_there_before_the_camera_went_away_still_counts():
    def script(sitting):
        yield from wait(0.6)
        yield from sitting.lay("11", 2)
        sitting.rules_hold([], ["11"], [], [])
        sitting.open_camera_again()
        yield from wait(1.0)
        yield from sitting.build("11")
        yield from wait(1.0)

    played = ("play", {"player": "ana", "from": "discard", "n": 2, "pile": 1, "card": "11"})
    assert Sitting(script, 4).events == [discard("11", 2), played]


def test_a_card_laid_where_another_was_gathered_up_unseen_is_new():
    def script(sitting):
        yield from wait(0.6)
        yield from sitting.lay("10", 2)
        sitting.world.cards.clear()
        sitting.open_camera_again()
        yield from wait(1.0)
        sitting.world.put("10", SEAT, sitting.place(2, towards_next_mm=6.0), is_up=True)
        yield from wait(1.5)

    assert Sitting(script, 4).events == [discard("10", 2), discard("10", 2)]


class Slow(Sitting):
    """A table whose camera gives two frames a second."""

    one_of = 8


def test_a_slow_camera_shows_the_first_card_that_is_laid():
    def script(sitting):
        yield from wait(1.2)
        yield from sitting.lay("10", 2)
        yield from wait(1.5)

    assert Slow(script, 4).events == [discard("10", 2)]


def test_of_cards_that_show_the_same_each_that_is_laid_on_the_others_is_told_or_asked_about():
    def script(sitting):
        yield from wait(0.6)
        for off_mm in (0.0, 0.7, -0.3, 1.2, -0.8, 2.2):
            sitting.world.put("10", SEAT, sitting.place(2, towards_next_mm=off_mm), is_up=True)
            yield from wait(1.2)

    assert Sitting(script, 4).events == [discard("10", 2)] * 6


def test_a_card_at_rest_that_is_not_told_yet_is_told_though_people_take_something_back():
    def script(sitting):
        yield from wait(0.6)
        sitting.world.put("10", SEAT, sitting.place(2), is_up=True)
        yield from wait(0.15)
        sitting.eyes.stand_corrected()
        yield from wait(1.5)

    assert Sitting(script, 4).events == [discard("10", 2)]


def test_a_card_from_the_pile_of_a_partner_who_has_left_is_played_from_there():
    def script(sitting):
        yield from wait(0.6)
        yield from sitting.lay("11", 2)
        sitting.rules_hold([], ["11"], [], [], gone=["ana"], turn="bo")
        yield from sitting.build("11")
        yield from wait(1.0)

    played = ("play", {"player": "bo", "from": "discard", "n": 2, "owner": "ana", "pile": 1, "card": "11"})
    assert Sitting(script, 4).events == [discard("11", 2), played]


class CannotRead(KnowsTheDeck):
    """Sees which side of a card is up, and no more."""

    def read(self, picture_bgr, outlines):
        seen = super().read(picture_bgr, outlines)
        return tuple(Reading(face=one.face, name=None, confidence=0.0) for one in seen)


def test_at_the_end_of_a_film_a_card_is_told_though_it_may_yet_have_been_read():
    def script(sitting):
        yield from wait(0.6)
        sitting.world.put("10", SEAT, sitting.place(2), is_up=True)
        yield from wait(0.4)

    sitting = Sitting(script, 4, reader=CannotRead)
    assert sitting.told == []
    assert [(event.kind, event.keys["card"]) for event in sitting.eyes.finish()] == [("discard", None)]


def test_what_lay_there_when_a_film_began_was_not_laid_though_the_film_ends_at_once():
    def script(sitting):
        sitting.world.put("10", SEAT, sitting.place(2), is_up=True)
        yield from wait(0.1)
        sitting.world.put("11", SEAT, sitting.place(2, towards_next_mm=20.0), is_up=True)
        yield from wait(0.25)

    sitting = Sitting(script, 4)
    assert sitting.told == []
    assert sitting.eyes.finish() == ()


class KnowsTheDie(KnowsTheDeck, LearnedDeck):
    """Reads cards as drawn, and the die by its photographs."""

    def __init__(self, table):
        KnowsTheDeck.__init__(self, table)
        faces = {name: photograph_die(picture) for name, picture in photograph_faces(table.stage.rng(5))}
        self.die = LearnedDie(tuple(faces), np.stack(list(faces.values())))


@pytest.mark.parametrize("at_first", [True, False])
def test_a_die_that_lies_as_it_did_was_not_rolled_whatever_is_put_beside_it(at_first):
    def throw(sitting, face, off_mm):
        sitting.world.die = Thrown(face=face, xy_mm=sitting.world.middle_mm("die") + off_mm, angle_rad=0.4)

    def script(sitting):
        if at_first:
            throw(sitting, "SB", (-22.0, -25.0))
        yield from wait(0.6)
        throw(sitting, "SB", (-22.0, -25.0))
        yield from wait(1.2)
        beside = Lie(xy_mm=sitting.world.middle_mm("die") + np.array([40.0, 30.0]))
        sitting.world.put("10", "die", beside, is_up=True)
        yield from wait(1.2)
        throw(sitting, "SB", (-24.0, 30.0))
        yield from wait(1.2)

    told = [(kind, keys["face"]) for kind, keys in Sitting(script, 4, reader=KnowsTheDie).events]
    assert told == [("roll", "SB")] * (1 if at_first else 2)


def told_to_throw(*players):
    """On Ana's turn have the first of these throw a die that rolls on, while the others reach in; who is told?"""

    def script(sitting):
        rng = np.random.default_rng(7)
        yield from wait(0.6)
        sitting.rules_hold([], [], [], [], face=None)
        die = Thrown(face="SB", xy_mm=sitting.world.middle_mm("die"), angle_rad=0.4)
        arms = [arm_of(sitting.world, player, rng) for player in players]
        waves = (wave(sitting, arm) for arm in arms[1:])
        for _ in zip_longest(throw(sitting.world, arms[0], ["5-8"], die), *waves):
            yield
        yield from wait(1.6)

    return [keys["player"] for kind, keys in Sitting(script, 4, reader=KnowsTheDie).events if kind == "roll"]


def wave(sitting, arm):
    at_mm = sitting.world.middle_mm(f"seat:{arm.player}")
    return reach_in(sitting.world, arm, at_mm, stay_s=1.0)


def test_a_die_that_rolls_on_from_a_hand_was_thrown_by_whose_arm_that_was():
    assert told_to_throw("ana") == ["ana"]
    assert told_to_throw("bo") in (["bo"], [None])


def test_who_threw_a_die_is_asked_where_two_arms_were_seen():
    assert told_to_throw("ana", "bo") == [None]


def told_to_build(*players):
    """Have the first of these lay a card on a pile that all share, as the others take their arms away; who is told?"""

    def script(sitting):
        rng = np.random.default_rng(7)
        yield from wait(0.6)
        sitting.rules_hold([], [], [], [])
        at_mm = sitting.world.middle_mm("pile1")
        first, *others = (arm_of(sitting.world, player, rng) for player in players)
        laying = chain(wait(1.0), lay(sitting.world, first, "11", "pile1", Lie(xy_mm=at_mm), is_up=True))
        for _ in zip_longest(laying, *(reach_in(sitting.world, arm, at_mm, stay_s=1.0) for arm in others)):
            yield
        yield from wait(1.6)

    return [keys["player"] for kind, keys in Sitting(script, 4).events if kind == "play"]


def test_who_played_is_asked_where_another_arm_was_over_the_pile_just_before():
    assert told_to_build("ana") == ["ana"]
    assert told_to_build("ana", "bo") == [None]


def test_an_elbow_that_rested_on_the_table_for_long_is_over_nothing_once_it_has_gone():
    def script(sitting):
        rng = np.random.default_rng(7)
        yield from wait(0.6)
        yield from sitting.lay("10", 2)
        sitting.rules_hold([], ["10"], [], [])
        at_mm = sitting.world.middle_mm("pile1")
        yield from reach_in(sitting.world, arm_of(sitting.world, "bo", rng), at_mm, stay_s=3.5)
        yield from wait(0.5)
        yield from lay(sitting.world, arm_of(sitting.world, "ana", rng), "11", "pile1", Lie(xy_mm=at_mm), is_up=True)
        yield from wait(1.0)

    assert [keys["player"] for kind, keys in Sitting(script, 4).events if kind == "play"] == ["ana"]


@pytest.mark.parametrize("is_left", [True, False])
def test_of_a_card_that_may_have_lain_beneath_what_nobody_could_explain_people_are_asked(is_left):
    def script(sitting):
        yield from wait(0.6)
        card = sitting.world.put("3", SEAT, sitting.place(3, towards_next_mm=5.0), is_up=False)
        yield from wait(1.0)
        if not is_left:
            sitting.world.take(card.number)
            sitting.world.put("11", SEAT, sitting.place(3), is_up=True)
        yield from wait(1.2)

    told = [(event.kind, event.keys.get("card"), event.doubt is None) for _, event in Sitting(script, 4).told]
    assert told == ([] if is_left else [("discard", "11", False)])


class KnowsAnotherDie(KnowsTheDie):
    """Reads cards as drawn, and knows a die of which no side is like any of the one on the table."""

    def __init__(self, table):
        KnowsTheDie.__init__(self, table)
        chance = np.random.default_rng(1)
        self.die = LearnedDie(self.die.names, chance.uniform(0, 255, self.die.faces.shape).astype(np.float32))


def test_a_thrown_die_that_cannot_be_read_is_asked_about_once():
    def script(sitting):
        yield from wait(1.0)
        for off_mm in ((-22.0, -25.0), (-24.0, 30.0)):
            at_mm = sitting.world.middle_mm("die") + off_mm
            sitting.world.die = Thrown(face="SB", xy_mm=at_mm, angle_rad=0.4)
            yield from wait(1.6)
        beside = Lie(xy_mm=sitting.world.middle_mm("die") + np.array([40.0, -30.0]))
        sitting.world.put("10", "die", beside, is_up=True)
        yield from wait(1.6)

    told = Sitting(script, 4, reader=KnowsAnotherDie).told
    assert [(event.kind, event.keys["face"], event.doubt) for _, event in told] == [("roll", None, UNREAD_DIE)] * 2


def test_a_die_that_comes_to_lie_where_it_lay_was_thrown_where_it_was_seen_gone():
    def script(sitting):
        yield from wait(1.0)
        at_mm = np.add(sitting.world.middle_mm("die"), (-22.0, -25.0))
        die = sitting.world.die = Thrown(face="SB", xy_mm=at_mm, angle_rad=0.4)
        yield from wait(1.6)
        for meanwhile, angle_rad in ((die, 0.5), (None, 1.2)):
            yield from reach_in(sitting.world, arm_of(sitting.world, "bo", np.random.default_rng(3)), at_mm, stay_s=0.3)
            sitting.world.die = meanwhile
            yield from wait(0.1)
            sitting.world.die = replace(die, angle_rad=angle_rad)
            yield from wait(1.6)

    told = Sitting(script, 4, reader=KnowsAnotherDie).told
    assert [(event.kind, event.doubt) for _, event in told] == [("roll", UNREAD_DIE)] * 2
    assert told[1][0] - told[0][0] > 5.0


@pytest.mark.parametrize("off_mm", [(14.0, -4.0), (0.0, 0.0), (-20.0, 30.0)])
def test_what_is_put_on_a_pile_of_equal_cards_and_taken_off_again_is_no_card_on_it(off_mm):
    def script(sitting):
        yield from wait(0.6)
        for turn_rad, towards_mm in ((0.0, 2.0), (0.25, -2.0)):
            place = sitting.place(2, towards_next_mm=towards_mm)
            sitting.world.put("10", SEAT, replace(place, angle_rad=place.angle_rad + turn_rad), is_up=True)
            yield from wait(1.2)
        on_it_mm = sitting.place(2).xy_mm + np.array(off_mm)
        sitting.world.die = Thrown(face="SB", xy_mm=on_it_mm, angle_rad=0.7)
        yield from wait(1.5)
        sitting.world.die = None
        yield from wait(1.5)

    assert Sitting(script, 4).events == [discard("10", 2)] * 2
