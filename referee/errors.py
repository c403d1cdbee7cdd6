"""What can go wrong in the referee, with the blame in the type."""


class RefereeError(Exception):
    """The base of every error of this folder."""
