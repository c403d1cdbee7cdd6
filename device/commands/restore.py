"""`linesies restore`: bring back games from a backup."""

from pathlib import Path

import click

from linesies.device.box.backup import restore
from linesies.device.loop.assembly import alone_in


@click.command("restore")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--state", type=click.Path(path_type=Path), default="linesies-state", show_default=True)
def command(file: Path, state: Path) -> None:
    """Bring back the games of a FILE that `linesies backup` wrote.

    Games that are there already are set aside, not overwritten. On a box: end the referee first, with
    `sudo systemctl stop linesies.target`.
    """
    with alone_in(state):
        kept = restore(file, state)
    click.echo(f"{state}: {kept.rows} rows of games, {kept.shown} pictures and clips are back", err=True)
    if kept.gaps:
        lost = ", ".join(f"{gap[0]} to {gap[-1]}" for gap in kept.gaps)
        click.echo(f"{file}: was damaged; lost are the rows {lost}", err=True)
