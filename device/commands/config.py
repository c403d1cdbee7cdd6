"""The options by which `referee` and `web` are told of their settings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]


def settings_options(command: Command) -> Command:
    """Add --config and --spare."""
    config = click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        default="linesies.toml",
        show_default=True,
        help="The settings, one file for referee and page; `linesies init` writes them.",
    )
    spare = click.option(
        "--spare",
        type=click.Path(dir_okay=False, path_type=Path),
        help="A copy of the last settings that could be read: the referee keeps it, and it is used when they cannot.",
    )
    return config(spare(command))
