"""Skip-Bo as a game: which events there are, when each is allowed, and what people may see.

Faults are tested in the contract's order: the event's shape, the match's end, the phase, the turn, what must be drawn
and rolled first, and then the rule itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from linesies.rules.coming_and_going import FORMS as COMING_AND_GOING
from linesies.rules.coming_and_going import JOIN, fault_of_newcomer, status_of
from linesies.rules.forms import Field, Form, a_card, a_choice, a_number, a_player, fault_of_kind
from linesies.rules.game import Event, Refused
from linesies.rules.options import Option, Preset, is_whole
from linesies.rules.setting_right import fault_of_edits
from linesies.rules.skipbo import people, play, turns
from linesies.rules.skipbo.corrections import CORRECT, correct
from linesies.rules.skipbo.piles import FACES, Step
from linesies.rules.skipbo.setup import OPTIONS, PRESETS, begin_match, next_game
from linesies.rules.skipbo.state import CARDS, Die, Phase, Player, State
from linesies.rules.words.catalogue import Catalogue
from linesies.rules.words.skipbo import WORDS

Rule = Callable[[State, Mapping[str, Any]], Step | Refused]

AT_ANY_TIME: Mapping[str, Rule] = {"turn_up": play.turn_up, "notice": turns.notice, "cheating": play.cheating}
TO_BEGIN: Mapping[str, Rule] = {"draw": play.draw, "roll": play.roll}
AFTER_DRAWING_AND_ROLLING: Mapping[str, Rule] = {
    "play": play.play,
    "discard": play.discard,
    "opponent_draws": play.opponent_draws,
    "end_turn": play.end_without_discard,
}
OF_THE_TABLE: Mapping[str, Rule] = {"leave": people.leave, "join": people.join, CORRECT.event: correct}
OF_WHOEVER_IS_GONE = ("join", "turn_up")  # a partner plays on from the stock pile
BETWEEN_GAMES: Mapping[str, Rule] = {"next_game": next_game}

A_CARD = a_card(values=CARDS)
A_PILE = a_number("pile", 1, 4)
FORMS = (
    Form(
        "play",
        (
            a_player(),
            a_choice("from", "hand", "stock", "discard"),
            A_CARD,
            A_PILE,
            a_player("owner", is_optional=True),
            a_number("as", 1, 12, is_optional=True),
            a_number("die", 1, 12, is_optional=True),
            a_number("n", 1, 4, where={"from": ("discard",)}),
        ),
    ),
    Form("discard", (a_player(), A_CARD, A_PILE, Field(name="die", kind="flag", is_optional=True))),
    Form("turn_up", (a_player(), A_CARD)),
    Form("draw", (a_player(), a_number("cards", 1))),
    Form("roll", (a_player(), a_choice("face", *FACES))),
    Form("opponent_draws", (a_player(), a_player("opponent"))),
    Form("end_turn", (a_player(),)),
    Form("notice", (a_player(),)),
    Form("cheating", (a_player(),)),
    Form("next_game"),
    *COMING_AND_GOING,
    CORRECT,
)
OF_EVENT = {form.event: form for form in FORMS}


@dataclass(frozen=True, slots=True)
class SkipBo:
    """Skip-Bo Mod, played one against all or with partners."""

    name: str = "skipbo"
    version: int = 3
    state_type: type[State] = State
    options: tuple[Option, ...] = OPTIONS
    presets: tuple[Preset, ...] = PRESETS
    forms: tuple[Form, ...] = FORMS
    words: Catalogue = WORDS

    def start(self, config: Mapping[str, Any]) -> Step:
        """Deal the first game; raises BadStart."""
        return begin_match(config)

    def apply(self, state: State, event: Event) -> Step | Refused:
        """Rule on one event, or refuse it."""
        fault = fault_of_shape(state, event)
        if fault:
            return Refused("bad_event", {"fault": fault})
        kind = event["event"]
        if state.phase is Phase.OVER:
            return Refused("game_over", {"players": list(state.winners or ())})
        if kind not in OF_WHOEVER_IS_GONE and is_gone(state, event.get("player")):
            return Refused("player_out", {"player": event["player"]})
        if kind in OF_THE_TABLE:
            return OF_THE_TABLE[kind](state, event)
        if (kind in BETWEEN_GAMES) != (state.phase is Phase.BETWEEN):
            return Refused("wrong_phase", {"phase": state.phase.value})
        rule = BETWEEN_GAMES.get(kind) or AT_ANY_TIME.get(kind)
        return rule(state, event) if rule else at_the_table(state, event)

    def public(self, state: State) -> dict[str, Any]:
        """Write the public state with the contract's keys."""
        turn = state.turn
        die = turn.die if turn else Die()
        return {
            "game": self.name,
            "phase": state.phase.value,
            "game_no": state.game_no,
            "dealer": state.dealer,
            "turn": turn and turn.player,
            "out_of_turn": turn and turn.out_of_turn,
            "begun": turn is not None and turn.begun,
            "owed": state.owed,
            "die": {"face": die.face, "used": die.used, "discards": die.discards},
            "draw": state.draw,
            "completed": state.completed,
            "building": [{"top": pile.top, "cards": pile.cards} for pile in state.building],
            "players": [public_player(player) for player in state.players],
            "sides": [{"players": list(side.players), "score": side.score} for side in state.sides],
            "winners": None if state.winners is None else list(state.winners),
        }

    def view(self, state: State, player: str) -> dict[str, Any]:  # noqa: ARG002 - the same for everyone
        """Write what a player may know: the public state, since the referee never learns a hidden card."""
        return self.public(state)


