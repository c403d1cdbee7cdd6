"""Skully: from Start to 2 (3.2.1), going out of turn (3.1), and the choices that early hits bring."""

import pytest

from tests.street import Street, killer, on, shot, stuck


def choose(player, choice):
    return {"event": "choice", "player": player, "choice": choice}


def due(street):
    return [(entry["player"], entry["by"], entry["back"]) for entry in street.public["awaiting"] if "by" in entry]


@pytest.mark.parametrize("target", ["1f", "2f"])
def test_who_hits_before_two_starts_over_and_the_victim_chooses(target):
    street = Street(edits={"ana": on(target, "line"), "bo": on("9f", "open")})
    assert street.shot("ana", target[0], "ana>bo", bo="9") == [
        "3.2.1 early_hit player=ana victims=['bo']",
        "3.2.1 start_over player=ana",
        "3.2.1 choice_due player=bo back=open",
    ]
    assert street.cap("ana") == {
        "status": "playing",
        "going_for": "1f",
        "made": None,
        "at": "start",
        "home": None,
        "skip": 0,
        "words": [],
    }
    assert street.at("bo") == ("9", None)
    assert street.way("bo") == ("8f", "9f")
    assert street.public["phase"] == "choice"
    assert street.public["awaiting"] == [{"player": "bo", "what": "choice", "by": "ana", "back": "open"}]
    assert street.public["turn"] == "ana"
    assert street.public["shots"] == 1


def test_a_victim_that_stays_gets_what_a_hit_gives():
    street = Street(edits={"ana": on("2f"), "bo": on("9f")})
    street.shot("ana", "open", "ana>bo", bo="9")
    assert street.said(choose("bo", "stay")) == [
        "3.2.1 victim_stays player=bo at=9",
        "3.2.2 box_made player=bo box=9f by=hit",
        "3.2.0 turn_over player=ana reason=early_hit",
        "1.5 next_turn player=bo",
    ]
    assert street.at("bo") == ("9", "9")


def test_a_victim_that_goes_back_lies_where_it_lay():
    street = Street(edits={"ana": on("2f"), "bo": on("9f", "8")})
    street.shot("ana", "open", "ana>bo", bo="skull1")
    assert street.said(choose("bo", "back")) == [
        "3.2.1 victim_back player=bo at=8",
        "3.2.0 turn_over player=ana reason=early_hit",
        "1.5 next_turn player=bo",
    ]
    assert street.at("bo") == ("8", "8")
    assert street.cap("bo")["status"] == "playing"


def test_a_victim_that_stays_may_be_freed_or_stuck():
    street = Street(edits={"ana": on("2f"), "bo": stuck("9f", "skull1"), "cy": on("9f", "8")})
    street.shot("ana", "open", "ana>bo", "bo>cy", bo="open", cy="skull1")
    assert due(street) == [("bo", "ana", "skull1"), ("cy", "ana", "8")]
    assert street.said(choose("cy", "stay")) == [
        "3.2.1 victim_stays player=cy at=skull1",
        "3.2.0 stuck_in_skull player=cy at=skull1",
    ]
    assert street.at("cy") == ("skull1", None)
    assert street.public["phase"] == "choice"
    assert street.said(choose("bo", "stay"))[:3] == [
        "3.2.1 victim_stays player=bo at=open",
        "3.3.1 freed player=bo by=ana",
        "3.2.0 turn_over player=ana reason=early_hit",
    ]


def test_a_cap_that_did_not_move_has_nothing_to_choose():
    street = Street(edits={"ana": on("2f"), "bo": on("9f")})
    assert street.shot("ana", "open", "ana>bo") == [
        "3.2.1 early_hit player=ana victims=['bo']",
        "3.2.1 start_over player=ana",
        "3.2.0 turn_over player=ana reason=early_hit",
        "1.5 next_turn player=bo",
    ]


