"""`linesies backup`: put the games into one file."""

from pathlib import Path

import click

from linesies.device.box.backup import back_up


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--state", type=click.Path(path_type=Path), default="linesies-state", show_default=True)
@click.option("--no-pictures", is_flag=True, help="Leave out the pictures and clips behind the calls.")
def command(file: Path, state: Path, *, no_pictures: bool) -> None:
    """Put all games into one FILE (a tar file), while a game may be played.

    `linesies restore` brings them back, here or on another box.
    """
    kept = back_up(state, file, with_evidence=not no_pictures)
    click.echo(f"{file}: {kept.rows} rows of games, {kept.shown} pictures and clips", err=True)
