"""Events as the contract writes them; what does not fit is told by the key that is wrong."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert

from linesies.rules.forms import form_of
from linesies.rules.game import Refused
from linesies.rules.skully.board import At, LineOf, Place, Rest, Target

Who = Annotated[str, Meta(extra={"kind": "player"})]
Cap = Annotated[str, Meta(extra={"kind": "cap"})]  # named by its player
Lies = Annotated[Rest, Meta(extra={"kind": "place"})]
LaidAt = Annotated[Place, Meta(extra={"kind": "place"})]
MarkedAt = Annotated[At, Meta(extra={"kind": "place"})]
MOST_SKIPS = 9999  # so that turns that are lost one after another can be announced in one breath


class ShotEvent(Struct, frozen=True):
    """A cap was flicked: who hit whom in order of time, and where each cap that moved came to rest."""

    player: Who
    hits: list[tuple[Cap, Cap]]
    rest: dict[Cap, Lies]
    behind_start: bool | UnsetType = UNSET  # whether it was flicked from behind the start line, where it lay there


class PlacedEvent(Struct, frozen=True):
    """A cap was put down by hand."""

    player: Who
    at: Lies
    of: LineOf | UnsetType = UNSET


class Choice(Struct, frozen=True):
    """The victim of an early hit says whether his cap stays or goes back."""

    player: Who
    choice: Literal["stay", "back"]


class Foul(Struct, frozen=True):
    """A cap was moved as it must not be."""

    player: Who
    kind: Literal["false_start", "kick", "hand_move", "hold", "roll", "spin"]
    at: Lies | UnsetType = UNSET


class DoOver(Struct, frozen=True):
    """The players agree that the last shot does not count."""

    reason: Literal["agreed", "blast"] = "agreed"


class Pause(Struct, frozen=True):
    """Play stops for a while, the caps are marked."""


class Resume(Struct, frozen=True):
    """Play goes on, the caps lie where they were marked."""

    at: dict[Cap, MarkedAt] | UnsetType = UNSET


class SwitchCap(Struct, frozen=True):
    """A player takes another cap."""

    player: Who
    reason: Literal["damaged", "choice"]


class Leave(Struct, frozen=True):
    """A player goes home."""

    player: Who


class Join(Struct, frozen=True):
    """A player joins late, or comes back."""

    player: Annotated[str, Meta(min_length=1)]


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be set right about one player."""

    at: LaidAt | UnsetType = UNSET
    going_for: Target | UnsetType = UNSET
    status: Literal["playing", "stuck", "killer", "eliminated"] | UnsetType = UNSET
    skip: Annotated[int, Meta(ge=0, le=MOST_SKIPS)] | UnsetType = UNSET


class Correct(Struct, frozen=True):
    """People set the game right."""

    players: dict[Who, Edit] | UnsetType = UNSET
    turn: Who | UnsetType = UNSET


Event = ShotEvent | PlacedEvent | Choice | Foul | DoOver | Pause | Resume | SwitchCap | Leave | Join | Correct
KINDS: Mapping[str, type[Event]] = {
    "shot": ShotEvent,
    "placed": PlacedEvent,
    "choice": Choice,
    "foul": Foul,
    "do_over": DoOver,
    "pause": Pause,
    "resume": Resume,
    "switch_cap": SwitchCap,
    "leave": Leave,
    "join": Join,
    "correct": Correct,
}

# as people are offered them, the likeliest first
TOLD = ("shot", "foul", "do_over", "leave", "join", "switch_cap", "placed", "choice", "pause", "resume", "correct")
FORMS = tuple(form_of(name, KINDS[name]) for name in TOLD)


def read_event(given: Any) -> Event | Refused:
    """Read one decoded event; whatever is none is refused as `bad_event`, keys that no event has are ignored."""
    name = given.get("event") if isinstance(given, dict) else None
    if not isinstance(name, str) or name not in KINDS:
        return Refused("bad_event", {"fault": f"`event` must be one of {', '.join(KINDS)}"})
    try:
        event = convert(given, KINDS[name])
    except (ValidationError, UnicodeEncodeError) as fault:  # the latter for half a surrogate pair
        return Refused("bad_event", {"fault": str(fault)})
    if isinstance(event, Correct) and event.players is UNSET and event.turn is UNSET:
        return Refused("bad_event", {"fault": "a correction needs `players` or `turn`"})
    return event


def player_of(event: Event) -> str | None:
    """Name the `player` of an event, None where it has none."""
    return getattr(event, "player", None)


def names_in(event: Event) -> set[str]:
    """Collect every player's name in an event."""
    match event:
        case ShotEvent():
            return {event.player, *event.rest, *(name for hit in event.hits for name in hit)}
        case Resume():
            return set(event.at or ())
        case Correct():
            return set(event.players or ()) | ({event.turn} if isinstance(event.turn, str) else set())
        case PlacedEvent() | Choice() | Foul() | SwitchCap() | Leave():
            return {event.player}
        case _:
            return set()
