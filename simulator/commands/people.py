"""The options by which `demo`, `games` and `simulate` say what simulated people agree on and how they behave."""

from collections.abc import Callable
from typing import Any

import click

Command = Callable[..., Any]


def people_options(command: Command) -> Command:
    """Add --options, --preset and --fidget to a command."""
    offered = (
        click.option("--options", help='What they agree on: JSON such as {"stock": 5}, or drawn: by the seed.'),
        click.option("--preset", help="What they agree on, as a named set: see `linesies rule --help`."),
        click.option(
            "--fidget",
            type=click.FloatRange(0, 1, max_open=True),
            default=0.0,
            show_default=True,
            help="How often, between two turns, somebody does what does not count.",
        ),
    )
    for offer in reversed(offered):
        command = offer(command)
    return command


def wishes_of(options: str | None, preset: str | None, fidget: float) -> dict[str, str]:
    """Write what was asked for as a simulated source's options."""
    asked = {"options": options, "preset": preset, "fidget": str(fidget) if fidget else None}
    return {name: wish for name, wish in asked.items() if wish is not None}
