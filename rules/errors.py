"""What can go wrong in rules, with the blame in the type."""


class RulesError(Exception):
    """The base of every error of this folder."""


class BadStart(RulesError, ValueError):  # noqa: N818 - the name says whose fault it is
    """A start that no game can begin with: unknown game, unusable players or options; the text says which."""
