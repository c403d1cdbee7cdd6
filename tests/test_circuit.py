"""The wiring burns nothing: values by calculation, the drawing by its geometry."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from linesies.device.box import circuit, wiring_drawing
from linesies.device.box.wiring import HEADER
from linesies.device.settings.lamps import lamps_of
from linesies.device.settings.settings import PinSettings

PINS = PinSettings()
FILE = Path(__file__).parents[1] / "docs" / "wiring.svg"


@pytest.mark.parametrize("lamp", lamps_of().values(), ids=lambda lamp: lamp.name)
def test_each_lamp_is_bright_enough_and_no_burden_for_its_pin(lamp):
    least, most = circuit.currents_ma(lamp)
    assert least >= 2.5, "less is faint in the sun"
    assert most <= circuit.PIN_MOST_MA


def test_all_pins_together_give_no_more_than_they_may():
    lamps = sum(circuit.currents_ma(lamp)[1] for lamp in lamps_of().values())
    assert lamps + circuit.base_ma() + 2 * circuit.button_ma() <= circuit.PINS_MOST_MA


def test_the_transistor_is_switched_on_fully_and_bears_the_loudest_buzzer():
    assert circuit.base_ma() <= circuit.PIN_MOST_MA
    assert circuit.collector_ma() <= circuit.TRANSISTOR_MOST_MA
    assert circuit.collector_ma() / circuit.base_ma() <= circuit.LEAST_GAIN


def test_the_drawing_in_the_documentation_is_of_today_s_pins_and_values():
    assert FILE.read_text() == wiring_drawing.drawing(PINS)


def points(wire):
    numbers = [float(n) for n in re.split(r"[ ,]", wire.get("points"))]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def wires():
    drawn = ET.fromstring(wiring_drawing.drawing(PINS)).iter("{http://www.w3.org/2000/svg}polyline")
    return [(wire.get("stroke"), points(wire)) for wire in drawn if wire.get("class") == "wire"]


def joints():
    drawn = ET.fromstring(wiring_drawing.drawing(PINS)).iter("{http://www.w3.org/2000/svg}circle")
    return {(float(c.get("cx")), float(c.get("cy"))) for c in drawn if c.get("class") == "joint"}


def crossing(one, other):
    """Where two straight pieces meet, None where they do not."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if turn == 0:
        return None
    s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
    t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
    return (ax + s * (bx - ax), ay + s * (by - ay)) if 0 <= s <= 1 and 0 <= t <= 1 else None


def test_wires_meet_at_their_ends_alone_and_there_with_a_dot_where_one_goes_on():
    ends = {end for _, line in wires() for end in (line[0], line[-1])}
    for (_, one), (_, other) in combinations(wires(), 2):
        for piece in pairwise(one):
            for another in pairwise(other):
                meeting = crossing(piece, another)
                if meeting is None:
                    continue
                assert meeting in ends, f"{one} and {other} cross at {meeting}"
                both_end = meeting in (one[0], one[-1]) and meeting in (other[0], other[-1])
                assert both_end or meeting in joints(), f"no dot at {meeting}"


def test_5_volts_reach_nothing_but_the_buzzer_s_parts():
    supplied = [line for colour, line in wires() if colour == wiring_drawing.SUPPLY]
    assert supplied[0][0] == wiring_drawing.pin_xy(wiring_drawing.SUPPLY_PIN)
    pins = {wiring_drawing.pin_xy(HEADER[bcm]) for bcm in range(28)}
    assert not pins & {point for line in supplied for point in line}


def test_each_signal_has_a_colour_of_its_own():
    begins = {wiring_drawing.pin_xy(pin): pin for pin in range(1, 41)}
    coloured = [(colour, begins[line[0]]) for colour, line in wires() if line[0] in begins]
    colours = [colour for colour, pin in coloured if pin not in wiring_drawing.GROUND_PINS]
    assert len(colours) == len(set(colours)) == 7
    assert {pin for _, pin in coloured} == {11, 13, 15, 12, 16, 18, 2, 25, 20}
