"""Locations as events name them: a region, or a line of some class."""

LINE = "line"


def line_code(line_class: str) -> str:
    """Name the location of what lies on a line of that class: `line`, or `skull_line` of the class `skull`.

    >>> line_code("skull")
    'skull_line'
    """
    return f"{line_class}_{LINE}" if line_class else LINE


def is_on_line(location: str) -> bool:
    """Tell whether a location is on a line, of whatever class.

    >>> is_on_line("line"), is_on_line("skull_line"), is_on_line("7")
    (True, True, False)
    """
    return location == LINE or location.endswith(f"_{LINE}")
