"""`linesies cards`: which cards lie where in a picture, and what they show."""

import json

import click

from linesies.calibration import Calibration, read_calibration
from linesies.device.cameras.opening import open_source
from linesies.device.errors import BadInput
from linesies.vision import LETTERS, CardJudge, open_reader


@click.command("cards")
@click.argument("source")
@click.option("--calibration", "calibration_file", help="What `linesies calibrate` wrote: lens, plane and zones.")
@click.option("--deck", default="standard", show_default=True, help="`standard`, or what `linesies learn` wrote.")
@click.option(
    "--letters", type=click.Choice(LETTERS), default="english", show_default=True, help="A standard deck's J, Q, K."
)
def command(source: str, calibration_file: str | None, deck: str, letters: str) -> None:
    """Say which cards lie where in every frame of SOURCE, one line of JSON a frame.

    Without a calibration the cards' own size, about 63 x 88 mm, gives the scale, and no zones are told.
    """
    calibration = read_calibration(calibration_file) if calibration_file else None
    judge = CardJudge(open_reader(deck, letters, beside=True), calibration=calibration)
    with open_source(source) as frames:
        _check_size(source, frames.size_px, calibration_file, calibration)
        for frame in frames.frames():
            cards = [card.as_json() for card in judge.judge(frame.bgr)]
            click.echo(json.dumps({"frame": frame.number, "cards": cards}))


def _check_size(
    source: str, size_px: tuple[int, int], calibration_file: str | None, calibration: Calibration | None
) -> None:
    if calibration is None or tuple(size_px) == tuple(calibration.view.lens.size_px):
        return
    is_px, wanted_px = ("{}x{}".format(*size) for size in (size_px, calibration.view.lens.size_px))
    raise BadInput(
        f"{source}: its pictures are {is_px}, but {calibration_file} is for {wanted_px}; calibrate at this size"
    )
