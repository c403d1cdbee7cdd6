"""Skully: going for killer (3.2.3), killers (3.2.4), hitting a killer (3.3.1), winning (1.4)."""

import pytest

from tests.street import Street, killer, on, shot, stuck

WORDS = {"k1": "I'm", "k2": "a", "k3": "killer", "k4": "diller"}


@pytest.mark.parametrize(("target", "following"), [("k1", "k2"), ("k2", "k3"), ("k3", "k4")])
def test_each_word_in_its_trapezoid_then_the_next(target, following):
    street = Street(edits={"ana": on(target, "open")})
    there = f"skull{target[1]}"
    assert street.shot("ana", there) == [
        f"3.2.3 word_made player=ana word={WORDS[target]} at={there}",
        f"3.2.0 shoot_again player=ana going_for={following}",
    ]
    assert street.way("ana") == (target, following)
    assert street.at("ana") == (there, there)
    assert street.cap("ana")["words"] == [f"skull{n}" for n in range(1, int(target[1]) + 1)]


def test_after_the_last_word_he_is_a_killer_out_of_town_and_his_turn_ends():
    street = Street(edits={"ana": on("k4", "skull3")})
    assert street.shot("ana", "skull4") == [
        "3.2.3 word_made player=ana word=diller at=skull4",
        "3.2.4 killer_made player=ana by=words",
        "3.2.0 turn_over player=ana reason=made_killer",
        "1.5 next_turn player=bo",
    ]
    assert street.cap("ana") == {
        "status": "killer",
        "going_for": "killer",
        "made": "k4",
        "at": "town",
        "home": None,
        "skip": 0,
        "words": [],
    }


@pytest.mark.parametrize("rest", ["skull1", "skull3", "skull4", "skull_line", "13", "open"])
def test_a_missed_word_is_from_scratch_but_not_stuck(rest):
    street = Street(edits={"ana": on("k2", "skull1")})
    assert street.at("ana") == ("skull1", "skull1")
    assert street.shot("ana", rest) == [
        "3.2.3 killer_failed player=ana",
        "3.2.0 turn_over player=ana reason=killer_failed",
        "1.5 next_turn player=bo",
    ]
    assert street.way("ana") == ("1b", "13k")
    assert street.at("ana") == (rest, None)
    assert street.cap("ana")["words"] == []
    assert street.cap("ana")["status"] == "playing"


def test_in_any_order_each_trapezoid_counts_once():
    street = Street("ana", "bo", edits={"ana": on("k1", "13")}, killer_round="any_order")
    street.shot("ana", "skull3")
    assert street.shot("ana", "skull1")[0] == "3.2.3 word_made player=ana word=a at=skull1"
    assert street.cap("ana")["words"] == ["skull3", "skull1"]
    assert street.shot("ana", "skull3")[0] == "3.2.3 killer_failed player=ana"
    street = Street("ana", "bo", edits={"ana": on("k1", "13")}, killer_round="any_order")
    assert street.shot("ana", "13")[0] == "3.2.3 killer_failed player=ana"


def test_hits_in_the_four_words_earn_nothing_but_the_victim_keeps_its_gain():
    street = Street(edits={"ana": on("k1", "13"), "bo": stuck("13", "skull2"), "cy": killer("open")})
    assert street.shot("ana", "skull1", "ana>bo", "bo>cy", bo="13", cy="off") == [
        "3.2.3 word_made player=ana word=I'm at=skull1",
        "3.2.3 hit_no_bonus player=ana victim=bo",
        "3.3.1 freed player=bo by=ana",
        "3.2.2 box_made player=bo box=13 by=hit",
        "3.2.3 hit_no_bonus player=ana victim=cy",
        "3.2.0 shoot_again player=ana going_for=k2",
    ]
    assert street.at("cy") == ("off", None)
    assert street.cap("ana")["status"] == "playing"


def test_in_the_four_words_hitting_a_killer_may_be_deadly():
    street = Street(edits={"ana": on("k2", "skull1"), "bo": on("9f"), "cy": killer("open")}, hit_killer="dead")
    assert street.shot("ana", "skull2", "ana>bo", "bo>cy", bo="9") == [
        "3.2.3 hit_no_bonus player=ana victim=bo",
        "3.2.2 box_made player=bo box=9f by=hit",
        "3.2.3 hit_no_bonus player=ana victim=cy",
        "3.3.1 eliminated player=ana by=cy",
        "3.2.0 turn_over player=ana reason=eliminated",
        "1.5 next_turn player=bo",
    ]
    assert street.cap("ana") == {
        "status": "eliminated",
        "going_for": "k2",
        "made": "k1",
        "at": "out",
        "home": None,
        "skip": 0,
        "words": [],
    }


def test_a_deadly_word_may_end_the_game():
    street = Street("ana", "bo", edits={"ana": on("k2", "skull1"), "bo": killer("open")}, hit_killer="dead")
    assert street.shot("ana", "skull2", "ana>bo")[-2:] == [
        "3.3.1 eliminated player=ana by=bo",
        "1.4 game_won player=bo",
    ]