def test_while_a_choice_is_due_all_else_waits():
    street = Street(edits={"ana": on("2f"), "bo": on("9f")})
    street.shot("ana", "open", "ana>bo", bo="9")
    for event in [
        shot("ana", "1"),
        {"event": "placed", "player": "ana", "at": "1"},
        {"event": "foul", "player": "cy", "kind": "kick"},
        {"event": "switch_cap", "player": "bo", "reason": "damaged"},
        {"event": "leave", "player": "bo"},
        {"event": "correct", "turn": "bo"},
    ]:
        assert street.refused(event) == "awaiting_choice"
    assert street.refused(choose("cy", "back")) == "no_choice"
    assert street.refused({"event": "resume"}) == "not_paused"
    street.said({"event": "pause"})
    assert street.public["phase"] == "paused"
    street.said({"event": "resume", "at": {"bo": "9", "ana": "start"}})
    assert street.public["phase"] == "choice"
    assert street.said({"event": "do_over"}) == ["Do-over do_over player=ana reason=agreed"]
    assert street.at("bo") == ("open", None)
    assert street.way("ana") == ("1f", "2f")
    assert street.refused(choose("bo", "back")) == "no_choice"


@pytest.mark.parametrize("target", ["3f", "13"])
def test_from_two_on_hits_count(target):
    street = Street(edits={"ana": on(target), "bo": on("1f", "start")})
    assert "3.3.1 hit_bonus player=ana victim=bo boxes=1" in street.shot("ana", "open", "ana>bo")


def test_early_hits_count_if_agreed_on():
    street = Street(edits={"ana": on("1f", "start"), "bo": on("9f")}, early_hits="allowed")
    assert street.shot("ana", "open", "ana>bo", bo="open")[0] == "3.3.1 hit_bonus player=ana victim=bo boxes=1"


def test_an_early_hit_on_a_killer_makes_no_killer_but_may_be_deadly():
    edits = {"ana": on("2f"), "bo": killer("open"), "cy": on("9f")}
    street = Street(edits=edits)
    assert street.shot("ana", "open", "ana>cy", "cy>bo", bo="off")[1] == "3.2.1 start_over player=ana"
    assert street.said(choose("bo", "stay"))[0] == "3.2.1 victim_stays player=bo at=off"
    assert street.cap("bo")["status"] == "killer"
    street = Street(edits=edits, hit_killer="dead")
    assert street.shot("ana", "open", "ana>cy", "cy>bo", bo="off", cy="9") == [
        "3.2.1 early_hit player=ana victims=['cy', 'bo']",
        "3.3.1 eliminated player=ana by=bo",
        "3.2.1 choice_due player=cy back=open",
        "3.2.1 choice_due player=bo back=open",
    ]
    assert street.cap("ana")["at"] == "out"
    assert street.public["turn"] == "ana"
    street.said(choose("cy", "back"))
    assert street.said(choose("bo", "back")) == [
        "3.2.1 victim_back player=bo at=open",
        "3.2.0 turn_over player=ana reason=early_hit",
        "1.5 next_turn player=bo",
    ]


def test_a_deadly_early_hit_that_ends_the_game_changes_nothing_else():
    street = Street("ana", "bo", edits={"ana": on("2f"), "bo": killer("open")}, hit_killer="dead")
    assert street.shot("ana", "open", "ana>bo", bo="off") == [
        "3.2.1 early_hit player=ana victims=['bo']",
        "3.3.1 eliminated player=ana by=bo",
        "1.4 game_won player=bo",
    ]
    assert street.at("bo") == ("open", None)
    assert street.public["awaiting"] == []


# going out of turn


def test_a_shot_out_of_turn_earns_nothing_and_costs_a_turn():
    street = Street(edits={"ana": on("5f"), "bo": on("7f", "6"), "cy": on("9f")})
    assert street.shot("bo", "7", "bo>cy", cy="9") == [
        "3.1 out_of_turn player=bo skip=1",
        "3.2.2 box_made player=cy box=9f by=hit",
    ]
    assert street.at("bo") == ("7", None)
    assert street.way("bo") == ("6f", "7f")
    assert street.public["turn"] == "ana"
    assert street.public["shots"] == 0
    assert street.public["do_over"] == "bo"
    assert street.shot("bo", "open") == ["3.1 out_of_turn player=bo skip=2"]
    assert street.shot("ana", "open")[1:] == ["3.1 turn_lost player=bo reason=out_of_turn", "1.5 next_turn player=cy"]
    assert street.cap("bo")["skip"] == 1


