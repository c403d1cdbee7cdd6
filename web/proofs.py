"""The certificate of this installation, for every phone: trust is not for the owner alone; he makes it on his own."""

from flask import Blueprint, Response, jsonify

from linesies.web.phones import FOR_THE_REFEREE
from linesies.web.ports import Device, Proof
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token


def proof_pages(proof: Proof | None, doorkeeper: Doorkeeper, device: Device | None) -> Blueprint:
    """Make what tells how exact calls have proved to be, and how far a guided proof has come."""
    pages = Blueprint("proof", __name__)

    @pages.get("/certificate")
    def certificate() -> Response:
        return jsonify(certificate=None if proof is None else proof())

    @pages.get("/proof")
    def walk() -> Response:
        if not doorkeeper.role(token()).is_referee:
            return refusal(403, "referee_only", FOR_THE_REFEREE)
        return refusal(404) if device is None else jsonify(device.proof_walk())

    return pages