def test_out_of_turn_a_word_fails_even_if_the_shot_is_deadly():
    street = Street(edits={"bo": on("k2", "skull1"), "cy": killer("open")}, hit_killer="dead")
    assert street.shot("bo", "skull2", "bo>cy") == [
        "3.1 out_of_turn player=bo skip=1",
        "3.2.3 killer_failed player=bo",
        "3.3.1 eliminated player=bo by=cy",
    ]


def test_who_hits_a_killer_becomes_one_and_gets_no_box():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("9f"), "cy": killer("open")})
    assert street.shot("ana", "5", "ana>bo", "bo>cy", bo="9", cy="off") == [
        "3.2.2 box_made player=bo box=9f by=hit",
        "3.3.1 killer_made player=ana by=hit",
        "3.2.0 turn_over player=ana reason=made_killer",
        "1.5 next_turn player=bo",
    ]
    assert street.way("ana") == ("4f", "killer")
    assert street.at("ana") == ("town", None)
    assert street.at("cy") == ("off", None)


def test_who_hits_a_killer_is_dead_if_agreed_on():
    street = Street(edits={"ana": on("5f", "4"), "bo": killer("open"), "cy": killer("open")}, hit_killer="dead")
    assert street.shot("ana", "5", "ana>cy", "ana>bo") == [
        "3.3.1 eliminated player=ana by=cy",
        "3.2.0 turn_over player=ana reason=eliminated",
        "1.5 next_turn player=bo",
    ]
    street = Street("ana", "bo", edits={"ana": on("5f", "4"), "bo": killer("open")}, hit_killer="dead")
    assert street.shot("ana", "5", "ana>bo", bo="off") == [
        "3.3.1 eliminated player=ana by=bo",
        "1.4 game_won player=bo",
    ]
    assert street.at("bo") == ("off", None)


def test_a_killer_eliminates_by_three_hits_in_a_row():
    street = Street(edits={"ana": killer(), "bo": on("9f")})
    assert street.shot("ana", "open", "ana>bo", bo="9") == [
        "3.2.4 killer_hit player=ana victim=bo count=1",
        "3.2.2 box_made player=bo box=9f by=hit",
        "3.2.4 shoot_again player=ana going_for=killer",
    ]
    assert street.public["streak"] == {"bo": 1}
    street.shot("ana", "open", "ana>bo", bo="off")
    assert street.public["streak"] == {"bo": 2}
    assert street.public["shots"] == 2
    assert street.shot("ana", "open", "ana>bo", bo="10") == [
        "3.2.4 killer_hit player=ana victim=bo count=3",
        "3.2.4 eliminated player=bo by=ana",
        "3.2.4 shoot_again player=ana going_for=killer",
    ]
    assert street.public["streak"] == {}
    assert street.cap("bo")["status"] == "eliminated"
    assert street.cap("bo")["at"] == "out"
    assert street.way("bo") == ("9f", "10f")


def test_a_miss_on_the_second_or_third_shot_ends_the_killers_turn():
    street = Street(edits={"ana": killer(), "bo": on("9f"), "cy": on("9f")})
    street.shot("ana", "open", "ana>bo", bo="open")
    assert street.shot("ana", "open", "ana>cy", cy="open") == [
        "3.2.4 killer_hit player=ana victim=cy count=1",
        "3.2.0 turn_over player=ana reason=miss",
        "1.5 next_turn player=bo",
    ]
    assert street.public["streak"] == {}


def test_counts_of_caps_not_hit_are_dropped_and_those_hit_go_on():
    street = Street(edits={"ana": killer(), "bo": on("9f"), "cy": on("9f")})
    street.shot("ana", "open", "ana>bo", "ana>cy", bo="open", cy="open")
    assert street.public["streak"] == {"bo": 1, "cy": 1}
    assert street.shot("ana", "open", "ana>cy", cy="open")[-1] == "3.2.4 shoot_again player=ana going_for=killer"
    assert street.public["streak"] == {"cy": 2}
    street.shot("ana", "open", "ana>bo", "ana>cy", bo="open", cy="open")
    assert street.public["streak"] == {"bo": 1}
    assert street.cap("cy")["status"] == "eliminated"


def test_a_killer_hit_is_eliminated_at_once_but_is_no_prey_of_a_streak():
    street = Street(edits={"ana": killer(), "bo": on("9f"), "cy": killer("open")})
    assert street.shot("ana", "open", "ana>cy", cy="off") == [
        "3.2.4 eliminated player=cy by=ana",
        "3.2.4 shoot_again player=ana going_for=killer",
    ]
    street = Street(edits={"ana": killer(), "bo": on("9f"), "cy": killer("open")})
    street.shot("ana", "open", "ana>bo")
    assert street.shot("ana", "open", "ana>cy") == [
        "3.2.4 eliminated player=cy by=ana",
        "3.2.0 turn_over player=ana reason=miss",
        "1.5 next_turn player=bo",
    ]


