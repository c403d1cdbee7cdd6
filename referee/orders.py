"""Orders from people: one tagged union, read once at the door and matched by kind from there on.

`about` is a row. Without it, settle means the oldest question, undo the last entry that counts, redo the last one
undone, insert just before the last entry; a settle without `event` takes the likeliest answer, as the confirm button
does. What becomes of an order stands in `decide.py`.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from linesies.referee.names import LONGEST
from linesies.referee.shallow import is_deep

LONGEST_WHY = 300
Event = dict[str, Any]  # an event of the game; the rules say whether it is one
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
Coordinate = Annotated[float, Meta(ge=-1e12, le=1e12)]  # a number that there is; whether it is in the picture is seen
# at the door, for a network camera's address with its password must not come into the journal
OwnCamera = Annotated[str, Meta(pattern=r"^(picamera2|v4l2):\d{1,2}$")]
Pixel = tuple[Coordinate, Coordinate]


class Order(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="order", forbid_unknown_fields=True, omit_defaults=True
):
    """What all orders have."""

    seat: str = ""  # for whom it is given, where a phone plays for several; the door takes it off


class Reasoned(Order, frozen=True, kw_only=True):
    """An order with what people say about it."""

    why: str = ""


class Happened(Reasoned, frozen=True, kw_only=True, tag="event"):
    """Something happened in the game that no camera told."""

    event: Event


class Settle(Reasoned, frozen=True, kw_only=True, tag="settle"):
    """A question is answered."""

    about: int | None = None
    event: Event | None = None


class Amend(Reasoned, frozen=True, kw_only=True, tag="amend"):
    """An entry is to be read as something else."""

    event: Event
    about: int | None = None


class Insert(Reasoned, frozen=True, kw_only=True, tag="insert"):
    """Something that nobody saw or told happened, just before an entry."""

    event: Event
    about: int | None = None


class Undo(Reasoned, frozen=True, kw_only=True, tag="undo"):
    """An entry did not happen."""

    about: int | None = None


class Redo(Reasoned, frozen=True, kw_only=True, tag="redo"):
    """An entry that was undone did happen after all."""

    about: int | None = None


class Agree(Order, frozen=True, kw_only=True, tag="agree"):
    """Somebody agrees to what was moved."""

    about: int


class Decline(Reasoned, frozen=True, kw_only=True, tag="decline"):
    """Somebody is against it."""

    about: int


class Appeal(Reasoned, frozen=True, kw_only=True, tag="appeal"):
    """A player has a call looked at again; `event` is what should have been called, None that it did not happen."""

    about: int | None = None
    event: Event | None = None


class House(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a house has agreed on beside the rules of the game.

    How many appeals each player has, 0 for none, and what a wrong one costs: nothing, the appeal, also a turn. And who
    settles a call that is too close: two players who say the same, all who play, or the referee's phone alone. And
    whether people call each close shot before they are told what was measured, so that both can be compared.
    """

    each: Annotated[int, Meta(ge=0, le=99)] = 2
    wrong: Literal["nothing", "appeal", "turn"] = "appeal"
    settled_by: Literal["two", "all", "referee"] = "two"
    people_first: bool = False


class NewGame(Order, frozen=True, kw_only=True, tag="new_game"):
    """Another game begins, on the same board."""

    start: dict[str, Any] | None = None
    appeals: House | None = None


class DrawnBoard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which board it is, and how long its outer side is (mm) where it is not as the book has it."""

    kind: Literal["street", "table"] = "street"
    is_five_at_top: bool = False  # box 5 where 9 usually is (1.6.13)
    side: Annotated[float, Meta(ge=200, le=6000)] | None = None


class PrintedMat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which mat lies on the table: as `linesies print mat` draws it for so many."""

    game: str
    seats: Annotated[int, Meta(ge=2, le=8)]


class Calibrate(Order, frozen=True, kw_only=True, tag="calibrate"):
    """The board is learned again, at need from its four corners in the picture, clockwise from that of box 1."""

    corners: Annotated[list[Pixel], Meta(min_length=4, max_length=4)] | None = None
    board: DrawnBoard | None = None
    mat: PrintedMat | None = None


class TappedCap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cap tapped at `xy` (pixels of the camera's picture), and what people say of it."""

    player: Name
    xy: Pixel
    kind: Literal["crown", "crown_upturned", "lid", "lid_open", "ring", "glide"] = "crown"
    diameter: Annotated[float, Meta(ge=5, le=100)] | None = None  # mm; None: as it looks


class LearnCards(Order, frozen=True, kw_only=True, tag="learn_cards"):
    """A game's own cards are learned from the photographs that were taken of them."""

    game: str


class NameCaps(Order, frozen=True, kw_only=True, tag="caps"):
    """These caps are the players'."""

    caps: list[TappedCap]


class ChooseCamera(Order, frozen=True, kw_only=True, tag="camera"):
    """Another camera of this box is to look."""

    source: OwnCamera


class Prove(Order, frozen=True, kw_only=True, tag="prove"):
    """A place where the gauge lies is photographed: alone, or with a bank card and caps; or the walk is over."""

    place: Annotated[int, Meta(ge=0, le=4)] = 0
    shows: Literal["gauge", "caps", "nothing"]


class PutRight(Order, frozen=True, kw_only=True, tag="put_right"):
    """What the certificate found is put right: sizes of caps, that of the board, errors stated too small."""


class TryLamps(Order, frozen=True, kw_only=True, tag="test"):
    """Lamps and buzzer are tried."""


StartBox = Annotated[int, Meta(ge=1, le=13)]  # at which somebody begins; 1 for who has no start over the others


class CalledMatch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A match of a league's tournament, who is to play it, and who begins at which box."""

    tournament: int
    title: Annotated[str, Meta(max_length=60)]  # of the tournament
    match: Annotated[str, Meta(max_length=24)]
    players: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=8)]
    head_starts: Annotated[dict[Name, StartBox], Meta(max_length=8)] = {}


class CallMatch(Order, frozen=True, kw_only=True, tag="match"):
    """A match is called to this board, in place of the one before; None takes it back."""

    match: CalledMatch | None


class ShutDown(Order, frozen=True, kw_only=True, tag="shut_down"):
    """The box is switched off."""


Correction = Amend | Insert | Undo | Redo
Acting = Happened | Settle | Correction  # on the game
Proving = Prove | PutRight
OwnersOrder = (
    NewGame | Calibrate | LearnCards | NameCaps | ChooseCamera | Proving | TryLamps | CallMatch | ShutDown
)  # about the set-up
AnyOrder = Acting | Agree | Decline | Appeal | OwnersOrder


def read_order(sent: Any) -> AnyOrder | str:
    """Read one order from what JSON gave, or say what is wrong with it: of unknown keys, of nesting without end."""
    if is_deep(sent):
        return "nested too deep"
    try:
        order: AnyOrder = msgspec.convert(sent, AnyOrder)
    except msgspec.ValidationError as fault:
        return str(fault)
    event = getattr(order, "event", None)
    is_named = event is None or isinstance(event.get("event"), str)
    return order if is_named else "`event.event` must name what happened"


def order_json(order: AnyOrder) -> dict[str, Any]:
    """Write an order as it may be read again."""
    written: dict[str, Any] = msgspec.to_builtins(order)
    return written
