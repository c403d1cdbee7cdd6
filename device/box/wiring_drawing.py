"""Draws docs/wiring.svg: `python -m linesies.device.box.wiring_drawing > docs/wiring.svg`.

Parts on odd pins stand left of the header, those on even pins right of it, in the order of their pins: so no wire
crosses another. Wires that meet are joined by a dot. Each has a colour of its own, and its pin's number at its end.
"""

import sys
from collections.abc import Iterator

from linesies.device.box.circuit import BASE_OHM, BUZZER_OHM
from linesies.device.box.wiring import HEADER
from linesies.device.settings.lamps import lamps_of, pin_of
from linesies.device.settings.settings import PinSettings

TOP, ROW = 70, 26  # of the header's first pins, and from row to row
ODD_X, EVEN_X = 470, 500
LEFT_X, RIGHT_X = 40, 960  # where the ground rails run down
SUPPLY, SIGNAL, DO_OVER, CONFIRM, GROUND = "#d6006c", "#7d3ca0", "#1f5fae", "#00838f", "#222222"
POWER_PINS = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
LEFT_GROUND, RIGHT_GROUND, SUPPLY_PIN = 25, 20, 2
Point = tuple[float, float]


def pin_xy(pin: int) -> Point:
    """Tell where a pin of the header is drawn."""
    return (ODD_X if pin % 2 else EVEN_X), TOP + (pin - 1) // 2 * ROW


