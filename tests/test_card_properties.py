"""What holds of Skull, Skull King and Skip-Bo whatever comes in; LINESIES_STEPS=100000 makes the long run."""

import copy
import json
import os
import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from linesies import rules
from tests.card_tables import BOTS, random_event, random_start

STEPS = int(os.environ.get("LINESIES_STEPS", "1500"))
LONGEST_GAME = 1000  # steps; a game of Skip-Bo in which nothing is left to draw may go on for ever
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
EVENTS = ("placed", "bid", "pass", "flip", "card_lost", "deal", "load", "play", "ability", "skip_ability", "turn_up")
KEYS = ("player", "number", "owner", "card", "by", "cards", "bid", "load", "pirate", "leader", "pile", "n", "die", "as")
ODD_EVENT = st.fixed_dictionaries(
    {"event": st.sampled_from(EVENTS)},
    optional=dict.fromkeys(KEYS, st.sampled_from(("ana", "bo", "2H", 1, 2)) | ANY_JSON),
)


class Watched:
    """One game under watch: applies events, checks what must hold after each, and keeps those that were ruled on."""

    def __init__(self, game, rng):
        self.start = random_start(game, rng)
        self.game, self.state, rulings = rules.start(self.start)
        self.ruled, self.traded = [], 0
        self.say(rulings)
        self.check(rulings)

    @property
    def public(self):
        return self.game.public(self.state)

    def apply(self, event):
        before, given = copy.deepcopy((self.public, event)), copy.deepcopy(event)
        answer = self.game.apply(self.state, event)
        assert answer == self.game.apply(self.state, given), "equal inputs must give equal outputs"
        assert (self.public, event) == before, "inputs are never edited"
        if isinstance(answer, rules.Refused):
            assert rules.refused_json(self.game.name, answer)["message"]
            return answer
        self.state, rulings = answer
        self.ruled.append(copy.deepcopy(event))
        self.say(rulings)
        self.check(rulings)
        return answer

    def say(self, rulings):
        for ruling in rulings:
            told = rules.ruling_json(self.game.name, ruling)
            assert told["text"].endswith((".", "!"))
            assert told["rule"]
            json.dumps(told)

    def check(self, rulings):
        {"skull": self.check_skull, "skull_king": self.check_skull_king, "skipbo": self.check_skipbo}[self.game.name](
            self.public, rulings
        )

    def check_skull(self, state, rulings):
        players = state["players"]
        lost = sum(event["event"] == "card_lost" for event in self.ruled)
        assert sum(player["cards"] for player in players) == 4 * len(players) - lost, "cards are conserved"
        for player in players:
            assert player["hand"] + len(player["pile"]) == player["cards"]
            assert player["out"] == (player["cards"] == 0)
            assert player["points"] <= 2
        assert state["flipped"] == sum(len(p["pile"]) - p["pile"].count(None) for p in players) or state["winner"]
        assert (state["winner"] is not None) == (state["phase"] == "over")

    def check_skull_king(self, state, rulings):
        hands = [player["hand"] for player in state["players"]] + (
            [state["graybeard"]["hand"]] if state["graybeard"] else []
        )
        if any(ruling.code == "round_started" for ruling in rulings):
            self.traded = 0
        self.traded += sum(ruling.details.get("drawn", 0) for ruling in rulings)
        if state["phase"] not in ("deal", "over"):
            deck = self.state.options.deck
            assert state["deck"] + sum(hands) + len(self.state.seen) + self.traded == deck, "cards are conserved"
        for ruling in rulings:
            for score in ruling.details.get("scores", {}).values():
                assert score["total"] == score["base"] + score["bonus"] + score["loot"] + score["bet"]
        for player in state["players"]:
            assert player["score"] == sum(player["rounds"]), "scores add up"
        assert sum(player["tricks"] for player in state["players"]) <= state["cards"]

    def check_skipbo(self, state, rulings):
        piled = sum(pile["cards"] for pile in state["building"])
        held = sum(p["stock"]["cards"] + p["hand"] + sum(map(len, p["discards"])) for p in state["players"])
        assert state["draw"] + state["completed"] + piled + held == self.state.options.deck, "cards are conserved"
        assert state["draw"] or not state["completed"], "completed piles become the draw pile at once"
        assert all(player["hand"] <= 5 for player in state["players"])
        won = sum(ruling.details["points"] for ruling in rulings if ruling.code == "game_won")
        scores = sum(side["score"] for side in state["sides"])
        assert scores == getattr(self, "scores", 0) + won, "scores add up"
        self.scores = scores

    def replay(self):
        state, _ = self.game.start(self.start)
        for event in self.ruled:
            state, _ = self.game.apply(state, event)
        assert state == self.state, "replay equals the live state"


@pytest.mark.parametrize("game", BOTS)
def test_whatever_comes_in_is_ruled_or_refused(game):
    rng, steps = random.Random(game), 0
    while steps < STEPS:
        watched = Watched(game, rng)
        for _ in range(LONGEST_GAME):
            watched.apply(random_event(watched.public, rng))
            steps += 1
            if watched.public["phase"] == "over":
                break
        watched.replay()


@pytest.mark.parametrize("game", BOTS)
def test_bots_play_legal_games_without_a_contradiction(game):
    rng, steps = random.Random(game), 0
    while steps < STEPS:
        watched = Watched(game, rng)
        bot = BOTS[game](watched.start["options"], rng)
        for _ in range(LONGEST_GAME):
            if watched.public["phase"] == "over":
                break
            _, rulings = watched.apply(bot.event(watched.public))
            assert not {ruling.code for ruling in rulings} & {"contradiction", "revoke", "too_many_drawn", "no_draw"}
            steps += 1
        watched.replay()


def machine(game):
    class Machine(RuleBasedStateMachine):
        @initialize(seed=st.integers(0, 10**6))
        def begin(self, seed):
            self.watched = Watched(game, random.Random(seed))

        @rule(seed=st.integers(0, 10**6))
        def somebody_does_something(self, seed):
            self.watched.apply(random_event(self.watched.public, random.Random(seed)))

        @rule(event=ODD_EVENT | ANY_JSON)
        def anything_comes_in(self, event):
            self.watched.apply(event)

        @invariant()
        def the_state_can_be_written(self):
            if hasattr(self, "watched"):
                json.dumps(self.watched.public)

        def teardown(self):
            if hasattr(self, "watched"):
                self.watched.replay()

    Machine.__name__ = f"Machine_{game}"
    case = Machine.TestCase
    case.settings = settings(max_examples=12, stateful_step_count=40, suppress_health_check=list(HealthCheck))
    return case


TestSkull = machine("skull")
TestSkullKing = machine("skull_king")
TestSkipBo = machine("skipbo")
