"""The line to a hub: a board's signed messages over HTTP, and what the hub answers."""

import http.client
import urllib.error
import urllib.request

import msgspec

from linesies.league import HubAnswer, Identity, Refusal, Told
from linesies.league.wire import BOARD_HEADER, SIGNATURE_HEADER, signed_text

PATIENCE_S = 10.0
MOST_ANSWERED = 65536
PATHS = {"Joining": "/league/boards", "Leaving": "/league/leave", "Pushed": "/league/rows"}


class HubLine:
    """Says something to the hub at one address, as one board."""

    def __init__(self, hub: str, identity: Identity) -> None:
        self._hub = hub.rstrip("/")
        self._identity = identity

    def say(self, message: Told) -> HubAnswer | Refusal:
        """Send a message and read the answer; raises OSError where no hub answers as one."""
        path, body = PATHS[type(message).__name__], msgspec.json.encode(message)
        headers = {
            "Content-Type": "application/json",
            BOARD_HEADER: self._identity.board,
            SIGNATURE_HEADER: self._identity.sign(signed_text(path, body)),
        }
        asked = urllib.request.Request(f"{self._hub}{path}", body, headers)  # noqa: S310 - whoever joined named it
        try:
            try:
                with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answered:  # noqa: S310 - likewise
                    return msgspec.json.decode(answered.read(MOST_ANSWERED), type=HubAnswer)
            except urllib.error.HTTPError as refused:
                return msgspec.json.decode(refused.read(MOST_ANSWERED), type=Refusal)
        except (msgspec.MsgspecError, ValueError, http.client.HTTPException) as fault:
            raise OSError(f"{self._hub} answers as no hub does ({fault})") from None
