"""The certificate of this installation, for every phone: trust is not for the owner alone."""

from flask import Blueprint, Response, jsonify

from linesies.web.ports import Proof


def proof_pages(proof: Proof | None) -> Blueprint:
    """Make what tells how exact calls have proved to be."""
    pages = Blueprint("proof", __name__)

    @pages.get("/certificate")
    def certificate() -> Response:
        return jsonify(certificate=None if proof is None else proof())

    return pages
