"""People as they are: what they do besides playing leaves the game as it was, and they agree on more than one game."""

import json

import pytest

from linesies import rules
from linesies.device.errors import BadInput
from linesies.simulator.agreed import options_of
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.simulator.cards.umpire import card_event
from linesies.simulator.commands.people import wishes_of
from linesies.simulator.street.naming import open_simulator
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.umpire import rules_event

CARDS = ("skull", "skull_king", "skipbo")
LONGEST_S = 4000.0


def played(table, longest_s=LONGEST_S):
    for t_s in table.play():
        if table.is_over or t_s > longest_s:
            break
    return table


def ruled(table, event_of):
    core, state, _ = rules.start(table.start)
    for truth in table.truth:
        if truth["event"] in ("taken", "hand_visit", "foot", "dog") or "event" not in truth:
            continue
        answer = core.apply(state, event_of(truth))
        assert not isinstance(answer, rules.Refused), (truth, answer)
        state = answer[0]
    return core.public(state)


@pytest.mark.parametrize("game", CARDS)
def test_people_who_fidget_play_a_whole_game_by_the_rules_all_the_same(game):
    table = played(SimulatedTable(TableWishes(game=game, seed=5, fidget=0.4)))
    assert ruled(table, card_event)["phase"] == "over"
    habits = {habit for _, habit in table.fidgets}
    assert len(habits) >= 5, habits


def test_every_habit_at_a_card_table_is_seen_in_some_game():
    tables = [played(SimulatedTable(TableWishes(game=game, seed=6, fidget=0.6))) for game in CARDS]
    assert {habit for table in tables for _, habit in table.fidgets} >= {
        "peek",
        "straighten",
        "turn",
        "push",
        "take back",
        "straighten another's",
        "wrong player",
        "wrong pile",
        "shown by mistake",
        "elbow",
        "phone put down",
        "die off its place",
    }


@pytest.mark.parametrize(("game", "players"), [("skull", 2), ("skull", 8), ("skull_king", 8), ("skipbo", 6)])
def test_few_or_many_play_by_the_options_that_the_seed_draws(game, players):
    table = played(SimulatedTable(TableWishes(game=game, seed=players, players=players, options="drawn")), 1500.0)
    assert len(ruled(table, card_event)["players"]) == players
    assert len(table.truth) > 50


def test_what_is_drawn_by_the_seed_varies_and_equal_seeds_agree():
    drawn = [json.dumps(options_of("skull_king", "abcd", "drawn", None, seed), sort_keys=True) for seed in range(12)]
    assert len(set(drawn)) > 4
    assert drawn[3] == json.dumps(options_of("skull_king", "abcd", "drawn", None, 3), sort_keys=True)


def test_options_and_presets_reach_the_game():
    source = open_simulator("skipbo", {"seed": "1", "speed": "max", "options": '{"stock": 4}', "preset": "single"})
    assert source.start["options"] == {"target": None, "stock": 4}
    street = open_simulator("street", {"seed": "1", "speed": "max", "preset": "schoolyard", "width": "320"})
    assert street.start["options"]["killer_hits"] == 1


@pytest.mark.parametrize(
    "wishes", [{"options": "{"}, {"options": "[]"}, {"options": '{"stock": 0}'}, {"preset": "no"}, {"fidget": "2"}]
)
def test_what_cannot_be_agreed_on_is_refused(wishes):
    with pytest.raises(BadInput):
        open_simulator("skipbo", wishes)


def test_what_is_not_asked_for_is_left_to_the_simulator():
    assert wishes_of(None, None, 0.0) == {}
    assert wishes_of("drawn", None, 0.3) == {"options": "drawn", "fidget": "0.3"}


def test_caps_that_are_looked_at_knocked_or_moved_two_at_once_change_nothing_in_the_game():
    street = SimulatedStreet(wishes=Wishes(seed=3, fidget=0.8, size_px=(320, 180), fps=20))
    for t_s in street.play():
        if t_s > 120.0:
            break
    assert {habit for _, habit in street.fidgets} >= {"picked up to look", "knocked and put back", "two at once"}
    assert ruled(street, rules_event)["game"] == "skully"
