"""Skully: people set the game right; all else follows from what they say."""

import pytest

from tests.street import Street, killer, on, stuck


def correct(turn=None, **players):
    event = {"event": "correct"}
    if players:
        event["players"] = players
    return event | ({"turn": turn} if turn else {})


def test_it_names_the_players_in_starting_order_and_nothing_that_the_edits_change():
    street = Street()
    said = street.said(correct(cy=on("5f", "4"), ana=stuck("5f", "skull1"), bo={}, turn="bo"))
    assert said == ["1.1 corrected players=['ana', 'bo', 'cy']"]
    assert street.public["turn"] == "bo"


@pytest.mark.parametrize(
    ("going_for", "made", "words"),
    [
        ("1f", None, 0),
        ("2f", "1f", 0),
        ("13", "12f", 0),
        ("12b", "13", 0),
        ("13k", "1b", 0),
        ("k1", "13k", 0),
        ("k2", "k1", 1),
        ("k4", "k3", 3),
    ],
)
def test_a_target_brings_what_was_made_and_the_words_said(going_for, made, words):
    street = Street(edits={"ana": on("k3", "open")})
    street.said(correct(ana={"going_for": going_for}))
    assert street.way("ana") == (made, going_for)
    assert street.cap("ana")["words"] == [f"skull{n + 1}" for n in range(words)]
    assert street.at("ana") == ("open", None)


@pytest.mark.parametrize(
    ("edit", "home"),
    [
        (on("5f", "4"), "4"),
        (on("5f", "5"), None),
        (on("12b", "13"), "13"),
        (on("k1", "13"), "13"),
        (on("k3", "skull2"), "skull2"),
        (on("k3", "skull1"), None),
        (on("1f", "1"), None),
        (on("1f", "start"), None),
        (stuck("k2", "skull1"), "skull1"),
    ],
)
def test_home_is_where_the_cap_lies_if_that_was_made(edit, home):
    street = Street()
    street.said(correct(ana=edit))
    assert street.at("ana") == (edit["at"], home)


def test_home_is_found_anew_for_everybody_named():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("5f", "4")})
    street.said({"event": "placed", "player": "ana", "at": "line", "of": "4"})
    street.said(correct(bo={"skip": 1}))
    assert street.at("ana") == ("line", "4")
    street.said(correct(ana={"skip": 3}))
    assert street.at("ana") == ("line", None)
    assert street.cap("ana")["skip"] == 3
    assert street.at("bo") == ("4", "4")


def test_the_words_made_in_any_order_stay_when_the_target_is_not_given():
    street = Street(edits={"ana": on("k1", "13")}, killer_round="any_order")
    street.shot("ana", "skull4")
    street.said(correct(ana={"skip": 1}))
    assert street.cap("ana")["words"] == ["skull4"]
    assert street.at("ana") == ("skull4", "skull4")


