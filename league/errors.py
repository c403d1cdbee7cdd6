"""What goes wrong with a league, by whose fault."""


class LeagueError(Exception):
    """A fault of ours, or of the machine."""


class BadInput(LeagueError, ValueError):  # noqa: N818 - reads as what it blames, as in every folder
    """Whoever runs the hub gave something that cannot be used; the text says what, where, and how to mend it."""


class NoAnswer(BadInput):
    """A database does not answer: it has another address, or is still starting."""
