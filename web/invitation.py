"""The invitation: how to get here, as QR codes to hold up or to print."""

import io
from collections.abc import Callable

import segno
from flask import Blueprint, Response, make_response, render_template, request

from linesies.web.language import language_of, translator
from linesies.web.ports import JournalReader
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token

Addresses = Callable[[], tuple[str, ...]]  # where the page is to be called, the one by number first
LONGEST_CODE = 12


def invitation_pages(journal: JournalReader, doorkeeper: Doorkeeper, addresses: Addresses) -> Blueprint:
    """Make the page that invites, and its codes."""
    pages = Blueprint("invitation", __name__)

    @pages.get("/join")
    def invitation() -> Response:
        codes = doorkeeper.codes(journal.players()) if doorkeeper.role(token()).is_referee else {}
        seats = [(player, code) for player, code in codes.items() if player]
        language = language_of(request)
        words = {"say": translator(language), "language": language}
        return make_response(render_template("join.html", addresses=addresses(), seats=seats, **words))

    @pages.get("/join/<int:number>.svg")
    def code(number: int) -> Response:
        """Draw the address of that number as a QR code; with ?seat= it takes that seat at once."""
        known = addresses()
        seat = request.args.get("seat", "")
        if number >= len(known) or not seat.isascii() or (seat and not seat.isdigit()) or len(seat) > LONGEST_CODE:
            return refusal(404)
        return Response(qr_svg(known[number] + (f"#seat={seat}" if seat else "")), mimetype="image/svg+xml")

    return pages


def qr_svg(text: str) -> str:
    """Draw a QR code that scales, dark on white with its quiet zone."""
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", border=4, light="#fff", omitsize=True)
    return drawn.getvalue().decode()
