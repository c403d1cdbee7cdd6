"""The very first set-up, by phone: camera, board, caps and rules, before there is a calibration or a list of caps.

The referee's own loop runs with eyes that see no game yet; what people order is carried out as later on. Once a
game has begun on a learned board or mat that is for it, its real eyes take over.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from linesies.calibration import Calibration, Lens, read_calibration
from linesies.device.cameras.source import Source
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.sight import NOTHING, sight_of
from linesies.device.settings.settings import Settings
from linesies.games import GAMES
from linesies.referee.saying import Trouble
from linesies.vision import Call, Cap, Event, Expectation, Frame, Scene


class NoEyes:
    """Eyes that see no game: before there is a board, or where what lies in view is none for the game that is on.

    Remember the calibration that is known, or that people have had learned.
    """

    def __init__(self, calibration: Calibration | None = None) -> None:
        self.calibration = calibration
        self.lens: Lens | None = None
        self.has_moved = False

    @property
    def scene(self) -> Scene:
        """Know of no caps."""
        return Scene(t_s=0.0, is_at_rest=True, caps_mm={})

    def prepared(self, frame: Frame) -> Frame:
        """Ask nothing of it."""
        return frame

    def see(self, _frame: Frame) -> tuple[Event, ...]:
        """See nothing of a game."""
        return ()

    def finish(self) -> tuple[Event, ...]:
        """Have nothing left to tell."""
        return ()

    def expect(self, _expectation: Expectation) -> None:
        """Expect nobody."""

    def elsewhere(self, call: Call) -> str:
        """Give no second reading."""
        return call.location

    def has_found_board_again(self, _frame: Frame) -> bool:
        """Look for no board by themselves."""
        return False

    def forget(self) -> None:
        """Have nothing to forget."""

    def stand_corrected(self) -> None:
        """Know nothing that could be wrong."""

    def recalibrate(self, calibration: Calibration) -> None:
        """Take the board that was learned."""
        self.calibration = calibration

    def rekit(self, _caps: Sequence[Cap]) -> None:
        """Look for no caps."""

    def look_through_another(self) -> None:
        """Forget the board: another camera sees it from elsewhere."""
        self.calibration = None


def is_set_up(settings: Settings) -> bool:
    """Tell whether there is a calibration, and for the street a list of caps."""
    needed = [settings.camera.calibration, *([settings.camera.caps] if GAMES[settings.game.name].needs_caps else [])]
    return all(Path(path).exists() for path in needed)


def set_up_by_phone(
    settings: Settings,
    assembly: Assembly,
    open_camera: Callable[[str, Callable[[], None]], Source],
    troubles: Sequence[Trouble],
) -> None:
    """Serve the page until people have begun a game for what lies in view; card games may be played by phones alone."""
    found = Path(settings.camera.calibration)
    eyes = NoEyes(read_calibration(found) if found.exists() else None)
    with assembly.match(eyes, ()) as (match, referee):
        for trouble in troubles:
            referee.tell_trouble(trouble)

        def is_begun() -> bool:
            if not referee.has_game or sight_of(referee.story.game_name, eyes.calibration) == NOTHING:
                return False
            return Path(settings.camera.caps).exists() or not GAMES[referee.story.game_name].needs_caps

        source = settings.camera.source
        match.follow_live(lambda: open_camera(match.camera(source), match.serve), is_begun)
