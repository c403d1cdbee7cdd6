"""Low voltage and heat are told to people once, and once when they are over."""

import pytest

from linesies.device.box.power import PowerWatch, open_power, said_by
from linesies.device.loop.assembly import Assembly
from linesies.device.settings.settings import KeepSettings, PinSettings, Settings, WebSettings
from linesies.referee.snapshot import story_json
from tests.test_match import ScriptedEyes


@pytest.mark.parametrize(
    ("bits", "words"),
    [(0x0, []), (0x50000, []), (0x1, ["voltage"]), (0x50005, ["voltage", "too hot"]), (0x8, ["too hot"])],
)
def test_the_firmware_s_bits_in_words(bits, words):
    told = str(said_by(bits) or "")
    assert bool(told) == bool(words)
    assert all(word in told for word in words)


def test_it_is_told_once_and_once_when_it_is_over(monkeypatch):
    monkeypatch.setattr("linesies.device.box.power.EVERY_S", 0.0)
    bits = iter([0, 0x50005, 0x50005, 0x50000, 0x50000])
    watch = PowerWatch(lambda: next(bits))
    told = [watch() for _ in range(5)]
    assert [len(troubles) for troubles in told] == [0, 1, 0, 1, 0]
    assert told[1][0].who == "power"
    assert told[3][0].is_over


def test_it_is_read_from_sysfs_or_from_the_firmware_s_own_command(tmp_path, monkeypatch):
    firmware = tmp_path / "soc" / "soc:firmware"
    firmware.mkdir(parents=True)
    (firmware / "get_throttled").write_text("50005\n")
    assert open_power(f"{tmp_path}/soc*/soc*:firmware/get_throttled")() == 0x50005
    command = tmp_path / "vcgencmd"
    command.write_text("#!/bin/sh\necho throttled=0x$((1 + 1))0000\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert open_power(f"{tmp_path}/none*")() == 0x20000


def test_people_are_told_on_the_page_and_when_it_is_over(tmp_path, monkeypatch):
    bits = [0x50005]
    monkeypatch.setattr("linesies.device.loop.assembly.open_power", lambda: lambda: bits[-1])
    for limit in ("linesies.device.box.power.EVERY_S", "linesies.device.loop.match.WATCH_EVERY_S"):
        monkeypatch.setattr(limit, 0.0)
    settings = Settings(
        keep=KeepSettings(state=str(tmp_path), clips=0),
        pins=PinSettings(library="mock"),
        web=WebSettings(serve=False),
    )
    eyes = ScriptedEyes({})
    eyes.elsewhere = lambda _call: "line"
    with Assembly(settings) as assembly, assembly.match(eyes, ()) as (match, referee):
        match.serve()
        assert "voltage" in story_json(referee.story)["troubles"]["power"]["message"]
        bits.append(0)
        match.serve()
        assert "power" not in story_json(referee.story)["troubles"]


def test_where_there_is_no_firmware_nothing_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert open_power(f"{tmp_path}/none*") is None
    assert PowerWatch(None)() == []


def test_a_firmware_that_does_not_answer_is_asked_again():
    def read():
        raise OSError("no such device")

    assert PowerWatch(read)() == []
