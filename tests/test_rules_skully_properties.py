"""Skully under any events: total, pure, deterministic, and true to what it announces.

LINESIES_STEPS=100000 makes the long run by hand; a short one runs every time.
"""

import copy
import json
import os
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from linesies import rules
from linesies.simulator.bots.skully import SkullyBot

SKULLY = rules.GAMES["skully"]
STEPS = int(os.environ.get("LINESIES_STEPS", "3000"))
NAMES = ["ana", "bo", "cy", "di", "éva"]
BOXES = [str(n) for n in range(1, 14)]
TRAPEZOIDS = ["skull1", "skull2", "skull3", "skull4"]
RESTS = [*BOXES, *TRAPEZOIDS, "skull_line", "line", "open", "off"]
FORWARDS, BACKWARDS = [f"{n}f" for n in range(1, 13)], [f"{n}b" for n in range(12, 0, -1)]
PATH = [*FORWARDS, "13", *BACKWARDS, "13k", "k1", "k2", "k3", "k4", "killer"]
CHOICES = {
    "linesies": [True, False],
    "pipsies": [0, 1, 2, 7],
    "early_hits": ["start_over", "allowed"],
    "skull_numbers": [[2, 4, 6, 8], [1, 1, 1, 1], [9, 1, 30, 2]],
    "hit_killer": ["be_killer", "dead"],
    "skull_lines": ["open", "skull"],
    "killer_hits": [1, 2, 3],
    "killer_board": ["board_gone", "owns_board"],
    "killer_round": ["in_order", "any_order"],
    "blastsies": [True, False],
    "marksies": [True, False],
    "holdsies": [True, False],
    "rollsies": [True, False],
    "spinsies": [True, False],
    "switchsies": ["no", "turn", "any"],
    "out_of_town": [None, 1000, 0.5],
}


def random_start(random):
    names = NAMES[: random.randint(2, 5)]
    options = {name: random.choice(values) for name, values in CHOICES.items() if random.random() < 0.5}
    if len(names) == 4 and random.random() < 0.5:
        options["teams"] = 2
    return {"event": "start", "game": "skully", "players": names, "options": options}


def random_event(random, names):
    """Any event, allowed or not, now and then about nobody that plays."""
    names = [*names, "zoe"] if random.random() < 0.05 else names
    name, at = random.choice(names), random.choice(RESTS)
    others = random.sample(names, min(len(names), random.randint(0, 2)))
    edit = {"at": at, "going_for": random.choice(PATH), "skip": random.randrange(3)}
    edit["status"] = random.choice(["playing", "stuck", "killer", "eliminated"])
    edit = {key: value for key, value in edit.items() if random.random() < 0.4}
    return random.choice(
        [
            {
                "event": "shot",
                "player": name,
                "hits": [[random.choice([name, other]), random.choice(names)] for other in others],
                "rest": {other: random.choice(RESTS) for other in [name, *others]},
            },
            {"event": "placed", "player": name, "at": at, "of": random.choice([*BOXES, *TRAPEZOIDS, "skull"])},
            {"event": "choice", "player": name, "choice": random.choice(["stay", "back"])},
            {"event": "foul", "player": name, "kind": random.choice(["false_start", "kick", "hold", "roll", "spin"])},
            {"event": "foul", "player": name, "kind": "false_start", "at": at},
            {"event": "do_over"},
            {"event": "do_over", "reason": "blast"},
            {"event": "pause"},
            {"event": "resume"},
            {"event": "switch_cap", "player": name, "reason": random.choice(["damaged", "choice"])},
            {"event": "leave", "player": name} if random.random() < 0.1 else {"event": "join", "player": name},
            {"event": "leave", "player": name} if random.random() < 0.1 else {"event": "resume", "at": {name: at}},
            {"event": "correct", "players": {name: edit}},
            {"event": "correct", "players": {name: edit}, "turn": random.choice(names)},
        ]
    )


def mangled(random, event):
    """The event with one thing wrong with it."""
    event = copy.deepcopy(event)
    key = random.choice(list(event))
    event[key] = random.choice([None, 7, 2.5, True, "", "moon", [], {}, [[]], {"ana": None}, ["ana", "bo"]])
    if random.random() < 0.3:
        del event[key]
    return random.choice([event, event, event, None, [], "shot", 3])


