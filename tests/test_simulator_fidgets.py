"""People as they are: what they do besides playing leaves the game as it was, and they agree on more than one game."""

import json

import numpy as np
import pytest

from linesies import rules
from linesies.device.errors import BadInput
from linesies.simulator.agreed import options_of
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes, set_table
from linesies.simulator.cards.umpire import card_event
from linesies.simulator.customs import Customs
from linesies.simulator.street.naming import open_simulator
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.umpire import rules_event
from tests.thorough import cases

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
        "two at once",
        "shown by mistake",
        "elbow",
        "phone put down",
        "glass put down",
        "die off its place",
    }


@pytest.mark.parametrize(
    ("game", "players"), cases([("skull", 8), ("skipbo", 6)], more=[("skull", 2), ("skull_king", 8)])
)
def test_few_or_many_play_by_the_options_that_the_seed_draws(game, players):
    table = played(SimulatedTable(TableWishes(game=game, seed=players, players=players, options="drawn")), 1500.0)
    assert len(ruled(table, card_event)["players"]) == players
    assert len(table.truth) > 50


def test_as_many_as_eight_shoot_in_turn_on_the_street():
    street = SimulatedStreet(wishes=Wishes(seed=3, players=8, size_px=(320, 180), options="drawn"))
    shot = ()
    for _ in street.play():
        shot = [told["player"] for told in street.truth if told["event"] == "shot"]
        if len(set(shot)) == 8:
            break
    assert shot[0] == "ana"
    assert list(dict.fromkeys(shot)) == [cap.player for cap in street.caps]


def test_what_is_drawn_by_the_seed_varies_and_equal_seeds_agree():
    drawn = [json.dumps(options_of("skull_king", "abcd", "drawn", None, seed), sort_keys=True) for seed in range(12)]
    assert len(set(drawn)) > 4
    assert drawn[3] == json.dumps(options_of("skull_king", "abcd", "drawn", None, 3), sort_keys=True)


def test_what_is_drawn_for_the_street_is_told_to_its_rules_and_seen_in_some_game():
    games = [options_of("skully", "abcd", "drawn", None, seed) for seed in range(12)]
    assert {game["skull_lines"] for game in games} == {"open", "skull"}
    assert {game["teams"] for game in games} == {0, 2}
    assert len({tuple(game["skull_numbers"]) for game in games}) > 3
    assert {options_of("skully", "abc", "drawn", None, seed)["teams"] for seed in range(12)} == {0}


def test_options_drawn_by_the_seed_are_for_as_many_as_the_game_is_for():
    tables = [set_table(TableWishes(game="skipbo", seed=seed, options="drawn")) for seed in (1, 2, 3)]
    assert any(len(table.players) > 3 for table in tables)


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
    assert Customs().as_options() == {}
    assert Customs(options="drawn", fidget=0.3).as_options() == {"options": "drawn", "fidget": "0.3"}


def test_what_people_do_to_caps_besides_shooting_changes_nothing_in_the_game():
    street = SimulatedStreet(wishes=Wishes(seed=3, fidget=0.8, size_px=(320, 180), fps=20))
    for t_s in street.play():
        if t_s > 240.0:
            break
    assert {habit for _, habit in street.fidgets} == {
        "picked up to look",
        "knocked and put back",
        "kicked and put back",
        "two at once",
        "two hands at once",
        "swapped by mistake",
    }
    assert ruled(street, rules_event)["game"] == "skully"


def test_a_kicked_cap_slides_by_itself_and_comes_back_to_its_place():
    street = SimulatedStreet(wishes=Wishes(seed=4, fidget=0.9, size_px=(320, 180), fps=20))
    ways_mm = []
    for t_s in street.play():
        kicked = [s for s, habit in street.fidgets if habit == "kicked and put back"]
        if t_s > 300.0 or (kicked and t_s > kicked[0] + 1.0 and street.world.is_at_rest):
            break
        speeds = [np.hypot(*street.world.pavement.velocity_mm_s(p)) for p in street.world.pavement.players]
        ways_mm.append((bool(kicked), max(speeds, default=0.0)))
    assert max(speed for is_kicked, speed in ways_mm if is_kicked) > 300.0


def test_a_false_start_is_a_shot_that_hardly_moves_the_cap():
    street = SimulatedStreet(wishes=Wishes(seed=5, players=2, fidget=0.95, size_px=(320, 180), fps=20))
    for t_s in street.play():
        if t_s > 400.0:
            break
    shots = [told for told in street.truth if told["event"] == "shot"]
    slipped = [told for told in shots if told["rest"][told["player"]]["moved"] < 45]
    assert slipped
    assert len(slipped) < len(shots)
