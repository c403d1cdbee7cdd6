"""Lamps, buzzer and buttons at the board: one colour and one tone a meaning, patterns as data.

Wiring (BCM numbers, from settings): each lamp from its pin through 330 ohm to the LED's long leg, the short leg to
ground. The passive buzzer between its pin and ground, through an NPN transistor with 1 kilohm at the base if it
draws more than 10 mA. Each button between its pin and ground; the pin's own pull-up is used.
"""

import importlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpiozero import LED, Button, TonalBuzzer
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from device.errors import DeviceError
from device.journal.journal import Row
from device.settings import PinSettings

Submit = Callable[[Mapping[str, Any], str], int]


class NoPins(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """The pins that settings ask for are not there; the text says how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """What one meaning looks and sounds like: its lamp, until when, and (hz, seconds) with 0 hz for silence."""

    lamp: str
    stays_lit: bool
    tones: tuple[tuple[float, float], ...]


PATTERNS: Mapping[str, Pattern] = {
    "in": Pattern(lamp="in", stays_lit=False, tones=((587.3, 0.12), (880.0, 0.18))),
    "on_line": Pattern(lamp="on_line", stays_lit=False, tones=((220.0, 0.4),)),
    "too_close": Pattern(lamp="too_close", stays_lit=True, tones=((440.0, 0.15), (0.0, 0.1), (440.0, 0.15))),
    "dark": Pattern(lamp="", stays_lit=False, tones=()),
}
FACTORIES: Mapping[str, tuple[str, str]] = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
    "native": ("gpiozero.pins.native", "NativeFactory"),
}


def open_pins(name: str) -> Factory:
    """Open the pins by their library's name; `auto`: lgpio, or make-believe ones where there are none."""
    if name == "mock":
        return MockFactory(pin_class=MockPWMPin)
    module, kind = FACTORIES["lgpio" if name == "auto" else name]
    try:
        return getattr(importlib.import_module(module), kind)()
    except Exception as fault:  # noqa: BLE001 - each library fails in its own way where there are no pins
        if name == "auto":
            return MockFactory(pin_class=MockPWMPin)
        mend = 'install it, or set library = "mock" under [pins]'
        raise NoPins(f"the pins cannot be opened with {name} ({fault}); {mend}") from None


def meaning_of(rows: Sequence[Row]) -> str | None:
    """Name the pattern that the rows of one transaction ask for: the shooter's call, a question, or darkness."""
    told = None
    for row in rows:
        event = row.body.get("event")
        if row.kind == "proposal":
            told = "too_close"
        elif row.kind == "ruled" and isinstance(event, Mapping):
            told = _meaning_of_event(event) or told
    return told


def _meaning_of_event(event: Mapping[str, Any]) -> str | None:
    if event.get("event") == "do_over":
        return "dark"
    rest = event.get("rest")
    if event.get("event") != "shot" or not isinstance(rest, Mapping):
        return None
    location = rest.get(event.get("player"))
    if location in ("line", "skull_line"):
        return "on_line"
    return "dark" if location in ("open", "off", None) else "in"


class Signals:
    """The announcer at the board; the last meaning stays on its lamp until its time is up or the next one comes."""

    name = "signals"

    def __init__(
        self, pins: PinSettings, factory: Factory, *, lit_s: float, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._lamps = {
            "in": LED(pins.in_lamp, pin_factory=factory),
            "on_line": LED(pins.on_line_lamp, pin_factory=factory),
            "too_close": LED(pins.too_close_lamp, pin_factory=factory),
        }
        self._buzzer = TonalBuzzer(pins.buzzer, pin_factory=factory)
        self._lit_s = lit_s
        self._sleep = sleep

    def announce(self, rows: Sequence[Row]) -> None:
        """Light the lamp and play the tones of what was ruled, if it has any."""
        meaning = meaning_of(rows)
        if meaning is not None:
            self.show(PATTERNS[meaning])

    def show(self, pattern: Pattern) -> None:
        """Show one pattern: its lamp alone is lit, its tones are played to their end."""
        for name, lamp in self._lamps.items():
            if name != pattern.lamp:
                lamp.off()
            elif pattern.stays_lit:
                lamp.on()
            else:
                lamp.blink(on_time=self._lit_s, off_time=0, n=1)
        for hz, seconds in pattern.tones:
            if hz:
                self._buzzer.play(Tone.from_frequency(hz))
            else:
                self._buzzer.stop()
            self._sleep(seconds)
        self._buzzer.stop()

    def shown(self) -> dict[str, str]:
        """Tell what is lit and heard right now, for the virtual lamps."""
        lit = {name: "on" if lamp.is_lit else "off" for name, lamp in self._lamps.items()}
        return {**lit, "buzzer": "on" if self._buzzer.is_active else "off"}

    def close(self) -> None:
        """Go dark and silent and give the pins back."""
        for device in (*self._lamps.values(), self._buzzer):
            device.close()


class Buttons:
    """Two buttons that order: do-over, and confirm (the likeliest answer to what is asked)."""

    def __init__(self, pins: PinSettings, factory: Factory, submit: Submit, *, bounce_s: float | None = 0.05) -> None:
        self._buttons = tuple(
            Button(pin, pin_factory=factory, bounce_time=bounce_s) for pin in (pins.do_over_button, pins.confirm_button)
        )
        do_over, confirm = self._buttons
        do_over.when_pressed = lambda: submit({"order": "event", "event": {"event": "do_over"}}, "button")
        confirm.when_pressed = lambda: submit({"order": "settle"}, "button")

    def close(self) -> None:
        """Give the pins back."""
        for button in self._buttons:
            button.close()