def test_turns_are_lost_until_somebody_has_one():
    edits = {"ana": on("5f") | {"skip": 1}, "bo": on("5f") | {"skip": 2}, "cy": stuck("5f", "skull1") | {"skip": 1}}
    assert Street(edits=edits).shot("ana", "open")[1:] == [
        "3.1 turn_lost player=bo reason=out_of_turn",
        "3.2.0 turn_lost player=cy reason=stuck",
        "3.1 turn_lost player=ana reason=out_of_turn",
        "3.1 turn_lost player=bo reason=out_of_turn",
        "3.2.0 turn_lost player=cy reason=stuck",
        "1.5 next_turn player=ana",
    ]


def test_out_of_turn_into_the_skull_is_stuck_but_not_a_killer_nor_for_a_word():
    edits = {"ana": on("5f"), "bo": on("7f"), "cy": killer("open"), "di": on("k2", "skull1")}
    street = Street("ana", "bo", "cy", "di", edits=edits)
    assert street.shot("bo", "skull1") == [
        "3.1 out_of_turn player=bo skip=1",
        "3.2.0 stuck_in_skull player=bo at=skull1",
    ]
    assert street.shot("cy", "skull1") == ["3.1 out_of_turn player=cy skip=1"]
    assert street.cap("cy")["status"] == "killer"
    assert street.shot("di", "skull2") == ["3.1 out_of_turn player=di skip=1", "3.2.3 killer_failed player=di"]
    assert street.way("di") == ("1b", "13k")
    assert street.at("di") == ("skull2", None)
    assert street.cap("di")["words"] == []
    assert street.cap("di")["status"] == "playing"


def test_a_stuck_cap_shot_out_of_turn_is_put_back():
    street = Street(edits={"bo": stuck("7f", "skull1")})
    assert street.shot("bo", "7", "bo>cy", cy="1") == [
        "3.1 out_of_turn player=bo skip=1",
        "3.2.1 box_made player=cy box=1f by=hit",
    ]
    assert street.at("bo") == ("skull1", None)
    assert street.cap("bo")["status"] == "stuck"


def test_a_stuck_player_who_hits_early_starts_over():
    street = Street(edits={"bo": stuck("2f", "skull1")})
    assert street.shot("bo", "open", "bo>cy") == [
        "3.1 out_of_turn player=bo skip=1",
        "3.2.1 early_hit player=bo victims=['cy']",
        "3.2.1 start_over player=bo",
    ]
    assert street.cap("bo")["status"] == "playing"
    assert street.at("bo") == ("start", None)
    assert street.public["phase"] == "shoot"


def test_an_early_hit_out_of_turn_ends_no_turn():
    street = Street(edits={"ana": on("5f"), "bo": on("2f"), "cy": on("9f")})
    assert street.shot("bo", "open", "bo>cy", cy="9")[1:] == [
        "3.2.1 early_hit player=bo victims=['cy']",
        "3.2.1 start_over player=bo",
        "3.2.1 choice_due player=cy back=open",
    ]
    assert street.said(choose("cy", "stay")) == [
        "3.2.1 victim_stays player=cy at=9",
        "3.2.2 box_made player=cy box=9f by=hit",
    ]
    assert street.public["turn"] == "ana"
    assert street.cap("bo")["skip"] == 1


def test_the_turn_ends_when_its_player_is_stuck_by_a_shot_out_of_turn():
    street = Street(edits={"ana": on("5f"), "bo": on("7f")})
    assert street.shot("bo", "open", "bo>ana", ana="skull1") == [
        "3.1 out_of_turn player=bo skip=1",
        "3.2.0 stuck_in_skull player=ana at=skull1",
        "3.2.0 turn_over player=ana reason=stuck",
        "3.1 turn_lost player=bo reason=out_of_turn",
        "1.5 next_turn player=cy",
    ]


