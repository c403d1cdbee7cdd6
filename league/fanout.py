"""Telling thousands of pages: each change is posted once to an engine that tells them all (nchan, before the hub)."""

import json
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from linesies.league.errors import BadInput

PATIENCE_S = 3.0
NOT_FOUND = 404


class FanOut:
    """Posts texts to one address, or to a channel below it; remembers nothing."""

    def __init__(self, address: str) -> None:
        try:
            is_address = urlsplit(address).scheme == "http" and bool(urlsplit(address).hostname)
        except ValueError:
            is_address = False
        if not is_address:
            raise BadInput(f"--fan-out: {address} is no address to post to; write it as http://127.0.0.1:8101/told")
        self._address = address

    def tell(self, text: str, channel: str = "", *, event: str = "") -> int:
        """Post a text, as an event of that name; gives how many listen, raises OSError where nobody takes it."""
        return self._listening(channel, text.encode(), {"X-EventSource-Event": event} if event else {})

    def listening(self, channel: str) -> int:
        """Ask how many listen to a channel; raises OSError where nobody answers."""
        try:
            return self._listening(channel, None, {})
        except urllib.error.HTTPError as answer:
            if answer.code == NOT_FOUND:  # nobody has ever listened to it
                return 0
            raise

    def _listening(self, channel: str, text: bytes | None, more: dict[str, str]) -> int:
        headers = {"Content-Type": "application/json", "Accept": "application/json", **more}
        asked = urllib.request.Request(f"{self._address}{channel}", text, headers)  # noqa: S310
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310 - whoever runs the hub named it
            return int(json.loads(answer.read())["subscribers"])
