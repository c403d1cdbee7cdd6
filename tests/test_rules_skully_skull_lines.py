"""Whose the lines of the skull are (3.3.1): out of the skull, or the skull's own; and what is remembered meanwhile."""

import pytest

from tests.street import Street, on, stuck

SKULL_1 = "3.3.1 skull_hit player=ana victim=bo boxes=2 from=skull1"
PLAIN = "3.3.1 hit_bonus player=ana victim=bo boxes=1"
FREED = "3.3.1 freed player=bo by=ana"


def street_of_one_stuck(lines="skull", **edits):
    return Street(edits={"ana": on("3f"), "bo": stuck("7f", "skull1")} | edits, skull_lines=lines)


def hit_onto_the_line(street, rest="skull_line"):
    """Ana hits bo, moves up by that, and puts her cap into the box."""
    said = street.shot("ana", "open", "ana>bo", bo=rest)
    street.said({"event": "placed", "player": "ana", "at": street.public["awaiting"][0]["box"]})
    return said[0]


def test_unless_agreed_on_the_lines_are_open():
    assert Street().game.options[5].name == "skull_lines"
    street = Street(edits={"ana": on("3f"), "bo": stuck("7f", "skull1")})
    assert street.shot("ana", "open", "ana>bo", bo="skull_line")[:2] == [SKULL_1, FREED]
    assert street.cap("bo")["status"] == "playing"


@pytest.mark.parametrize(
    ("rest", "home"), [("skull_line", "skull1"), ("skull1", "skull1"), ("skull2", "skull2"), ("skull4", "skull4")]
)
def test_what_a_hit_leaves_on_the_skulls_own_lines_or_in_it_is_not_out(rest, home):
    street = street_of_one_stuck()
    assert street.shot("ana", "open", "ana>bo", bo=rest)[0] == PLAIN
    assert street.cap("bo")["status"] == "stuck"
    assert street.at("bo") == (rest, home)


@pytest.mark.parametrize("rest", ["13", "2", "line", "open", "off"])
def test_a_later_hit_out_of_it_earns_the_number_of_where_the_cap_last_lay_completely(rest):
    street = street_of_one_stuck()
    hit_onto_the_line(street)
    said = street.shot("ana", "open", "ana>bo", bo=rest)
    assert said[:2] == [SKULL_1, FREED]
    assert street.cap("bo")["status"] == "playing"
    assert street.at("bo") == (rest, None)


def test_one_hit_straight_out_earns_the_number_as_ever():
    assert street_of_one_stuck().shot("ana", "open", "ana>bo", bo="line")[:2] == [SKULL_1, FREED]


def test_from_the_line_on_into_another_trapezoid_that_one_counts_from_then_on():
    street = street_of_one_stuck()
    hit_onto_the_line(street)
    assert hit_onto_the_line(street, "skull3") == PLAIN
    assert street.shot("ana", "open", "ana>bo", bo="open")[0] == (
        "3.3.1 skull_hit player=ana victim=bo boxes=6 from=skull3"
    )


def test_out_over_the_line_and_into_the_box_it_goes_for_earns_both():
    street = street_of_one_stuck(bo=stuck("13", "skull1"))
    hit_onto_the_line(street)
    assert street.shot("ana", "open", "ana>bo", bo="13")[:4] == [
        SKULL_1,
        "3.3.1 hit_into_target player=ana victim=bo boxes=2 box=13",
        FREED,
        "3.2.2 box_made player=bo box=13 by=hit",
    ]


def test_a_shot_out_of_turn_leaves_the_stuck_where_they_are_with_what_is_remembered():
    street = street_of_one_stuck()
    hit_onto_the_line(street)
    street.shot("bo", "open")
    assert street.at("bo") == ("skull_line", "skull1")
    street.said({"event": "foul", "player": "bo", "kind": "false_start", "at": "open"})
    assert street.at("bo") == ("skull_line", "skull1")


@pytest.mark.parametrize("lines", ["open", "skull"])
def test_nobody_gets_stuck_on_a_line(lines):
    street = street_of_one_stuck(lines, bo=on("7f", "13"))
    street.shot("ana", "open", "ana>bo", bo="skull_line")
    assert street.cap("bo")["status"] == "playing"


def test_everyone_stuck_is_freed_where_they_lie_and_may_shift_nothing():
    street = Street("ana", "bo", edits={"ana": on("3f"), "bo": stuck("7f", "skull1")}, skull_lines="skull")
    hit_onto_the_line(street)
    assert "3.2.0 all_freed players=['ana', 'bo']" in street.shot("ana", "skull2")
    assert street.at("bo") == ("skull_line", None)
