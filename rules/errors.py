"""What can go wrong in rules, with the blame in the type."""


class RulesError(Exception):
    """The base of every error of this folder."""


class BadStart(RulesError, ValueError):  # noqa: N818 - the name says whose fault it is
    """A start that no game can begin with: unknown game, unusable players or options; the text says which."""


class WrongNumber(BadStart):
    """Too few or too many players for a game: `number` of them, where it takes `least` to `most` (None: any number)."""

    def __init__(self, number: int, least: int, most: int | None) -> None:
        wanted = f"{least} to {most}" if most is not None else f"at least {least}"
        super().__init__(f'"players" must hold {wanted} names, not {number}')
        self.number = number
        self.least = least
        self.most = most
