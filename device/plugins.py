"""What other packages offer: games, cameras and announcers, found by their entry points; nothing is loaded here."""

from importlib.metadata import EntryPoint, entry_points

GAMES = "linesies.games"  # name -> a linesies.games.Game
CAMERAS = "linesies.cameras"  # name -> a function that opens `NAME:REST?options`: (rest, options) -> Source
ANNOUNCERS = "linesies.announcers"  # name -> a function without arguments that opens an announcer


def offered(group: str) -> dict[str, EntryPoint]:
    """List what installed packages offer under a group, by name."""
    return {point.name: point for point in entry_points(group=group)}
