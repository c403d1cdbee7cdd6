"""Telling thousands of pages: each change is posted once to an engine that tells them all (nchan, before the hub)."""

import urllib.request
from urllib.parse import urlsplit

from linesies.league.errors import BadInput

PATIENCE_S = 3.0


class FanOut:
    """Posts texts to one address; remembers nothing."""

    def __init__(self, address: str) -> None:
        try:
            is_address = urlsplit(address).scheme == "http" and bool(urlsplit(address).hostname)
        except ValueError:
            is_address = False
        if not is_address:
            raise BadInput(f"--fan-out: {address} is no address to post to; write it as http://127.0.0.1:8101/told")
        self._address = address

    def tell(self, text: str) -> None:
        """Post a text; raises OSError where nobody takes it."""
        asked = urllib.request.Request(self._address, text.encode(), {"Content-Type": "application/json"})  # noqa: S310
        with urllib.request.urlopen(asked, timeout=PATIENCE_S):  # noqa: S310 - whoever runs the hub named it
            pass
