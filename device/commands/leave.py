"""`linesies leave`: be a board of no league."""

import time
from pathlib import Path

import click

from linesies.device.announcers.hub_line import HubLine
from linesies.device.errors import BadInput
from linesies.device.membership import forget_membership, key_file, membership_file, read_membership
from linesies.league import Leaving, Refusal
from linesies.league.identity import identity_in


@click.command("leave")
@click.option("--state", type=click.Path(path_type=Path), default="linesies-state", help="The box's state folder.")
def command(state: Path) -> None:
    """Leave the league: nothing more is told to its hub, from the referee's next start on."""
    membership = read_membership(state)
    if membership is None:
        raise BadInput(f"{state}: belongs to no league; name the box's state folder with --state")
    try:
        answer = HubLine(membership.hub, identity_in(key_file(state))).say(Leaving(at_s=time.time()))
        told = "The hub knows."
    except OSError as fault:
        answer = None
        told = f"The hub could not be told ({fault}); it shows this board as out of reach."
    if isinstance(answer, Refusal):
        raise BadInput(
            f"{membership.hub}: does not let this board go ({answer.message}), so it stays in the league; "
            f"is that the hub that it joined? To leave all the same, remove {membership_file(state)}"
        )
    forget_membership(state)
    click.echo(f"{membership.name} has left the league at {membership.hub}. {told} Games stay on this box.")
