"""`linesies doctor --wiring`: each part in turn; what is wrong is said with its mend."""

import threading
from types import SimpleNamespace

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from linesies.device.box.wiring import HEADER, check_wiring
from linesies.device.commands import doctor
from linesies.device.errors import BadInput
from linesies.device.settings.lamps import NOT_WIRED
from linesies.device.settings.settings import PinSettings
from tests.test_referee_commands import run

PINS = PinSettings()


@pytest.fixture
def factory():
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def told(factory, pins=PINS, press=()):
    """Check the wiring while somebody presses buttons; whether all is well, and what was said."""
    lines = []

    def say(line):
        lines.append(line)
        if "press it" in line and pressing:
            threading.Timer(0.05, factory.pin(pressing.pop(0)).drive_low).start()

    pressing = list(press)
    is_well = check_wiring(pins, factory, say, patience_s=5.0 if press else 0.05, sleep=lambda _s: None)
    return is_well, "\n".join(lines)


def test_each_part_is_tried_in_turn_and_named_with_its_pin(factory):
    is_well, text = told(factory, press=(PINS.do_over_button, PINS.confirm_button))
    assert is_well
    for pin, place in ((17, 11), (27, 13), (22, 15), (18, 12), (23, 16), (24, 18)):
        assert f"GPIO{pin}, pin {place} of the header" in text
    for pin in (17, 27, 22):
        assert [float(state.state) for state in factory.pin(pin).states][:2] == [0, 1]
    assert text.count("works") == 2


def test_a_button_that_is_not_pressed_is_said_with_its_mend(factory):
    is_well, text = told(factory)
    assert not is_well
    assert text.count("goes to ground") == 2


def test_a_button_on_ground_is_said(factory, monkeypatch):
    held = SimpleNamespace(is_pressed=True, close=lambda: None)
    monkeypatch.setattr("linesies.device.box.wiring.Button", lambda *_args, **_more: held)
    is_well, text = told(factory, pins=PinSettings(do_over_button=NOT_WIRED))
    assert not is_well
    assert "DO OVER: not wired" in text
    assert "held down" in text


def test_a_part_that_cannot_be_used_is_said_and_the_rest_is_tried(factory, monkeypatch):
    def broken(*_args, **_more):
        raise OSError("GPIO busy")

    monkeypatch.setattr("linesies.device.box.wiring.TonalBuzzer", broken)
    is_well, text = told(factory)
    assert not is_well
    assert "cannot be used: GPIO busy" in text
    assert "CONFIRM" in text


def test_each_pin_of_the_header_has_one_place():
    assert sorted(HEADER) == list(range(28))
    assert len(set(HEADER.values())) == 28
    assert not set(HEADER.values()) & {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39}, "power and ground"


def test_the_command_needs_either_a_camera_or_the_pins(tmp_path):
    with pytest.raises(BadInput, match="--wiring"):
        run(doctor.command)