def wire(colour: str, *points: Point) -> str:
    """Draw a wire through these points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline class="wire" fill="none" stroke="{colour}" stroke-width="3" points="{path}"/>'


def dot(x: float, y: float) -> str:
    """Draw a joint."""
    return f'<circle class="joint" cx="{x:g}" cy="{y:g}" r="5" fill="{GROUND}"/>'


def text(x: float, y: float, words: str, *, anchor: str = "start", weight: str = "normal", size: int = 12) -> str:
    """Write words."""
    style = f'text-anchor="{anchor}" font-weight="{weight}" font-size="{size}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{words}</text>'


def resistor(x: float, y: float, ohm: float) -> str:
    """Draw a resistor whose middle is there."""
    look = 'fill="#f3e3c3" stroke="#7a5c2e" stroke-width="2"'
    box = f'<rect x="{x - 30:g}" y="{y - 9:g}" width="60" height="18" {look}/>'
    return box + text(x, y + 4, f"{ohm / 1000:g} kΩ" if ohm >= 1000 else f"{ohm:g} Ω", anchor="middle", size=11)


def header() -> Iterator[str]:
    """Draw the header with its numbers."""
    look = 'fill="#2e5d3a" fill-opacity="0.3"'
    yield f'<rect x="{ODD_X - 26}" y="{TOP - 20}" width="82" height="{19 * ROW + 40}" rx="8" {look}/>'
    for pin in range(1, 41):
        x, y = pin_xy(pin)
        is_power = pin in POWER_PINS
        fill = "#ffb3d9" if is_power else "#999999" if pin in GROUND_PINS else "#f7e08a"
        yield f'<circle cx="{x}" cy="{y}" r="9" fill="{fill}"/>' + text(x, y + 4, str(pin), anchor="middle", size=10)


def lamps(pins: PinSettings) -> Iterator[str]:
    """Draw the lamps, left of the header, the upper one on the upper pin."""
    rail_y = TOP + 15 * ROW
    wired = [(pin_of(key, pins), lamp) for key, lamp in lamps_of(pins).items()]
    for row, (bcm, lamp) in enumerate(sorted(wired, key=lambda one: HEADER[one[0]])):
        pin, colour, y = HEADER[bcm], lamp.drawn, 110 + 80 * row
        x0, y0 = pin_xy(pin)
        turn_x = 430 - 14 * row
        yield wire(colour, (x0, y0), (turn_x, y0), (turn_x, y), (340, y))
        yield resistor(310, y, lamp.ohm)
        yield wire(colour, (280, y), (232, y))
        yield f'<polygon points="232,{y - 16} 232,{y + 16} 200,{y}" fill="{colour}" stroke="#333" stroke-width="2"/>'
        yield f'<line x1="200" y1="{y - 16}" x2="200" y2="{y + 16}" stroke="#333" stroke-width="3"/>'
        yield wire(GROUND, (200, y), (LEFT_X, y))
        yield dot(LEFT_X, y) if row else ""
        yield text(60, y - 22, f"{lamp.name} ({lamp.colour}): GPIO{bcm}, pin {pin}", weight="bold", size=13)
        yield text(238, y + 30, "long leg", size=11) + text(194, y + 30, "short leg", anchor="end", size=11)
    x0, y0 = pin_xy(LEFT_GROUND)
    yield wire(GROUND, (x0, y0), (440, y0), (440, rail_y), (LEFT_X, rail_y), (LEFT_X, 110))
    yield text(60, rail_y + 20, f"ground: pin {LEFT_GROUND}")


def buzzer(pins: PinSettings) -> Iterator[str]:
    """Draw the buzzer with its transistor, right of the header, above the buttons."""
    pin, y = HEADER[pins.buzzer], 170
    x0, y0 = pin_xy(pin)
    yield wire(SIGNAL, (x0, y0), (560, y0), (560, y), (600, y)) + resistor(630, y, BASE_OHM)
    yield wire(SIGNAL, (660, y), (706, y))
    yield f'<circle cx="720" cy="{y}" r="26" fill="none" stroke="#333" stroke-width="2"/>'
    yield f'<line x1="706" y1="{y - 15}" x2="706" y2="{y + 15}" stroke="#333" stroke-width="4"/>'
    yield wire(GROUND, (706, y + 6), (730, y + 22), (730, y + 40), (RIGHT_X, y + 40))
    yield wire("#555555", (706, y - 6), (730, y - 22), (730, 132), (850, 132)) + dot(770, 132)
    yield text(752, y + 4, "NPN transistor 2N2222") + text(700, y - 18, "base", anchor="end", size=11)
    yield text(738, y - 12, "collector", size=11) + text(738, y + 32, "emitter", size=11)
    sx, sy = pin_xy(SUPPLY_PIN)
    yield wire(SUPPLY, (sx, sy), (sx + 60, sy), (sx + 60, 52), (850, 52)) + dot(770, 52)
    yield text(580, 44, f"5 V: pin {SUPPLY_PIN}, never to a GPIO pin", weight="bold")
    yield from beside(770, "resistor")
    yield from beside(810, "diode")
    yield dot(810, 132) + dot(810, 52)
    yield wire(SUPPLY, (850, 52), (850, 70)) + wire("#555555", (850, 114), (850, 132))
    yield '<circle cx="850" cy="92" r="22" fill="#444"/><circle cx="850" cy="92" r="5" fill="#fff"/>'
    yield text(880, 80, "passive BUZZER:", weight="bold") + text(880, 96, f"GPIO{pins.buzzer}, pin {pin}")


def beside(x: float, part: str) -> Iterator[str]:
    """Draw what stands beside the buzzer, between its two wires."""
    yield wire(SUPPLY, (x, 52), (x, 78)) + wire("#555555", (x, 106), (x, 132))
    if part == "diode":
        yield f'<polygon points="{x - 9},106 {x + 9},106 {x},80" fill="#777" stroke="#333" stroke-width="2"/>'
        yield f'<line x1="{x - 10}" y1="79" x2="{x + 10}" y2="79" stroke="#333" stroke-width="3"/>'
        yield text(x, 30, "diode 1N4001, band to 5 V", anchor="middle", size=11)
    else:
        yield f'<rect x="{x - 9}" y="76" width="18" height="32" fill="#f3e3c3" stroke="#7a5c2e" stroke-width="2"/>'
        yield text(x - 14, 96, f"{BUZZER_OHM / 1000:g} kΩ", anchor="end", size=11)


def buttons(pins: PinSettings) -> Iterator[str]:
    """Draw the buttons, right of the header, and the ground that they share with the buzzer."""
    rail_y = TOP + 15 * ROW
    told = ((pins.do_over_button, "DO OVER", DO_OVER), (pins.confirm_button, "CONFIRM", CONFIRM))
    for row, (bcm, name, colour) in enumerate(sorted(told, key=lambda one: HEADER[one[0]])):
        pin, y = HEADER[bcm], 290 + 80 * row
        x0, y0 = pin_xy(pin)
        turn_x = 590 - 14 * row
        yield wire(colour, (x0, y0), (turn_x, y0), (turn_x, y), (690, y))
        yield f'<circle cx="694" cy="{y}" r="5" fill="#333"/><circle cx="760" cy="{y}" r="5" fill="#333"/>'
        yield f'<line x1="694" y1="{y}" x2="756" y2="{y - 16}" stroke="#333" stroke-width="3"/>'
        yield wire(GROUND, (760, y), (RIGHT_X, y)) + dot(RIGHT_X, y)
        yield text(690, y - 26, f"button {name}: GPIO{bcm}, pin {pin}", weight="bold", size=13)
    x0, y0 = pin_xy(RIGHT_GROUND)
    yield wire(GROUND, (x0, y0), (546, y0), (546, rail_y), (RIGHT_X, rail_y), (RIGHT_X, 210))
    yield text(600, rail_y + 20, f"ground: pin {RIGHT_GROUND}")


def table(pins: PinSettings) -> Iterator[str]:
    """List every wire."""
    rows = []
    for key, lamp in lamps_of(pins).items():
        bcm = pin_of(key, pins)
        part = f"{lamp.ohm:g} Ω, long leg of the {lamp.colour} LED; its short leg to ground"
        rows.append((f"pin {HEADER[bcm]}, GPIO{bcm}", part))
    rows += [
        (f"pin {HEADER[pins.buzzer]}, GPIO{pins.buzzer}", f"{BASE_OHM / 1000:g} kΩ, base of the transistor"),
        (f"pin {SUPPLY_PIN}, 5 V", "buzzer, band of the diode, resistor beside the buzzer; nothing else"),
        (f"pin {HEADER[pins.do_over_button]}, GPIO{pins.do_over_button}", "button DO OVER; its other side to ground"),
        (f"pin {HEADER[pins.confirm_button]}, GPIO{pins.confirm_button}", "button CONFIRM; its other side to ground"),
        (f"pins {LEFT_GROUND} and {RIGHT_GROUND}, ground", "short legs, emitter of the transistor, buttons"),
    ]
    for row, (pin, part) in enumerate(rows):
        y = TOP + 20 * ROW + 50 + 20 * row
        yield text(60, y, pin, weight="bold") + text(260, y, part)


def drawing(pins: PinSettings) -> str:
    """Draw it all as SVG."""
    parts = (lamps(pins), buzzer(pins), buttons(pins), header(), table(pins))
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 820" font-family="sans-serif">'
    title = "<title>How lamps, buzzer and buttons are wired to the Raspberry Pi</title>"
    lines = [head, title, '<rect width="1000" height="820" fill="#ffffff"/>']
    lines.append(
        text(485, 24, "the Pi's header from above; pin 1 at the board's corner", anchor="middle", weight="bold")
    )
    lines += [line for part in parts for line in part if line]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    sys.stdout.write(drawing(PinSettings()))
