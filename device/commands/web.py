"""`linesies web`: the page alone, beside a referee that runs with --no-page."""

from pathlib import Path

import click

from linesies.device.commands.config import settings_options
from linesies.device.memory import hold_little
from linesies.device.settings.settings_backup import read_settings


@click.command("web")
@settings_options
def command(config: Path, spare: Path | None) -> None:
    """Serve the page alone, for a referee that runs beside it (`linesies referee --no-page`).

    It reads the journal and hands in people's orders; camera and pins it never touches.
    """
    hold_little()
    settings, _ = read_settings(config, spare)
    from linesies.device.serving.serving import (  # noqa: PLC0415 - heavy; faults in settings come first
        addresses_of,
        bind,
        order_for,
    )
    from linesies.device.serving.webface import serve_alone  # noqa: PLC0415

    state = Path(settings.keep.state)
    state.mkdir(parents=True, exist_ok=True)
    listening = bind(settings.web)
    addresses = addresses_of(listening)
    order = order_for(state, settings.web, listening)
    listening.detach()  # from here on it is the server's, who closes it
    click.echo(f"The page is at {' and '.join(addresses)}", err=True)
    serve_alone(order, addresses[0])
