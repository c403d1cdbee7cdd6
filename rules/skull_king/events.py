"""The shape of Skull King's events: which keys each has, and which values make sense at all."""

from collections.abc import Callable, Mapping
from typing import Any

from linesies.rules.coming_and_going import FORMS as COMING_AND_GOING
from linesies.rules.coming_and_going import JOIN, fault_of_newcomer
from linesies.rules.forms import Form, a_card, a_choice, a_number, a_player, fault_of_kind
from linesies.rules.game import Event
from linesies.rules.setting_right import fault_of_edits
from linesies.rules.skull_king.captures import is_ghost
from linesies.rules.skull_king.cards import COPIES, PIRATES, TIGRESS
from linesies.rules.skull_king.corrections import CORRECT
from linesies.rules.skull_king.state import GRAYBEARD, State

FORMS = (
    Form("deal", (a_player(), a_number("cards", 1))),
    Form("bid", (a_player(), a_number("bid", 0))),
    Form("change_bid", (a_player(), a_number("bid", 0))),
    Form("load", (a_player(), a_choice("load", "grapeshot", "cannonball"))),
    Form(
        "play",
        (a_player(), a_card(), a_choice("as", "pirate", "escape", is_optional=True, where={"card": (TIGRESS,)})),
    ),
    Form(
        "ability",
        (
            a_player(),
            a_choice("pirate", *PIRATES),
            a_player("leader", where={"pirate": ("rosie",)}),
            a_number("drawn", 0, 2, where={"pirate": ("bendt",)}),
            a_number("discarded", 0, 2, where={"pirate": ("bendt",)}),
            a_choice("bet", 0, 10, 20, where={"pirate": ("rascal",)}),
            a_choice("change", -1, 0, 1, where={"pirate": ("harry",)}),
        ),
    ),
    Form("skip_ability", (a_player(),)),
    *COMING_AND_GOING,
    CORRECT,
)
OF_EVENT = {form.event: form for form in FORMS}

WHOLE = ("a whole number", lambda value: type(value) is int)
VALUES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "cards": WHOLE,
    "bid": WHOLE,
    "drawn": WHOLE,
    "discarded": WHOLE,
    "load": ("grapeshot or cannonball", lambda value: value in ("grapeshot", "cannonball")),
    "card": ("a card such as P7, ESC or PIRATE:harry", lambda value: isinstance(value, str) and value in COPIES),
    "pirate": (f"one of {', '.join(PIRATES)}", lambda value: value in PIRATES),
    "bet": ("0, 10 or 20", lambda value: type(value) is int and value in (0, 10, 20)),
    "change": ("-1, 0 or 1", lambda value: type(value) is int and value in (-1, 0, 1)),
}


def fault_of_shape(state: State, event: Event) -> str | None:
    """Say what makes an event senseless (an unknown name, a key that is missing or wrong), or None."""
    fault = fault_of_kind(event, OF_EVENT)
    if fault is not None:
        return fault
    if event["event"] == CORRECT.event:
        return fault_of_edits(CORRECT, event.get("players"), list(state.names()))
    if event["event"] == JOIN.event:
        return fault_of_newcomer(event) or fault_of_ghosts_name(event["player"])
    keys = OF_EVENT[event["event"]].keys(event)
    return next((fault for key in keys if (fault := fault_of_key(state, event, key))), None)


def fault_of_key(state: State, event: Mapping[str, Any], key: str) -> str | None:
    """Say what is wrong with the value of an event's key, or None."""
    value = event.get(key)
    if key in ("player", "leader"):
        plays_along = key == "player" and event["event"] == "play" and state.graybeard is not None
        names = (*state.names(), GRAYBEARD) if plays_along else state.names()
        return None if value in names else f'"{key}" must be one of {", ".join(names)}'
    if key == "as":
        return fault_of_tigress(state, event)
    wanted, is_right = VALUES[key]
    return None if is_right(value) else f'"{key}" must be {wanted}'


def fault_of_ghosts_name(name: str) -> str | None:
    """Say that a newcomer cannot be called as the ghost is, who may come when others leave (`Two-Player Rules`)."""
    return f'nobody who joins may be called "{GRAYBEARD}"' if name == GRAYBEARD else None


def fault_of_tigress(state: State, event: Mapping[str, Any]) -> str | None:
    """Say what is wrong with the `as` of a tigress, or None; a ghost's is an escape (`Two-Player Rules`)."""
    choices = ("escape",) if is_ghost(state, event["player"]) else ("pirate", "escape")
    return None if event["as"] in choices else f'"as" must be {" or ".join(choices)}'
