"""Names of players: what can be shown anywhere, and is short enough for a lamp's display and a phone."""

LONGEST = 24


def is_printable(name: object) -> bool:
    r"""Tell whether a name can be shown in one line: no line ends, no signs that steer a terminal or turn text round.

    >>> is_printable("Zoë"), is_printable("a\nSeat of you: 9999"), is_printable("\u202eevil")
    (True, False, False)
    """
    return isinstance(name, str) and bool(name) and name.isprintable()


def is_name(name: object) -> bool:
    """Tell whether somebody may be called so from now on: printable, of at most LONGEST letters, not all blank."""
    return isinstance(name, str) and is_printable(name) and len(name) <= LONGEST and name.strip() == name
