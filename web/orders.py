"""Orders from people: read strictly, handed on, never acted on here."""

import time
from collections import deque

import msgspec
from flask import Blueprint, Response, jsonify, request
from msgspec.structs import replace

from linesies.referee.orders import AnyOrder, Happened, OwnersOrder, order_json, read_order
from linesies.web.phones import FOR_THE_REFEREE
from linesies.web.ports import JournalReader, Submit
from linesies.web.roles import Doorkeeper, Role
from linesies.web.safety import phone_name, refusal, token

MOST_TOLD = 200  # letters of what is wrong with an order
PATIENCE = 12  # orders from one phone ...
PATIENCE_S = 10.0  # ... within this time
MAX_PHONES = 1000
NO_ORDER = "This is no order."
WATCH_ONLY = "This phone only watches; take a seat by its code first."
NOT_WRITTEN = "That cannot be written just now; is the disk full? Try again."
NOT_YOUR_SEAT = "This phone does not play for that player."


class OrderPace:
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


def order_pages(submit: Submit, journal: JournalReader, doorkeeper: Doorkeeper) -> Blueprint:
    """Make the door for orders; shut to whoever only watches."""
    pages = Blueprint("orders", __name__)
    pace = OrderPace()

    @pages.post("/orders")
    def order() -> Response:
        role = doorkeeper.role(token())
        read = _allowed(role, pace)
        return read if isinstance(read, Response) else taken(replace(read, seat=""), origins_of(role, read))

    @pages.post("/preview")
    def preview() -> Response:
        read = _allowed(doorkeeper.role(token()), pace)
        return read if isinstance(read, Response) else jsonify(journal.preview(order_json(read)))

    def taken(order: AnyOrder, origins: list[str]) -> Response:
        if not origins:
            return refusal(403, "not_your_seat", NOT_YOUR_SEAT)
        try:
            answer = jsonify(order=[submit(order_json(order), origin) for origin in origins][-1])
        except OSError:
            return refusal(503, "unwritten", NOT_WRITTEN)
        answer.status_code = 202
        return answer

    return pages


def _allowed(role: Role, pace: OrderPace) -> AnyOrder | Response:
    """Read an order from a phone that may give such; else say why not."""
    if not role.can_order:
        return refusal(403, "watch_only", WATCH_ONLY)
    if pace.is_too_fast(request.remote_addr or "", time.monotonic()):
        answer = refusal(429)
        answer.headers["Retry-After"] = str(int(PATIENCE_S))
        return answer
    if request.mimetype != "application/json":
        return refusal(415)
    read = read_sent(request.get_data())
    if isinstance(read, str):
        return refusal(400, "bad_order", NO_ORDER, why=read)
    if isinstance(read, OwnersOrder) and not role.is_referee:
        return refusal(403, "referee_only", FOR_THE_REFEREE)
    return read


def origins_of(role: Role, order: AnyOrder) -> list[str]:
    """Say in whose name an order is given: the referee's, or that of each player the phone speaks for."""
    if role.is_referee:
        return [f"referee:{role.phone}" if role.phone else phone_name()]
    if order.seat or isinstance(order, Happened):
        own = (getattr(order, "event", None) or {}).get("player")
        seats = [one for one in (order.seat, own) if one in role.seats] or list(role.seats) * (not order.seat)
        return [f"player:{one}" for one in seats[:1]]
    return [f"player:{one}" for one in role.seats]


def read_sent(body: bytes) -> AnyOrder | str:
    """Read one order as a phone sends it, or say what is wrong with it; a phone names what its order is about."""
    try:
        order = read_order(msgspec.json.decode(body))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        return str(fault)[:MOST_TOLD]
    if isinstance(order, str):
        return order[:MOST_TOLD]
    return "`about` must name a row" if getattr(order, "about", 0) is None else order
