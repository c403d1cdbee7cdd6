"""Skully: boxes by shooting and by hits (3.2.0, 3.2.2), bonuses (3.3), the skull."""

import pytest

from tests.street import Street, killer, on, shot, stuck


def test_who_shoots_into_his_box_shoots_again():
    street = Street(edits={"ana": on("5f")})
    assert street.shot("ana", "5") == [
        "3.2.2 box_made player=ana box=5f by=shot",
        "3.2.0 shoot_again player=ana going_for=6f",
    ]
    assert street.way("ana") == ("5f", "6f")
    assert street.at("ana") == ("5", "5")
    assert street.public["shots"] == 1
    assert street.public["turn"] == "ana"
    assert street.public["phase"] == "shoot"


@pytest.mark.parametrize(
    ("target", "rule", "box"),
    [case.split() for case in ("1f 3.2.1 1", "2f 3.2.1 2", "3f 3.2.2 3", "13 3.2.2 13", "1b 3.2.2 1", "13k 3.2.3 13")],
)
def test_each_box_rests_on_its_paragraph(target, rule, box):
    street = Street(edits={"ana": on(target)})
    assert street.shot("ana", box)[0] == f"{rule} box_made player=ana box={target} by=shot"


@pytest.mark.parametrize("rest", ["line", "open", "off", "6", "13", "skull_line", "4"])
def test_who_misses_ends_his_turn_where_his_cap_lies(rest):
    street = Street(edits={"ana": on("5f", "4")})
    assert street.shot("ana", rest) == ["3.2.0 turn_over player=ana reason=miss", "1.5 next_turn player=bo"]
    assert street.at("ana") == (rest, None)
    assert street.way("ana") == ("4f", "5f")
    assert street.public["shots"] == 0
    assert street.public["do_over"] == "ana"


def test_the_turn_goes_round():
    street = Street("ana", "bo")
    street.shot("ana", "open")
    assert street.shot("bo", "open")[-1] == "1.5 next_turn player=ana"


def test_a_hit_earns_a_box_and_the_cap_is_picked_up_to_be_placed_there():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("7f", "line")})
    assert street.shot("ana", "off", "ana>bo", bo="open") == [
        "3.3.1 hit_bonus player=ana victim=bo boxes=1",
        "3.3.3 box_awarded player=ana box=5f boxes=1 lost=0",
        "3.2.0 shoot_again player=ana going_for=6f",
    ]
    assert street.at("ana") == ("hand", None)
    assert street.at("bo") == ("open", None)
    assert street.public["phase"] == "place"
    assert street.public["awaiting"] == [{"player": "ana", "what": "place", "box": "5"}]


def test_a_hit_cap_that_did_not_move_counts_all_the_same():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("7f", "6")})
    assert street.shot("ana", "off", "ana>bo")[0] == "3.3.1 hit_bonus player=ana victim=bo boxes=1"
    assert street.at("bo") == ("6", "6")


def test_a_cap_that_lies_in_the_box_awarded_stays_there():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("9f"), "cy": on("9f")})
    street.shot("ana", "6", "ana>bo", "ana>cy", bo="open", cy="open")
    assert street.at("ana") == ("6", "6")
    assert street.way("ana") == ("6f", "7f")
    assert street.public["awaiting"] == []


def test_a_cap_counts_once_however_often_and_through_whomever_it_is_hit():
    street = Street(edits={"ana": on("5f"), "bo": on("9f"), "cy": on("9f")})
    said = street.shot("ana", "open", "ana>cy", "cy>bo", "bo>ana", "ana>bo", "bo>cy", bo="open", cy="off")
    assert said == [
        "3.3.1 hit_bonus player=ana victim=cy boxes=1",
        "3.3.1 hit_bonus player=ana victim=bo boxes=1",
        "3.3.3 box_awarded player=ana box=6f boxes=2 lost=0",
        "3.2.0 shoot_again player=ana going_for=7f",
    ]


