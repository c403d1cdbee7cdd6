"""`linesies simulate`: makes a film of a simulated game, or still scenes, together with their truth."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

import click

from linesies.device.errors import BadInput
from linesies.simulator.commands.people import people_options
from linesies.simulator.customs import Customs

STILLS_PX = (1920, 1080)


@click.command("simulate")
@click.argument("source", default="sim:street?seed=1")
@click.option("--frames", type=click.IntRange(min=1), help="How many frames to film (60 a second; cards: 30).")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="How long to film, instead of --frames.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The folder to write into.")
@click.option("--avi", "is_jpeg", is_flag=True, help="Write Motion-JPEG with the camera's noise instead of H.264.")
@click.option(
    "--stills", "is_stills", is_flag=True, help="Make a still scene of --frames pictures (4) instead of a film."
)
@people_options
def command(  # noqa: PLR0913 - one parameter an option
    *,
    source: str,
    frames: int | None,
    seconds: float | None,
    output: Path,
    is_jpeg: bool,
    is_stills: bool,
    customs: Customs,
) -> None:
    """Make a film of a simulated game together with its truth.

    SOURCE is sim:street or sim:table with options, such as sim:street?seed=3&ground=concrete&light=sun_low, or a card
    table: sim:skull, sim:skull-king, sim:skipbo (30 frames a second; seed, players, table: wood, cloth, stone, plain,
    light: indoor, overcast).
    Both: options (JSON, or drawn: by the seed), preset, and fidget (0 to below 1: how often people look at cards or
    caps, push and turn them, err, and put all back).
    Options: seed, players (2 to 8), ground (asphalt, concrete, plywood; photograph: one of two dozen real grounds),
    light (sun_high, sun_low, overcast, indoor), paint (white, yellow, black, chalk), play (game; drill: every kind of
    shot, one after the other; nothing: nobody shoots), width (1280), fps (60), world (plain; varied: caps, ground and
    litter as elsewhere, in stills shadows and cameras too). What is left open is chosen by the seed; the same seed
    gives the same pictures.
    """
    from linesies.simulator.cards.stage import game_at  # noqa: PLC0415 - --help must not wait for it

    if frames is not None and seconds is not None:
        raise BadInput("give --frames or --seconds, not both")
    place, _, query = source.removeprefix("sim:").partition("?")
    wished = dict(parse_qsl(query, keep_blank_values=True)) | customs.as_options()
    if game_at(place) and is_stills:
        raise BadInput(f"{source}: still scenes are made of sim:street and sim:table alone")
    if is_stills:
        _write_stills(place, wished, frames or 4, output)
    else:
        write = _film_cards if game_at(place) else _film_street
        write(place, wished, _Length(frames, seconds or 20.0), output, is_jpeg=is_jpeg)


class _Length(NamedTuple):
    """How long to film: a number of frames, or else seconds."""

    frames: int | None
    seconds: float

    def at(self, fps: float) -> int:
        """Count its frames."""
        return self.frames or round(self.seconds * fps)


def _film_cards(place: str, wished: dict[str, str], length: _Length, output: Path, *, is_jpeg: bool) -> None:
    from linesies.simulator.cards.film import write_table_clip  # noqa: PLC0415
    from linesies.simulator.cards.opening import read_table_wishes  # noqa: PLC0415
    from linesies.simulator.cards.sitting import SimulatedTable  # noqa: PLC0415

    table = SimulatedTable(read_table_wishes(place, wished))
    write_table_clip(table, length.at(table.fps), output, is_jpeg=is_jpeg)


def _film_street(place: str, wished: dict[str, str], length: _Length, output: Path, *, is_jpeg: bool) -> None:
    from linesies.simulator.street.film import write_clip  # noqa: PLC0415
    from linesies.simulator.street.naming import read_wishes  # noqa: PLC0415
    from linesies.simulator.street.street import SimulatedStreet  # noqa: PLC0415

    street = SimulatedStreet(wishes=read_wishes(place, wished))
    write_clip(street, length.at(street.fps), output, is_jpeg=is_jpeg)


def _write_stills(place: str, wished: dict[str, str], count: int, output: Path) -> None:
    from linesies.simulator.street.naming import read_wishes  # noqa: PLC0415
    from linesies.simulator.street.stage import VARIED, set_stage  # noqa: PLC0415
    from linesies.simulator.street.stills import write_stills, write_varied_stills  # noqa: PLC0415

    wishes = read_wishes(place, wished)
    write = write_varied_stills if wishes.world == VARIED else write_stills
    write(set_stage(replace(wishes, is_for_stills=True, size_px=STILLS_PX)), count, output)
