"""`linesies league`: the hub."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from linesies.league.errors import BadInput

if TYPE_CHECKING:
    from flask import Flask

NOT_HERE = "the hub's libraries are not installed; run: pip install 'linesies[league]'"
DATABASE = "postgresql+psycopg:///linesies"


@click.command("league")
@click.option("--database", default=DATABASE, show_default=True, help="PostgreSQL, as SQLAlchemy writes its address.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Where boards and people reach it.")  # noqa: S104 - that is what it is for
@click.option("--port", default=8100, show_default=True, type=click.IntRange(1, 65535))
def command(database: str, host: str, port: int) -> None:
    """Gather what many boards announce, and show it to everybody.

    Each board joins once, with the code that is shown here: `linesies join http://HUB:8100 CODE --name "Board 1"`.
    """
    try:
        import psycopg  # noqa: F401, PLC0415 - installed by the extra alone
        from alembic import command as _  # noqa: F401, PLC0415 - likewise
    except ImportError:
        raise BadInput(NOT_HERE) from None
    from linesies.league.serving import HubServer  # noqa: PLC0415 - heavy, and what is wrong with input comes first
    from linesies.league.store import Store  # noqa: PLC0415

    Store(database).close()  # so that a database that does not answer is said here
    click.echo(f"The league's page is at http://{host}:{port}/", err=True)

    def make() -> "Flask":
        from linesies.league.admission import Admission  # noqa: PLC0415
        from linesies.league.bell import Bell  # noqa: PLC0415
        from linesies.league.hub import create_hub  # noqa: PLC0415
        from linesies.league.organising import Organisers  # noqa: PLC0415

        def show(who: str) -> Callable[[str], None]:
            return lambda code: click.echo(f"The code for {who}: {code[:3]} {code[3:]}", err=True)

        store, organisers = Store(database), Organisers(Admission(show("the organiser's phone")))
        return create_hub(store, Admission(show("the next board")), Bell(store.engine), organisers)

    HubServer(make, address=f"{host}:{port}").run()
