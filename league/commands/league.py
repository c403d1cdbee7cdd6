"""`linesies league`: the hub."""

import contextlib
from pathlib import Path
from typing import Any

import click

from linesies.league.errors import BadInput

NOT_HERE = "the hub's libraries are not installed; run: pip install 'linesies[league]'"
DATABASE = "postgresql+psycopg:///linesies"
FILES = "league-files; with --folder in that folder"
KEYS = "league-keys; with --folder in that folder"


@click.command("league")
@click.option("--folder", type=click.Path(path_type=Path), help="Keep all in this folder, on a PostgreSQL of its own.")
@click.option("--database", help=f"Or in this PostgreSQL, as SQLAlchemy writes its address.  [default: {DATABASE}]")
@click.option(
    "--keys", type=click.Path(path_type=Path), help=f"Where the keys of people's names lie.  [default: {KEYS}]"
)
@click.option(
    "--files",
    metavar="ADDRESS",
    help="Where clips and case files of calls lie, of boards whose owners let them be seen: a folder, or an address "
    f"that fsspec knows, such as s3://bucket/folder.  [default: {FILES}]",
)
@click.option(
    "--files-megabytes",
    default=300,
    show_default=True,
    type=click.IntRange(1),
    help="Room for those of each board; the oldest go first, and last what people disputed.",
)
@click.option(
    "--mqtt", envvar="LINESIES_MQTT", help="Tell a broker how the league stands: mqtt://[USER:PASSWORD@]HOST."
)
@click.option("--fan-out", help="Post each change there too, for thousands of pages: http://127.0.0.1:8101/told.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Where boards and people reach it.")  # noqa: S104 - that is what it is for
@click.option("--port", default=8100, show_default=True, type=click.IntRange(1, 65535))
def command(folder: Path | None, database: str | None, host: str, port: int, **others: Any) -> None:
    """Gather what many boards announce, and show it to everybody.

    Each board joins once, with the code that is shown here: `linesies join http://HUB:8100 CODE --name "Board 1"`.
    """
    if folder is not None and database is not None:
        raise BadInput("--folder and --database: give one of them")
    try:
        import psycopg  # noqa: F401, PLC0415 - installed by the extra alone
        from alembic import command as _  # noqa: F401, PLC0415 - likewise
    except ImportError:
        raise BadInput(NOT_HERE) from None
    from linesies.league.cluster import running_cluster  # noqa: PLC0415
    from linesies.league.files import Room  # noqa: PLC0415
    from linesies.league.names import keys_folder  # noqa: PLC0415
    from linesies.league.serving import Homes, serve_hub  # noqa: PLC0415 - heavy, and what is wrong with input comes first

    def say(line: str) -> None:
        click.echo(line, err=True)

    with contextlib.ExitStack() as until_ended:
        if folder is not None:
            cluster = until_ended.enter_context(running_cluster(folder.absolute(), say=say))
            say(f"The hub keeps all in {cluster.programs}")
            database = cluster.url
        keys = others["keys"] or keys_folder(folder or Path())
        room = Room(
            address=others["files"] or str((folder or Path()) / "league-files"), megabytes=others["files_megabytes"]
        )
        told = {"broker": others["mqtt"], "fan_out": others["fan_out"]}
        homes = Homes(database=database or DATABASE, keys=keys, room=room, **told)
        serve_hub(homes, host=host, port=port, say=say)