def by_code(rulings, code, player):
    return [ruling for ruling in rulings if ruling.code == code and ruling.details.get("player") == player]


def steps_announced(rulings, before, player):
    """How far on the path a player has come by what was announced."""
    step = PATH.index(before["going_for"])
    for ruling in rulings:
        if ruling.details.get("player") != player:
            continue
        match ruling.code:
            case "box_made" | "word_made":
                step += 1
            case "box_awarded":
                step += ruling.details["boxes"] - ruling.details["lost"]
            case "start_over":
                step = 0
            case "killer_failed":
                step = PATH.index("13k")
            case "killer_made":
                step = PATH.index("killer")
    return step


def check_step(event, before, after, rulings):
    """Boxes move only as announced, and nobody is out or back but as announced."""
    if event["event"] in ("do_over", "correct"):
        return
    news = {player["name"]: player for player in after["players"]}
    joined = {ruling.details["player"] for ruling in rulings if ruling.code == "joined"}
    assert news.keys() == {player["name"] for player in before["players"]} | joined
    for old in before["players"]:
        name, new = old["name"], news[old["name"]]
        if name in joined:
            assert (new["going_for"], new["at"], new["status"]) == ("1f", "start", "playing")
            continue
        assert PATH.index(new["going_for"]) == steps_announced(rulings, old, name), (event, old, new)
        was_in, is_in = (player["status"] not in ("eliminated", "left") for player in (old, new))
        gone = by_code(rulings, "eliminated", name) + by_code(rulings, "left", name)
        assert (was_in and not is_in) == bool(gone)
        paid = len([1 for ruling in by_code(rulings, "turn_lost", name) if ruling.details["reason"] == "out_of_turn"])
        assert new["skip"] == old["skip"] + len(by_code(rulings, "out_of_turn", name)) - paid
    awarded = [ruling.details["boxes"] for ruling in rulings if ruling.code == "box_awarded"]
    bonuses = ("pipsies", "hit_bonus", "hit_into_target", "skull_hit")
    assert sum(awarded) == sum(ruling.details["boxes"] for ruling in rulings if ruling.code in bonuses)
    turns = [ruling.details["player"] for ruling in rulings if ruling.code == "next_turn"]
    assert after["turn"] in (*turns[-1:], None) if turns else after["turn"] in (before["turn"], None)


def check_state(public):
    """What is true of every state."""
    json.dumps(public)
    players = {player["name"]: player for player in public["players"]}
    still_in = [player for player in players.values() if player["at"] != "out"]
    chooses = {entry["player"] for entry in public["awaiting"] if entry["what"] == "choice"}
    placing = [entry for entry in public["awaiting"] if entry["what"] == "place"]
    assert all(entry["player"] == public["turn"] for entry in placing)
    assert len(placing) <= 1
    for name, player in players.items():
        is_out = player["status"] in ("eliminated", "left")
        assert is_out == (player["at"] == "out")
        if is_out:
            assert (player["home"], player["words"]) == (None, [])
            assert name not in chooses
        if player["status"] == "stuck" and name not in chooses:
            assert player["at"] in TRAPEZOIDS or (player["at"] == "skull_line" and player["home"] in TRAPEZOIDS)
        if player["status"] in ("playing", "stuck"):
            step = PATH.index(player["going_for"])
            assert player["made"] == (PATH[step - 1] if step else None)
            assert len(player["words"]) == max(0, step - PATH.index("k1"))
        assert (player["status"] != "killer") or (player["going_for"] == "killer")
        if player["at"] == "hand" and public["phase"] != "over":
            assert [entry["player"] for entry in placing] == [name]
    if public["phase"] == "over":
        winners = public.get("winners") or [public["winner"]]
        assert still_in[0]["name"] == public["winner"]
        assert {player["name"] for player in still_in} <= set(winners)
        assert (public["turn"], public["shots"], public["awaiting"], public["streak"]) == (None, 0, [], {})
    else:
        assert public["winner"] is None
        assert len(still_in) >= 2
        assert players[public["turn"]]["status"] in ("playing", "killer") or chooses
        assert set(public["streak"]) <= {player["name"] for player in still_in} - {public["turn"]}
        assert not public["streak"] or players[public["turn"]]["status"] == "killer"


