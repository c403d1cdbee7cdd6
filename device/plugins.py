"""What other packages bring: cameras, announcers and games, found by their entry points."""

from importlib.metadata import EntryPoint, entry_points

CAMERAS = "linesies.cameras"  # name -> a function that opens `NAME:REST?options`: (rest, options) -> Source


def offered(group: str) -> dict[str, EntryPoint]:
    """List what installed packages offer under a group, by name; nothing is loaded yet."""
    return {point.name: point for point in entry_points(group=group)}
