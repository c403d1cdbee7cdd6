"""Skully: what a game begins with, and what players can and cannot agree on."""

import pytest

from linesies import rules
from tests.street import Street, on

SKULLY = rules.GAMES["skully"]
FRESH = {"status": "playing", "going_for": "1f", "made": None, "at": "start", "home": None, "skip": 0, "words": []}


def start(options, players=("ana", "bo")):
    return SKULLY.start({"event": "start", "game": "skully", "players": list(players), "options": options})


def test_a_game_begins_behind_the_start_line():
    state, rulings = start({})
    assert rulings == ()
    assert SKULLY.public(state) == {
        "game": "skully",
        "phase": "shoot",
        "turn": "ana",
        "shots": 0,
        "awaiting": [],
        "streak": {},
        "do_over": None,
        "winner": None,
        "players": [{"name": "ana"} | FRESH, {"name": "bo"} | FRESH],
    }


def test_options_may_be_missing():
    state, _ = SKULLY.start({"event": "start", "game": "skully", "players": ["ana", "bo"]})
    assert state == start({})[0]


YES_NO = ("linesies", "blastsies", "marksies", "holdsies", "rollsies", "spinsies")
GOOD = {
    **{name: [True, False] for name in YES_NO},
    "pipsies": [0, 2, 100],
    "early_hits": ["start_over", "allowed"],
    "skull_numbers": [[1, 1, 1, 1], [9, 8, 1, 30]],
    "hit_killer": ["be_killer", "dead"],
    "skull_lines": ["open", "skull"],
    "killer_hits": [1, 3, 50],
    "killer_board": ["board_gone", "owns_board"],
    "killer_round": ["in_order", "any_order"],
    "switchsies": ["no", "turn", "any"],
    "out_of_town": [None, 1, 1828.8, 0.1],
    "teams": [0],
}
BAD = {
    **{name: [None, 0, 1, "true", "yes", []] for name in YES_NO},
    "pipsies": [-1, 2.0, True, "2", None],
    "early_hits": ["", "start over", None, True],
    "skull_numbers": [None, [], [1, 2, 3], [1, 2, 3, 4, 5], [0, 1, 1, 1], [1, 1, 1, 1.0], [True, 1, 1, 1], "1234", {}],
    "hit_killer": ["killer", None],
    "skull_lines": ["closed", None, True],
    "killer_hits": [0, -1, 3.0, True, None],
    "killer_board": ["gone", None],
    "killer_round": ["any", None],
    "switchsies": ["yes", None, False],
    "out_of_town": [0, -1, True, "far", float("inf"), float("nan"), []],
    "teams": [1, 4, True, None, "2"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in GOOD.items() for value in values])
def test_what_players_can_agree_on(name, value):
    assert start({name: value})


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_what_players_cannot_agree_on(name, value):
    with pytest.raises(rules.BadStart, match=f'^option "{name}" must be '):
        start({name: value})


def test_these_are_all_options_and_no_other():
    assert {option.name for option in SKULLY.options} == set(GOOD)


def test_all_faults_of_the_options_are_told_at_once():
    with pytest.raises(rules.BadStart) as fault:
        start({"pipsies": -1, "squads": True, "linesies": 1})
    assert str(fault.value).count(";") == 2
    assert '"squads" is no option' in str(fault.value)


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (None, "list of names"),
        ("ana", "list of names"),
        ([], "at least 2 names, not 0"),
        (["ana"], "at least 2 names, not 1"),
        (["ana", "bo", "ana"], "twice"),
        (["ana", ""], "list of names"),
        (["ana", 2], "list of names"),
    ],
)
def test_two_or_more_distinct_names_play(players, said):
    with pytest.raises(rules.BadStart, match=said):
        SKULLY.start({"event": "start", "game": "skully", "players": players})


def test_the_numbers_in_the_skull_are_those_agreed_on():
    edits = {"ana": on("1f", "start"), "bo": on("9f", "skull4") | {"status": "stuck"}}
    street = Street(edits=edits, skull_numbers=[1, 1, 1, 12], early_hits="allowed")
    assert "3.3.3 box_awarded player=ana box=12f boxes=12 lost=0" in street.shot("ana", "open", "ana>bo", bo="open")


def test_linesies_marksies_and_blastsies_are_played_if_nobody_says_otherwise():
    defaults = {option.name: option.default for option in SKULLY.options}
    assert defaults == {name: values[0] for name, values in GOOD.items()} | {
        "pipsies": 2,
        "skull_numbers": [2, 4, 6, 8],
        "killer_hits": 3,
        "holdsies": False,
        "rollsies": False,
        "spinsies": False,
    }
