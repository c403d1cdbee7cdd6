"""The league that the box belongs to, and leaving it by a tap: for the referee."""

import msgspec
from flask import Blueprint, Response, jsonify

from linesies.web.bodies import read_body
from linesies.web.phones import FOR_THE_REFEREE
from linesies.web.ports import Device
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token

NO_LEAGUE = "This board belongs to no league."
NOT_LET_GO = "The league's hub does not let this board go, so it stays in the league."


class NoMore(msgspec.Struct, forbid_unknown_fields=True):
    """The referee has the board leave."""


def league_pages(doorkeeper: Doorkeeper, device: Device | None) -> Blueprint:
    """Make what the referee sees and does about the league."""
    pages = Blueprint("league", __name__)

    def is_referee() -> bool:
        return doorkeeper.role(token()).is_referee

    @pages.get("/league")
    def league() -> Response:
        if not is_referee():
            return refusal(403, "referee_only", FOR_THE_REFEREE)
        return jsonify(league=None if device is None else device.league())

    @pages.post("/league/leave")
    def leave() -> Response:
        if not is_referee():
            return refusal(403, "referee_only", FOR_THE_REFEREE)
        asked = read_body(NoMore)
        if isinstance(asked, Response):
            return asked
        if device is None or device.league() is None:
            return refusal(404, "no_league", NO_LEAGUE)
        farewell = device.leave_league()
        if not farewell["has_left"]:
            return refusal(409, "not_let_go", NOT_LET_GO, why=farewell["trouble"])
        return jsonify(farewell)

    return pages
