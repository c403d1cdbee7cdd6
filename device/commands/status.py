"""`linesies status`: how the box does."""

import json
from pathlib import Path

import click

from device.status import codes_of, status_of, words_of


@click.command("status")
@click.argument("state", type=click.Path(path_type=Path), default="linesies-state")
@click.option("--codes", is_flag=True, help="Show the codes by which phones are let in, instead.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON instead of words.")
def command(state: Path, *, codes: bool, as_json: bool) -> None:
    """Tell how referee, camera, game, disk and power do.

    STATE is the state folder; on a box /var/lib/linesies.
    """
    if codes:
        for line in codes_of(state):
            click.echo(line)
        return
    status = status_of(state)
    click.echo(json.dumps(status) if as_json else "\n".join(words_of(status)))