def test_hitting_somebody_into_his_box_earns_two_and_he_has_it():
    street = Street(edits={"ana": on("4f"), "bo": on("7f")})
    assert street.shot("ana", "open", "ana>bo", bo="7") == [
        "3.3.1 hit_into_target player=ana victim=bo boxes=2 box=7f",
        "3.2.2 box_made player=bo box=7f by=hit",
        "3.3.3 box_awarded player=ana box=5f boxes=2 lost=0",
        "3.2.0 shoot_again player=ana going_for=6f",
    ]
    assert street.way("bo") == ("7f", "8f")
    assert street.at("bo") == ("7", "7")


@pytest.mark.parametrize(("target", "rule"), [("1f", "3.2.1"), ("2f", "3.2.1"), ("12b", "3.2.2"), ("13k", "3.2.3")])
def test_the_victims_box_rests_on_its_paragraph_too(target, rule):
    street = Street(edits={"ana": on("4f"), "bo": on(target)})
    box = target.rstrip("fbk")
    assert f"{rule} box_made player=bo box={target} by=hit" in street.shot("ana", "open", "ana>bo", bo=box)


def test_a_cap_moved_within_the_box_it_goes_for_gains_nothing():
    street = Street(edits={"ana": on("4f"), "bo": on("7f", "7")})
    assert street.shot("ana", "open", "ana>bo", bo="7")[0] == "3.3.1 hit_bonus player=ana victim=bo boxes=1"
    assert street.way("bo") == ("6f", "7f")


def test_a_cap_hit_out_of_its_box_may_no_longer_be_shifted_but_within_it_may():
    street = Street(edits={"ana": on("4f"), "bo": on("7f", "6"), "cy": on("7f", "6")})
    street.shot("ana", "open", "ana>bo", "ana>cy", bo="6", cy="line")
    assert street.at("bo") == ("6", "6")
    assert street.at("cy") == ("line", None)


@pytest.mark.parametrize(("trapezoid", "number"), [("skull1", 2), ("skull2", 4), ("skull3", 6), ("skull4", 8)])
@pytest.mark.parametrize("rest", ["open", "line", "skull_line", "13"])
def test_hitting_somebody_out_of_the_skull_earns_its_number_and_frees_him(trapezoid, number, rest):
    street = Street(edits={"ana": on("2b"), "bo": stuck("7f", trapezoid)}, skull_numbers=[2, 4, 6, 8])
    said = street.shot("ana", "open", "ana>bo", bo=rest)
    assert said[:2] == [
        f"3.3.1 skull_hit player=ana victim=bo boxes={number} from={trapezoid}",
        "3.3.1 freed player=bo by=ana",
    ]
    assert said[2] == f"3.3.3 box_awarded player=ana box=13k boxes={number} lost={number - 3 if number > 3 else 0}" or (
        number == 2 and said[2] == "3.3.3 box_awarded player=ana box=1b boxes=2 lost=0"
    )
    assert street.cap("bo")["status"] == "playing"


def test_from_one_trapezoid_to_another_the_number_is_earned_and_the_victim_stays_stuck():
    street = Street(edits={"ana": on("5f"), "bo": stuck("7f", "skull2")})
    said = street.shot("ana", "open", "ana>bo", bo="skull3")
    assert said[0] == "3.3.1 skull_hit player=ana victim=bo boxes=4 from=skull2"
    assert said[1].startswith("3.3.3 box_awarded")
    assert street.cap("bo")["status"] == "stuck"
    assert street.at("bo") == ("skull3", None)


@pytest.mark.parametrize("rest", [{"bo": "skull2"}, {}])
def test_hit_on_within_his_trapezoid_is_a_plain_one(rest):
    street = Street(edits={"ana": on("5f"), "bo": stuck("7f", "skull2")})
    assert street.shot("ana", "open", "ana>bo", **rest)[0] == "3.3.1 hit_bonus player=ana victim=bo boxes=1"
    assert street.cap("bo")["status"] == "stuck"


