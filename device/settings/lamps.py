"""The lamps at the board: all that is known of each stands in its one field of `LampPins`; a further one is one more.

The settings' file lists its pin, `signals.py` lights it, `wled.py` shows its colour on a strip, `doctor --wiring` tries
it, and the drawing of the wires shows it. What people call it stands with the page's words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

from linesies.device.settings.tables import told, whole

NOT_WIRED = -1
LAST_PIN = 27  # BCM number
TROUBLE = "trouble"


class Glow(Enum):
    """How a lamp is lit."""

    FOR_A_WHILE = "for a while"
    UNTIL_THE_NEXT = "until the next call"
    BLINKING = "blinking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """An LED of one colour: what it says, and what it takes.

    `shows` are the meanings that `signals.py` tells of rows, but trouble, at which all lamps blink. `drops_v` are the
    least and the most volts that LEDs of its colour take, behind a resistor of `ohm`. `strip_rgb` is its colour on a
    strip of lights, `drawn` that of its wire.
    """

    name: str
    colour: str
    shows: Mapping[str, Glow]
    ohm: float
    drops_v: tuple[float, float]
    strip_rgb: tuple[int, int, int]
    drawn: str


def lamp(pin: int, what: Lamp) -> Any:
    """Declare a lamp as the setting of its pin, a BCM number: the field's name is the lamp's key and `_lamp`."""
    comment = f"BCM number of the lamp {what.name} ({what.colour}); {NOT_WIRED}: not wired"
    setting = told(pin, comment, whole(NOT_WIRED, LAST_PIN), is_alone=True)
    return field(default=pin, metadata={**setting.metadata, "lamp": what})


@dataclass(frozen=True, slots=True, kw_only=True)
class LampPins:
    """Where lamps are wired, and which they are."""

    in_lamp: int = lamp(
        17,
        Lamp(
            name="IN",
            colour="green",
            shows={"in": Glow.FOR_A_WHILE, "match": Glow.BLINKING},
            ohm=100.0,  # old green LEDs take 2.0 V, bright ones 3.0 V; 330 ohm would leave those 0.9 mA
            drops_v=(2.0, 3.0),
            strip_rgb=(0, 200, 120),
            drawn="#2e8b57",
        ),
    )
    on_line_lamp: int = lamp(
        27,
        Lamp(
            name="ON THE LINE",
            colour="red",
            shows={"on_line": Glow.FOR_A_WHILE},
            ohm=330.0,
            drops_v=(1.7, 2.1),
            strip_rgb=(230, 20, 20),
            drawn="#c0392b",
        ),
    )
    too_close_lamp: int = lamp(
        22,
        Lamp(
            name="TOO CLOSE",
            colour="amber",
            shows={"too_close": Glow.UNTIL_THE_NEXT},
            ohm=330.0,
            drops_v=(1.8, 2.2),
            strip_rgb=(255, 140, 0),
            drawn="#d98200",
        ),
    )


def lamps_of(pins: LampPins | type[LampPins] = LampPins) -> dict[str, Lamp]:
    """List the lamps by their keys, in the order in which they are declared."""
    declared = ((one.name, one.metadata.get("lamp")) for one in fields(pins))
    return {name.removesuffix("_lamp"): what for name, what in declared if what is not None}


def lights_of(meaning: str, pins: LampPins | type[LampPins] = LampPins) -> dict[str, Glow]:
    """Tell which lamps show a meaning, and how."""
    if meaning == TROUBLE:
        return dict.fromkeys(lamps_of(pins), Glow.BLINKING)
    return {key: what.shows[meaning] for key, what in lamps_of(pins).items() if meaning in what.shows}


def pin_of(key: str, pins: LampPins) -> int:
    """Tell on which pin a lamp is."""
    pin: int = getattr(pins, f"{key}_lamp")
    return pin
