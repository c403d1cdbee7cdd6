"""`linesies referee`: referee a real game, from camera to phones."""

from pathlib import Path

import click

from device.settings import Settings
from device.tables import read_tables


@click.command("referee")
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    default="linesies.toml",
    show_default=True,
    help="The settings; `linesies init` writes them.",
)
@click.option("--no-page", is_flag=True, help="Leave the page to a `linesies web` beside it.")
def command(config: Path, *, no_page: bool) -> None:
    """Referee a real game: camera to rulings, lamps, buzzer and phones.

    Goes on with the game that the journal holds; begins one when there is none, or the last one is over.
    Ctrl-C ends it; nothing that was announced is lost, however it ends.
    """
    settings = read_tables(config, Settings)
    from device.match.refereeing import referee_game  # noqa: PLC0415 - heavy; faults in settings are told before

    referee_game(settings, say=lambda line: click.echo(line, err=True), serves_page=not no_page)
