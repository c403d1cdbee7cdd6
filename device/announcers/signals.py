"""Lamps, buzzer and buttons at the board: one colour and one tone a meaning, patterns as data.

Wiring (BCM numbers, from settings; docs/wiring.svg draws it, device/settings/lamps.py has the values): each lamp from
its pin through its resistor to the LED's long leg, the short leg to ground. The passive buzzer from 5 V to the
collector of an NPN transistor (2N2222), its emitter to ground, its base through 1 kilohm to the pin; beside the buzzer
1 kilohm, and a diode whose band looks towards 5 V. Each button between its pin and ground; the pin's own pull-up is
used. A relay or module that switches on a low level is `active = "low"`.

Each part is for itself: one that fails is told, and the others go on.
"""

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpiozero import LED, Button, TonalBuzzer
from gpiozero.pins import Factory
from gpiozero.tones import Tone

from linesies.calibration import is_on_line
from linesies.device.announcers.codelight import code_flashes
from linesies.device.errors import DeviceError
from linesies.device.settings.lamps import NOT_WIRED, Glow, LampPins, lamps_of, lights_of, pin_of
from linesies.device.settings.settings import PinSettings, SoundSettings
from linesies.referee.rows import Row

Submit = Callable[[Mapping[str, Any], str], int]
MEANINGS = ("in", "on_line", "too_close", "match", "trouble")  # and dark
BLINK_S = 0.25
BLINKS = 8
OCTAVES = 4  # round 440 Hz
BOUNCE_S = 0.01  # contacts settle within milliseconds; a quick tap lasts fifty
HOLD_S = 5.0
ONE_PRESS_S = 0.6  # a second press so soon is the same one


