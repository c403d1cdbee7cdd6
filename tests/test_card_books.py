"""Skull, Skull King and Skip-Bo stand with the book beside them: headings, words, and what nobody may see."""

import ast
import dataclasses
import importlib
import random
import re
from pathlib import Path

import pytest

from linesies import rules
from tests.card_tables import BOTS, random_start

RULES = Path(rules.__file__).parent
HEADINGS = {
    "skull": (
        *("Setup", "Start of a round", "Player turns", "Revealing cards", "End of the game"),  # joris
        *("Gameplay", "Placement Phase", "Bidding Phase", "Reveal Phase", "Consquences Phase", "End of the Game"),
        *("Open Bid", "Fortune favours the Bold", "Why Three Decks?"),
    ),
    "skull_king": (
        *("Setup", "Dealing cards", "7-8 Players", "Bidding", "The Carrrds", "Suit Cards", "Escape Cards"),
        *("Character Cards", "On Your Turn", "The Skull King's Scoring", "Bidding One or More", "Bidding Zero"),
        *("Bonus Points", "The Number Fourteen Cards", "The Rascal's Scoring", "Optional Rascal Rules"),
        *("Two-Player Rules", "Leviathans From The Depths", "Roiling waters", "Additional Cards"),
        *("Advanced Pirate Abilities", "Leading with Special Cards"),
    ),
    "skipbo": (
        *("Object", "Setup", "Play", "Building piles", "Die", "Partners", "Scoring"),
        *("Irregularity 1", "Irregularity 2"),
    ),
}
RULINGS = {
    "skull": "round_started all_placed bidding_opened challenge contradiction skull_shown challenge_won card_lost"
    " player_out game_won left joined sits_after corrected",
    "skull_king": "round_started bids_revealed loads_revealed contradiction revoke trick_won trick_destroyed"
    " trick_discarded bonus alliance ability_ready ability_used ability_skipped round_scored game_won left joined"
    " sits_after corrected",
    "skipbo": "game_started die_used pile_completed reshuffled too_many_drawn opponent_drew cheating_penalty hand_empty"
    " stock_finished game_won match_won out_of_turn_stopped out_of_turn_stands turn_started no_draw left joined"
    " sits_after corrected",
}
REFUSALS = {
    "skull": "bad_event game_over player_out wrong_phase not_your_turn already_placed no_card_left own_bid bid_too_low"
    " bid_too_high own_pile_first pile_empty not_a_game_card wrong_chooser already_in table_full bad_correction",
    "skull_king": "bad_event game_over wrong_phase not_your_turn wrong_dealer wrong_deal already_bid no_bid_yet"
    " bid_out_of_range already_loaded card_not_in_game tigress_undeclared wrong_ability wrong_count player_out"
    " already_in table_full bad_correction",
    "skipbo": "bad_event game_over wrong_phase stock_empty already_up nothing_to_notice own_error no_partners"
    " not_your_turn no_draw_penalty draw_pile_empty already_rolled draw_first roll_first not_your_pile no_card_there"
    " card_mismatch die_used die_face out_of_sequence not_an_opponent discard_to_end player_out already_in table_full"
    " fixed_sides too_few_cards bad_correction",
}
# event -> the phases in which it is not refused as out of its phase
PHASES = {
    "skull": {
        "placed": "first place",
        "bid": "place bid",
        "pass": "bid",
        "flip": "reveal",
        "card_lost": "loss",
    },
    "skull_king": {
        "deal": "deal",
        "bid": "bid",
        "change_bid": "bid",
        "load": "load",
        "play": "play",
        "ability": "ability",
        "skip_ability": "ability",
    },
    "skipbo": {
        **dict.fromkeys(("turn_up", "draw", "roll", "play", "discard", "opponent_draws"), "play"),
        **dict.fromkeys(("end_turn", "notice", "cheating"), "play"),
        "next_game": "between",
    },
}
ANY_KEYS = {  # well-formed values for whatever an event asks for
    "player": "ana",
    "owner": "ana",
    "by": "ana",
    "opponent": "bo",
    "number": 1,
    "cards": 1,
    "bid": 0,
    "pile": 1,
    "from": "hand",
    "face": "SB",
    "load": "grapeshot",
    "pirate": "juanita",
}
OPTIONS = {
    "skull": {"ruleset": "small_shelf"},
    "skull_king": {"pirate_abilities": True, "scoring": "rascal", "cannonball": True},
    "skipbo": {"stock": 1, "target": 60},
}
# the modules in which each public function is a rule of the book
RULE_MODULES = {
    "skull": ("play", "setup"),
    "skull_king": ("bidding", "tricks", "winning", "captures", "abilities", "scoring"),
    "skipbo": ("play", "turns", "scoring", "setup"),
}


def functions(path):
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]


def public_functions(path):
    body = ast.parse(path.read_text()).body
    return [node for node in body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]


def cited(node, headings):
    """The headings in backticks, which a paragraph's number may follow: `Bidding Phase` 3, `Placement Phase 2.1`."""
    quoted = re.findall(r"`([^`]+)`", ast.get_docstring(node) or "")
    return {heading for heading in headings if any(re.fullmatch(re.escape(heading) + r"( \d.*)?", q) for q in quoted)}


@pytest.mark.parametrize("game", HEADINGS)
def test_every_heading_that_rules_on_play_has_its_function(game):
    nodes = [node for path in (RULES / game).glob("*.py") for node in functions(path)]
    assert set().union(*(cited(node, HEADINGS[game]) for node in nodes)) == set(HEADINGS[game])


@pytest.mark.parametrize("game", HEADINGS)
def test_every_rule_function_rests_on_a_heading(game):
    for module in RULE_MODULES[game]:
        for node in public_functions(RULES / game / f"{module}.py"):
            assert cited(node, HEADINGS[game]), f"{module}.{node.name} cites no heading"


