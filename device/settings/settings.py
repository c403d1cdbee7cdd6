"""Settings: one TOML file, read into one frozen value; `linesies init` writes it with its comments.

Each setting stands once, below: its default, what it means, and what it may be. The reader, the checker and the file
that `init` writes are all made from these.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from linesies import rules
from linesies.device.settings.lamps import LAST_PIN, NOT_WIRED, LampPins
from linesies.device.settings.tables import choice, flag, maybe, names, number, one_in, table, text, told, tones, whole
from linesies.games import GAMES

COSTS = ("nothing", "appeal", "turn")
LETTERS = ("english", "french", "german", "dutch")


def _game(name: Any) -> Any:
    """Write a game's name as it is known here, however its words are joined."""
    return (rules.game_named(name) or name) if isinstance(name, str) else name


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """What is looked through, and how it was calibrated."""

    source: str = told("picamera2", "picamera2[:N], v4l2:N, an rtsp:// or http:// address, a film or a folder", text())
    calibration: str = told("calibration.json", "written by: linesies calibrate SOURCE --board board.json", text())
    caps: str = told("caps.json", "who plays with which cap", text())
    deck: str = told("standard", "cards: standard (any ordinary deck), or what `linesies learn` wrote", text())
    letters: str = told("english", "a standard deck's J, Q, K: english, french, german, dutch", choice(*LETTERS))
    settled_s: float = told(0.4, "seconds of rest before a cap counts as come to rest", number(0.1, 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """What is played, by whom, and what they agreed on."""

    name: str = told("skully", "the game; `linesies rules` lists them all", one_in(GAMES), spelled=_game)
    players: tuple[str, ...] = told(
        (), "in the order of play, clockwise at a table; empty: as in the caps file, or as the zones are named", names()
    )
    options: Mapping[str, Any] = told(
        {},
        "what you agreed on; `linesies rules skully` lists all, for example { pipsies = 2, linesies = true }",
        table(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtSettings:
    """Who decides when the referee cannot tell: people (ask), or one of these at once."""

    line: str = told(
        "ask",
        "too close to call: ask, accept (as measured), player (in), line (on the line), do_over",
        choice("ask", "accept", "player", "line", "do_over"),
    )
    hit: str = told("ask", "an uncertain hit: ask, accept (as seen), do_over", choice("ask", "accept", "do_over"))
    shooter: str = told("ask", "who shot: ask, accept (as seen), do_over", choice("ask", "accept", "do_over"))
    settled_by: str = told(
        "two",
        "who answers about a cap: two (players who say the same), all (players), referee (his phone, which always may)",
        choice("two", "all", "referee"),
    )
    people_first: bool = told(
        default=False,
        comment="people call each close shot before they are told what was measured; both are compared after the game",
        check=flag(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealSettings:
    """Calls that a player may have looked at again; the referee's phone decides, or more than half of the others."""

    each: int = told(2, "wrong appeals that each player has; 0: nobody appeals", whole(0, 99))
    wrong: str = told(
        "appeal", "what a wrong one costs: nothing, appeal, turn (also the next turn, in Skully)", choice(*COSTS)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PinSettings(LampPins):
    """Where lamps, buzzer and buttons are wired."""

    library: str = told(
        "auto",
        "auto (lgpio; where there are no pins that is said), lgpio, rpigpio, pigpio, native, mock (no pins)",
        choice("auto", "lgpio", "rpigpio", "pigpio", "native", "mock"),
    )
    buzzer: int = told(18, "of the passive buzzer", whole(NOT_WIRED, LAST_PIN), is_alone=True)
    do_over_button: int = told(23, "of the do-over button", whole(NOT_WIRED, LAST_PIN), is_alone=True)
    confirm_button: int = told(
        24, "of the confirm button (the likeliest answer)", whole(NOT_WIRED, LAST_PIN), is_alone=True
    )
    active: str = told("high", "the level that switches a lamp on: high, low", choice("high", "low"))
    lit_s: float = told(4.0, "seconds that a call stays lit", number(0.1, 60))


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundSettings:
    """What each meaning sounds like: [hertz, seconds] one after the other, 0 hertz for silence, [] for no sound."""

    in_tones: tuple[tuple[float, float], ...] = told(((587.3, 0.12), (880.0, 0.18)), "in the box", tones())
    on_line_tones: tuple[tuple[float, float], ...] = told(((220.0, 0.4),), "on the line", tones())
    too_close_tones: tuple[tuple[float, float], ...] = told(
        ((440.0, 0.15), (0.0, 0.1), (440.0, 0.15)), "too close to call: people decide", tones()
    )
    trouble_tones: tuple[tuple[float, float], ...] = told(
        ((196.0, 0.25), (0.0, 0.1), (196.0, 0.25)), "the camera is lost, or nothing can be written", tones()
    )
    match_tones: tuple[tuple[float, float], ...] = told(
        ((587.3, 0.12), (0.0, 0.06), (587.3, 0.12), (0.0, 0.06), (880.0, 0.3)), "a league calls a match here", tones()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSettings:
    """Calls spoken by the box itself, through its loudspeaker."""

    program: str = told("off", "what speaks: off, espeak-ng, piper", choice("off", "espeak-ng", "piper"))
    language: str = told("en", "in which language: en, es", choice("en", "es"))
    model: str = told("", "piper's voice: the .onnx file of a model in that language", maybe())


@dataclass(frozen=True, slots=True, kw_only=True)
class WledSettings:
    """A strip of lights run by WLED, as a further lamp; off without an address."""

    address: str = told("", "where it answers, like http://wled.local; empty: there is none", maybe())
    brightness: int = told(128, "from 1 to 255", whole(1, 255))


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """Calls and state for a smart home, through an MQTT broker; off without one."""

    broker: str = told("", "its name or address; empty: nothing is published", maybe())
    port: int = told(1883, "its port", whole(1, 65535))
    user: str = told("", "who we are there; empty: nobody", maybe())
    password_file: str = told("", "a file that holds the password and nothing else", maybe())
    topic: str = told("linesies", "the first part of every topic", text())
    discovery: str = told("homeassistant", "where Home Assistant looks for devices; empty: it is told nothing", maybe())


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """The page for phones."""

    host: str = told("0.0.0.0", "the address to listen on; 127.0.0.1 keeps it to this machine", text())  # noqa: S104
    serve: bool = told(default=True, comment="whether there is a page at all", check=flag())
    port: int = told(8642, "its port", whole(1, 65535))
    names: tuple[str, ...] = told((), "names by which phones may call, beside the address itself", names())
    may_order: bool = told(
        default=True, comment="whether phones may decide and correct; false: they only watch", check=flag()
    )
    pairing: bool = told(
        default=True, comment="whether a phone must first be let in by a code; false: every phone may", check=flag()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepSettings:
    """What is kept, and where."""

    state: str = told("linesies-state", "folder of the journal and the evidence", text())
    pictures: int = told(500, "pictures of evidence to keep; the oldest go first", whole(0, 100_000))
    clips: int = told(100, "clips of shots to keep, likewise; 0: none are filmed", whole(0, 100_000))
    megabytes: int = told(300, "room for pictures and clips together", whole(1, 1_000_000))
    cases_megabytes: int = told(
        200, "room for case files: what each call was measured from; 0: none are kept", whole(0, 1_000_000)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """What the hub of a league is told besides what was announced; off unless the board's owner says so."""

    pictures: bool = told(
        default=False,
        comment="whether clips of shots, and what calls were measured from, go to the league's hub, where all see them",
        check=flag(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; each field is one table of the file."""

    camera: CameraSettings = field(default_factory=CameraSettings)
    game: GameSettings = field(default_factory=GameSettings)
    doubt: DoubtSettings = field(default_factory=DoubtSettings)
    appeals: AppealSettings = field(default_factory=AppealSettings)
    pins: PinSettings = field(default_factory=PinSettings)
    sounds: SoundSettings = field(default_factory=SoundSettings)
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    wled: WledSettings = field(default_factory=WledSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    web: WebSettings = field(default_factory=WebSettings)
    keep: KeepSettings = field(default_factory=KeepSettings)
    league: LeagueSettings = field(default_factory=LeagueSettings)
