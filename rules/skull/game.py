"""Skull as a game: which events there are, when each is allowed, and what people may see.

Faults are tested in the contract's order: the event's shape, the game's end, the player, the phase, the turn, and then
the rule itself (rules/skull/play.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from linesies.rules.coming_and_going import FORMS as COMING_AND_GOING
from linesies.rules.coming_and_going import JOIN, fault_of_newcomer, status_of
from linesies.rules.forms import Form, a_card, a_number, a_player, fault_of_kind
from linesies.rules.game import Event, Refused
from linesies.rules.options import Option, Preset
from linesies.rules.setting_right import fault_of_edits
from linesies.rules.skull import people, play
from linesies.rules.skull.announce import announce
from linesies.rules.skull.cards import STANDARD
from linesies.rules.skull.contradictions import skull_proof
from linesies.rules.skull.corrections import CORRECT, correct
from linesies.rules.skull.setup import OPTIONS, PRESETS, setup
from linesies.rules.skull.state import Phase, State
from linesies.rules.words.catalogue import Catalogue
from linesies.rules.words.skull import WORDS

Rule = Callable[[State, Mapping[str, Any]], play.Step | Refused]

FORMS = (
    Form("placed", (a_player(),)),
    Form("bid", (a_player(), a_number("number", 1))),
    Form("pass", (a_player(),)),
    Form("flip", (a_player(), a_player("owner"), a_card())),
    Form("card_lost", (a_player(), a_player("by"))),
    *COMING_AND_GOING,
    CORRECT,
)
OF_EVENT = {form.event: form for form in FORMS}
# each event's rule in each phase that allows it
RULES: Mapping[str, Mapping[Phase, Rule]] = {
    "placed": {Phase.FIRST: play.start_of_a_round, Phase.PLACE: play.place_another_card},
    "bid": {Phase.PLACE: play.make_a_bet, Phase.BID: play.make_a_bet},
    "pass": {Phase.BID: play.pass_the_bid},
    "flip": {Phase.REVEAL: play.revealing_cards},
    "card_lost": {Phase.LOSS: play.lose_a_card},
}
AT_ANY_TIME: Mapping[str, Rule] = {"leave": people.leave, "join": people.join, CORRECT.event: correct}


@dataclass(frozen=True, slots=True)
class Skull:
    """Skull with ordinary cards, by either write-up."""

    name: str = "skull"
    version: int = 3
    state_type: type[State] = State
    options: tuple[Option, ...] = OPTIONS
    presets: tuple[Preset, ...] = PRESETS
    forms: tuple[Form, ...] = FORMS
    words: Catalogue = WORDS

    def start(self, config: Mapping[str, Any]) -> play.Step:
        """Make the first state and announce the first round; raises BadStart."""
        state = setup(config)
        return state, (announce(state, "round_started", player=state.starter, round=state.round),)

    def apply(self, state: State, event: Event) -> play.Step | Refused:
        """Rule on one event, or refuse it."""
        fault = fault_of_shape(state, event)
        if fault:
            return Refused("bad_event", {"fault": fault})
        if state.phase is Phase.OVER:
            return Refused("game_over", {"winner": state.winner})
        return AT_ANY_TIME.get(event["event"], played)(state, event)

    def public(self, state: State) -> dict[str, Any]:
        """Write the public state with the contract's keys."""
        return {
            "game": self.name,
            "ruleset": state.options.ruleset,
            "phase": state.phase.value,
            "round": state.round,
            "starter": state.starter,
            "turn": state.turn,
            "bid": state.bid and {"player": state.bid.player, "number": state.bid.number},
            "passed": [player.name for player in state.players if player.name in state.passed],
            "flipped": state.flipped,
            "loss": state.loss and {"player": state.loss.player, "by": state.loss.by},
            "winner": state.winner,
            "players": [
                {
                    "name": player.name,
                    "cards": player.cards,
                    "hand": player.hand,
                    "pile": list(player.pile),
                    "points": player.points,
                    "out": player.is_out,
                    "skull": skull_proof(state.options, player),
                    **status_of(player.presence),
                }
                for player in state.players
            ],
        }

    def view(self, state: State, player: str) -> dict[str, Any]:  # noqa: ARG002 - the same for everyone
        """Write what a player may know: the public state, since the referee never learns a hidden card."""
        return self.public(state)


def played(state: State, event: Mapping[str, Any]) -> play.Step | Refused:
    """Rule on what a player does, if he is still in and it is time for it."""
    name = event["player"]
    if state.player(name).is_out:
        return Refused("player_out", {"player": name})
    rule = RULES[event["event"]].get(state.phase)
    if rule is None:
        return Refused("wrong_phase", {"event": event["event"], "phase": state.phase.value})
    return rule(state, event) if is_due(state, event) else Refused("not_your_turn", {"player": name})


def fault_of_shape(state: State, event: Event) -> str | None:
    """Say what makes an event senseless (an unknown name or key's value, a missing key), or None."""
    fault = fault_of_kind(event, OF_EVENT)
    if fault is not None:
        return fault
    form = OF_EVENT[event["event"]]
    names = [player.name for player in state.players]
    if form is CORRECT:
        return fault_of_edits(form, event.get("players"), names)
    if form is JOIN:
        return fault_of_newcomer(event)
    return next((fault for key in form.keys(event) if (fault := _fault_of_key(key, event.get(key), names))), None)


def _fault_of_key(key: str, value: Any, names: list[str]) -> str | None:
    if key == "number":
        return None if type(value) is int else '"number" must be a whole number'
    if key == "card":
        return None if isinstance(value, str) and value in STANDARD else '"card" must be a card such as 10H or KS'
    return None if value in names else f'"{key}" must be one of {", ".join(names)}'


def is_due(state: State, event: Mapping[str, Any]) -> bool:
    """Say whether it is for this player to do this now; `Open Bid` lets everyone bid once the bidding is open."""
    if state.phase is Phase.FIRST or (event["event"] == "bid" and state.phase is Phase.BID and state.options.open_bid):
        return True
    if state.loss is not None:
        return bool(event["player"] == state.loss.player)
    return bool(event["player"] == state.turn)


SKULL = Skull()