@pytest.mark.parametrize("game", HEADINGS)
def test_every_option_and_preset_is_explained_and_every_preset_starts_a_game(game):
    known = rules.GAMES[game]
    assert set(known.words.options) == {option.name for option in known.options}
    assert set(known.words.presets) == {preset.name for preset in known.presets}
    for preset in known.presets:
        start = {"event": "start", "game": game, "players": ["ana", "bo", "cy", "di"], "options": dict(preset.options)}
        rules.start(start)


@pytest.mark.parametrize("game", HEADINGS)
def test_every_code_has_its_sentence_and_no_sentence_is_idle(game):
    words = rules.GAMES[game].words
    assert {key.split()[0] for key in words.sentences} == set(RULINGS[game].split())
    assert {key.split()[0] for key in words.refusals} == set(REFUSALS[game].split())


def states_by_phase(game):
    """One state of each phase, from whole games."""
    states = {}
    for seed in range(20):
        start = {"event": "start", "game": game, "players": ["ana", "bo", "cy"], "options": OPTIONS[game]}
        known, state, _ = rules.start(start)
        bot = BOTS[game](OPTIONS[game], random.Random(seed))
        while known.public(state)["phase"] != "over":
            states[known.public(state)["phase"]] = state
            state, _ = known.apply(state, bot.event(known.public(state)))
        states["over"] = state
    return states


@pytest.mark.parametrize("game", HEADINGS)
def test_each_event_has_its_phases(game):
    known, states = rules.GAMES[game], states_by_phase(game)
    assert set(states) >= {phase for phases in PHASES[game].values() for phase in phases.split()}
    for phase, state in states.items():
        alive = next((p["name"] for p in known.public(state)["players"] if not p.get("out")), "ana")
        for kind, phases in PHASES[game].items():
            card = {"skull": "2H", "skull_king": "P7", "skipbo": "1"}[game]
            answer = known.apply(state, {**ANY_KEYS, "event": kind, "card": card, "player": alive})
            code = answer.code if isinstance(answer, rules.Refused) else None
            assert (code == "game_over") == (phase == "over")
            assert (code == "wrong_phase") == (phase not in ("over", *phases.split())), (phase, kind)


@pytest.mark.parametrize("game", HEADINGS)
def test_every_value_is_frozen(game):
    modules = [importlib.import_module(f"rules.{game}.{path.stem}") for path in sorted((RULES / game).glob("*.py"))]
    names = {name for module in modules for name in vars(module).values() if isinstance(name, type)}
    classes = {name for name in names if dataclasses.is_dataclass(name)}
    assert classes
    for value in classes:
        assert value.__dataclass_params__.frozen, value
        assert "__slots__" in vars(value), value


def revealing(event, hand):
    """The event with hidden cards put into keys that no rule asks for, as a careless camera might."""
    hidden = {"placed": "card", "card_lost": "card", "draw": "hand", "deal": "hands", "bid": "hand", "notice": "card"}
    return {**event, hidden[event["event"]]: hand} if event["event"] in hidden else event


@pytest.mark.parametrize("game", BOTS)
@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_leave_no_trace_in_what_anyone_is_shown(game, seed):
    rng = random.Random(seed)
    start = random_start(game, rng)
    known, one, _ = rules.start(start)
    two = one
    bot = BOTS[game](start["options"], rng)
    for _ in range(150):
        if known.public(one)["phase"] == "over":
            break
        event = bot.event(known.public(one))
        cards = rng.sample(["2H", "3D", "KS", "P7", "SK", "12"], 3)
        one, _ = known.apply(one, revealing(event, cards))
        two, _ = known.apply(two, revealing(event, cards[::-1]))
        for name in (*start["players"], "a spectator"):
            assert known.view(one, name) == known.view(two, name)


@pytest.mark.parametrize("viewer", ["ana", "cy", "a spectator"])
@pytest.mark.parametrize("seed", range(10))
def test_secret_bids_and_loads_leave_no_trace_until_all_are_in(viewer, seed):
    rng = random.Random(seed)
    names = ["ana", "bo", "cy", "di"]
    options = {"scoring": "rascal", "cannonball": True, "rounds": [5]}
    known, one, _ = rules.start({"event": "start", "game": "skull_king", "players": names, "options": options})
    one, _ = known.apply(one, {"event": "deal", "player": "di", "cards": 5})
    two = one
    for kind, values in (("bid", range(6)), ("load", ("grapeshot", "cannonball"))):
        for name in rng.sample(names, 4)[:-1]:
            mine, theirs = rng.choice(values), rng.choice(values)
            one, _ = known.apply(one, {"event": kind, "player": name, kind: mine})
            two, _ = known.apply(two, {"event": kind, "player": name, kind: mine if name == viewer else theirs})
            assert known.view(one, viewer) == known.view(two, viewer)
        if kind == "bid":
            one, two = all_in(known, one, names), all_in(known, one, names)


def all_in(known, state, names):
    """The state once the last one has bid."""
    for name in names:
        answer = known.apply(state, {"event": "bid", "player": name, "bid": 1})
        state = state if isinstance(answer, rules.Refused) else answer[0]
    return state


def test_the_public_state_of_a_secret_bid_says_only_that_it_is_in():
    names = ["ana", "bo", "cy"]
    known, state, _ = rules.start({"event": "start", "game": "skull_king", "players": names})
    state, _ = known.apply(state, {"event": "deal", "player": "cy", "cards": 1})
    shown = [known.public(known.apply(state, {"event": "bid", "player": "ana", "bid": bid})[0]) for bid in (0, 1)]
    assert shown[0] == shown[1]
    assert shown[0]["players"][0]["ready"]
