"""The options by which `demo`, `games` and `simulate` say what simulated people play, agree on and do."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from linesies.device.commands.naming import game_name
from linesies.simulator.customs import Customs

Command = Callable[..., None]


def people_options(command: Command) -> Command:
    """Add --options, --preset and --fidget; the command is given them as `customs`."""

    @click.option("--options", help='What they agree on: JSON such as {"stock": 5}, or drawn: by the seed.')
    @click.option("--preset", help="What they agree on, as a named set: see `linesies rule --help`.")
    @click.option(
        "--fidget",
        type=click.FloatRange(0, 1, max_open=True),
        default=0.0,
        show_default=True,
        help="How often, between two turns, somebody does what does not count.",
    )
    @wraps(command)
    def joined(
        *, options: str | None, preset: str | None, fidget: float, players: int | None = None, **others: Any
    ) -> None:
        command(customs=Customs(players=players, options=options, preset=preset, fidget=fidget), **others)

    return joined


def game_options(command: Command) -> Command:
    """Add --game, --seed and --players to the options of people."""
    offered = (
        click.option(
            "--game",
            type=game_name,
            metavar="GAME",
            default="skully",
            show_default=True,
            help="What is played: skully on the street; skull, skull-king or skipbo at a card table.",
        ),
        click.option(
            "--seed",
            default=1,
            show_default=True,
            type=click.IntRange(0),
            help="Which game, or which comes first; equal seeds, equal play.",
        ),
        click.option("--players", type=click.IntRange(2, 8), help="How many play [default: as the seed has it]."),
    )
    command = people_options(command)
    for offer in reversed(offered):
        command = offer(command)
    return command
