"""What the camera looks for: what the game that is on is played with, if the board or mat in view is one for it."""

from linesies.calibration import Calibration
from linesies.calibration.seats import seats_of
from linesies.games import GAMES, Caps, OwnEyes

NOTHING = "nothing"  # what is said by phone is all there is


def sight_of(game_name: str, calibration: Calibration | None) -> str:
    """Name what is looked for: `caps`, `cards:GAME`, `own:GAME`, or nothing where all is said by phone."""
    if calibration is None:
        return NOTHING
    seen = GAMES[game_name].seen
    if isinstance(seen, OwnEyes):
        return f"own:{game_name}"
    if isinstance(seen, Caps):
        return NOTHING if is_table(calibration) else "caps"
    return f"cards:{game_name}" if is_table(calibration) else NOTHING


def is_table(calibration: Calibration | None) -> bool:
    """Tell whether what lies in view is a card table: it has seats."""
    return calibration is not None and bool(seats_of(region.name for region in calibration.board.regions))
