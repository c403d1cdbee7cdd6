"""The caller: what an umpire says of the newest shot, in two languages, and a voice for it at the box."""

import pytest

from linesies.device.announcers.loudspeaker import Loudspeaker, NoVoice, open_voice, spoken
from linesies.device.settings.settings import Settings, VoiceSettings
from linesies.referee.calling import newest_call
from linesies.referee.snapshot import story_json
from linesies.web.language import in_language
from tests.refereeing import referee_on, shot

PROGRAM = """#!/bin/sh
echo "$@: $(cat)" >> {heard}
"""


@pytest.fixture
def referee(tmp_path):
    return referee_on(tmp_path / "journal.sqlite")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A folder of programs that stand for those that speak: made by name; what they were given is in `heard`."""
    (folder := tmp_path / "bin").mkdir()
    heard = tmp_path / "heard"
    heard.touch()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    def install(name, script=PROGRAM):
        (folder / name).write_text(script.format(heard=heard))
        (folder / name).chmod(0o755)
        return heard

    return install


def called(referee, language="en"):
    return " ".join(spoken(newest_call(referee.story)["sayings"], language))


def test_a_box_a_line_and_a_miss_are_called_shortly_with_names(referee):
    assert newest_call(referee.story) is None
    referee.see(shot("ana", "1"))
    assert called(referee) == "In! Ana makes 1."
    referee.see(shot("ana", "line"))
    assert called(referee) == "On the line! No box for Ana. Bo is up."
    assert called(referee, "es") == "¡En la línea! No hay casilla para Ana. Le toca a Bo."
    referee.see(shot("bo", "open"))
    assert called(referee).startswith("No box for Bo.")


def test_what_is_asked_and_what_is_struck_out_are_called(referee):
    referee.see(shot("ana", "1", certain=False))
    assert called(referee) == "Too close for me! You decide."
    referee.journal.submit({"order": "settle"}, "button")
    referee.take_orders()
    assert called(referee) == "In! Ana makes 1."
    referee.journal.submit({"order": "undo"}, "button")
    referee.take_orders()
    assert called(referee) == "That one is crossed out."


def test_a_shot_that_the_rules_refuse_is_not_called(referee):
    referee.see(shot("ana", "1"))
    before = newest_call(referee.story)
    referee.see(shot("zed", "open"))
    assert referee.story.entries[-1].refused is not None
    assert newest_call(referee.story) == before


def test_a_phone_is_told_the_call_in_its_language(referee):
    referee.see(shot("ana", "1"))
    (saying,) = in_language(story_json(referee.story), "es")["call"]["sayings"]
    assert saying["message"] == "¡Dentro! Ana gana la 1."


def test_the_box_speaks_each_call_once_in_the_language_of_its_settings(referee, programs):
    heard = programs("espeak-ng")
    settings = VoiceSettings(program="espeak-ng", language="es")
    speak, troubles = open_voice(settings)
    voice = Loudspeaker(settings.language, speak, referee.journal.path)
    rows = referee.see(shot("ana", "1"))
    voice.announce(rows)
    voice.announce(rows)
    voice.close()
    assert heard.read_text() == "-v es-419 --stdin: ¡Dentro! Ana gana la 1.\n"
    assert troubles == []


def test_piper_is_handed_its_model_and_its_sound_to_the_loudspeaker(programs):
    programs("piper")
    heard = programs("aplay")
    speak, _ = open_voice(VoiceSettings(program="piper", model="/models/en.onnx"))
    speak("In!")
    assert heard.read_text().splitlines() == [
        "--model /models/en.onnx --output-raw: In!",
        "-q -r 22050 -f S16_LE -c 1: ",
    ]


def test_another_voice_in_place_of_the_one_that_is_wanted_is_said(programs):
    programs("espeak-ng")
    _, (trouble,) = open_voice(VoiceSettings(program="piper", model="/models/en.onnx"))
    assert (trouble.who, trouble.message) == ("loudspeaker", "piper is not to be had here; espeak-ng speaks instead")


def test_a_box_without_any_voice_or_with_one_that_fails_says_so_with_the_call(programs):
    speak, _ = open_voice(VoiceSettings(program="espeak-ng"), which=lambda _name: None)
    with pytest.raises(NoVoice, match="neither"):
        speak("In!")
    for said, ends in (("no sound card", 1), ("error: no sound card", 0)):
        programs("espeak-ng", f"#!/bin/sh\necho '{said}' >&2; exit {ends}\n")
        speak, _ = open_voice(VoiceSettings(program="espeak-ng"))
        with pytest.raises(NoVoice, match="no sound card"):
            speak("In!")


def test_the_box_is_silent_until_settings_ask_for_a_voice():
    assert Settings().voice.program == "off"
