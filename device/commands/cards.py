"""`linesies cards`: which cards lie where in a picture, and what they show."""

import json

import click

from linesies.calibration import read_calibration
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.sizes import check_size
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
        if calibration_file and calibration:
            check_size(frames, source, calibration, calibration_file)
        for frame in frames.frames():
            cards = [card.as_json() for card in judge.judge(frame.bgr)]
            click.echo(json.dumps({"frame": frame.number, "cards": cards}))
