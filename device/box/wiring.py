"""The wires at the box: where each goes on the Pi's header, and a check that lights, sounds and reads each in turn."""

import contextlib
import time
from collections.abc import Callable, Iterator

from gpiozero import LED, Button, TonalBuzzer
from gpiozero.pins import Factory
from gpiozero.tones import Tone

from linesies.device.settings.lamps import NOT_WIRED, lamps_of, pin_of
from linesies.device.settings.settings import PinSettings

# BCM number (its place in the list) -> pin of the 40-pin header, as the Raspberry Pi documentation has it
PLACES = (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13)
HEADER = dict(enumerate(PLACES))
BUTTONS = {"do_over_button": "the button DO OVER", "confirm_button": "the button CONFIRM"}
SHOWN_S = 1.5
TONE_HZ = 880.0
PATIENCE_S = 10.0

Say = Callable[[str], None]


def check_wiring(
    pins: PinSettings,
    factory: Factory,
    say: Say,
    *,
    patience_s: float = PATIENCE_S,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Light each lamp, sound the buzzer, wait for each button; tells whether all answered that can answer."""
    well = [True]
    for key, lamp in lamps_of(pins).items():
        with _part(f"the lamp {lamp.name} ({lamp.colour})", pin_of(key, pins), say, well) as pin:
            if pin is not None:
                with contextlib.closing(LED(pin, active_high=pins.active == "high", pin_factory=factory)) as led:
                    led.on()
                    say("  is lit now; if it is dark turn the LED round: its long leg goes to the pin")
                    sleep(SHOWN_S)
    with _part("the buzzer", pins.buzzer, say, well) as pin:
        if pin is not None:
            with contextlib.closing(TonalBuzzer(pin, octaves=4, pin_factory=factory)) as buzzer:
                buzzer.play(Tone.from_frequency(TONE_HZ))
                say("  sounds now; if it only clicks it is an active one: use a passive one")
                sleep(SHOWN_S)
    for key, what in BUTTONS.items():
        with _part(what, getattr(pins, key), say, well) as pin:
            if pin is not None:
                with contextlib.closing(Button(pin, pin_factory=factory)) as button:
                    well.append(_is_pressed(button, say, patience_s))
    return all(well)


def _is_pressed(button: Button, say: Say, patience_s: float) -> bool:
    if button.is_pressed:
        say("  seems to be held down: is its wire on ground, or on the wrong side of the button?")
        return False
    say(f"  press it within {patience_s:.0f} s")
    if not button.wait_for_press(patience_s):
        say("  was not pressed; if you did press: its other wire goes to ground")
        return False
    say("  works")
    return True


@contextlib.contextmanager
def _part(what: str, pin: int, say: Say, well: list[bool]) -> Iterator[int | None]:
    """Say which part is meant and where it is wired; yields its pin, None where there is none."""
    if pin == NOT_WIRED:
        say(f"{what}: not wired")
        yield None
        return
    say(f"{what}: GPIO{pin}, pin {HEADER[pin]} of the header")
    try:
        yield pin
    except Exception as fault:  # noqa: BLE001 - each pin library fails in its own way
        say(f"  cannot be used: {fault}")
        well.append(False)
