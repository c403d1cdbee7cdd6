"""Lamps, buzzer and buttons: the whole history of each pin is compared, on make-believe pins as on real ones."""

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.announcers.signals import PATTERNS, Buttons, NoPins, Signals, meaning_of, open_pins
from device.journal.journal import Row
from device.settings import PinSettings

PINS = PinSettings(lit_s=0.01)


@pytest.fixture
def factory():
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


@pytest.fixture
def heard():
    return []


@pytest.fixture
def signals(factory, heard):
    made = Signals(PINS, factory, lit_s=60.0, sleep=heard.append)
    yield made
    made.close()


def history(factory, pin):
    return [float(state.state) for state in factory.pin(pin).states]


def row(kind, event=None, n=1):
    return Row(id=n, at_s=0.0, origin="test", kind=kind, about=None, body={} if event is None else {"event": event})


def ruled(location):
    return row("ruled", {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": location}})


LAMPS = {"in": PINS.in_lamp, "on_line": PINS.on_line_lamp, "too_close": PINS.too_close_lamp}


@pytest.mark.parametrize(
    ("rows", "meaning"),
    [
        ([ruled("5")], "in"),
        ([ruled("skull2")], "in"),
        ([ruled("line")], "on_line"),
        ([ruled("skull_line")], "on_line"),
        ([ruled("open")], "dark"),
        ([ruled("off")], "dark"),
        ([row("seen", {"event": "shot"})], None),
        ([row("proposal", {"event": "shot"})], "too_close"),
        ([row("proposal", {"event": "shot"}), row("order"), ruled("line")], "on_line"),
        ([ruled("5"), row("ruled", {"event": "do_over"})], "dark"),
        ([row("ruled", {"event": "pause"})], None),
        ([row("ruled", None)], None),
    ],
)
def test_each_ruling_has_one_meaning(rows, meaning):
    assert meaning_of(rows) == meaning


@pytest.mark.parametrize("meaning", ["in", "on_line", "too_close"])
def test_only_the_lamp_of_the_meaning_is_lit(signals, factory, meaning):
    signals.show(PATTERNS[meaning])
    assert signals.shown() == {**dict.fromkeys(LAMPS, "off"), "buzzer": "off", meaning: "on"}
    for name, pin in LAMPS.items():
        assert history(factory, pin) == ([0, 1] if name == meaning else [0])


def test_each_meaning_has_tones_of_its_own(signals, factory, heard):
    signals.show(PATTERNS["in"])
    assert heard == [0.12, 0.18]
    assert history(factory, PINS.buzzer) == [0, 0.5, 0]
    signals.show(PATTERNS["on_line"])
    assert heard[2:] == [0.4]
    signals.show(PATTERNS["too_close"])
    assert heard[3:] == [0.15, 0.1, 0.15]
    assert history(factory, PINS.buzzer) == [0, 0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0]
    assert len({pattern.tones for pattern in PATTERNS.values()}) == len(PATTERNS)


def test_the_next_call_puts_the_last_one_out(signals, factory):
    signals.announce([row("proposal", {"event": "shot"})])
    signals.announce([ruled("line")])
    signals.announce([row("ruled", {"event": "do_over"})])
    assert history(factory, LAMPS["too_close"]) == [0, 1, 0]
    assert history(factory, LAMPS["on_line"]) == [0, 1, 0]
    assert history(factory, LAMPS["in"]) == [0]


def test_a_call_goes_out_by_itself_but_a_question_stays_lit(factory):
    with_short_light = Signals(PINS, factory, lit_s=0.02, sleep=lambda _s: None)
    with_short_light.show(PATTERNS["in"])
    with_short_light._lamps["in"]._blink_thread.join(5)
    assert history(factory, LAMPS["in"]) == [0, 1, 0]
    with_short_light.show(PATTERNS["too_close"])
    assert with_short_light.shown()["too_close"] == "on"
    with_short_light.close()


def test_the_buttons_order_a_do_over_and_the_likeliest_answer(factory):
    orders = []
    buttons = Buttons(PINS, factory, lambda order, origin: orders.append((order, origin)), bounce_s=None)
    for pin in (PINS.do_over_button, PINS.confirm_button):
        factory.pin(pin).drive_low()
        factory.pin(pin).drive_high()
    buttons.close()
    assert orders == [
        ({"order": "event", "event": {"event": "do_over"}}, "button"),
        ({"order": "settle"}, "button"),
    ]


def test_without_pins_make_believe_ones_are_taken_or_it_is_said_how_to_mend_it(monkeypatch):
    monkeypatch.setattr("device.announcers.signals.FACTORIES", {"lgpio": ("no_such_library", "Nothing")})
    assert isinstance(open_pins("auto"), MockFactory)
    assert isinstance(open_pins("mock"), MockFactory)
    with pytest.raises(NoPins, match='library = "mock"'):
        open_pins("lgpio")
