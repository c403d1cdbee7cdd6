"""`linesies leave`: be a board of no league."""

from pathlib import Path

import click

from linesies.device.errors import BadInput
from linesies.device.leaving import take_leave
from linesies.device.membership import membership_file, read_membership


@click.command("leave")
@click.option("--state", type=click.Path(path_type=Path), default="linesies-state", help="The box's state folder.")
def command(state: Path) -> None:
    """Leave the league: nothing more is told to its hub. The referee's own page does the same by a tap."""
    membership = read_membership(state)
    if membership is None:
        raise BadInput(f"{state}: belongs to no league; name the box's state folder with --state")
    farewell = take_leave(membership, state)
    if not farewell.has_left:
        raise BadInput(
            f"{membership.hub}: does not let this board go ({farewell.trouble}), so it stays in the league; "
            f"is that the hub that it joined? To leave all the same, remove {membership_file(state)}"
        )
    untold = f"The hub could not be told ({farewell.trouble}); it shows this board as out of reach."
    told = untold if farewell.trouble else "The hub knows."
    click.echo(f"{membership.name} has left the league at {membership.hub}. {told} Games stay on this box.")
