"""Names that people type: however they write a game's, and what they may have meant."""

import difflib
from collections.abc import Iterable

import click


def game_name(text: str) -> str:
    """Read a game's name, however its words are joined; raises BadParameter that says which there are."""
    from linesies import rules  # noqa: PLC0415 - most commands need none, and --help should answer at once

    name = rules.game_named(text)
    if name is None:
        raise click.BadParameter(unknown(text, "game", rules.GAMES))
    return name


def unknown(text: str, what: str, known: Iterable[str]) -> str:
    """Say that there is no such thing, and which one is near, or else which there are."""
    names = list(known)
    near = difflib.get_close_matches(text.lower(), names, n=1)
    return f'there is no {what} "{text}"; ' + (f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}")
