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
from linesies.device.settings.lamps import TROUBLE, Glow, lamps_of, lights_of
from linesies.device.settings.settings import WledSettings
from linesies.referee.rows import Row

PATIENCE_S = 2.0
STEADY, BLINKING = 0, 1  # WLED's numbers of effects
WHITE = (255, 255, 255)  # all lamps together


def colour_of(meaning: str) -> tuple[tuple[int, int, int], Glow] | None:
    """Tell in which colour a strip shows a meaning, and how: as its lamp does, of several the last; None: dark."""
    lights = lights_of(meaning)
    if not lights:
        return None
    key, how = list(lights.items())[-1]
    return (WHITE if meaning == TROUBLE else lamps_of()[key].strip_rgb), how


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
        shown = colour_of(meaning)
        if shown is None:
            self._send({"on": False})
            return
        colour, how = shown
        effect = BLINKING if how is Glow.BLINKING else STEADY
        self._send({"on": True, "bri": self._brightness, "seg": [{"col": [colour], "fx": effect}]})
        if how is not Glow.UNTIL_THE_NEXT:
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
