"""`linesies calibrate`: learn where the camera stands and how the board is really painted."""

import json

import click
import numpy as np

from linesies.calibration import (
    ANY_CAMERA,
    CAMERAS,
    BadInput,
    NoBoard,
    calibrate,
    calibrate_by_markers,
    read_board,
    read_lens,
    write_calibration,
)
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.source import focus_advice, settled_frames
from linesies.vision import Frame

CORNERS = 4
SETTLE_S = 0.8  # a network camera finds its exposure in that time; the others say when they have


def _tap(text: str) -> tuple[float, float]:
    """Read a picture position written `x,y`."""
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r} is no picture position; write it as 1299,61") from None
    if not np.isfinite([x, y]).all():
        raise click.BadParameter(f"{text!r} is no picture position; both numbers must be finite")
    return x, y


def _first_frame(source: str) -> Frame:
    """Take a source's first picture, or a live camera's first after it has settled."""
    first = last = None
    with open_source(source) as pictures:
        for last in settled_frames(pictures):
            first = first or last
            if not pictures.is_live or last.t_s - first.t_s >= SETTLE_S:
                break
        if advice := focus_advice(pictures):
            click.echo(advice, err=True)
    if last is None:
        raise BadInput(f"{source}: holds no picture; give one that shows the board")
    return last


@click.command(name="calibrate")
@click.argument("source")
@click.option("--board", "board_file", required=True, metavar="FILE", help="The board's drawing (board.json).")
@click.option("--lens", "lens_file", metavar="FILE", help="The camera's lens (lens.json); estimated where not given.")
@click.option(
    "--corners",
    type=_tap,
    nargs=CORNERS,
    metavar="X,Y X,Y X,Y X,Y",
    help="Rough taps on the board's outer corners, in pixels, clockwise from the corner of box 1.",
)
@click.option("--camera", type=click.Choice(list(CAMERAS)), help="Which camera it is, where there is no lens file.")
@click.option("--markers", is_flag=True, help="Find the board's corners by printed markers (linesies print markers).")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write the calibration.")
def command(  # noqa: PLR0913 - one parameter an option
    *,
    source: str,
    board_file: str,
    lens_file: str | None,
    camera: str | None,
    corners: tuple[tuple[float, float], ...] | None,
    markers: bool,
    output: str,
) -> None:
    """Learn where the camera stands and how the board is really painted.

    SOURCE is a picture, film, folder or camera that shows the board, best without caps. Its lines are surveyed
    as they are painted, however crooked; later calls are measured against them.

    \b
    linesies calibrate empty.jpg --board board.json --lens lens.json \\
        --corners 1299,61 1478,909 439,1007 464,114 -o calibration.json
    """  # noqa: D301 - \b is click's sign for a paragraph to be left as it is
    if markers and corners:
        raise BadInput("--corners and --markers both say where the corners are; give one of them")
    board = read_board(board_file)
    lens = read_lens(lens_file) if lens_file else None
    frame = _first_frame(source)
    if lens is not None and tuple(lens.size_px) != frame.size_px:
        of_lens, of_frame = ("{}x{}".format(*size) for size in (lens.size_px, frame.size_px))
        raise BadInput(f"{lens_file}: is for pictures of {of_lens}, {source} is {of_frame}; give this mode's lens file")
    prior = CAMERAS[camera] if camera else ANY_CAMERA
    if markers:
        calibration = calibrate_by_markers(frame.bgr, board, lens=lens, prior=prior)
    else:
        taps = np.array(corners, float) if corners else None
        calibration = calibrate(frame.bgr, board, lens=lens, corners_px=taps, prior=prior)
    if isinstance(calibration, NoBoard):
        raise BadInput(f"{source}: {calibration.reason}")
    write_calibration(calibration, output)
    view = calibration.view
    told = {
        "ok": True,
        "reprojection_px": round(calibration.reprojection_px, 3),
        "px_per_mm": round(view.px_per_mm(np.array(board.size_mm) / 2), 4),
        "camera": {"height": round(view.camera_height_mm, 1), "tilt": round(view.tilt_deg, 2)},
    }
    click.echo(json.dumps(told))
