"""`linesies referee`: referee a real game, from camera to phones."""

import contextlib
import os
import sys
from functools import partial
from pathlib import Path

import click

from linesies.device.commands.config import settings_options
from linesies.device.memory import hold_little
from linesies.device.settings.settings_backup import read_settings


@click.command("referee")
@settings_options
@click.option("--no-page", is_flag=True, help="Leave the page to a `linesies web` beside it.")
@click.option("--set-up", is_flag=True, help="Where no board or caps are known yet, have them set up by phone first.")
def command(config: Path, spare: Path | None, *, no_page: bool, set_up: bool) -> None:
    """Referee a real game: camera to rulings, lamps, buzzer and phones.

    Goes on with the game that the journal holds; begins one when there is none, or the last one is over.
    Ctrl-C ends it; nothing that was announced is lost, however it ends.
    """
    hold_little()
    settings, troubles = read_settings(config, spare)
    from linesies.device.box.logbook import Logbook  # noqa: PLC0415
    from linesies.device.loop.refereeing import (  # noqa: PLC0415 - heavy; faults in settings are told before
        referee_game,
    )

    for trouble in troubles:
        click.echo(f"{trouble.who}: {trouble.message}", err=True)
    say = partial(click.echo, err=True)
    more = [Logbook(sys.stderr)] if "JOURNAL_STREAM" in os.environ else []  # systemd keeps what we write
    try:
        referee_game(settings, say=say, serves_page=not no_page, sets_up=set_up, troubles=troubles, more=more)
    except Exception as fault:
        _leave_word(fault)
        raise


def _leave_word(fault: Exception) -> None:
    """Write why the referee ends where the page of first aid reads it, in a folder that the service manager gives."""
    from linesies.device.box.ailments import LAST_WORDS  # noqa: PLC0415

    if folder := os.environ.get("RUNTIME_DIRECTORY"):
        with contextlib.suppress(OSError):
            (Path(folder) / LAST_WORDS).write_text(f"{type(fault).__name__}: {fault}", encoding="utf-8")
