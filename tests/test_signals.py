"""Lamps, buzzer and buttons: the whole history of each pin is compared, on make-believe pins as on real ones."""

import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from gpiozero import LED, Button
from gpiozero.pins.mock import MockFactory, MockPWMPin

import linesies.device.announcers.signals as signals_module
from linesies.device.announcers.pins import NoPins, open_pins, open_real_pins
from linesies.device.announcers.signals import Buttons, PartFails, Signals, meaning_of, patterns
from linesies.device.box import wiring_drawing
from linesies.device.box.wiring import check_wiring
from linesies.device.errors import JournalFailed
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.setting_up import NoEyes
from linesies.device.settings.lamps import NOT_WIRED, Glow, Lamp, lamp
from linesies.device.settings.settings import (
    KeepSettings,
    PinSettings,
    Settings,
    SoundSettings,
    WebSettings,
)
from linesies.device.settings.tables import write_tables
from linesies.referee.saying import messages_of
from tests.refereeing import row, ruled

PINS = PinSettings(lit_s=60.0)


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
    made = Signals(PINS, factory, sleep=heard.append)
    yield made
    made.close()


def history(factory, pin):
    return [float(state.state) for state in factory.pin(pin).states]


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
        ([row("order"), replace(row("refused"), body={"code": "nothing", "settled_by": 7})], "dark"),
        ([row("refused")], None),
        ([row("ruled", {"event": "pause"})], None),
        ([row("ruled", None)], None),
        ([row("camera", "camera_lost")], "trouble"),
        ([row("camera", "camera_back")], None),
        ([row("unwritten")], "trouble"),
    ],
)
def test_each_ruling_has_one_meaning(rows, meaning):
    assert meaning_of(rows) == meaning


@pytest.mark.parametrize("meaning", ["in", "on_line", "too_close"])
def test_only_the_lamp_of_the_meaning_is_lit(signals, factory, meaning):
    signals.show(meaning)
    assert signals.shown() == {**dict.fromkeys(LAMPS, "off"), "buzzer": "off", meaning: "on"}
    for name, pin in LAMPS.items():
        assert history(factory, pin) == ([0, 1] if name == meaning else [0])


def test_each_meaning_has_tones_of_its_own(signals, factory, heard):
    signals.show("in")
    assert heard == [0.12, 0.18]
    assert history(factory, PINS.buzzer) == [0, 0.5, 0]
    signals.show("on_line")
    assert heard[2:] == [0.4]
    signals.show("too_close")
    assert heard[3:] == [0.15, 0.1, 0.15]
    assert history(factory, PINS.buzzer) == [0, 0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0]
    told = patterns(SoundSettings())
    assert len({pattern.tones for pattern in told.values()}) == len(told)


def test_the_next_call_puts_the_last_one_out(signals, factory):
    signals.announce([row("proposal", {"event": "shot"})])
    signals.announce([ruled("line")])
    signals.announce([row("ruled", {"event": "do_over"})])
    assert history(factory, LAMPS["too_close"]) == [0, 1, 0]
    assert history(factory, LAMPS["on_line"]) == [0, 1, 0]
    assert history(factory, LAMPS["in"]) == [0]


def test_a_call_goes_out_by_itself_but_a_question_stays_lit(factory):
    with_short_light = Signals(PinSettings(lit_s=0.02), factory, sleep=lambda _s: None)
    with_short_light.show("in")
    with_short_light._lamps["in"]._blink_thread.join(5)
    assert history(factory, LAMPS["in"]) == [0, 1, 0]
    with_short_light.show("too_close")
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
    monkeypatch.setattr("linesies.device.announcers.pins.FACTORIES", {"lgpio": ("no_such_library", "Nothing")})
    found = open_pins("auto")
    assert isinstance(found.factory, MockFactory)
    assert "no_such_library" in found.why_mock
    wished = open_pins("mock")
    assert isinstance(wished.factory, MockFactory)
    assert wished.why_mock is None
    with pytest.raises(NoPins, match='library = "mock"'):
        open_pins("lgpio")