def test_the_turn_ends_when_its_player_is_stuck_by_his_choice_while_others_still_choose():
    street = Street(edits={"ana": on("5f"), "bo": on("2f"), "cy": on("9f")})
    street.shot("bo", "open", "bo>ana", "bo>cy", ana="skull1", cy="9")
    assert street.said(choose("ana", "stay")) == [
        "3.2.1 victim_stays player=ana at=skull1",
        "3.2.0 stuck_in_skull player=ana at=skull1",
        "3.2.0 turn_over player=ana reason=stuck",
        "3.1 turn_lost player=bo reason=out_of_turn",
        "1.5 next_turn player=cy",
    ]
    assert street.public["phase"] == "choice"
    assert street.said(choose("cy", "back")) == ["3.2.1 victim_back player=cy at=open"]
    assert street.public["turn"] == "cy"


def test_out_of_turn_a_killer_eliminates_nobody_and_nobody_becomes_one():
    edits = {"ana": killer("open"), "bo": killer("open"), "cy": on("9f")}
    street = Street(edits=edits, hit_killer="be_killer")
    assert street.shot("bo", "open", "bo>ana", "bo>cy", ana="off", cy="open") == ["3.1 out_of_turn player=bo skip=1"]
    assert street.public["streak"] == {}
    assert street.shot("cy", "9", "cy>ana") == ["3.1 out_of_turn player=cy skip=1"]
    assert street.cap("cy")["status"] == "playing"


def test_out_of_turn_hitting_a_killer_may_be_deadly_but_not_for_a_killer():
    edits = {"ana": on("5f"), "bo": killer("open"), "cy": on("9f"), "di": killer("open")}
    street = Street("ana", "bo", "cy", "di", edits=edits, hit_killer="dead")
    assert street.shot("di", "open", "di>bo", bo="open") == ["3.1 out_of_turn player=di skip=1"]
    assert street.shot("cy", "skull1", "cy>ana", "ana>di", "cy>bo", ana="5") == [
        "3.1 out_of_turn player=cy skip=1",
        "3.2.2 box_made player=ana box=5f by=hit",
        "3.3.1 eliminated player=cy by=di",
    ]
    assert street.cap("cy")["status"] == "eliminated"
    assert street.public["turn"] == "ana"


def test_a_shot_out_of_turn_may_end_the_game():
    street = Street("ana", "bo", edits={"ana": killer("open"), "bo": on("5f")}, hit_killer="dead")
    assert street.shot("bo", "open", "bo>ana", ana="off")[1:] == [
        "3.3.1 eliminated player=bo by=ana",
        "1.4 game_won player=ana",
    ]
    assert street.at("ana") == ("off", None)


def test_a_placing_due_stays_due_while_others_go_out_of_turn():
    street = Street(edits={"ana": on("5f"), "bo": on("2f"), "cy": on("9f")})
    street.shot("ana", "off", "ana>cy", cy="open")
    street.shot("bo", "open", "bo>cy", cy="off")
    assert [entry["what"] for entry in street.public["awaiting"]] == ["place", "choice"]
    assert street.public["phase"] == "choice"
    street.said(choose("cy", "back"))
    assert street.public["phase"] == "place"
    assert street.refused(shot("ana", "6")) == "must_place"


def test_a_victim_that_stays_in_the_box_it_lay_in_gains_nothing():
    street = Street(edits={"ana": on("2f"), "bo": on("9f", "9")})
    street.shot("ana", "open", "ana>bo", bo="9")
    assert street.said(choose("bo", "stay"))[:2] == [
        "3.2.1 victim_stays player=bo at=9",
        "3.2.0 turn_over player=ana reason=early_hit",
    ]


def test_a_shot_out_of_turn_frees_too():
    street = Street(edits={"bo": on("5f"), "cy": stuck("9f", "skull1")})
    assert street.shot("bo", "open", "bo>cy", cy="open")[1:] == ["3.3.1 freed player=cy by=bo"]
