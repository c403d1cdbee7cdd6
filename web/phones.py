"""The paired phones, for the referee: who holds which, the codes for the next, and sending one away."""

import msgspec
from flask import Blueprint, Response, jsonify

from linesies.web.bodies import read_body
from linesies.web.ports import JournalReader
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token

FOR_THE_REFEREE = "Only the referee's own phone may do that."


class PhoneName(msgspec.Struct, forbid_unknown_fields=True):
    """The paired phone that is meant."""

    phone: str


def phone_pages(journal: JournalReader, doorkeeper: Doorkeeper) -> Blueprint:
    """Make what the referee sees and does about phones."""
    pages = Blueprint("phones", __name__)

    @pages.get("/phones")
    def phones() -> Response:
        if not doorkeeper.role(token()).is_referee:
            return refusal(403, "referee_only", FOR_THE_REFEREE)
        known = [{"name": phone.name, "since": phone.since_s, **phone.role.as_json()} for phone in doorkeeper.all()]
        return jsonify(phones=known, codes=doorkeeper.codes(journal.players()))

    @pages.post("/phones/revoke")
    def revoke() -> Response:
        if not doorkeeper.role(token()).is_referee:
            return refusal(403, "referee_only", FOR_THE_REFEREE)
        asked = read_body(PhoneName)
        if isinstance(asked, Response):
            return asked
        return jsonify(revoked=doorkeeper.revoke(asked.phone))

    return pages
