"""The bodies of requests, read strictly."""

from typing import TypeVar

import msgspec
from flask import Response, request

from linesies.web.safety import refusal

T = TypeVar("T")


def read_body(kind: type[T]) -> T | Response:
    """Read the request's JSON as `kind`, or make the refusal to answer with."""
    if request.mimetype != "application/json":
        return refusal(415)
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return refusal(400)