def test_the_wiring_is_never_checked_on_make_believe_pins(monkeypatch):
    monkeypatch.setattr("linesies.device.announcers.pins.FACTORIES", {"lgpio": ("no_such_library", "Nothing")})
    for name in ("auto", "mock"):
        with pytest.raises(NoPins):
            open_real_pins(name)


def test_lgpio_makes_its_pipe_where_it_may_write(monkeypatch, tmp_path):
    (tmp_path / "piping.py").write_text("import os\ndef Factory(): return os.environ['LG_WD']")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("linesies.device.announcers.pins.FACTORIES", {"lgpio": ("piping", "Factory")})
    monkeypatch.delenv("LG_WD", raising=False)
    folder = Path(open_real_pins("lgpio"))
    assert folder.is_dir()
    assert os.access(folder, os.W_OK)
    assert folder != Path.cwd()


def test_trouble_blinks_all_lamps(signals, factory, monkeypatch):
    monkeypatch.setattr("linesies.device.announcers.signals.BLINK_S", 0.01)
    signals.announce([row("unwritten")])
    for name, pin in LAMPS.items():
        signals._lamps[name]._blink_thread.join(5)
        assert history(factory, pin) == [0, *[1, 0] * 8]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneMoreLamp(PinSettings):
    """Where a blue lamp is wired besides, which says that a match is called."""

    match_lamp: int = lamp(
        6,
        Lamp(
            name="MATCH",
            colour="blue",
            shows={"match": Glow.UNTIL_THE_NEXT},
            ohm=100.0,
            drops_v=(2.8, 3.2),
            strip_rgb=(0, 0, 255),
            drawn="#1f5fae",
        ),
    )


def test_a_further_lamp_is_one_more_field_and_lit_tried_drawn_and_written_like_all_others(factory):
    pins = OneMoreLamp()
    signals = Signals(pins, factory, sleep=lambda _s: None)
    signals.show("match")
    assert signals.shown()["match"] == "on"
    signals.show("on_line")
    assert history(factory, pins.match_lamp) == [0, 1, 0]
    signals.close()
    lines = []
    check_wiring(replace(pins, do_over_button=NOT_WIRED, confirm_button=NOT_WIRED), factory, lines.append, sleep=id)
    assert "the lamp MATCH (blue): GPIO6, pin 31 of the header" in lines
    assert "MATCH (blue): GPIO6, pin 31" in wiring_drawing.drawing(pins)
    assert "# BCM number of the lamp MATCH (blue); -1: not wired\nmatch_lamp = 6" in write_tables(Settings(pins=pins))


def test_tones_and_levels_are_chosen_by_settings(factory, heard):
    pins = PinSettings(active="low")
    with_own_tones = Signals(pins, factory, sounds=SoundSettings(in_tones=((100.0, 0.3),)), sleep=heard.append)
    with_own_tones.show("in")
    assert heard == [0.3]
    assert history(factory, pins.in_lamp)[-2:] == [1, 0], "a low level lights it"
    with_own_tones.close()


def test_what_is_not_wired_is_left_out_and_the_rest_works(factory, heard):
    pins = PinSettings(in_lamp=NOT_WIRED, buzzer=NOT_WIRED, do_over_button=NOT_WIRED)
    partly = Signals(pins, factory, sleep=heard.append)
    partly.show("in")
    partly.show("on_line")
    assert partly.shown() == {"in": "off", "on_line": "on", "too_close": "off", "buzzer": "off"}
    assert heard == []
    partly.close()
    buttons = Buttons(pins, factory, lambda *_: 0, bounce_s=None)
    assert len(buttons._buttons) == 1
    buttons.close()


def test_a_lamp_that_fails_is_told_and_the_others_and_the_buzzer_go_on(signals, factory, monkeypatch):
    def broken(**_):
        raise OSError("GPIO17: no such line")

    monkeypatch.setattr(signals._lamps["in"], "blink", broken)
    with pytest.raises(PartFails, match="in: GPIO17: no such line"):
        signals.show("in")
    assert history(factory, PINS.buzzer) == [0, 0.5, 0]
    signals.show("on_line")
    assert signals.shown()["on_line"] == "on"


