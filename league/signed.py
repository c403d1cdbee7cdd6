"""What boards say is signed with their keys: read here, refused here, answered here."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from flask import Response, request

from linesies.league.identity import is_signed
from linesies.league.wire import (
    BOARD_HEADER,
    PACKED,
    SIGNATURE_HEADER,
    HubAnswer,
    Joining,
    Leaving,
    Offered,
    Pushed,
    Refusal,
    Wanted,
    signed_text,
    unpacked,
)

STATUS = {
    "unsigned": 401,
    "unknown": 403,
    "wrong_code": 403,
    "not_offered": 403,
    "unknown_row": 404,
    "hole": 409,
    "fork": 409,
    "outdated": 409,
    "too_large": 413,
    "not_understood": 400,
    "unsealed": 400,
    "other_bytes": 400,
}
Answer = HubAnswer | Wanted | Refusal
T = TypeVar("T", Joining, Leaving, Pushed, Offered)


def signed(take: Callable[[str, bytes], Answer]) -> Response:
    """See that the board itself has signed what it sends, and answer."""
    board, body = request.headers.get(BOARD_HEADER, ""), request.get_data()
    answer: Answer
    if is_signed(signed_text(request.path, body), request.headers.get(SIGNATURE_HEADER, ""), board):
        answer = take(board, body)
    else:
        answer = Refusal(code="unsigned", message="the message is not signed by the board that it names")
    status = STATUS[answer.code] if isinstance(answer, Refusal) else 200
    return Response(msgspec.json.encode(answer), status, mimetype="application/json")


def answered(kind: type[T], take: Callable[[str, T], Answer]) -> Response:
    """Read a board's message, and answer."""

    def read(board: str, body: bytes) -> Answer:
        try:
            message = msgspec.json.decode(unpacked(body) if request.content_encoding == PACKED else body, type=kind)
        except (ValueError, RecursionError) as fault:  # letters that are none, too
            return Refusal(code="not_understood", message=str(fault))
        return take(board, message)

    return signed(read)