def test_out_of_the_skull_and_into_his_box_earns_both():
    street = Street(edits={"ana": on("5f"), "bo": stuck("13", "skull1")}, skull_numbers=[3, 1, 1, 1])
    assert street.shot("ana", "open", "ana>bo", bo="13") == [
        "3.3.1 skull_hit player=ana victim=bo boxes=3 from=skull1",
        "3.3.1 hit_into_target player=ana victim=bo boxes=2 box=13",
        "3.3.1 freed player=bo by=ana",
        "3.2.2 box_made player=bo box=13 by=hit",
        "3.3.3 box_awarded player=ana box=9f boxes=5 lost=0",
        "3.2.0 shoot_again player=ana going_for=10f",
    ]


def test_who_is_hit_into_the_skull_is_stuck():
    street = Street(edits={"ana": on("5f"), "bo": on("7f", "13")})
    said = street.shot("ana", "open", "ana>bo", bo="skull4")
    assert said[:2] == [
        "3.3.1 hit_bonus player=ana victim=bo boxes=1",
        "3.2.0 stuck_in_skull player=bo at=skull4",
    ]
    assert street.cap("bo")["status"] == "stuck"


def test_who_lies_in_a_trapezoid_without_being_stuck_is_stuck_only_in_another():
    edits = {"ana": on("5f"), "bo": on("7f", "skull1"), "cy": on("7f", "skull2")}
    street = Street(edits=edits)
    said = street.shot("ana", "open", "ana>bo", "ana>cy", bo="skull1", cy="skull3")
    assert said[:3] == [
        "3.3.1 hit_bonus player=ana victim=bo boxes=1",
        "3.3.1 skull_hit player=ana victim=cy boxes=4 from=skull2",
        "3.2.0 stuck_in_skull player=cy at=skull3",
    ]
    assert street.cap("bo")["status"] == "playing"


def test_who_goes_for_a_word_is_not_stuck_and_gains_no_word_by_a_hit():
    street = Street(edits={"ana": on("5f"), "bo": on("k2", "open")})
    said = street.shot("ana", "open", "ana>bo", bo="skull2")
    assert said[0] == "3.3.1 hit_bonus player=ana victim=bo boxes=1"
    assert said[1].startswith("3.3.3 box_awarded")
    assert street.way("bo") == ("k1", "k2")
    assert street.at("bo") == ("skull2", None)


def test_who_shoots_into_the_skull_is_stuck():
    street = Street(edits={"ana": on("5f", "4")})
    assert street.shot("ana", "skull3") == [
        "3.2.0 stuck_in_skull player=ana at=skull3",
        "3.2.0 turn_over player=ana reason=stuck",
        "1.5 next_turn player=bo",
    ]
    assert street.cap("ana")["status"] == "stuck"


def test_a_bonus_lifts_the_shooter_out_of_the_skull():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("9f")})
    street.shot("ana", "skull3", "ana>bo", bo="open")
    assert street.cap("ana")["status"] == "playing"
    assert street.at("ana") == ("hand", None)


@pytest.mark.parametrize("rest", ["13", "skull_line"])
def test_thirteen_and_the_lines_of_the_skull_are_not_in_it(rest):
    street = Street(edits={"ana": on("5f", "4")})
    street.shot("ana", rest)
    assert street.cap("ana")["status"] == "playing"


def test_the_stuck_are_passed_over():
    street = Street(edits={"bo": stuck("5f", "skull1") | {"skip": 2}})
    assert street.shot("ana", "open")[1:] == ["3.2.0 turn_lost player=bo reason=stuck", "1.5 next_turn player=cy"]
    assert street.cap("bo")["skip"] == 2


