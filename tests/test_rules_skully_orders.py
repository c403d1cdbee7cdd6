"""Skully: what people do by hand or say: placing, fouls, do-overs, pauses, other caps, leaving; and bad events."""

import pytest

from tests.street import Street, killer, on, shot, stuck


def place(at, of=None, player="ana"):
    return {"event": "placed", "player": player, "at": at} | ({"of": of} if of else {})


def foul(kind, player="ana", **more):
    return {"event": "foul", "player": player, "kind": kind} | more


def test_a_placing_due_is_done_in_the_box():
    street = Street(edits={"ana": on("5f"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo", bo="open")
    assert street.refused(place("5", player="bo")) == "not_your_turn"
    assert street.refused(place("6")) == "bad_place"
    assert street.said(place("5")) == ["3.2.0 placed player=ana box=5 at=5"]
    assert street.at("ana") == ("5", "5")
    assert street.public["awaiting"] == []
    assert street.public["phase"] == "shoot"
    assert street.public["do_over"] == "ana"


LINES = [  # linesies, at home in, at, of, allowed
    *[(True, "5", "line", of, True) for of in ("5", "7")],
    *[(True, "5", "line", of, False) for of in ("6", "13", "skull", "skull1")],
    *[(True, "5", "skull_line", of, False) for of in ("5", "13", "skull", "skull1")],
    *[(True, box, "line", pair, True) for box, pair in ("68", "86", "75")],
    *[(True, box, "line", pair, True) for box, pair in (("9", "11"), ("11", "9"), ("10", "12"), ("12", "10"))],
    *[(True, "1", "line", of, of == "1") for of in ("1", "2", "3")],
    *[(True, "13", "skull_line", of, True) for of in ("13", "skull", "skull1", "skull4")],
    *[(True, "13", "line", of, False) for of in ("13", "skull", "12")],
    *[(False, "5", "line", of, of == "5") for of in ("5", "7")],
    *[(False, "13", "skull_line", of, of == "13") for of in ("13", "skull", "skull2")],
    *[(True, "5", "line", None, False), (True, "13", "skull_line", None, False)],
    *[(True, "5", at, "5", at == "5") for at in ("5", "7", "open", "off", "skull_line", "skull1")],
    *[(True, "5", "5", of, True) for of in ("6", "skull", "13")],  # with a box it does not count
]


@pytest.mark.parametrize(("linesies", "box", "at", "of", "is_allowed"), LINES)
def test_where_a_cap_may_be_put_in_a_box_made(linesies, box, at, of, is_allowed):
    going_for = {"13": "12b", "12": "12b"}.get(box, f"{int(box) + 1}f")
    street = Street(edits={"ana": on("13" if box == "12" else going_for, box)}, linesies=linesies)
    assert street.at("ana") == (box, box)
    if not is_allowed:
        assert street.refused(place(at, of)) == "bad_place"
        return
    assert street.said(place(at, of)) == [f"3.2.0 placed player=ana box={box} at={at}"]
    assert street.at("ana") == (at, box)


@pytest.mark.parametrize("linesies", [True, False])
def test_in_a_trapezoid_made_by_a_word(linesies):
    street = Street(edits={"ana": on("k3", "skull2")}, linesies=linesies)
    assert street.said(place("skull_line", "skull2"))
    assert street.said(place("skull2"))
    assert street.at("ana") == ("skull2", "skull2")
    for of in ("skull", "13", "skull1"):
        if linesies:
            assert street.said(place("skull_line", of))
        else:
            assert street.refused(place("skull_line", of)) == "bad_place"
    assert street.refused(place("line", "5")) == "bad_place"


def test_no_shifting_elsewhere_nor_out_of_turn():
    street = Street(edits={"ana": on("5f", "7"), "bo": on("5f", "4")})
    assert street.refused(place("7")) == "not_in_box"
    assert street.refused(place("4", player="bo")) == "not_your_turn"


def test_a_placing_due_counts_as_done_when_the_turn_ends():
    street = Street(edits={"ana": on("5f"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo", bo="open")
    assert street.said(foul("kick")) == [
        "3.2.0 foul player=ana kind=kick",
        "3.2.0 turn_over player=ana reason=foul",
        "1.5 next_turn player=bo",
    ]
    assert street.at("ana") == ("5", "5")
    assert street.public["awaiting"] == []


@pytest.mark.parametrize("kind", ["kick", "hand_move", "hold", "roll", "spin"])
def test_a_foul_in_turn_costs_the_turn_and_the_cap_goes_back(kind):
    street = Street(edits={"ana": on("5f", "4")})
    assert street.said(foul(kind, at="skull1")) == [
        f"3.2.0 foul player=ana kind={kind}",
        "3.2.0 turn_over player=ana reason=foul",
        "1.5 next_turn player=bo",
    ]
    assert street.at("ana") == ("4", "4")
    assert street.public["do_over"] == "ana"


def test_a_foul_out_of_turn_costs_the_next_one():
    street = Street(edits={"bo": on("5f", "4")})
    assert street.said(foul("kick", "bo")) == ["3.2.0 foul player=bo kind=kick", "3.1 out_of_turn player=bo skip=1"]
    assert street.at("bo") == ("4", "4")
    assert street.public["turn"] == "ana"


@pytest.mark.parametrize("kind", ["hold", "roll", "spin"])
def test_baby_stuff_is_tolerated_if_agreed_on(kind):
    street = Street(edits={"ana": on("5f", "4")}, **{f"{kind}sies": True})
    street.shot("ana", "5")
    before = street.public
    for player in ("ana", "bo"):
        assert street.said(foul(kind, player)) == [f"{kind.capitalize()}sies tolerated player={player} kind={kind}"]
    assert street.public == before
    for other in {"hold", "roll", "spin", "kick", "hand_move", "false_start"} - {kind}:
        assert street.said(foul(other, "cy"))[0] == f"3.2.0 foul player=cy kind={other}"


def test_a_false_start_is_a_shot_that_earns_nothing():
    street = Street(edits={"ana": on("5f", "4")})
    assert street.said(foul("false_start", at="5")) == [
        "3.2.0 foul player=ana kind=false_start",
        "3.2.0 turn_over player=ana reason=foul",
        "1.5 next_turn player=bo",
    ]
    assert street.at("ana") == ("5", None)
    assert street.way("ana") == ("4f", "5f")


def test_a_false_start_that_hardly_moved_leaves_the_cap_there():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("5f", "skull1")})
    street.said(foul("false_start"))
    assert street.at("ana") == ("4", None)
    street.said(foul("false_start", "bo"))
    assert street.at("bo") == ("skull1", None)
    assert street.cap("bo")["status"] == "playing"


def test_a_false_start_into_the_skull_is_stuck_in_turn_and_out_of_turn():
    street = Street(edits={"ana": on("5f", "4"), "cy": killer("open")})
    assert street.said(foul("false_start", at="skull1"))[1:3] == [
        "3.2.0 stuck_in_skull player=ana at=skull1",
        "3.2.0 turn_over player=ana reason=foul",
    ]
    assert street.said(foul("false_start", "cy", at="skull1")) == [
        "3.2.0 foul player=cy kind=false_start",
        "3.1 out_of_turn player=cy skip=1",
    ]
    assert street.cap("cy")["status"] == "killer"
    assert street.at("cy") == ("skull1", None)
    assert street.said(foul("false_start", at="open"))[1] == "3.1 out_of_turn player=ana skip=1"
    assert street.at("ana") == ("skull1", None)
    assert street.cap("ana")["status"] == "stuck"


@pytest.mark.parametrize("kind", ["kick", "false_start"])
@pytest.mark.parametrize("player", ["ana", "bo"])
def test_a_foul_going_for_a_word_fails_it(kind, player):
    street = Street(edits={"ana": on("k3", "skull2"), "bo": on("k3", "skull2")})
    said = street.said(foul(kind, player, at="skull4"))
    assert said[1 if player == "ana" else 2] == f"3.2.3 killer_failed player={player}"
    assert len(said) == (4 if player == "ana" else 3)
    assert street.way(player) == ("1b", "13k")
    assert street.at(player) == ("skull4" if kind == "false_start" else "skull2", None)
    assert street.cap(player)["words"] == []
    assert street.cap(player)["status"] == "playing"


def test_a_foul_going_for_the_first_word_with_the_cap_in_hand():
    street = Street(edits={"ana": on("13k"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo")
    assert street.said(foul("hand_move"))[:2] == [
        "3.2.0 foul player=ana kind=hand_move",
        "3.2.3 killer_failed player=ana",
    ]
    assert street.at("ana") == ("13", None)


def test_a_killers_foul_ends_his_streak():
    street = Street(edits={"ana": killer(), "bo": on("9f")})
    street.shot("ana", "open", "ana>bo")
    street.said(foul("kick"))
    assert street.public["streak"] == {}


def test_a_do_over_brings_back_the_state_before_the_last_shot_or_foul_once():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("9f")})
    before = street.public
    street.shot("ana", "5", "ana>bo", bo="9")
    street.said(place("9"))
    assert street.said({"event": "do_over"}) == ["Do-over do_over player=ana reason=agreed"]
    assert street.public == before
    assert street.refused({"event": "do_over"}) == "nothing_to_redo"
    street.shot("ana", "5")
    middle = street.public
    street.said(foul("kick", "bo"))
    street.said({"event": "pause"})
    street.said({"event": "resume"})
    assert street.said({"event": "do_over"}) == ["Do-over do_over player=bo reason=agreed"]
    assert street.public == middle | {"do_over": None}
    assert street.refused({"event": "do_over", "reason": "blast"}) == "nothing_to_redo"


def test_a_blast_may_be_done_over_where_blasting_is_not_allowed():
    edits = {"ana": on("5f", "4"), "bo": on("9f"), "cy": on("9f")}
    street = Street(edits=edits, blastsies=False)
    street.shot("ana", "off", "ana>bo", "bo>ana", "ana>cy", bo="open", cy="line")
    assert street.refused({"event": "do_over", "reason": "blast"}) == "blast_exempt"
    street.said({"event": "do_over"})
    street.said(foul("kick"))
    assert street.refused({"event": "do_over", "reason": "blast"}) == "blast_exempt"
    street.shot("bo", "open", "bo>ana", "ana>cy", ana="line", cy="off")
    assert street.said({"event": "do_over", "reason": "blast"}) == ["Blastsies do_over player=bo reason=blast"]
    street = Street(edits=edits)
    street.shot("ana", "open", "ana>bo", bo="off")
    assert street.refused({"event": "do_over", "reason": "blast"}) == "blastsies_allowed"


@pytest.mark.parametrize("event", [{"event": "leave", "player": "cy"}, {"event": "correct", "players": {}}])
def test_leaving_and_correcting_end_what_could_be_done_over(event):
    street = Street()
    street.shot("ana", "open")
    street.said(event)
    assert street.public["do_over"] is None
    assert street.refused({"event": "do_over"}) == "nothing_to_redo"


def test_marksies():
    street = Street(edits={"ana": on("5f"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo", bo="open")
    assert street.said({"event": "pause"}) == ["Marksies paused"]
    for event in [
        {"event": "pause"},
        place("5"),
        {"event": "leave", "player": "zoe"},
        {"event": "correct", "turn": "bo"},
    ]:
        assert street.refused(event) == "paused"
    assert street.refused({"event": "resume", "at": {"ana": "5"}}) == "moved_in_pause"
    assert street.refused({"event": "resume", "at": {"ana": "hand", "bo": "line"}}) == "moved_in_pause"
    assert street.said({"event": "resume", "at": {"ana": "hand", "bo": "open"}}) == ["Marksies resumed"]
    assert street.public["phase"] == "place"
    assert street.refused({"event": "resume"}) == "not_paused"
    assert Street(marksies=False).refused({"event": "pause"}) == "no_marksies"


@pytest.mark.parametrize(
    ("agreed", "player", "is_after_a_shot", "is_allowed"),
    [
        ("no", "ana", False, False),
        ("turn", "ana", False, True),
        ("turn", "ana", True, False),
        ("turn", "bo", False, False),
        ("any", "ana", True, True),
        ("any", "bo", False, True),
    ],
)
def test_switchsies(agreed, player, is_after_a_shot, is_allowed):
    street = Street(switchsies=agreed)
    if is_after_a_shot:
        street.shot("ana", "1")
    said = "Switchsies cap_switched player=" + player
    switch = {"event": "switch_cap", "player": player, "reason": "choice"}
    if is_allowed:
        assert street.said(switch) == [f"{said} reason=choice"]
    else:
        assert street.refused(switch) == "no_switchsies"
    assert street.said(switch | {"reason": "damaged"}) == [f"{said} reason=damaged"]


def test_who_leaves_in_his_turn_ends_it():
    street = Street(edits={"ana": on("5f"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo", bo="open")
    assert street.said({"event": "leave", "player": "ana"}) == [
        "1.1 left player=ana",
        "3.2.0 turn_over player=ana reason=left",
        "1.5 next_turn player=bo",
    ]
    assert street.cap("ana") == {
        "status": "left",
        "going_for": "6f",
        "made": "5f",
        "at": "out",
        "home": None,
        "skip": 0,
        "words": [],
    }
    assert street.public["awaiting"] == []
    assert street.refused(shot("ana", "1")) == "player_out"
    assert street.refused({"event": "leave", "player": "ana"}) == "player_out"
    assert street.shot("cy", "open") == ["3.1 out_of_turn player=cy skip=1"]


def test_who_leaves_out_of_turn_is_forgotten_by_the_streak():
    street = Street(edits={"ana": killer(), "bo": on("k3", "skull2"), "cy": on("9f")})
    street.shot("ana", "open", "ana>bo", "ana>cy")
    assert street.said({"event": "leave", "player": "bo"}) == ["1.1 left player=bo"]
    assert street.public["streak"] == {"cy": 1}
    assert street.cap("bo")["words"] == []
    assert street.said({"event": "leave", "player": "cy"}) == ["1.1 left player=cy", "1.4 game_won player=ana"]
    assert street.cap("ana")["status"] == "winner"
    assert street.public["streak"] == {}
    assert street.public["do_over"] is None


def test_a_cap_in_hand_stays_there_when_the_last_opponent_leaves():
    street = Street("ana", "bo", edits={"ana": on("5f"), "bo": on("9f")})
    street.shot("ana", "off", "ana>bo", bo="open")
    street.said({"event": "leave", "player": "bo"})
    assert street.at("ana") == ("hand", None)
    assert street.public["awaiting"] == []


def test_a_turn_passes_over_those_who_have_left():
    street = Street()
    street.said({"event": "leave", "player": "bo"})
    assert street.shot("ana", "open")[-1] == "1.5 next_turn player=cy"


BAD = [
    None,
    3,
    "shot",
    [],
    {},
    {"event": None},
    {"event": ["shot"]},
    {"event": "Shot"},
    {"event": "shot", "player": None, "hits": [], "rest": {}},
    {"event": "shot", "player": "ana", "hits": None, "rest": {"ana": "1"}},
    {"event": "shot", "player": "ana", "hits": [["ana", "bo", "cy"]], "rest": {"ana": "1"}},
    {"event": "shot", "player": "ana", "hits": [["ana", 2]], "rest": {"ana": "1"}},
    {"event": "shot", "player": "ana", "hits": ["ab"], "rest": {"ana": "1"}},
    {"event": "shot", "player": "ana", "hits": [], "rest": [["ana", "1"]]},
    {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": None}},
    *(
        {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": at}}
        for at in ("start", "hand", "town", "out", "0")
    ),
    {"event": "placed", "player": "ana", "at": "start"},
    {"event": "placed", "player": "ana", "at": "5", "of": None},
    {"event": "placed", "player": "ana", "at": "5", "of": "14"},
    {"event": "choice", "player": "ana", "choice": "maybe"},
    {"event": "foul", "player": "ana"},
    {"event": "foul", "player": "ana", "kind": "kick", "at": "town"},
    {"event": "foul", "player": "ana", "kind": "false_start", "at": None},
    {"event": "do_over", "reason": None},
    {"event": "resume", "at": {"ana": "moon"}},
    {"event": "resume", "at": []},
    {"event": "switch_cap", "player": "ana"},
    {"event": "leave"},
    {"event": "correct"},
    {"event": "correct", "players": None},
    {"event": "correct", "players": {}, "turn": None},
    {"event": "correct", "players": {"ana": None}},
    {"event": "correct", "players": {"ana": {"made": "1f"}}},
    *({"event": "correct", "players": {"ana": {"at": at}}} for at in ("hand", "out", None)),
    *({"event": "correct", "players": {"ana": {"status": status}}} for status in ("left", "winner", None)),
    *({"event": "correct", "players": {"ana": {"going_for": target}}} for target in ("13b", "0f", "k5", None)),
    *({"event": "correct", "players": {"ana": {"skip": skip}}} for skip in (-1, 1.0, True, "1", None, 10_000)),
    {"event": "start", "game": "skully", "players": ["ana", "bo"]},
]


@pytest.mark.parametrize("event", BAD, ids=str)
def test_what_makes_no_sense_is_a_bad_event_before_all_else(event):
    assert Street().refused(event) == "bad_event"
    street = Street()
    street.said({"event": "pause"})
    assert street.refused(event) == "bad_event"


@pytest.mark.parametrize(
    "event",
    [
        shot("zoe", "1"),
        shot("ana", "1", "ana>zoe"),
        shot("ana", "1", "zoe>ana"),
        shot("ana", "1", zoe="2"),
        {"event": "placed", "player": "zoe", "at": "1"},
        {"event": "choice", "player": "zoe", "choice": "stay"},
        {"event": "foul", "player": "zoe", "kind": "kick"},
        {"event": "resume", "at": {"zoe": "1"}},
        {"event": "switch_cap", "player": "zoe", "reason": "choice"},
        {"event": "leave", "player": ""},
        {"event": "correct", "players": {"zoe": {}}},
        {"event": "correct", "turn": "zoe"},
    ],
    ids=str,
)
def test_strangers_are_unknown_wherever_they_are_named(event):
    assert Street().refused(event) == "unknown_player"


def test_keys_that_no_event_has_are_ignored():
    assert Street().said({**shot("ana", "1"), "t_start": 1.5, "calls": None})


def test_stuck_players_may_foul():
    street = Street(edits={"bo": stuck("k2", "skull1")})
    assert street.said(foul("kick", "bo")) == [
        "3.2.0 foul player=bo kind=kick",
        "3.1 out_of_turn player=bo skip=1",
        "3.2.3 killer_failed player=bo",
    ]
    assert street.cap("bo")["status"] == "stuck"


EVENTS = {
    "shot": shot("ana", "1"),
    "placed": place("5"),
    "choice": {"event": "choice", "player": "bo", "choice": "stay"},
    "foul": foul("kick"),
    "do_over": {"event": "do_over"},
    "pause": {"event": "pause"},
    "resume": {"event": "resume"},
    "switch_cap": {"event": "switch_cap", "player": "ana", "reason": "damaged"},
    "leave": {"event": "leave", "player": "cy"},
    "correct": {"event": "correct", "players": {}},
}
PHASES = {  # phase -> what each event is refused for; what is not named is allowed
    "shoot": {"placed": "not_in_box", "choice": "no_choice", "do_over": "nothing_to_redo", "resume": "not_paused"},
    "place": {"shot": "must_place", "choice": "no_choice", "resume": "not_paused"},
    "choice": {
        **dict.fromkeys(("shot", "placed", "foul", "switch_cap", "leave", "correct"), "awaiting_choice"),
        "resume": "not_paused",
    },
    "paused": {**dict.fromkeys(EVENTS, "paused"), "resume": None},
    "over": dict.fromkeys(EVENTS, "game_over"),
}


def in_phase(phase):
    street = Street(edits={"ana": on("2f" if phase == "choice" else "5f"), "bo": on("9f")})
    if phase in ("place", "choice"):
        street.shot("ana", "open", "ana>bo", bo="line")
    if phase == "paused":
        street.said({"event": "pause"})
    if phase == "over":
        street.said({"event": "leave", "player": "bo"})
        street.said({"event": "leave", "player": "cy"})
    assert street.public["phase"] == phase
    return street


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("event", EVENTS)
def test_which_events_each_phase_allows(phase, event):
    refusal = PHASES[phase].get(event)
    if refusal is None:
        assert in_phase(phase).said(EVENTS[event])
    else:
        assert in_phase(phase).refused(EVENTS[event]) == refusal