def test_a_placing_due_to_somebody_named_counts_as_done_first():
    street = Street(edits={"ana": on("5f"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo")
    street.said(correct(bo={"skip": 1}))
    assert street.public["phase"] == "place"
    street.said(correct(ana={"skip": 1}))
    assert street.at("ana") == ("5", "5")
    assert street.public["awaiting"] == []
    assert street.public["shots"] == 1


def test_killers_go_for_killing_and_nobody_else_does():
    street = Street(edits={"bo": on("k3", "skull2")})
    street.said(correct(bo={"status": "killer"}))
    assert street.cap("bo") == {
        "status": "killer",
        "going_for": "killer",
        "made": "k2",
        "at": "skull2",
        "home": None,
        "skip": 0,
        "words": [],
    }
    street.said(correct(bo={"going_for": "killer", "at": "open"}))
    assert street.at("bo") == ("open", None)
    street.said(correct(ana={"status": "killer", "going_for": "killer"}))
    assert street.way("ana") == (None, "killer")
    for edit in [{"going_for": "5f"}, {"status": "playing"}, {"status": "killer", "going_for": "5f"}]:
        assert street.refused(correct(bo=edit)) == "bad_correction"
    assert street.refused(correct(cy={"going_for": "killer"})) == "bad_correction"
    street.said(correct(bo={"status": "playing", "going_for": "2f", "at": "1"}))
    assert street.at("bo") == ("1", "1")


def test_a_killer_on_a_box_that_he_made_is_not_at_home_there():
    street = Street(edits={"ana": on("5f", "4")})
    street.said(correct(ana={"status": "killer"}))
    assert street.at("ana") == ("4", None)


def test_stuck_means_in_the_skull():
    street = Street(edits={"bo": stuck("5f", "skull1")})
    assert street.refused(correct(cy={"status": "stuck"})) == "bad_correction"
    assert street.refused(correct(bo={"status": "stuck", "at": "13"})) == "bad_correction"
    street.said(correct(bo={"at": "skull2"}))
    assert street.cap("bo")["status"] == "stuck"
    street.said(correct(bo={"going_for": "7f"}))
    assert street.cap("bo")["status"] == "stuck"
    street.said(correct(bo={"at": "skull_line"}))
    assert street.cap("bo")["status"] == "playing"
    street.said(correct(bo={"at": "skull3"}))
    assert street.cap("bo")["status"] == "playing"
    street.said(correct(bo={"status": "stuck"}))
    assert street.cap("bo")["status"] == "stuck"
    street.said(correct(bo={"status": "playing"}))
    assert street.at("bo") == ("skull3", None)


def test_the_turn_goes_to_whom_they_say():
    street = Street(edits={"ana": on("5f"), "bo": on("9f"), "cy": killer("open")})
    street.shot("ana", "off", "ana>bo")
    assert street.said(correct(turn="ana")) == ["1.1 corrected players=[]"]
    assert street.public["phase"] == "place"
    assert street.public["shots"] == 1
    street.said(correct(turn="cy"))
    assert street.at("ana") == ("5", "5")
    assert street.public["turn"] == "cy"
    assert street.public["shots"] == 0
    assert street.refused(correct(turn="bo", bo=stuck("9f", "skull1"))) == "bad_correction"
    assert street.refused(correct(turn="bo", bo={"status": "eliminated"})) == "bad_correction"


def test_a_player_in_turn_who_can_no_longer_play_ends_his_turn():
    street = Street(edits={"bo": stuck("5f", "skull1")})
    assert street.said(correct(ana=stuck("5f", "skull2"))) == [
        "1.1 corrected players=['ana']",
        "3.2.0 turn_over player=ana reason=corrected",
        "3.2.0 turn_lost player=bo reason=stuck",
        "1.5 next_turn player=cy",
    ]
    assert street.said(correct(cy={"status": "eliminated"})) == [
        "1.1 corrected players=['cy']",
        "3.2.0 turn_over player=cy reason=corrected",
        "3.2.0 all_freed players=['ana', 'bo']",
        "1.5 next_turn player=ana",
    ]
    assert street.refused(correct(cy={})) == "bad_correction"
    assert street.refused(correct(turn="cy")) == "bad_correction"


def test_streaks_end():
    street = Street(edits={"ana": killer(), "bo": on("5f")})
    street.shot("ana", "open", "ana>bo")
    street.said(correct(cy={"skip": 1}))
    assert street.public["streak"] == {}
    assert street.public["turn"] == "ana"


def test_eliminations_come_last_and_may_end_the_game():
    street = Street(edits={"ana": on("5f"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo")
    edit = {"status": "eliminated", "going_for": "killer", "at": "open", "skip": 3}
    assert street.said(correct(ana=edit, bo={"status": "eliminated"}, turn="ana")) == [
        "1.1 corrected players=['ana', 'bo']",
        "1.4 game_won player=cy",
    ]
    assert street.cap("ana") == {
        "status": "eliminated",
        "going_for": "6f",
        "made": "5f",
        "at": "out",
        "home": None,
        "skip": 0,
        "words": [],
    }
    assert street.public["winner"] == "cy"
    assert street.public["awaiting"] == []


def test_somebody_must_be_left():
    street = Street("ana", "bo")
    assert street.refused(correct(ana={"status": "eliminated"}, bo={"status": "eliminated"})) == "bad_correction"
