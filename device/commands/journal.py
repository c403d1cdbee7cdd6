"""`linesies journal`: show what was seen, ordered and ruled, or export a game for `linesies rule`."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from linesies import rules
from linesies.device.errors import BadInput
from linesies.device.journal.salvage import rows_to_read
from linesies.device.places import journal_file
from linesies.referee.past_games import Games
from linesies.referee.rows import Row
from linesies.referee.saying import messages_of

OF_THE_JOURNAL = ("journal", "rules", "game")  # whose faults an export may suffer from
STATE = click.argument("state", type=click.Path(path_type=Path), default="linesies-state")


@click.group("journal")
def command() -> None:
    """Show or export what a referee has written.

    STATE is its state folder, or the journal's file itself.
    """


@command.command("export")
@STATE
@click.option("--game", "number", type=click.IntRange(1), help="Which game, from 1 [default: the last one].")
def export(state: Path, number: int | None) -> None:
    """Write one game as JSON Lines: its start and the events that count, corrected and settled.

    `linesies journal export | linesies rule -` rules on it again.
    """
    games = Games().told_on(_rows(state))
    stories = games.all
    if not stories:
        said = messages_of(games.story.faults).get("game", "no game has begun there")
        raise BadInput(f"{state}: {said}; nothing can be exported")
    if number is not None and number > len(stories):
        raise BadInput(f"{state}: holds {len(stories)} games, not {number}; choose one with --game")
    story = stories[(number or 0) - 1]
    for who, told in story.faults.items():
        if who in OF_THE_JOURNAL:
            click.echo(f"{who}: {told['message']}", err=True)
    for event in story.effective_events:
        click.echo(rules.write_line(event))


@command.command("show")
@STATE
@click.option("--after", type=click.IntRange(0), default=0, help="Only rows after the one of this number.")
def show(state: Path, after: int) -> None:
    """Write every row in words: number, time, who, what."""
    for row in (row for row in _rows(state) if row.id > after):
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.at_s))
        about = "" if row.about is None else f" about {row.about}"
        click.echo(f"{row.id:6} {stamp} {row.origin}: {row.kind}{about}")
        for line in _words(row):
            click.echo(f"{'':7}{line}")


def _rows(state: Path) -> tuple[Row, ...]:
    path = journal_file(state) if state.is_dir() else state
    if not path.is_file():
        raise BadInput(f"{path}: there is no journal; name the state folder of a referee")
    return rows_to_read(path)


def _words(row: Row) -> Iterator[str]:
    body = row.body
    if isinstance(body.get("event"), Mapping):
        yield _event_words(body["event"])
    elif row.kind in ("seen", "start"):
        yield _event_words(body)
    for key in ("order", "why", "message"):
        if isinstance(body.get(key), str) and body[key]:
            yield f"{key}: {body[key]}"
    for player, name in body.get("pictures", {}).items():
        yield f"{player}: {name}"
    for ruling in body.get("rulings", ()):
        yield f"{ruling['text']} ({ruling['rule']})"


def _event_words(event: Mapping[str, Any]) -> str:
    told = {key: value for key, value in event.items() if key not in ("calls", "t_start", "t_end", "certain")}
    return rules.write_line(told)
