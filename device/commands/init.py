"""`linesies init`: write a commented settings file."""

from pathlib import Path

import click

from linesies.device.errors import BadInput
from linesies.device.settings.settings import Settings
from linesies.device.settings.tables import write_tables


@click.command("init")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), default="linesies.toml")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
def command(path: Path, *, force: bool) -> None:
    """Write a commented settings file (linesies.toml unless you name another; - prints it).

    It reads back to the defaults; change what you need, delete what you don't.
    """
    if str(path) == "-":
        click.echo(write_tables(Settings()), nl=False)
        return
    if path.exists() and not force:
        raise BadInput(f"{path}: is there already; name another file, or write over it with --force")
    try:
        path.write_text(write_tables(Settings()), encoding="utf-8")
    except OSError as fault:
        raise BadInput(f"{path}: cannot be written ({fault.strerror}); name another place") from None
    click.echo(f"{path} is written. Next: linesies calibrate, then linesies referee --config {path}", err=True)
