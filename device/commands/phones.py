"""`linesies phones`: which phones are paired, the codes for the next, and sending one away."""

import time
from pathlib import Path

import click

from linesies.device.errors import BadInput


@click.command("phones")
@click.argument("state", type=click.Path(path_type=Path), default="linesies-state")
@click.option("--revoke", metavar="NAME", help="Take everything back from the phone of that name.")
def command(state: Path, revoke: str | None) -> None:
    """Show who has paired and the codes for the next phones, on the device itself.

    STATE is the referee's state folder. A code lets in one phone and is then replaced.
    """
    from linesies.device.box.status import codes_of  # noqa: PLC0415 - heavy, and --help should answer at once
    from linesies.device.phones.phones import Phones  # noqa: PLC0415
    from linesies.device.places import journal_file, phones_file  # noqa: PLC0415

    if not journal_file(state).is_file():
        raise BadInput(f"{state}: no referee has written there; name his state folder")
    phones = Phones(phones_file(state))
    if revoke is not None and not phones.revoke(revoke):
        raise BadInput(f"{revoke}: no phone of that name is paired; `linesies phones {state}` lists them")
    for phone in phones.all():
        what = ", ".join([*(["referee"] if phone.role.is_referee else []), *phone.role.seats])
        since = time.strftime("%Y-%m-%d %H:%M", time.localtime(phone.since_s))
        click.echo(f"{phone.name}  {what}  since {since}")
    for line in codes_of(state):
        click.echo(line)
