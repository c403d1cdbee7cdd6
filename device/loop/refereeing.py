"""A real game from beginning to end: settings and calibration files in, a refereed game out."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from linesies.calibration import Board, Calibration, read_calibration
from linesies.calibration.seats import misfit, seats_of
from linesies.device.announcers.announcing import Announcer
from linesies.device.cameras.camera_process import Apart
from linesies.device.cameras.opening import is_live, open_source
from linesies.device.cameras.source import Source
from linesies.device.errors import BadInput
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.cap_eyes import CapEyes
from linesies.device.loop.ending import until_ended
from linesies.device.loop.eyes import Eyes
from linesies.device.loop.set_up import set_up_json
from linesies.device.loop.setting_up import is_set_up, set_up_by_phone
from linesies.device.outside import let_games_in
from linesies.device.settings.settings import Settings
from linesies.games import GAMES, Caps, Cards, OwnEyes
from linesies.referee.saying import Trouble
from linesies.vision import Cap, read_caps

STANDARD = "standard"


def referee_game(
    settings: Settings,
    *,
    say: Callable[[str], None],
    serves_page: bool = True,
    sets_up: bool = False,
    troubles: Sequence[Trouble] = (),
    more: Sequence[Announcer] = (),
) -> None:
    """Referee until the game is over or somebody ends it; raises BadInput for files that cannot be used.

    `troubles` are what is wrong already, to be shown to people; `more` is who else is told what is announced.
    With `sets_up`, what is missing is set up by phone first.
    """
    has_phones = settings.web.serve and settings.web.may_order
    known = None if sets_up and has_phones and not is_set_up(settings) else _known(settings)
    with until_ended(say), Assembly(settings, more=more, serves_page=serves_page) as assembly:
        if assembly.face is not None:
            for line in assembly.face.invitation:
                say(line)
        for trouble in assembly.news:
            say(f"{trouble.who}: {trouble.message}")
        if known is None:
            say("Nothing is set up yet: open the page on a phone, and type the code there.")
            set_up_by_phone(settings, assembly, _apart, troubles)
            known = _known(settings)
        _play(settings, assembly, known, troubles=troubles, say=say)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What the files say that settings name: the board as it was learned, the caps, how a game begins."""

    calibration: Calibration
    caps: tuple[Cap, ...]
    start: dict[str, Any]


def _known(settings: Settings) -> _Known:
    calibration = read_calibration(settings.camera.calibration)
    game = GAMES[settings.game.name]
    caps = read_caps(settings.camera.caps) if game.needs_caps else ()
    start = start_event(settings, caps) if game.needs_caps else table_start(settings, calibration.board)
    return _Known(calibration=calibration, caps=caps, start=start)


def _play(
    settings: Settings,
    assembly: Assembly,
    known: _Known,
    *,
    troubles: Sequence[Trouble],
    say: Callable[[str], None],
) -> None:
    eyes = _eyes(settings, known)
    with assembly.match(eyes, known.caps) as (match, referee):
        for trouble in (*troubles, *(aside.trouble for aside in let_games_in())):
            referee.tell_trouble(trouble)
        if not referee.has_game:
            set_up = {**set_up_json(known.calibration, known.caps), "appeals": asdict(settings.appeals)}
            referee.begin(set_up, known.start)
        source = settings.camera.source
        if is_live(source):
            while match.follow_live(lambda: _apart(match.camera(source), match.serve)):
                say("The game is over.")
                match.serve_while_over()  # somebody may yet undo its end
        else:
            with open_source(source) as opened:
                match.follow(opened)


def _apart(source: str, meanwhile: Callable[[], None]) -> Source:
    return Apart(source, meanwhile=meanwhile)


def _eyes(settings: Settings, known: _Known) -> Eyes:
    camera, game, calibration = settings.camera, GAMES[settings.game.name], known.calibration
    if isinstance(game.seen, OwnEyes):
        own: Eyes = game.seen.eyes.load()(calibration, tuple(known.start["players"]))
        return own
    if isinstance(game.seen, Caps):
        return CapEyes(calibration, known.caps, settled_s=camera.settled_s)
    if camera.deck == STANDARD and game.seen.has_own_deck:
        raise BadInput(
            f"[camera] deck: {game.name} has cards of its own; learn them with `linesies learn` and name the file"
        )
    from linesies.device.loop.table_eyes import TableEyes  # noqa: PLC0415 - what reads cards is heavy
    from linesies.vision import open_reader  # noqa: PLC0415

    return TableEyes(calibration, open_reader(camera.deck, camera.letters), cards=game.seen)


def table_start(settings: Settings, board: Board) -> dict[str, Any]:
    """Write a card game's start event; the players take the mat's seats, by name or in their order."""
    zones = [region.name for region in board.regions]
    players = list(settings.game.players or seats_of(zones))
    seen = GAMES[settings.game.name].seen
    fault = misfit(zones, seen.between, players) if isinstance(seen, Cards) else None
    if fault is not None:
        raise BadInput(f"[game] {settings.game.name}: {fault}; calibrate a mat that fits: `linesies print --help`")
    return {"event": "start", "game": settings.game.name, "players": players, "options": dict(settings.game.options)}


def start_event(settings: Settings, caps: tuple[Cap, ...]) -> dict[str, Any]:
    """Write the game's start event; every player needs a listed cap."""
    players = list(settings.game.players or (cap.player for cap in caps))
    capless = [player for player in players if player not in {cap.player for cap in caps}]
    if capless:
        listed = f"{settings.camera.caps} lists no cap for {', '.join(capless)}"
        raise BadInput(f"[game] players: {listed}; add it there, or take the name out")
    return {"event": "start", "game": settings.game.name, "players": players, "options": dict(settings.game.options)}
