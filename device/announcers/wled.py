"""A strip of lights run by WLED: each meaning a colour, through WLED's JSON API over HTTP (kno.wled.ge, JSON API).

Hang it where the camera does not see it: light that changes on the board is taken for weather, not for a move, but
close calls wait until it has settled.
"""

import contextlib
import json
import threading
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from linesies.device.announcers.signals import meaning_of
from linesies.device.settings.settings import WledSettings
from linesies.referee.rows import Row

PATIENCE_S = 2.0
STEADY, BLINKING = 0, 1  # WLED's numbers of effects
COLOURS: Mapping[str, tuple[tuple[int, int, int], int]] = {
    "in": ((0, 200, 120), STEADY),
    "on_line": ((230, 20, 20), STEADY),
    "too_close": ((255, 140, 0), STEADY),
    "trouble": ((255, 255, 255), BLINKING),
}
STAYS_LIT = ("too_close",)


class Wled:
    """The announcer on a strip; remembers when it is to go dark."""

    name = "wled"

    def __init__(self, settings: WledSettings, *, lit_s: float) -> None:
        self._address = f"{settings.address.rstrip('/')}/json/state"
        self._brightness = settings.brightness
        self._lit_s = lit_s
        self._going_dark: threading.Timer | None = None

    def announce(self, rows: Sequence[Row]) -> None:
        """Light the strip in the colour of what was ruled; raises OSError when it does not answer."""
        meaning = meaning_of(rows)
        if meaning is None:
            return
        self._stay()
        if meaning not in COLOURS:
            self._send({"on": False})
            return
        colour, effect = COLOURS[meaning]
        self._send({"on": True, "bri": self._brightness, "seg": [{"col": [colour], "fx": effect}]})
        if meaning not in STAYS_LIT:
            self._going_dark = threading.Timer(self._lit_s, self._go_dark)
            self._going_dark.daemon = True
            self._going_dark.start()

    def close(self) -> None:
        """Go dark."""
        self._stay()
        self._go_dark()

    def _stay(self) -> None:
        if self._going_dark is not None:
            self._going_dark.cancel()

    def _go_dark(self) -> None:
        with contextlib.suppress(OSError):  # the next call tells whether it still answers
            self._send({"on": False})

    def _send(self, state: Mapping[str, Any]) -> None:
        asked = urllib.request.Request(  # noqa: S310 - the address is from settings
            self._address, json.dumps(state).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310 - likewise
            answer.read()
