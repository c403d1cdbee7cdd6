"""`linesies join`: become a board of a league."""

from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import click

from linesies.device.errors import BadInput
from linesies.device.hub_line import HubLine
from linesies.device.membership import Membership, key_file, new_epoch, read_membership, write_membership
from linesies.league import Joining, Refusal
from linesies.league.identity import identity_in

LONGEST_NAME = 24


@click.command("join")
@click.argument("hub")
@click.argument("code")
@click.option("--name", required=True, help=f"What people call this board, at most {LONGEST_NAME} letters.")
@click.option("--place", default="", help="Where it lies.")
@click.option("--state", type=click.Path(path_type=Path), default="linesies-state", help="The box's state folder.")
def command(hub: str, code: str, name: str, place: str, state: Path) -> None:
    """Join the league at HUB (http://...:8100) with the CODE that its hub shows.

    What is played here is shown at the hub too, from the referee's next start on; nothing else leaves the box, unless
    the settings say `pictures = true` under [league]: then what shows each call does too. The box referees as before,
    whether or not the hub answers.
    """
    if urlsplit(hub).scheme not in ("http", "https") or not urlsplit(hub).hostname:
        raise BadInput(f"{hub}: is no address of a hub; write it as http://192.168.1.20:8100")
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadInput(f"--name: {name!r} is not 1 to {LONGEST_NAME} printable letters; choose another")
    state.mkdir(parents=True, exist_ok=True)
    known = read_membership(state)
    identity = identity_in(key_file(state))
    try:
        with closing(HubLine(hub, identity)) as line:
            answer = line.say(Joining(code=code, name=name, place=place[:60]))
    except OSError as fault:
        raise BadInput(f"{hub}: no hub answers ({fault}); is the address right, and this box in its network?") from None
    if isinstance(answer, Refusal):
        raise BadInput(f"{hub}: {answer.message}")
    is_same = known is not None and known.hub == hub
    epoch = known.epoch if known is not None and is_same else new_epoch()
    write_membership(state, Membership(hub=hub, name=name, place=place, epoch=epoch))
    click.echo(
        f"{name} is a board of the league at {hub}. Start the referee (again): then what is played is told there."
    )
