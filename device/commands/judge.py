"""`linesies judge`: where each cap lies in a picture, with its gap to the paint."""

import json

import click

from calibration import read_calibration
from device.cameras.opening import open_source
from device.errors import BadInput
from vision import Judge, read_caps


@click.command("judge")
@click.argument("source")
@click.option("--calibration", "calibration_file", required=True, help="What `linesies calibrate` wrote.")
@click.option("--caps", "caps_file", required=True, help="Who plays with which cap (caps.json).")
def command(source: str, calibration_file: str, caps_file: str) -> None:
    """Say where each cap lies in every frame of SOURCE, one line of JSON a frame."""
    calibration = read_calibration(calibration_file)
    judge = Judge(calibration, read_caps(caps_file))
    with open_source(source) as frames:
        is_px, wanted_px = ("{}x{}".format(*size) for size in (frames.size_px, calibration.view.lens.size_px))
        if is_px != wanted_px:
            raise BadInput(
                f"{source}: its pictures are {is_px}, but {calibration_file} is for {wanted_px}; calibrate at this size"
            )
        for frame in frames.frames():
            judgement = judge.judge(frame.bgr)
            click.echo(json.dumps({"frame": frame.number, **judgement.as_json()}))