def test_when_all_are_stuck_all_are_freed_where_they_lie():
    street = Street("ana", "bo", edits={"ana": on("5f"), "bo": stuck("5f", "skull1")})
    assert street.shot("ana", "skull2") == [
        "3.2.0 stuck_in_skull player=ana at=skull2",
        "3.2.0 turn_over player=ana reason=stuck",
        "3.2.0 all_freed players=['ana', 'bo']",
        "1.5 next_turn player=bo",
    ]
    assert street.at("ana") == ("skull2", None)
    assert {street.cap(name)["status"] for name in ("ana", "bo")} == {"playing"}


def test_all_freed_looks_only_at_those_still_in():
    street = Street(edits={"ana": on("5f"), "bo": stuck("5f", "skull1")})
    street.said({"event": "leave", "player": "cy"})
    assert street.shot("ana", "skull2")[2] == "3.2.0 all_freed players=['ana', 'bo']"


def test_two_left_and_one_stuck_the_other_plays_on_alone():
    street = Street("ana", "bo", edits={"ana": on("5f"), "bo": stuck("5f", "skull1")})
    assert street.shot("ana", "open")[1:] == ["3.2.0 turn_lost player=bo reason=stuck", "1.5 next_turn player=ana"]


@pytest.mark.parametrize(
    ("target", "box", "made", "last"),
    [
        case.split()
        for case in ("2f 2 1 4f", "6f 6 5 8f", "12f 12 11 12b", "13 13 12 11b", "12b 12 13 10b", "1b 1 2 13k")
    ],
)
def test_pipsies_from_ones_box_straight_into_the_next(target, box, made, last):
    street = Street(edits={"ana": on(target, made)})
    said = street.shot("ana", box)
    assert said[1] == "3.3.2 pipsies player=ana boxes=2"
    lost = 1 if target == "1b" else 0
    assert said[2] == f"3.3.3 box_awarded player=ana box={last} boxes=2 lost={lost}"


@pytest.mark.parametrize(
    ("target", "at", "box"), [("1f", "start", "1"), ("13k", "1", "13"), ("5f", "3", "5"), ("5f", "line", "5")]
)
def test_no_pipsies_for_the_first_box_nor_for_killer_nor_from_elsewhere(target, at, box):
    street = Street(edits={"ana": on(target, at)})
    assert [line.split()[1] for line in street.shot("ana", box)] == ["box_made", "shoot_again"]


def test_pipsies_from_the_line_where_one_was_placed_and_after_a_miss_that_ended_in_the_box():
    street = Street("ana", "bo", edits={"ana": on("5f", "4"), "bo": on("5f", "open")})
    street.said({"event": "placed", "player": "ana", "at": "line", "of": "4"})
    assert "3.3.2 pipsies player=ana boxes=2" in street.shot("ana", "5")
    street = Street("ana", "bo", edits={"ana": on("5f", "open"), "bo": on("5f", "open")})
    street.shot("ana", "4")
    street.shot("bo", "open")
    assert "3.3.2 pipsies player=ana boxes=2" in street.shot("ana", "5")


def test_pipsies_after_being_hit_into_the_box():
    street = Street("ana", "bo", edits={"ana": on("5f"), "bo": on("7f")})
    street.shot("ana", "open", "ana>bo", bo="7")
    street.said({"event": "placed", "player": "ana", "at": "6"})
    street.shot("ana", "open")
    assert "3.3.2 pipsies player=bo boxes=2" in street.shot("bo", "8")


@pytest.mark.parametrize("boxes", [0, 1, 5])
def test_pipsies_are_worth_what_was_agreed_on(boxes):
    street = Street(edits={"ana": on("5f", "4")}, pipsies=boxes)
    pips = [line for line in street.shot("ana", "5") if "pipsies" in line]
    assert pips == ([f"3.3.2 pipsies player=ana boxes={boxes}"] if boxes else [])


