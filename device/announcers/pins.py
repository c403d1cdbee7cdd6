"""The Pi's pins, opened through whichever library settings name; make-believe ones are never taken in silence."""

import atexit
import importlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPWMPin

from linesies.device.errors import DeviceError

AUTO, MOCK = "auto", "mock"
FACTORIES: Mapping[str, tuple[str, str]] = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
    "native": ("gpiozero.pins.native", "NativeFactory"),
}
LGPIO_FOLDER = "LG_WD"  # where lgpio makes a pipe as it is imported: else in the working folder, which may be read-only
MEND = (
    "on Raspberry Pi OS run: sudo apt install python3-lgpio, use a virtual environment made with "
    "--system-site-packages, and be in group gpio"
)


class NoPins(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """The pins that settings ask for are not there; the text says how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pins:
    """Opened pins; where real ones were looked for and none found, `why_mock` says why these are make-believe."""

    factory: Factory
    why_mock: str | None = None


def open_pins(name: str) -> Pins:
    """Open the pins by their library's name; `auto`: lgpio, or make-believe ones, and why."""
    if name == MOCK:
        return Pins(factory=MockFactory(pin_class=MockPWMPin))
    if name != AUTO:
        return Pins(factory=open_real_pins(name))
    try:
        return Pins(factory=open_real_pins(name))
    except NoPins as fault:
        return Pins(factory=MockFactory(pin_class=MockPWMPin), why_mock=str(fault))


def open_real_pins(name: str) -> Factory:
    """Open pins that light real lamps; raises NoPins where there are none, or settings want make-believe ones."""
    if name == MOCK:
        raise NoPins('settings ask for make-believe pins; write library = "auto" under [pins]')
    library = "lgpio" if name == AUTO else name
    if LGPIO_FOLDER not in os.environ:
        os.environ[LGPIO_FOLDER] = tempfile.mkdtemp(prefix="linesies-pins-")
        atexit.register(shutil.rmtree, os.environ[LGPIO_FOLDER], ignore_errors=True)
    module, kind = FACTORIES[library]
    try:
        return getattr(importlib.import_module(module), kind)()
    except Exception as fault:  # noqa: BLE001 - each library fails in its own way where there are no pins
        why = str(fault) or type(fault).__name__
        without = 'without lamps write library = "mock" under [pins]'
        raise NoPins(f"the pins cannot be opened with {library} ({why}); {MEND}; {without}") from None
