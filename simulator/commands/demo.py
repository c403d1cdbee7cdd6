"""`linesies demo`: a simulated game, refereed live."""

import sys
from contextlib import nullcontext
from pathlib import Path

import click

from linesies.device.places import passing_folder
from linesies.simulator.commands.people import game_options
from linesies.simulator.customs import Customs


@click.command("demo")
@game_options
@click.option("--port", default=8642, show_default=True, type=click.IntRange(0, 65535), help="The page's; 0: any free.")
@click.option(
    "--speed", type=click.Choice(["1", "max"]), default="1", show_default=True, help="max: as fast as it can."
)
@click.option("--small", is_flag=True, help="On the street: 640x360 at 20 frames a second, for slow machines.")
@click.option("--games", type=click.IntRange(1), help="Stop after so many [default: play on until Ctrl-C].")
@click.option("--state", type=click.Path(path_type=Path), help="Keep the journal here, and go on from it next time.")
@click.option("--no-web", is_flag=True, help="Serve no page.")
@click.option("--no-browser", is_flag=True, help="Open no browser on the page.")
@click.option(
    "--paired", is_flag=True, help="Let phones order only after they have typed a code, as a real referee does."
)
@click.option("--json", "as_json", is_flag=True, help="Print each announcement as a line of JSON.")
def command(  # noqa: PLR0913 - one parameter an option
    *,
    game: str,
    seed: int,
    customs: Customs,
    port: int,
    speed: str,
    small: bool,
    games: int | None,
    state: Path | None,
    no_web: bool,
    no_browser: bool,
    paired: bool,
    as_json: bool,
) -> None:
    """Play a simulated game, refereed live on a page in your browser.

    A camera over a painted board or a card table is simulated, everything behind it is the real referee. Phones in the
    same network can watch and decide. Ctrl-C ends it.
    """
    from linesies.device.loop.ending import until_ended  # noqa: PLC0415 - heavy, and --help should answer at once
    from linesies.device.printing import Printer  # noqa: PLC0415
    from linesies.simulator.demo import Audience, DemoWishes, play_demo  # noqa: PLC0415

    def say(line: str) -> None:
        click.echo(line, err=as_json)

    with until_ended(say), nullcontext(state) if state else passing_folder() as folder:
        wishes = DemoWishes(
            state=folder,
            game=game,
            seed=seed,
            customs=customs,
            is_fast=speed == "max",
            is_small=small,
            games=games,
            port=None if no_web else port,
            has_browser=not no_browser,
            is_paired=paired,
        )
        play_demo(wishes, Audience(say=say, printer=Printer(sys.stdout) if as_json else None))