def test_bonuses_add_up():
    street = Street(edits={"ana": on("4f", "3"), "bo": on("4f", "line"), "cy": on("4f", "line")})
    assert street.shot("ana", "4", "ana>bo", "bo>cy", bo="4", cy="line") == [
        "3.2.2 box_made player=ana box=4f by=shot",
        "3.3.2 pipsies player=ana boxes=2",
        "3.3.1 hit_into_target player=ana victim=bo boxes=2 box=4f",
        "3.2.2 box_made player=bo box=4f by=hit",
        "3.3.1 hit_bonus player=ana victim=cy boxes=1",
        "3.3.3 box_awarded player=ana box=9f boxes=5 lost=0",
        "3.2.0 shoot_again player=ana going_for=10f",
    ]


@pytest.mark.parametrize(
    ("target", "rest", "lost"), [("13k", "13", 1), ("13k", "open", 0), ("1b", "1", 0), ("1b", "open", 0)]
)
def test_what_goes_beyond_thirteen_for_killer_is_lost(target, rest, lost):
    street = Street(edits={"ana": on(target, "open"), "bo": on("4f")})
    awarded = "1b" if (target, rest) == ("1b", "open") else "13k"
    assert f"3.3.3 box_awarded player=ana box={awarded} boxes=1 lost={lost}" in street.shot(
        "ana", rest, "ana>bo", bo="open"
    )
    assert street.way("ana") == (("1b", "13k") if awarded == "1b" else ("13k", "k1"))


def test_caps_that_have_not_started_are_out_of_town_or_off_are_in_play():
    edits = {"ana": on("5f"), "bo": on("1f", "start"), "cy": on("4f", "off")}
    said = Street(edits=edits).shot("ana", "open", "ana>bo", "ana>cy", bo="1", cy="open")
    assert "3.3.1 hit_into_target player=ana victim=bo boxes=2 box=1f" in said
    assert "3.3.1 hit_bonus player=ana victim=cy boxes=1" in said
    said = Street(edits={"ana": killer(), "bo": killer("town")}).shot("ana", "open", "ana>bo")
    assert said[0] == "3.2.4 eliminated player=bo by=ana"


def test_what_cannot_be_true_of_a_shot_is_refused():
    street = Street(edits={"ana": on("5f"), "bo": on("5f"), "cy": on("5f")})
    street.said({"event": "leave", "player": "cy"})
    for hits, rests in [
        (["bo>ana"], {}),  # bo hits before being hit
        (["bo>ana", "ana>bo"], {}),
        (["ana>ana"], {}),
        (["ana>cy"], {}),  # cy is out
        ([], {"bo": "open"}),  # nobody hit bo
        (["ana>bo"], {"bo": "open", "cy": "open"}),
    ]:
        assert street.refused(shot("ana", "open", *hits, **rests)) == "bad_hits"
    assert (
        street.refused({"event": "shot", "player": "ana", "hits": [["ana", "bo"]], "rest": {"bo": "1"}}) == "bad_hits"
    )
    assert street.refused({"event": "shot", "player": "ana", "hits": [], "rest": {}}) == "bad_hits"


def test_a_cap_in_hand_can_neither_shoot_nor_be_hit():
    street = Street(edits={"ana": on("5f"), "bo": on("5f"), "cy": on("5f")})
    street.shot("ana", "off", "ana>bo", bo="open")
    assert street.refused({"event": "shot", "player": "ana", "hits": [], "rest": {}}) == "must_place"
    assert street.refused({"event": "shot", "player": "bo", "hits": [["bo", "ana"]], "rest": {"bo": "1"}}) == "bad_hits"
    assert street.refused({"event": "foul", "player": "ana", "kind": "false_start"}) == "must_place"


def test_the_shooters_own_cap_may_be_hit_back():
    street = Street("ana", "bo", edits={"ana": on("5f", "4"), "bo": on("9f")})
    said = street.shot("ana", "5", "ana>bo", "bo>ana", bo="open")
    assert said[:3] == [
        "3.2.2 box_made player=ana box=5f by=shot",
        "3.3.2 pipsies player=ana boxes=2",
        "3.3.1 hit_bonus player=ana victim=bo boxes=1",
    ]
