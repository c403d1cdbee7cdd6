"""A real game from beginning to end: settings and calibration files in, a refereed game out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
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
from linesies.device.loop.match import Match
from linesies.device.loop.set_up import set_up_json
from linesies.device.loop.setting_up import NoEyes, is_set_up, set_up_by_phone
from linesies.device.loop.sight import NOTHING, sight_of
from linesies.device.loop.tapped_caps import told_sizes
from linesies.device.outside import let_games_in
from linesies.device.places import deck_file
from linesies.device.settings.settings import Settings
from linesies.games import GAMES, Caps, CardsOnMat, Game, OwnEyes
from linesies.referee.folding import story_of
from linesies.referee.referee import Referee, has_game
from linesies.referee.saying import Saying, Trouble
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
    """What the files say that settings name: the board or mat as it was learned, and the caps."""

    calibration: Calibration
    caps: tuple[Cap, ...]


def _known(settings: Settings) -> _Known:
    calibration = read_calibration(settings.camera.calibration)
    has_caps = Path(settings.camera.caps).exists()
    return _Known(calibration=calibration, caps=read_caps(settings.camera.caps) if has_caps else ())


def _start(settings: Settings, known: _Known) -> dict[str, Any]:
    """Write how the game that settings name begins; raises BadInput where the board, mat or caps do not fit it."""
    if GAMES[settings.game.name].needs_caps:
        return start_event(settings, known.caps or read_caps(settings.camera.caps))
    return table_start(settings, known.calibration.board)


def _play(
    settings: Settings,
    assembly: Assembly,
    known: _Known,
    *,
    troubles: Sequence[Trouble],
    say: Callable[[str], None],
) -> None:
    """Referee with the eyes that the game needs, and whenever people begin one that needs others, with those.

    Raises BadInput where no package plays the game that is on: another game would bury it.
    """
    story = story_of(assembly.journal)
    if story.absent is not None:
        raise BadInput(f"{story.faults['game']['message']}, or choose another state folder")
    is_new = not has_game(story)
    start = _start(settings, known) if is_new or story.start is None else story.start
    eyes, fault = (_eyes(settings, known, start), None) if is_new else _eyes_or_none(settings, known, start)
    lasting = [*troubles, *(aside.trouble for aside in let_games_in())]
    while True:
        with assembly.match(eyes, known.caps, story) as (match, referee):
            for trouble in (*lasting, told_sizes(known.caps), fault):
                if trouble is not None and not trouble.is_over:
                    referee.tell_trouble(trouble)
            if is_new:
                doubt = settings.doubt
                house = {**asdict(settings.appeals), "settled_by": doubt.settled_by, "people_first": doubt.people_first}
                set_up = {**set_up_json(known.calibration, known.caps), "appeals": house}
                referee.begin(set_up, start)
            if not _follow(settings, match, referee, eyes, say):
                return
            is_new, story, start = False, referee.story, referee.story.start or start
        known = replace(_known(settings), calibration=eyes.calibration or known.calibration)
        eyes, fault = _eyes_or_none(settings, known, start)


def _follow(settings: Settings, match: Match, referee: Referee, eyes: Eyes, say: Callable[[str], None]) -> bool:
    """Follow the camera until the game or what lies in view needs other eyes (True), or to the source's end."""
    source = settings.camera.source
    if not is_live(source):
        with open_source(source) as opened:
            match.follow(opened)
        return False
    looked_for = _looked_for(settings, referee, eyes)

    def is_another() -> bool:
        return eyes.calibration is not None and _looked_for(settings, referee, eyes) != looked_for

    while match.follow_live(lambda: _apart(match.camera(source), match.serve), lambda: match.is_over or is_another()):
        if is_another():
            say(f"The camera looks for {sight_of(referee.story.game_name, eyes.calibration)} from now on.")
            return True
        say("The game is over.")
        match.serve_while_over()  # somebody may yet undo its end
    return False


def _looked_for(settings: Settings, referee: Referee, eyes: Eyes) -> tuple[str, float]:
    """Tell what the camera looks for, and when its cards were learned, if they are the game's own."""
    sight = sight_of(referee.story.game_name, eyes.calibration)
    learned = deck_file(Path(settings.keep.state), referee.story.game_name)
    return sight, learned.stat().st_mtime if learned.exists() else 0.0


def _apart(source: str, meanwhile: Callable[[], None]) -> Source:
    return Apart(source, meanwhile=meanwhile)


def _eyes_or_none(settings: Settings, known: _Known, start: Mapping[str, Any]) -> tuple[Eyes, Trouble | None]:
    """Open the eyes that a game needs; where its cards were never learned, none, and that is said."""
    try:
        return _eyes(settings, known, start), None
    except BadInput as fault:
        return NoEyes(known.calibration), Trouble("cards", Saying("deck_unlearned", why=str(fault)))


def _eyes(settings: Settings, known: _Known, start: Mapping[str, Any]) -> Eyes:
    camera, game, calibration = settings.camera, GAMES[start["game"]], known.calibration
    if sight_of(game.name, calibration) == NOTHING:
        return NoEyes(calibration)
    if isinstance(game.seen, OwnEyes):
        own: Eyes = game.seen.eyes.load()(calibration, tuple(start["players"]))
        return own
    if isinstance(game.seen, Caps):
        return CapEyes(calibration, known.caps, settled_s=camera.settled_s)
    deck = _deck(settings, game)
    if deck == STANDARD and game.seen.has_own_deck:
        raise BadInput(
            f"[camera] deck: {game.name} has cards of its own; learn them with `linesies learn` and name the file"
        )
    from linesies.device.loop.table_eyes import TableEyes  # noqa: PLC0415 - what reads cards is heavy
    from linesies.vision import open_reader  # noqa: PLC0415

    return TableEyes(calibration, open_reader(deck, camera.letters), cards=game.seen)


def _deck(settings: Settings, game: Game) -> str:
    """Name the deck that is played with: what was learned of this game by phone, else what settings name."""
    learned = deck_file(Path(settings.keep.state), game.name)
    return str(learned) if learned.exists() else settings.camera.deck


def table_start(settings: Settings, board: Board) -> dict[str, Any]:
    """Write a card game's start event; the players take the mat's seats, by name or in their order."""
    zones = [region.name for region in board.regions]
    players = list(settings.game.players or seats_of(zones))
    seen = GAMES[settings.game.name].seen
    fault = misfit(zones, seen.between, players) if isinstance(seen, CardsOnMat) else None
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
