"""A game's own cards as photographed by phone: which are there, and one more; for the referee's phone."""

import re

from flask import Blueprint, Response, jsonify, request

from linesies.games import GAMES
from linesies.web.phones import FOR_THE_REFEREE
from linesies.web.ports import Device
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token

JPEG = b"\xff\xd8"  # how one begins
CARD = re.compile(r"(die/)?[A-Za-z0-9:-]{1,16}")  # the code of a card, or of a die's face


def deck_pages(doorkeeper: Doorkeeper, device: Device | None) -> Blueprint:
    """Make what photographs are sent to; a page without a machine round it has no decks."""
    pages = Blueprint("decks", __name__)

    @pages.get("/deck/<game>")
    def deck(game: str) -> Response:
        return refused(game) or jsonify(device and device.photographed(game))

    @pages.post("/deck/<game>/<path:card>")
    def photograph(game: str, card: str) -> Response:
        jpeg = request.get_data()
        fault = refused(game)
        if fault is not None or device is None:
            return fault or refusal(404)
        if CARD.fullmatch(card) is None or not jpeg.startswith(JPEG):
            return refusal(400)
        device.keep_photograph(game, card, jpeg)
        return jsonify(device.photographed(game))

    def refused(game: str) -> Response | None:
        if not doorkeeper.role(token()).is_referee:
            return refusal(403, "referee_only", FOR_THE_REFEREE)
        return None if device is not None and game in GAMES and GAMES[game].has_own_deck else refusal(404)

    return pages