def public_player(player: Player) -> dict[str, Any]:
    """Write one player with the contract's keys."""
    return {
        "name": player.name,
        "stock": {"cards": player.stock.cards, "top": player.stock.top},
        "hand": player.hand,
        "discards": [list(pile) for pile in player.discards],
        "no_draw": player.no_draw,
        **status_of(player.presence),
    }


def is_gone(state: State, name: str | None) -> bool:
    """Tell whether this is a player who has left."""
    return any(player.name == name and player.presence == "left" for player in state.players)


def at_the_table(state: State, event: Mapping[str, Any]) -> Step | Refused:
    """Rule on what only the one at the table may do; whoever draws or rolls may take the table out of turn."""
    kind, name = event["event"], event["player"]
    if name != state.now.at_table:
        taken = turns.out_of_turn(state, name) if kind in TO_BEGIN else None
        return TO_BEGIN[kind](taken, event) if taken else Refused("not_your_turn", {"player": name})
    if kind in TO_BEGIN:
        return TO_BEGIN[kind](state, event)
    if state.owed:
        return Refused("draw_first", {"player": name, "cards": state.owed})
    if state.now.die.face is None:
        return Refused("roll_first", {"player": name})
    return AFTER_DRAWING_AND_ROLLING[kind](state, event)


def fault_of_shape(state: State, event: Event) -> str | None:
    """Say what makes an event senseless (an unknown name, a key that is missing or wrong), or None."""
    fault = fault_of_kind(event, OF_EVENT)
    if fault is not None:
        return fault
    kind = event["event"]
    names = [player.name for player in state.players]
    if kind == CORRECT.event:
        return fault_of_edits(CORRECT, event.get("players"), names)
    if kind == JOIN.event:
        return fault_of_newcomer(event)
    return next(
        (fault for key in OF_EVENT[kind].keys(event) if (fault := fault_of_key(kind, key, event.get(key), names))), None
    )


def fault_of_key(kind: str, key: str, value: Any, names: list[str]) -> str | None:
    """Say what is wrong with the value of an event's key, or None."""
    wanted, is_right = {
        "player": (f"one of {', '.join(names)}", value in names),
        "owner": (f"one of {', '.join(names)}", value in names),
        "opponent": (f"one of {', '.join(names)}", value in names),
        "card": ("1 to 12 or SB, as a string", isinstance(value, str) and value in CARDS),
        "cards": ("a whole number from 1", is_whole(value, 1)),
        "face": (f"one of {', '.join(FACES)}", value in FACES),
        "from": ("stock, hand or discard", value in ("stock", "hand", "discard")),
        "pile": ("a whole number from 1 to 4", is_whole(value, 1, 4)),
        "n": ("a whole number from 1 to 4", is_whole(value, 1, 4)),
        "as": ("a whole number from 1 to 12", is_whole(value, 1, 12)),
        "die": ("true or false", isinstance(value, bool))
        if kind == "discard"
        else ("a whole number from 1 to 12", is_whole(value, 1, 12)),
    }[key]
    return None if is_right else f'"{key}" must be {wanted}'


SKIPBO = SkipBo()
