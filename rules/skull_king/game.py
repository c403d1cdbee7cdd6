"""Skull King as a game: which events there are, when each is allowed, and what people may see.

Faults are tested in the contract's order: the event's shape, the game's end, the phase, the turn, and then the rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from linesies.rules.coming_and_going import JOIN, LEAVE, status_of
from linesies.rules.forms import Form
from linesies.rules.game import Event, Refused
from linesies.rules.options import Option, Preset
from linesies.rules.skull_king import abilities, bidding, people, tricks
from linesies.rules.skull_king.corrections import CORRECT, correct
from linesies.rules.skull_king.events import FORMS, fault_of_shape
from linesies.rules.skull_king.setup import OPTIONS, PRESETS, setup
from linesies.rules.skull_king.state import Phase, Player, State, suits_of
from linesies.rules.words.catalogue import Catalogue
from linesies.rules.words.skull_king import WORDS

Rule = Callable[[State, Mapping[str, Any]], tricks.Step | Refused]

# each event's phase and rule
RULES: Mapping[str, tuple[Phase, Rule]] = {
    "deal": (Phase.DEAL, bidding.dealing_cards),
    "bid": (Phase.BID, bidding.bidding),
    "change_bid": (Phase.BID, bidding.changing_a_bid),
    "load": (Phase.LOAD, bidding.optional_rascal_rules),
    "play": (Phase.PLAY, tricks.play_a_card),
    "ability": (Phase.ABILITY, abilities.use_ability),
    "skip_ability": (Phase.ABILITY, abilities.skip_ability),
}
OF_THE_TABLE: Mapping[str, Rule] = {"leave": people.leave, "join": people.join, CORRECT.event: correct}


@dataclass(frozen=True, slots=True)
class SkullKing:
    """Skull King for two to eight players."""

    name: str = "skull_king"
    version: int = 3
    state_type: type[State] = State
    options: tuple[Option, ...] = OPTIONS
    presets: tuple[Preset, ...] = PRESETS
    forms: tuple[Form, ...] = FORMS
    words: Catalogue = WORDS

    def start(self, config: Mapping[str, Any]) -> tricks.Step:
        """Make the first state, which waits for the deal; raises BadStart."""
        return setup(config), ()

    def apply(self, state: State, event: Event) -> tricks.Step | Refused:
        """Rule on one event, or refuse it."""
        fault = fault_of_shape(state, event)
        if fault:
            return Refused("bad_event", {"fault": fault})
        if state.phase is Phase.OVER:
            return Refused("game_over", {"players": list(state.winners or ())})
        absent = absent_in(state, event)
        if absent is not None:
            return Refused("player_out", {"player": absent})
        return OF_THE_TABLE.get(event["event"], played)(state, event)

    def public(self, state: State) -> dict[str, Any]:
        """Write the public state with the contract's keys; bids and loads show once all are in."""
        return {
            "game": self.name,
            "phase": state.phase.value,
            "round": state.round,
            "cards": state.cards,
            "dealer": state.dealer,
            "trick": state.trick,
            "leader": state.leader,
            "turn": state.turn,
            "suit": state.suit,
            "table": [{"player": p.player, "card": p.card, "as": p.declared} for p in state.table],
            "pending": state.pending and {"player": state.pending.player, "pirate": state.pending.pirate},
            "deck": state.deck,
            "alliances": [{"player": alliance.player, "with": alliance.ally} for alliance in state.alliances],
            "players": [public_player(state, player) for player in state.players],
            "graybeard": state.graybeard and {"hand": state.graybeard.hand, "tricks": state.graybeard.tricks},
            "winners": None if state.winners is None else list(state.winners),
        }

    def view(self, state: State, player: str) -> dict[str, Any]:
        """Write what a player may know: the public state with his own bid and load, secret or not."""
        view = self.public(state)
        for shown, own in zip(view["players"], state.players, strict=True):
            if own.name == player:
                shown.update(bid=own.bid, load=own.load)
        return view


def played(state: State, event: Mapping[str, Any]) -> tricks.Step | Refused:
    """Rule on what belongs to one phase and, but for secrets, to one player's turn."""
    phase, rule = RULES[event["event"]]
    if state.phase is not phase:
        return Refused("wrong_phase", {"phase": state.phase.value})
    if due(state) not in (None, event["player"]):
        return Refused("not_your_turn", {"player": event["player"], "due": due(state)})
    return rule(state, event)


def absent_in(state: State, event: Event) -> str | None:
    """Name whoever is said to do something, or to lead, though he does not play; who waits may leave again."""
    if event["event"] in (JOIN.event, CORRECT.event):
        return None
    away = ("left",) if event["event"] == LEAVE.event else ("left", "waiting")
    named = (event.get("player"), event.get("leader"))
    return next((player.name for player in state.players if player.name in named and player.presence in away), None)


def due(state: State) -> str | None:
    """Name the only one who may act now, if it is one."""
    return state.pending.player if state.pending else state.turn


def public_player(state: State, player: Player) -> dict[str, Any]:
    """Write one player with the contract's keys."""
    secret = {Phase.BID: player.bid, Phase.LOAD: player.load}.get(state.phase)
    return {
        "name": player.name,
        "hand": player.hand,
        "ready": secret is not None,
        "bid": None if state.phase is Phase.BID else player.bid,
        "load": None if state.phase is Phase.LOAD else player.load,
        "tricks": player.tricks,
        "bonus": player.bonus,
        "bet": player.bet,
        "void": suits_of(player.voids),
        "score": player.score,
        "rounds": list(player.rounds),
        **status_of(player.presence),
    }


SKULL_KING = SkullKing()
