"""What players agree on before a game: who plays, which options, and named sets of options.

All faults of a start are told at once, in one sentence each.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from linesies.rules.errors import BadStart, WrongNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """How an option is chosen where people tap and do not write: by what kind of control, and within which bounds.

    `choices` are those of kind `choices`; `least` and `most` bound a number, or each of `numbers`, of which there are
    just `count` where that is fixed. `none` is what no value at all (null) means to people; None: it is no value.
    """

    kind: Literal["switch", "choices", "number", "numbers", "player"]
    choices: tuple[Any, ...] = ()
    least: float = 0
    most: float | None = None
    step: float = 1
    count: int | None = None
    none: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to agree on: its default, its values in words, whether a value is one of them, how it is chosen.

    Without `choosing` it can be agreed on in a start event alone, and on no phone.
    """

    name: str
    default: Any
    values: str
    is_allowed: Callable[[Any], bool]
    choosing: Choosing | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options; what it does not name keeps its default."""

    name: str
    options: Mapping[str, Any]


def is_whole(value: object, least: int = 0, most: int | None = None) -> bool:
    """Tell whether this is a JSON integer (not `true`, not `2.0`) from `least` to `most`."""
    return type(value) is int and least <= value and (most is None or value <= most)


def yes_or_no(name: str, *, default: bool) -> Option:
    """Make an option that is true or false."""
    switch = Choosing(kind="switch")
    return Option(name, default, "true or false", lambda value: type(value) is bool, choosing=switch)


def one_of(name: str, *values: str | int) -> Option:
    """Make an option with listed values, the default first."""
    listed = " or ".join(str(value) for value in values)
    choosing = Choosing(kind="choices", choices=values)

    def is_listed(given: Any) -> bool:
        return any(type(given) is type(value) and given == value for value in values)

    return Option(name, values[0], listed, is_listed, choosing=choosing)


def whole(name: str, default: int, least: int, most: int | None = None) -> Option:
    """Make an option that is an integer from `least` to `most`."""
    words = f"a whole number from {least}" + (f" to {most}" if most is not None else "")
    choosing = Choosing(kind="number", least=least, most=most)
    return Option(name, default, words, lambda value: is_whole(value, least, most), choosing=choosing)


def a_player(name: str, *, none: str) -> Option:
    """Make an option that names a player, or nobody; `none` says what is so then."""
    choosing = Choosing(kind="player", none=none)
    return Option(name, None, "the name of a player", lambda value: isinstance(value, str), choosing=choosing)


def read_players(config: Mapping[str, Any], least: int, most: int | None = None) -> tuple[str, ...]:
    """Read `players`: distinct non-empty strings, `least` to `most` of them; raises BadStart."""
    players = config.get("players")
    if not isinstance(players, list) or not all(isinstance(name, str) and name for name in players):
        raise BadStart('"players" must be a list of names, such as ["ana", "bo"]')
    if len(set(players)) < len(players):
        raise BadStart('"players" names somebody twice; give each player a name of his own')
    if len(players) < least or (most is not None and len(players) > most):
        raise WrongNumber(len(players), least, most)
    return tuple(players)


def read_options(config: Mapping[str, Any], options: Iterable[Option]) -> dict[str, Any]:
    """Read `options`: each option's agreed value or its default; raises BadStart that tells all faults at once."""
    given = config.get("options", {})
    if not isinstance(given, dict):
        raise BadStart('"options" must be an object, such as {}')
    known = {option.name: option for option in options}
    faults = [f'"{name}" is no option of this game (there are: {", ".join(known)})' for name in given.keys() - known]
    faults += [
        f'option "{option.name}" must be {option.values}'
        for option in known.values()
        if option.name in given and not option.is_allowed(given[option.name])
    ]
    if faults:
        raise BadStart("; ".join(sorted(faults)))
    return {name: given.get(name, option.default) for name, option in known.items()}
