"""Joining: a phone takes a seat, or becomes the referee's, by a code, and gives it up."""

import math
import time

import msgspec
from flask import Blueprint, Response, jsonify, request

from linesies.web.bodies import read_body
from linesies.web.ports import JournalReader
from linesies.web.roles import Doorkeeper, Role
from linesies.web.safety import give_token, refusal, token
from linesies.web.tries import Tries, place_of

TOO_MANY_TRIES = "Too many wrong codes; wait a minute."
WRONG_CODE = "That code is not right. The box shows it on its screen, and the referee's phone under “More”."
NOT_OPEN = "Here a seat is taken by its code."


class TypedCode(msgspec.Struct, forbid_unknown_fields=True):
    """The digits that somebody typed."""

    code: str


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """The player for whom a phone would sit."""

    player: str


def joining_pages(journal: JournalReader, doorkeeper: Doorkeeper) -> Blueprint:
    """Make the doors by which a phone comes and goes."""
    pages = Blueprint("joining", __name__)
    tries = Tries()

    @pages.post("/join")
    def join() -> Response:
        now_s, place = time.monotonic(), place_of(request.remote_addr or "")
        wait_s = tries.wait_s(place, now_s)
        if wait_s > 0:
            return _wait(wait_s)
        asked = read_body(TypedCode)
        if isinstance(asked, Response):
            return asked
        new = doorkeeper.enter(token(), "".join(filter(str.isdigit, asked.code)))
        if new is None:
            left = tries.note_wrong(place, now_s)
            return refusal(403, "wrong_code", WRONG_CODE) if left > 0 else _wait(tries.wait_s(place, now_s))
        return _welcome(doorkeeper, new)

    @pages.post("/seat")
    def sit() -> Response:
        asked = read_body(SeatWish)
        if isinstance(asked, Response):
            return asked
        if not doorkeeper.is_open:
            return refusal(403, "code_needed", NOT_OPEN)
        if asked.player not in journal.players():
            return refusal(404)
        return _welcome(doorkeeper, doorkeeper.sit(token(), asked.player))

    @pages.post("/leave")
    def leave() -> Response:
        doorkeeper.revoke(doorkeeper.role(token()).phone)
        return jsonify(Role().as_json())

    return pages


def _welcome(doorkeeper: Doorkeeper, new: str) -> Response:
    return give_token(jsonify(doorkeeper.role(new).as_json()), new)


def _wait(seconds: float) -> Response:
    answer = refusal(429, "too_many_tries", TOO_MANY_TRIES)
    answer.headers["Retry-After"] = str(math.ceil(seconds))
    return answer
