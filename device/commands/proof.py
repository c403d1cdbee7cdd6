"""`linesies proof`: measure a printed gauge on the board, and say how exact calls truly are there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import msgspec

from linesies.calibration import Calibration, read_calibration, write_calibration
from linesies.calibration.files import write_whole
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.source import settled_frames
from linesies.device.errors import BadInput
from linesies.device.proof.certificates import keep, kept, words_of
from linesies.device.proof.correcting import WHY_NOT, corrected, why_not
from linesies.device.proof.issuing import issued
from linesies.vision import (
    Image,
    Station,
    caps_to_file,
    certify,
    check_paint,
    draw_gauge,
    measure_station,
    read_caps,
    seated_at,
)


@click.command("proof")
@click.argument("pictures", nargs=-1)
@click.option("--calibration", "calibration_file", required=True, help="What `linesies calibrate` wrote.")
@click.option("--caps", "caps_file", required=True, help="Who plays with which cap (caps.json).")
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default="linesies-state",
    show_default=True,
    help="The state folder that keeps the certificate.",
)
@click.option(
    "--correct", is_flag=True, help="Put right what was found: the caps' sizes, the board's, too small stated errors."
)
def command(pictures: tuple[str, ...], *, calibration_file: str, caps_file: str, state: Path, correct: bool) -> None:
    """Prove an installation by PICTURES of a gauge (linesies print gauge), two of each place where it lay.

    The first shows the sheet alone, flat on the board; the second the same with a bank card on its chequered field and
    caps on its rings, each just touching both strokes of its ring: the caps file's first cap on ring 1 and so on, and
    at each further place one ring further. Five places, the sheet turned a quarter each time, tell most. With --correct
    and no PICTURES the last certificate is taken.
    """
    if not pictures and not correct:
        raise BadInput("give two pictures of each place: the gauge alone, and with a bank card and caps on it")
    files = _Files(Path(calibration_file), Path(caps_file), state)
    if pictures:
        _prove(pictures, files)
    if correct:
        _correct(files)
    click.echo("\n".join(_certificate_lines(state)))


@dataclass(frozen=True, slots=True)
class _Files:
    """What is proved, and where its certificate is kept."""

    calibration: Path
    caps: Path
    state: Path


def _prove(pictures: Sequence[str], files: _Files) -> None:
    calibration, caps = read_calibration(files.calibration), read_caps(files.caps)
    if len(pictures) % 2:
        raise BadInput("give two pictures of each place: the gauge alone, and with a bank card and caps on it")
    taken = [_picture(source, calibration, files.calibration) for source in pictures]
    gauge = draw_gauge(calibration.board.line_width_mm)
    stations = []
    for place, (bare, laid) in enumerate(list(pairwise(taken))[::2]):
        station = measure_station(bare, laid, calibration, gauge, seated_at(gauge, caps, place))
        if not isinstance(station, Station):
            raise BadInput(f"{pictures[2 * place]}: {station.reason}")
        stations.append(station)
    keep(issued(certify(stations, check_paint(calibration, taken[::2]), caps), calibration), files.state)


def _correct(files: _Files) -> None:
    calibration, caps, one = read_calibration(files.calibration), read_caps(files.caps), kept(files.state)
    fault = why_not(one, calibration)
    if one is None or fault is not None:
        raise BadInput(f"--correct: {WHY_NOT[fault or 'none']}")
    right = corrected(one, calibration, caps)
    write_whole(files.caps, msgspec.json.format(msgspec.json.encode(caps_to_file(right.caps))))
    write_calibration(right.calibration, files.calibration)
    keep(right.certificate, files.state)


def _certificate_lines(state: Path) -> Iterator[str]:
    one = kept(state)
    yield from () if one is None else words_of(one, {})


def _picture(source: str, calibration: Calibration, calibration_file: Path) -> Image:
    with open_source(source) as frames:
        frame = next(iter(settled_frames(frames)), None)
    if frame is None or not calibration.has_frame_size(frame.bgr):
        raise BadInput(f"{source}: holds no picture of the size of {calibration_file}; take it as that was taken")
    return frame.bgr
