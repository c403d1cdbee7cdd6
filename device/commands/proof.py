"""`linesies proof`: measure a printed gauge on the board, and say how exact calls truly are there."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import click

from linesies.calibration import Calibration, read_calibration
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.source import settled_frames
from linesies.device.errors import BadInput
from linesies.device.proof.certificates import keep, words_of
from linesies.device.proof.issuing import issued
from linesies.vision import Cap, Image, Station, certify, check_paint, draw_gauge, measure_station, read_caps, seated_at


@click.command("proof")
@click.argument("pictures", nargs=-1, required=True)
@click.option("--calibration", "calibration_file", required=True, help="What `linesies calibrate` wrote.")
@click.option("--caps", "caps_file", required=True, help="Who plays with which cap (caps.json).")
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default="linesies-state",
    show_default=True,
    help="The state folder that keeps the certificate.",
)
def command(pictures: tuple[str, ...], calibration_file: str, caps_file: str, state: Path) -> None:
    """Prove an installation by PICTURES of a gauge (linesies print gauge), two of each place where it lay.

    The first shows the sheet alone, flat on the board; the second the same with a bank card on its chequered field and
    caps on its rings, each just touching its ring's stroke: the caps file's first cap on ring 1 and so on, and at each
    further place one ring further. Five places, the sheet turned a quarter each time, tell most.
    """
    calibration, caps = read_calibration(calibration_file), read_caps(caps_file)
    if len(pictures) % 2:
        raise BadInput("give two pictures of each place: the gauge alone, and with a bank card and caps on it")
    taken = [_picture(source, calibration, calibration_file) for source in pictures]
    gauge = draw_gauge(calibration.board.line_width_mm)
    stations = []
    for place, (bare, laid) in enumerate(list(pairwise(taken))[::2]):
        station = measure_station(bare, laid, calibration, gauge, seated_at(gauge, caps, place))
        if not isinstance(station, Station):
            raise BadInput(f"{pictures[2 * place]}: {station.reason}")
        stations.append(station)
    _issue(calibration, stations, taken[::2], caps, state)


def _issue(
    calibration: Calibration, stations: Sequence[Station], bare: Sequence[Image], caps: Sequence[Cap], state: Path
) -> None:
    listed_mm = {cap.player: cap.diameter_mm for cap in caps}
    certificate = certify(stations, check_paint(calibration, bare), listed_mm)
    one = issued(certificate, calibration)
    keep(one, state)
    click.echo("\n".join(words_of(one, {})))


def _picture(source: str, calibration: Calibration, calibration_file: str) -> Image:
    with open_source(source) as frames:
        frame = next(iter(settled_frames(frames)), None)
    if frame is None or not calibration.has_frame_size(frame.bgr):
        raise BadInput(f"{source}: holds no picture of the size of {calibration_file}; take it as that was taken")
    return frame.bgr
