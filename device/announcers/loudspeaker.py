"""The umpire's voice at the box: calls spoken by espeak-ng or piper through its loudspeaker.

Piper sounds like a person and needs a model's file; espeak-ng comes with every Linux. Where the one that settings name
is missing, the other speaks, which is said; without either nothing is heard, which is said with each call.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence

from linesies.device.errors import DeviceError
from linesies.device.journal.journal import Journal
from linesies.device.settings.settings import VoiceSettings
from linesies.referee.calling import newest_call
from linesies.referee.folding import story_of
from linesies.referee.rows import Row
from linesies.referee.saying import Saying, Trouble
from linesies.referee.story import Story
from linesies.web.language import in_language

PATIENCE_S = 15.0  # for a call of a few sentences
RATE_HZ = 22_050  # of piper's medium voices
SPOKEN_AS = {"en": "en-us", "es": "es-419"}  # espeak-ng's plain ones are Britain's and Spain's
FAULT = re.compile(r"^error:", re.MULTILINE)  # espeak-ng ends well without a sound card, too, and only says this
TOLD = ("ruled", "proposal")

Speak = Callable[[str], None]


class NoVoice(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """No program here can speak; the text says what is missing."""


class Loudspeaker:
    """The announcer that speaks; remembers the story, as the journal tells it, and what it has called last."""

    name = "loudspeaker"

    def __init__(self, language: str, speak: Speak, journal_path: str) -> None:
        self._language = language
        self._speak = speak
        self._journal_path = journal_path
        self._journal: Journal | None = None
        self._story = Story()
        self._last = ""

    def announce(self, rows: Sequence[Row]) -> None:
        """Call what is newest; what was overtaken meanwhile is left unsaid. Raises NoVoice, OSError."""
        if not any(row.kind in TOLD for row in rows):
            return
        if self._journal is None:
            self._journal = Journal(self._journal_path)  # a connection of this thread's own
        self._story = story_of(self._journal, self._story)
        call = newest_call(self._story)
        if call is None or call["key"] == self._last:
            return
        self._last = call["key"]
        if text := " ".join(spoken(call["sayings"], self._language)):
            self._speak(text)

    def close(self) -> None:
        """Let go of the journal."""
        if self._journal is not None:
            self._journal.close()


def spoken(sayings: Sequence[dict[str, object]], language: str) -> list[str]:
    """Give the sentences of a call in a language."""
    told = in_language({"game": None, "entries": [], "call": {"sayings": list(sayings)}}, language)
    return [saying["message"] for saying in told["call"]["sayings"]]


def open_voice(
    settings: VoiceSettings, which: Callable[[str], str | None] = shutil.which
) -> tuple[Speak, list[Trouble]]:
    """Give what speaks, and what people are to know of it."""
    can = {
        "piper": bool(which("piper") and which("aplay") and settings.model),
        "espeak-ng": bool(which("espeak-ng")),
    }
    used = next((name for name in (settings.program, *can) if can[name]), None)
    if used is None:
        return _mute, []
    fallen_back = Saying("voice_instead", {"wanted": settings.program, "used": used})
    told = [Trouble("loudspeaker", fallen_back)] if used != settings.program else []
    return (_by_piper if used == "piper" else _by_espeak)(settings), told


def _mute(_text: str) -> None:
    raise NoVoice("neither espeak-ng nor piper (with a model and aplay) is installed")


def _by_espeak(settings: VoiceSettings) -> Speak:
    def speak(text: str) -> None:
        _run(["espeak-ng", "-v", SPOKEN_AS[settings.language], "--stdin"], text.encode())

    return speak


def _by_piper(settings: VoiceSettings) -> Speak:
    def speak(text: str) -> None:
        heard = _run(["piper", "--model", settings.model, "--output-raw"], text.encode())
        _run(["aplay", "-q", "-r", str(RATE_HZ), "-f", "S16_LE", "-c", "1"], heard)

    return speak


def _run(command: list[str], given: bytes) -> bytes:
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=PATIENCE_S, check=False)  # noqa: S603 - programs of settings' choice
    except subprocess.TimeoutExpired:
        raise NoVoice(f"{command[0]} took too long") from None
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode or FAULT.search(said):
        raise NoVoice(f"{command[0]}: {said[-200:]}")
    return done.stdout
