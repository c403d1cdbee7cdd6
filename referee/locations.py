"""Locations as events name them: a region, or a line of some class."""

LINE = "line"


def is_on_line(location: str) -> bool:
    """Tell whether a location is on a line, of whatever class.

    >>> is_on_line("line"), is_on_line("skull_line"), is_on_line("7")
    (True, True, False)
    """
    return location == LINE or location.endswith(f"_{LINE}")