def test_a_buzzer_that_fails_leaves_the_lamps_lit(signals, factory, monkeypatch):
    def broken(_tone):
        raise OSError("the wire is loose")

    monkeypatch.setattr(signals._buzzer, "play", broken)
    with pytest.raises(PartFails, match="buzzer: the wire is loose"):
        signals.show("in")
    assert signals.shown()["in"] == "on"


def test_a_pin_that_another_program_holds_costs_only_its_own_part(factory, heard):
    held = LED(PINS.in_lamp, pin_factory=factory)
    partly = Signals(PINS, factory, sleep=heard.append)
    with pytest.raises(PartFails, match="in on GPIO17"):
        partly.show("on_line")
    assert partly.shown()["on_line"] == "on"
    partly.close()
    held.close()
    button = Button(PINS.confirm_button, pin_factory=factory)
    buttons = Buttons(PINS, factory, lambda *_: 0, bounce_s=None)
    assert [fault.partition(":")[0] for fault in buttons.faults] == ["button on GPIO24"]
    buttons.close()
    button.close()


def test_a_quick_tap_orders_once_and_a_second_one_at_once_is_the_same(factory, monkeypatch):
    now_s = [0.0]
    monkeypatch.setattr("linesies.device.announcers.signals.time.monotonic", lambda: now_s[0])
    orders = []
    buttons = Buttons(PINS, factory, lambda order, origin: orders.append(order["order"]), bounce_s=None)
    pin = factory.pin(PINS.confirm_button)
    for at_s in (0.0, 0.05, 0.2, 3.0):
        now_s[0] = at_s
        pin.drive_low()
        pin.drive_high()
    buttons.close()
    assert orders == ["settle", "settle"]


def test_a_button_whose_order_cannot_be_written_costs_nothing(factory):
    def submit(_order, _origin):
        raise JournalFailed("the disk is full")

    buttons = Buttons(PINS, factory, submit, bounce_s=None)
    factory.pin(PINS.confirm_button).drive_low()
    buttons.close()


def test_lamps_blink_the_code_where_there_is_no_screen(factory):
    lit = []

    def note(_seconds):
        lit.append([name for name, value in signals.shown().items() if value == "on"])

    signals = Signals(PINS, factory, sleep=note)
    signals.tell_code("205")
    told = [names[0] for names in lit if names]
    green, red, amber = (["in"], ["on_line"], ["too_close"])
    assert told == [*green * 2, *red, *green * 10, *red, *green * 5, *red, *amber]
    assert all(len(names) <= 1 for names in lit)
    assert signals.shown()["too_close"] == "off"
    signals.close()


def test_the_confirm_button_held_down_asks_for_the_code(factory, monkeypatch):
    monkeypatch.setattr(signals_module, "HOLD_S", 0.05)
    is_held = threading.Event()
    buttons = Buttons(PINS, factory, lambda *_: 0, held=is_held.set, bounce_s=None)
    factory.pin(PINS.confirm_button).drive_low()
    assert is_held.wait(5)
    buttons.close()


def test_make_believe_pins_in_place_of_missing_ones_are_said_on_the_page_and_in_the_log(monkeypatch, tmp_path):
    monkeypatch.setattr("linesies.device.announcers.pins.FACTORIES", {"lgpio": ("no_such_library", "Nothing")})
    settings = Settings(web=WebSettings(serve=False), keep=KeepSettings(state=str(tmp_path)))
    with Assembly(settings) as assembly, assembly.match(NoEyes(), ()) as (_, referee):
        assert [trouble.who for trouble in assembly.news] == ["pins"]
        assert referee.story.troubles["pins"]["said"]["code"] == "no_pins"
        assert "no_such_library" in messages_of(referee.story.troubles)["pins"]
