"""The line to a hub: a board's signed messages over HTTP, and what the hub answers.

Messages are packed, for a day of rows says much the same again and again; and what is said in one go is said over one
connection, for over a bad line most of the time goes into opening one.
"""

import http.client
import time
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from linesies.league import HubAnswer, Identity, Refusal, Told
from linesies.league.wire import (
    BOARD_HEADER,
    PACKED,
    SIGNATURE_HEADER,
    Offered,
    RowFile,
    Wanted,
    file_path,
    packed,
    signed_text,
)

PATIENCE_S = 10.0  # for each step: to be let in, to have sent, to be answered
MOST_PATIENCE_S = 40.0  # for an answer: after one that did not come in time twice as long, for a hub may be that busy
MOST_ANSWERED = 65536
PATHS = {
    "Joining": "/league/boards",
    "Leaving": "/league/leave",
    "Pushed": "/league/rows",
    "Offered": "/league/files",
}
A = TypeVar("A", HubAnswer, Wanted)


class HubLine:
    """Says something to the hub at one address, as one board; remembers its connection, and how long answers take."""

    def __init__(self, hub: str, identity: Identity) -> None:
        self._hub = hub.rstrip("/")
        self._identity = identity
        self._open: http.client.HTTPConnection | None = None
        self._patience_s = PATIENCE_S  # for an answer

    def say(self, message: Told) -> HubAnswer | Refusal:
        """Send a message and read the answer; raises OSError where no hub answers as one."""
        return self._said(message, HubAnswer)

    def offer(self, offered: Offered) -> Wanted | Refusal:
        """Offer files, and hear which are wanted; raises OSError likewise."""
        return self._said(offered, Wanted)

    def bring(self, epoch: str, file: RowFile, data: bytes) -> Wanted | Refusal:
        """Send a file as it is; raises OSError likewise."""
        return self._sent(file_path(epoch, file, data), data, {"Content-Type": "application/octet-stream"}, Wanted)

    def _said(self, message: Told | Offered, answer: type[A]) -> A | Refusal:
        headers = {"Content-Type": "application/json", "Content-Encoding": PACKED}
        return self._sent(PATHS[type(message).__name__], packed(msgspec.json.encode(message)), headers, answer)

    def _sent(self, path: str, body: bytes, headers: dict[str, Any], kind: type[A]) -> A | Refusal:
        headers |= {
            BOARD_HEADER: self._identity.board,
            SIGNATURE_HEADER: self._identity.sign(signed_text(path, body)),
        }
        try:
            status, answer = self._exchange(path, body, headers)
            if status == http.HTTPStatus.OK:
                return msgspec.json.decode(answer, type=kind)
            return msgspec.json.decode(answer, type=Refusal)
        except OSError:
            self.close()  # a connection on which one message was lost holds up the next
            raise
        except (msgspec.MsgspecError, ValueError, http.client.HTTPException) as fault:
            self.close()
            raise OSError(f"{self._hub} answers as no hub does ({fault})") from None

    def close(self) -> None:
        """End the connection; whatever is said next opens another."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def _exchange(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        where = urlsplit(self._hub)
        if self._open is None:
            kind = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
            self._open = kind(where.hostname or "", where.port, timeout=PATIENCE_S)
        self._open.request("POST", f"{where.path}{path}", body, headers)
        self._open.sock.settimeout(self._patience_s)
        asked_s = time.monotonic()
        try:
            answered = self._open.getresponse()
            answer = answered.read(MOST_ANSWERED)
        except TimeoutError:
            self._patience_s = min(2 * self._patience_s, MOST_PATIENCE_S)
            raise
        if time.monotonic() - asked_s < PATIENCE_S:
            self._patience_s = PATIENCE_S
        if self._open.sock is not None:  # None where the hub has closed it
            self._open.sock.settimeout(PATIENCE_S)
        return answered.status, answer