class PartFails(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """A lamp, the buzzer or a button cannot be used; the text says which and on which pin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """What one meaning looks and sounds like: how each of its lamps is lit, and (hz, seconds), 0 hz for silence."""

    lights: Mapping[str, Glow] = field(default_factory=dict)
    tones: tuple[tuple[float, float], ...] = ()


def patterns(sounds: SoundSettings, pins: LampPins | type[LampPins] = LampPins) -> Mapping[str, Pattern]:
    """Make the pattern of each meaning: the lamps that show it, and the tones that settings choose."""
    told = {name: Pattern(lights=lights_of(name, pins), tones=getattr(sounds, f"{name}_tones")) for name in MEANINGS}
    return {**told, "dark": Pattern()}


def meaning_of(rows: Sequence[Row]) -> str | None:
    """Name the pattern that rows ask for: a call, a question, darkness, a match's players, or trouble with all."""
    told = None
    for row in rows:
        event = row.body.get("event")
        if row.kind == "unwritten" or (row.kind == "camera" and event == "camera_lost"):
            told = "trouble"
        elif row.kind == "order" and not row.body.get("refused"):
            told = _meaning_of_order(row.body) or told
        elif row.kind == "proposal":
            told = "too_close"
        elif row.kind == "refused" and "settled_by" in row.body:
            told = "dark"  # what was asked came to nothing
        elif row.kind == "ruled" and isinstance(event, Mapping):
            told = _meaning_of_event(event) or told
    return told


def _meaning_of_order(body: Mapping[str, Any]) -> str | None:
    if body.get("order") == "test":
        return "trouble"  # every lamp and the buzzer
    return "match" if body.get("order") == "match" and body.get("match") else None


def _meaning_of_event(event: Mapping[str, Any]) -> str | None:
    if event.get("event") == "do_over":
        return "dark"
    rest = event.get("rest")
    if event.get("event") != "shot" or not isinstance(rest, Mapping):
        return None
    location = rest.get(event.get("player"))
    if location is not None and is_on_line(location):
        return "on_line"
    return "dark" if location in ("open", "off", None) else "in"


class Signals:
    """The announcer at the board; the last meaning stays on its lamp until its time is up or the next one comes."""

    name = "signals"

    def __init__(
        self,
        pins: PinSettings,
        factory: Factory,
        *,
        sounds: SoundSettings | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._faults: list[str] = []
        self._patterns = patterns(sounds or SoundSettings(), pins)
        self._keys = tuple(lamps_of(pins))
        is_high = pins.active == "high"
        wired = {name: pin_of(name, pins) for name in self._keys}
        self._lamps: dict[str, LED] = {
            name: lamp
            for name, pin in wired.items()
            if (lamp := self._opened(name, pin, lambda at: LED(at, active_high=is_high, pin_factory=factory)))
        }
        self._buzzer: TonalBuzzer | None = self._opened(
            "buzzer", pins.buzzer, lambda at: TonalBuzzer(at, octaves=OCTAVES, pin_factory=factory)
        )
        self._lit_s = pins.lit_s
        self._sleep = sleep

    def announce(self, rows: Sequence[Row]) -> None:
        """Light the lamp and play the tones of what was ruled, if it has any; raises PartFails after all was tried."""
        meaning = meaning_of(rows)
        if meaning is not None:
            self.show(meaning)

    def show(self, meaning: str) -> None:
        """Show one meaning: its lamps alone are lit, its tones are played to their end."""
        pattern = self._patterns[meaning]
        faults = list(self._faults)
        for name, lamp in self._lamps.items():
            with _noted(name, faults):
                self._light(lamp, pattern.lights.get(name))
        if self._buzzer is not None:
            with _noted("buzzer", faults):
                self._play(self._buzzer, pattern.tones)
        if faults:
            raise PartFails("; ".join(faults))

    def tell_code(self, code: str) -> None:
        """Blink a pairing code, digit by digit; takes up to a minute."""
        for lit, seconds in code_flashes(code):
            for name, lamp in self._lamps.items():
                lamp.value = name == lit
            self._sleep(seconds)

    def shown(self) -> dict[str, str]:
        """Tell what is lit and heard right now, for the virtual lamps."""
        lit = {name: "on" if name in self._lamps and self._lamps[name].is_lit else "off" for name in self._keys}
        return {**lit, "buzzer": "on" if self._buzzer is not None and self._buzzer.is_active else "off"}

    def close(self) -> None:
        """Go dark and silent and give the pins back."""
        for device in (*self._lamps.values(), *([] if self._buzzer is None else [self._buzzer])):
            device.close()

    def _opened(self, name: str, pin: int, opened: Callable[[int], Any]) -> Any:
        """Open a part; None for one that is not wired or cannot be opened, which is told with the next call."""
        if pin == NOT_WIRED:
            return None
        with _noted(f"{name} on GPIO{pin}", self._faults):
            return opened(pin)

    def _light(self, lamp: LED, how: Glow | None) -> None:
        if how is None:
            lamp.off()
        elif how is Glow.UNTIL_THE_NEXT:
            lamp.on()
        elif how is Glow.BLINKING:
            lamp.blink(on_time=BLINK_S, off_time=BLINK_S, n=BLINKS)
        else:
            lamp.blink(on_time=self._lit_s, off_time=0, n=1)

    def _play(self, buzzer: TonalBuzzer, tones: Sequence[tuple[float, float]]) -> None:
        try:
            for hz, seconds in tones:
                if hz:
                    buzzer.play(Tone.from_frequency(hz))
                else:
                    buzzer.stop()
                self._sleep(seconds)
        finally:
            buzzer.stop()


@contextlib.contextmanager
def _noted(part: str, faults: list[str]) -> Any:
    """Go on after whatever a part's library raises, and note it."""
    try:
        yield
    except Exception as fault:  # noqa: BLE001 - each pin library fails in its own way
        faults.append(f"{part}: {fault}")


class Buttons:
    """Two buttons that order: do-over, and confirm (the likeliest answer to what is asked); remembers each's last.

    `held` is done when confirm is held down for HOLD_S.
    """

    def __init__(
        self,
        pins: PinSettings,
        factory: Factory,
        submit: Submit,
        *,
        held: Callable[[], None] | None = None,
        bounce_s: float | None = BOUNCE_S,
    ) -> None:
        self.faults: list[str] = []
        self._submit = submit
        self._buttons: list[Button] = []
        self._open(pins.do_over_button, factory, bounce_s, {"order": "event", "event": {"event": "do_over"}})
        self._open(pins.confirm_button, factory, bounce_s, {"order": "settle"}, held)

    def _open(
        self,
        pin: int,
        factory: Factory,
        bounce_s: float | None,
        order: Mapping[str, Any],
        held: Callable[[], None] | None = None,
    ) -> None:
        if pin == NOT_WIRED:
            return
        last_s = float("-inf")

        def pressed() -> None:
            nonlocal last_s
            if time.monotonic() - last_s >= ONE_PRESS_S:
                last_s = time.monotonic()
                with contextlib.suppress(DeviceError):  # the lamps say already that nothing can be written
                    self._submit(order, "button")

        with _noted(f"button on GPIO{pin}", self.faults):
            button = Button(pin, pin_factory=factory, bounce_time=bounce_s, hold_time=HOLD_S)
            button.when_pressed = pressed
            if held is not None:
                button.when_held = held
            self._buttons.append(button)

    def close(self) -> None:
        """Give the pins back."""
        for button in self._buttons:
            button.close()
