"""What is counted of a player at Skully: each cap that a shot hit, once (Hit, 3.3.1), whatever was ruled on it."""

import pytest

from linesies import rules
from linesies.games import GAMES
from tests.street import Street, killer, on, shot, stuck

TALLIES = {tally.code: tally for tally in GAMES["skully"].tallies}


def counted(street, event):
    """Play a shot: how many hits each player is counted, and how often he was hit."""
    answer = street.game.apply(street.state, event)
    assert not isinstance(answer, rules.Refused), answer
    _, rulings = answer
    told = [(event, [rules.ruling_json("skully", ruling) for ruling in rulings])]
    return {
        code: {name: count for name in ("ana", "bo", "cy") if (count := TALLIES[code].count(name, told))}
        for code in ("hits", "was_hit")
    }


def test_a_hit_out_of_the_skull_and_into_its_box_earns_twice_and_is_one_hit():
    street = Street(edits={"ana": on("5f", "4"), "bo": stuck("7f", "skull1")})
    event = shot("ana", "open", "ana>bo", bo="7")
    assert {"skull_hit", "hit_into_target"} <= {line.split()[1] for line in street.said(event)}
    street = Street(edits={"ana": on("5f", "4"), "bo": stuck("7f", "skull1")})
    assert counted(street, event) == {"hits": {"ana": 1}, "was_hit": {"bo": 1}}


def test_all_of_a_chain_are_the_shooters_hits_each_once():
    street = Street(edits={"ana": on("5f", "4"), "bo": on("7f"), "cy": on("7f")})
    event = shot("ana", "open", "ana>bo", "bo>cy", "cy>bo", "bo>ana", bo="open", cy="open")
    assert counted(street, event) == {"hits": {"ana": 2}, "was_hit": {"bo": 1, "cy": 1}}


@pytest.mark.parametrize("other", [killer("open"), on("9f")])
def test_a_killer_hits_whom_he_hits_another_killer_too(other):
    street = Street(edits={"ana": killer(), "bo": other})
    assert counted(street, shot("ana", "open", "ana>bo")) == {"hits": {"ana": 1}, "was_hit": {"bo": 1}}


@pytest.mark.parametrize("agreed", ["be_killer", "dead"])
def test_who_hits_a_killer_has_hit_him_whatever_becomes_of_it(agreed):
    street = Street(edits={"ana": on("5f", "4"), "bo": killer("open")}, hit_killer=agreed)
    assert counted(street, shot("ana", "open", "ana>bo")) == {"hits": {"ana": 1}, "was_hit": {"bo": 1}}


def test_a_hit_too_early_or_out_of_turn_was_one_for_its_victim_alone():
    street = Street(edits={"ana": on("1f", "start"), "bo": on("5f"), "cy": on("5f")})
    early = counted(street, shot("ana", "open", "ana>bo", bo="open"))
    out_of_turn = counted(street, shot("bo", "open", "bo>cy", cy="open"))
    assert early == {"hits": {}, "was_hit": {"bo": 1}}
    assert out_of_turn == {"hits": {}, "was_hit": {"cy": 1}}
