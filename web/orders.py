"""Orders from people: read strictly, handed on, never acted on here."""

import time
from collections import deque
from typing import Any, Literal

import msgspec
from flask import Blueprint, Response, jsonify, request

from linesies.web.phones import FOR_THE_REFEREE
from linesies.web.ports import Submit
from linesies.web.roles import Doorkeeper, Role
from linesies.web.safety import phone_name, refusal, token

PATIENCE = 12  # orders from one phone ...
PATIENCE_S = 10.0  # ... within this time
MAX_PHONES = 1000
HOUSEKEEPING = (
    "new_game",
    "calibrate",
    "caps",
    "camera",
    "test",
    "shut_down",
)  # about the set-up: the referee's own phone alone
NO_ORDER = "This is no order."
WATCH_ONLY = "This phone only watches; take a seat by its code first."
NOT_WRITTEN = "That cannot be written just now; is the disk full? Try again."
NOT_YOUR_SEAT = "This phone does not play for that player."


class _Order(msgspec.Struct, tag_field="order", forbid_unknown_fields=True, kw_only=True):
    seat: str = ""  # for whom it is given, where a phone plays for several


class _Happened(_Order, tag="event"):
    event: dict[str, Any]
    why: str = ""


class _Settle(_Order, tag="settle"):
    about: int
    event: dict[str, Any]
    why: str = ""


class _Amend(_Order, tag="amend"):
    about: int
    event: dict[str, Any]
    why: str = ""


class _Undo(_Order, tag="undo"):
    about: int
    why: str = ""


class _Redo(_Order, tag="redo"):
    about: int
    why: str = ""


class _Agree(_Order, tag="agree"):
    about: int


class _Decline(_Order, tag="decline"):
    about: int
    why: str = ""


class _Appeal(_Order, tag="appeal"):
    about: int
    event: dict[str, Any] | None = None  # what should have been called; None: it did not happen
    why: str = ""


class _Appeals(msgspec.Struct, forbid_unknown_fields=True):
    each: int
    wrong: Literal["nothing", "appeal", "turn"]


class _NewGame(_Order, tag="new_game"):
    start: dict[str, Any]
    appeals: _Appeals | None = None


class _Board(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    kind: Literal["street", "table"] = "street"
    side: float | None = None  # of the whole board, mm


class _Calibrate(_Order, tag="calibrate"):
    corners: list[tuple[float, float]] | None = None
    board: _Board | None = None


class _Cap(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    player: str
    xy: tuple[float, float]
    kind: Literal["crown", "crown_upturned", "lid", "lid_open", "ring", "glide"] = "crown"
    diameter: float | None = None  # None: as the camera sees it


class _Caps(_Order, tag="caps"):
    caps: list[_Cap]


class _Camera(_Order, tag="camera"):
    source: str


class _Test(_Order, tag="test"):
    pass


class _ShutDown(_Order, tag="shut_down"):
    pass


AnyGameOrder = _Happened | _Settle | _Amend | _Undo | _Redo | _Agree | _Decline | _Appeal
AnyOrder = AnyGameOrder | _NewGame | _Calibrate | _Caps | _Camera | _Test | _ShutDown


class Pace:
    """Remembers when each phone last ordered, so that none can flood the referee."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def is_too_fast(self, phone: str, at_s: float) -> bool:
        """Note one order and tell whether it is one too many."""
        if len(self._times) > MAX_PHONES:
            self._times.clear()
        times = self._times.setdefault(phone, deque(maxlen=PATIENCE))
        is_full = len(times) == PATIENCE and at_s - times[0] < PATIENCE_S
        if not is_full:
            times.append(at_s)
        return is_full


def order_pages(submit: Submit, doorkeeper: Doorkeeper) -> Blueprint:
    """Make the door for orders; shut to whoever only watches."""
    pages = Blueprint("orders", __name__)
    pace = Pace()

    @pages.post("/orders")
    def order() -> Response:
        role = doorkeeper.role(token())
        if not role.can_order:
            return refusal(403, "watch_only", WATCH_ONLY)
        if pace.is_too_fast(request.remote_addr or "", time.monotonic()):
            answer = refusal(429)
            answer.headers["Retry-After"] = str(int(PATIENCE_S))
            return answer
        if request.mimetype != "application/json":
            return refusal(415)
        read = read_order(request.get_data())
        if isinstance(read, str):
            return refusal(400, "bad_order", NO_ORDER, why=read)
        if read["order"] in HOUSEKEEPING and not role.is_referee:
            return refusal(403, "referee_only", FOR_THE_REFEREE)
        return taken(read, origins_of(role, read))

    def taken(order: dict[str, Any], origins: list[str]) -> Response:
        if not origins:
            return refusal(403, "not_your_seat", NOT_YOUR_SEAT)
        try:
            answer = jsonify(order=[submit(order, origin) for origin in origins][-1])
        except OSError:
            return refusal(503, "unwritten", NOT_WRITTEN)
        answer.status_code = 202
        return answer

    return pages


def origins_of(role: Role, order: dict[str, Any]) -> list[str]:
    """Say in whose name an order is given: the referee's, or that of each player the phone speaks for; takes `seat`."""
    seat = order.pop("seat", "")
    if role.is_referee:
        return [f"referee:{role.phone}" if role.phone else phone_name()]
    own = (order.get("event") or {}).get("player")
    if seat or order["order"] == "event":
        seats = [one for one in (seat, own) if one in role.seats] or list(role.seats) * (not seat)
        return [f"player:{one}" for one in seats[:1]]
    return [f"player:{one}" for one in role.seats]


def read_order(body: bytes) -> dict[str, Any] | str:
    """Read one order, or say what is wrong with it."""
    try:
        order = msgspec.json.decode(body, type=AnyOrder)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        return str(fault)[:200]
    read: dict[str, Any] = msgspec.to_builtins(order)
    event = read.get("event")
    if event is not None and not isinstance(event.get("event"), str):
        return "`event.event` must name what happened"
    return read
