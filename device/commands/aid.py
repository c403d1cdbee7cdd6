"""`linesies aid`: the page while the referee cannot start."""

import os
from pathlib import Path

import click

from linesies.device.commands.config import settings_options


@click.command("aid")
@settings_options
@click.option("--state", type=click.Path(file_okay=False, path_type=Path), help="The games, if settings tell nothing.")
def command(config: Path, spare: Path | None, state: Path | None) -> None:
    """Say on the page why the referee cannot start, and offer the mend; ends once somebody wants him tried again.

    The service manager starts it when the referee has ended too often (docs/trouble.md).
    """
    from linesies.device.box.ailments import Patient  # noqa: PLC0415 - heavy, and --help should answer at once
    from linesies.device.serving.first_aid import FirstAid  # noqa: PLC0415
    from linesies.device.settings.settings import Settings  # noqa: PLC0415

    run = Path(os.environ.get("RUNTIME_DIRECTORY", "."))
    spare = spare or config
    patient = Patient(config=config, spare=spare, state=state or Path(), run=run)
    settings = patient.settings() or Settings()
    known = Path(settings.keep.state) if state is None else state
    patient = Patient(config=config, spare=spare, state=known, run=run)
    with FirstAid(patient, settings.web) as server:
        click.echo(f"The page at port {server.server_port} says why the referee cannot start", err=True)
        server.serve()
