"""`linesies status`: how the box does."""

import json
from pathlib import Path

import click

from linesies.device.box.status import codes_of, status_of, words_of
from linesies.device.errors import BadInput


@click.command("status")
@click.argument("state", type=click.Path(path_type=Path), default="linesies-state")
@click.option("--codes", is_flag=True, help="Show the codes by which phones are let in, instead.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON instead of words.")
def command(state: Path, *, codes: bool, as_json: bool) -> None:
    """Tell how referee, camera, game, disk and power do.

    STATE is the state folder; on a box /var/lib/linesies.
    """
    try:
        if codes:
            lines = codes_of(state)
        else:
            status = status_of(state)
            lines = [json.dumps(status)] if as_json else words_of(status)
    except PermissionError:
        raise BadInput(f"{state}: may not be read by you; on a box: sudo -u linesies linesies status") from None
    click.echo("\n".join(lines))
