"""`linesies evening`: a league's evening that plays itself."""

from contextlib import nullcontext
from pathlib import Path

import click

from linesies.device.places import passing_folder
from linesies.league.commands.league import NOT_HERE
from linesies.league.errors import BadInput


@click.command("evening")
@click.option("--boards", default=8, show_default=True, type=click.IntRange(1, 64))
@click.option("--players", default=16, show_default=True, type=click.IntRange(4, 128))
@click.option("--pace", "pace_s", default=0.5, show_default=True, help="Seconds from one shot to the next.")
@click.option("--port", default=8100, show_default=True, type=click.IntRange(1, 65535), help="The hub's page.")
@click.option("--state", type=click.Path(path_type=Path), help="Keep all here, and go on from it next time.")
def command(boards: int, players: int, pace_s: float, port: int, state: Path | None) -> None:
    """Show a league's evening: a hub, simulated boards in processes of their own, and a tournament under way.

    The hub keeps all in a PostgreSQL of its own, which goes with the rest when Ctrl-C ends it.
    """
    try:
        from linesies.league.serving import Homes, serve_hub  # noqa: PLC0415 - installed by the extra alone
    except ImportError:
        raise BadInput(NOT_HERE) from None
    from linesies.league.names import keys_folder  # noqa: PLC0415
    from linesies.simulator.evening import EveningWishes, evening  # noqa: PLC0415

    with passing_folder() if state is None else nullcontext(state.absolute()) as folder:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)  # PostgreSQL runs as another user where we are root
        wishes = EveningWishes(folder=folder, boards=boards, players=players, pace_s=pace_s, port=port)
        with evening(wishes) as cluster:
            click.echo(f"The hub keeps all in {cluster.programs}", err=True)
            click.echo(
                f"{boards} boards play; the tournament is at {wishes.hub}/tournaments/1. Ctrl-C ends it.", err=True
            )
            homes = Homes(database=cluster.url, keys=keys_folder(folder))
            serve_hub(homes, host="0.0.0.0", port=port, say=lambda line: click.echo(line, err=True))  # noqa: S104 - as any hub
