"""`linesies judge`: where each cap lies in a picture, with its gap to the paint."""

import json
import re
from pathlib import Path

import click
import cv2

from linesies.calibration import read_calibration
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.sizes import check_size
from linesies.device.errors import BadInput
from linesies.vision import Cap, Frame, Judge, Judged, draw_evidence, read_caps


@click.command("judge")
@click.argument("source")
@click.option("--calibration", "calibration_file", required=True, help="What `linesies calibrate` wrote.")
@click.option("--caps", "caps_file", required=True, help="Who plays with which cap (caps.json).")
@click.option("--evidence", type=click.Path(path_type=Path), help="A folder for the picture behind each call.")
def command(source: str, calibration_file: str, caps_file: str, evidence: Path | None) -> None:
    """Say where each cap lies in every frame of SOURCE, one line of JSON a frame.

    --evidence draws each call from above, with the paint's edge, the footprint and the gap, beside the raw frame.
    """
    calibration = read_calibration(calibration_file)
    caps = read_caps(caps_file)
    judge = Judge(calibration, caps)
    with open_source(source) as frames:
        check_size(frames, source, calibration, calibration_file)
        elsewhere = []  # the numbers of frames in which the board is not
        for frame in frames.frames():
            judged = judge.judged(frame.bgr)
            click.echo(json.dumps({"frame": frame.number, **judged.judgement.as_json()}))
            if not judged.judgement.is_registered:
                elsewhere.append(frame.number)
            if evidence:
                _keep_evidence(evidence, frame, judged, {cap.player: cap for cap in caps})
    if elsewhere:
        which = f"frame {elsewhere[0]}" + (f" and {len(elsewhere) - 1} more" if elsewhere[1:] else "")
        lacks = f"the board of {calibration_file} is not to be seen in {which}; calibrate anew"
        click.echo(f"linesies: warning: {source}: {lacks}", err=True)


def _keep_evidence(folder: Path, frame: Frame, judged: Judged, caps: dict[str, Cap]) -> None:
    pictures = {f"{frame.number:06d}.jpg": frame.bgr}
    for call in judged.judgement.caps:
        player = call.player or ""  # those of nobody stand apart, in `others`
        name = re.sub(r"[^\w-]", "_", player)
        drawn = draw_evidence(judged.picture_bgr, judged.calibration, call, caps[player])
        pictures[f"{frame.number:06d}-{name}.jpg"] = drawn
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"{folder}: cannot be made ({fault.strerror}); choose another folder") from None
    for name, picture in pictures.items():
        if not cv2.imwrite(str(folder / name), picture):
            raise BadInput(f"{folder / name}: cannot be written; choose another folder, or is the disk full?")
