"""The shape of Skull King's events: which keys each has, and which values make sense at all."""

from collections.abc import Callable, Mapping
from typing import Any

from linesies.rules.game import Event
from linesies.rules.skull_king.captures import is_ghost
from linesies.rules.skull_king.cards import COPIES, PIRATES, TIGRESS
from linesies.rules.skull_king.state import GRAYBEARD, State

KEYS: Mapping[str, tuple[str, ...]] = {
    "deal": ("player", "cards"),
    "bid": ("player", "bid"),
    "change_bid": ("player", "bid"),
    "load": ("player", "load"),
    "play": ("player", "card"),
    "ability": ("player", "pirate"),
    "skip_ability": ("player",),
}
KEYS_OF_PIRATE: Mapping[str, tuple[str, ...]] = {
    "rosie": ("leader",),
    "bendt": ("drawn", "discarded"),
    "rascal": ("bet",),
    "juanita": (),
    "harry": ("change",),
}

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
    if not isinstance(event, dict):
        return "an event is an object with keys"
    kind = event.get("event")
    if not isinstance(kind, str) or kind not in KEYS:
        return f'"event" must be one of {", ".join(KEYS)}'
    faults = (fault_of_key(state, event, key) for key in KEYS[kind])
    fault = next((fault for fault in faults if fault), None)
    if fault or kind not in ("ability", "play"):
        return fault
    if kind == "play":
        return fault_of_tigress(state, event)
    return next((f for key in KEYS_OF_PIRATE[event["pirate"]] if (f := fault_of_key(state, event, key))), None)


def fault_of_key(state: State, event: Mapping[str, Any], key: str) -> str | None:
    """Say what is wrong with the value of an event's key, or None."""
    value = event.get(key)
    if key in ("player", "leader"):
        plays_along = key == "player" and event["event"] == "play" and state.graybeard is not None
        names = (*state.names(), GRAYBEARD) if plays_along else state.names()
        return None if value in names else f'"{key}" must be one of {", ".join(names)}'
    wanted, is_right = VALUES[key]
    return None if is_right(value) else f'"{key}" must be {wanted}'


def fault_of_tigress(state: State, event: Mapping[str, Any]) -> str | None:
    """Say what is wrong with the `as` of a tigress, or None; a ghost's is an escape (`Two-Player Rules`)."""
    choices = ("escape",) if is_ghost(state, event["player"]) else ("pirate", "escape")
    if event["card"] != TIGRESS or "as" not in event or event["as"] in choices:
        return None
    return f'"as" must be {" or ".join(choices)}'
