"""The parts at the pins, with the values that keep Pi and parts unharmed; the drawing and the calculations go by them.

Limits: 3.3 V at a pin, 16 mA from one and 50 mA from all together (Raspberry Pi documentation, "GPIO and the 40-pin
header"). Forward voltages span what 5 mm LEDs of a colour usually take at a few milliamperes; a 2N2222 amplifies 100
times at least at 150 mA and bears 600 mA (its data sheets).
"""

from linesies.device.settings.lamps import Lamp

PIN_V, SUPPLY_V = 3.3, 5.0
PIN_MOST_MA, PINS_MOST_MA = 16.0, 50.0
PULL_UP_OHM = 50_000.0  # the pin's own, behind a button
BASE_V, SATURATED_V = 0.7, 0.2  # of the transistor: base to emitter; collector to emitter when switched on
TRANSISTOR_MOST_MA, LEAST_GAIN = 600.0, 50.0  # half of the data sheet's: then it is switched on fully
BASE_OHM = 1000.0
BUZZER_OHM = 1000.0  # beside a piezo, which else would not discharge and stay almost silent
COIL_OHM = 42.0  # of a magnetic buzzer, which takes the most


def currents_ma(lamp: Lamp) -> tuple[float, float]:
    """Tell the least and the most current of a lamp."""
    least, most = ((PIN_V - drop_v) / lamp.ohm * 1000 for drop_v in reversed(lamp.drops_v))
    return least, most


def base_ma() -> float:
    """Tell what the buzzer's pin gives the transistor."""
    return (PIN_V - BASE_V) / BASE_OHM * 1000


def collector_ma() -> float:
    """Tell the most that the transistor switches: a magnetic buzzer with the resistor beside it."""
    return (SUPPLY_V - SATURATED_V) * (1 / COIL_OHM + 1 / BUZZER_OHM) * 1000


def button_ma() -> float:
    """Tell what a pressed button takes from its pin."""
    return PIN_V / PULL_UP_OHM * 1000