def test_one_hit_is_enough_if_agreed_on_and_the_order_is_that_of_contact():
    street = Street(edits={"ana": killer(), "bo": on("9f"), "cy": killer("open")}, killer_hits=1)
    assert street.shot("ana", "open", "ana>cy", "ana>bo") == [
        "3.2.4 eliminated player=cy by=ana",
        "3.2.4 killer_hit player=ana victim=bo count=1",
        "3.2.4 eliminated player=bo by=ana",
        "1.4 game_won player=ana",
    ]
    assert street.public["winner"] == "ana"
    assert street.public["turn"] is None
    assert street.public["shots"] == 0
    assert street.public["phase"] == "over"
    assert street.public["do_over"] == "ana"
    assert street.cap("ana")["status"] == "winner"
    assert street.refused({"event": "do_over"}) == "game_over"
    assert street.refused(shot("bo", "1")) == "game_over"
    assert street.refused({"event": "start"}) == "bad_event"


def test_a_killer_is_never_stuck_and_can_be_hit_anywhere():
    street = Street(edits={"ana": killer("open"), "bo": on("k1", "13"), "cy": on("9f")})
    assert street.shot("ana", "skull1")[0] == "3.2.0 turn_over player=ana reason=miss"
    street.shot("bo", "skull1", "bo>ana", ana="skull2")
    assert street.cap("ana")["status"] == "killer"
    assert street.at("ana") == ("skull2", None)


def test_a_killers_victim_may_get_stuck_and_be_freed():
    street = Street(edits={"ana": killer("open"), "bo": on("9f"), "cy": stuck("9f", "skull4")})
    said = street.shot("ana", "open", "ana>bo", "ana>cy", bo="skull3", cy="open")
    assert said == [
        "3.2.4 killer_hit player=ana victim=bo count=1",
        "3.2.0 stuck_in_skull player=bo at=skull3",
        "3.2.4 killer_hit player=ana victim=cy count=1",
        "3.3.1 freed player=cy by=ana",
        "3.2.4 shoot_again player=ana going_for=killer",
    ]


@pytest.mark.parametrize("rest", ["1", "13", "skull2"])
def test_a_killer_who_owns_the_board_goes_on_from_another_box_and_may_shift_in_it(rest):
    street = Street("ana", "bo", edits={"ana": killer("open")}, killer_board="owns_board")
    assert street.shot("ana", rest) == [
        f"3.2.4 killer_box player=ana at={rest}",
        "3.2.4 shoot_again player=ana going_for=killer",
    ]
    assert street.at("ana") == (rest, rest)
    assert street.shot("ana", rest) == ["3.2.0 turn_over player=ana reason=miss", "1.5 next_turn player=bo"]
    assert street.at("ana") == (rest, None)


@pytest.mark.parametrize("rest", ["line", "open", "off", "skull_line"])
def test_a_killer_who_owns_the_board_gains_nothing_beside_it(rest):
    street = Street(edits={"ana": killer()}, killer_board="owns_board")
    assert street.shot("ana", rest)[0] == "3.2.0 turn_over player=ana reason=miss"


def test_the_box_he_came_from_is_the_one_he_is_at_home_in():
    street = Street("ana", "bo", edits={"ana": killer()}, killer_board="owns_board")
    street.shot("ana", "5")
    street.said({"event": "placed", "player": "ana", "at": "line", "of": "7"})
    assert street.shot("ana", "5")[0] == "3.2.0 turn_over player=ana reason=miss"


def test_a_box_keeps_the_turn_of_an_owner_who_missed_his_prey():
    street = Street(edits={"ana": killer(), "bo": on("9f"), "cy": on("9f")}, killer_board="owns_board")
    street.shot("ana", "open", "ana>bo")
    assert street.shot("ana", "4", "ana>cy", cy="open") == [
        "3.2.4 killer_hit player=ana victim=cy count=1",
        "3.2.4 killer_box player=ana at=4",
        "3.2.4 shoot_again player=ana going_for=killer",
    ]
    assert street.public["streak"] == {"cy": 1}


def test_no_box_when_the_shot_wins_the_game():
    street = Street("ana", "bo", edits={"ana": killer()}, killer_board="owns_board", killer_hits=1)
    assert street.shot("ana", "4", "ana>bo")[-1] == "1.4 game_won player=ana"
    assert street.at("ana") == ("4", None)


def test_an_owner_hit_out_of_his_box_is_no_longer_at_home():
    street = Street("ana", "bo", edits={"ana": killer(), "bo": on("k1")}, killer_board="owns_board")
    street.shot("ana", "5")
    street.said({"event": "correct", "turn": "bo"})
    street.shot("bo", "skull1", "bo>ana", ana="5")
    assert street.at("ana") == ("5", "5")
    street.shot("bo", "skull2", "bo>ana", ana="6")
    assert street.at("ana") == ("6", None)


def test_who_hits_a_killer_frees_others_all_the_same():
    street = Street(edits={"ana": on("5f"), "bo": stuck("9f", "skull1"), "cy": killer("open")})
    assert street.shot("ana", "open", "ana>cy", "ana>bo", bo="open")[0] == "3.3.1 freed player=bo by=ana"
