"""`linesies rule`: the rules alone, one answer a line, also as a live filter."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import click

from linesies import rules
from linesies.device.errors import BadInput


@click.command()
@click.argument("file")
def command(file: str) -> None:
    r"""Rule on the game in FILE, one JSON event a line; `-` reads standard input as it comes.

    Line 1 starts the game, each later line is one event. One line of JSON answers each, at once: the rulings and the
    whole public state, or why the event is refused.

    \b
      {"event": "start", "game": "skully", "players": ["ana", "bo"], "options": {}}
      {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "1"}}
    """
    with _opened(file) as lines:
        for answer in answers(lines, file):
            sys.stdout.write(rules.write_line(answer) + "\n")
            sys.stdout.flush()


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr] # whatever the locale says
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        lines = open(file, "rb")  # noqa: SIM115, PTH123 - closed below; only opening may fail with this message
    except OSError as fault:
        raise BadInput(f"{file}: cannot be read ({fault.strerror}); name a file of JSON lines or -") from None
    with lines:
        yield lines


def answers(lines: BinaryIO, file: str) -> Iterator[dict[str, Any]]:
    """Answer each line in turn with the contract's keys; raises BadInput when line 1 does not start a game."""
    first = lines.readline()
    if not first:
        raise BadInput(f"{file}: is empty; line 1 must start a game")
    config = rules.parse_line(first)
    try:
        game, state, rulings = rules.start(rules.with_known_game(config))
    except rules.BadStart as fault:
        raise BadInput(f"{file}: line 1: {fault}") from None
    public = game.public(state)
    yield {"n": 1, "ok": True, "rulings": _told(game.name, rulings), "state": public}
    for n, line in enumerate(iter(lines.readline, b""), start=2):
        event = rules.parse_line(line)
        answer = event if isinstance(event, rules.Refused) else game.apply(state, event)
        if isinstance(answer, rules.Refused):
            yield {"n": n, "ok": False, "error": rules.refused_json(game.name, answer), "state": public}
            continue
        state, rulings = answer
        public = game.public(state)
        yield {"n": n, "ok": True, "rulings": _told(game.name, rulings), "state": public}


def _told(game: str, rulings: tuple[rules.Ruling, ...]) -> list[dict[str, Any]]:
    return [rules.ruling_json(game, ruling) for ruling in rulings]