class Live:
    """One game, checked at every step; it keeps what it took, to replay it."""

    def __init__(self, start):
        self.start = start
        self.state, _ = SKULLY.start(start)
        self.taken = []

    def take(self, event):
        """Give the game an event of whatever shape."""
        given, before = copy.deepcopy(event), SKULLY.public(self.state)
        answer = SKULLY.apply(self.state, event)
        assert event == given
        assert SKULLY.public(self.state) == before
        assert SKULLY.apply(self.state, event) == answer
        if isinstance(answer, rules.Refused):
            assert rules.sentence("skully", answer)
            return
        self.state, rulings = answer
        assert all(rules.sentence("skully", ruling) for ruling in rulings)
        self.taken.append(event)
        after = SKULLY.public(self.state)
        check_step(event, before, after, rulings)
        check_state(after)
        assert SKULLY.view(self.state, "ana") == after

    def replayed(self):
        """The state that the events taken lead to, once more and through JSON."""
        state, _ = SKULLY.start(json.loads(json.dumps(self.start)))
        for event in self.taken:
            state, _ = SKULLY.apply(state, json.loads(json.dumps(event)))
        return state

    @property
    def is_over(self):
        return SKULLY.public(self.state)["phase"] == "over"


def options_of(start):
    return {option.name: option.default for option in SKULLY.options} | start["options"]


def test_whatever_comes_in_is_ruled_or_refused():
    random, steps, games, over = Random(20), 0, 0, 0
    while steps < STEPS:
        live, games = Live(start := random_start(random)), games + 1
        bot = SkullyBot(options_of(start), random)
        for _ in range(random.choice([30, 300])):
            if live.is_over:
                break
            chance = random.random()
            event = bot.event(SKULLY.public(live.state)) if chance < 0.7 else random_event(random, start["players"])
            live.take(mangled(random, event) if chance > 0.95 else event)
            steps += 1
        assert live.replayed() == live.state
        over += live.is_over
    assert games > 10
    assert over


@pytest.mark.parametrize("preset", SKULLY.presets, ids=lambda preset: preset.name)
def test_a_bot_plays_whole_games_that_somebody_wins_without_a_refusal(preset):
    random = Random(5)
    for players in range(2, 6):
        start = {"event": "start", "game": "skully", "players": NAMES[:players], "options": dict(preset.options)}
        bot, (state, _) = SkullyBot(options_of(start), random), SKULLY.start(start)
        events = 0
        while (public := SKULLY.public(state))["phase"] != "over":
            event = bot.event(public)
            answer = SKULLY.apply(state, event)
            assert not isinstance(answer, rules.Refused), (event, answer)
            state, events = answer[0], events + 1
            assert events < 5000
        assert public["winner"] in start["players"]


class AnyGame(RuleBasedStateMachine):
    """Hypothesis looks for the events that break it, and shortens what it finds."""

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed):
        start = random_start(Random(seed))
        self.live, self.names = Live(start), start["players"]
        self.options = options_of(start)

    @rule(seed=st.integers(0, 2**32))
    def play_on(self, seed):
        if not self.live.is_over:
            self.live.take(SkullyBot(self.options, Random(seed)).event(SKULLY.public(self.live.state)))

    @rule(seed=st.integers(0, 2**32))
    def anything(self, seed):
        self.live.take(random_event(Random(seed), self.names))

    @rule(seed=st.integers(0, 2**32))
    def nonsense(self, seed):
        self.live.take(mangled(Random(seed), random_event(Random(seed), self.names)))

    @rule(
        event=st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(NAMES),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["event", "player", "hits", "rest", "at", "players"]), inner, max_size=5
                )
            ),
            max_leaves=10,
        )
    )
    def any_json(self, event):
        answer = SKULLY.apply(self.live.state, event)
        assert isinstance(answer, rules.Refused)
        assert answer.code == "bad_event"

    @invariant()
    def a_replay_equals_the_game(self):
        if hasattr(self, "live"):
            assert self.live.replayed() == self.live.state


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=25, stateful_step_count=40, derandomize=True)
