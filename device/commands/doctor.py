"""`linesies doctor`: how exact calls will be in this set-up, and what to change."""

import json
from functools import partial
from itertools import islice
from pathlib import Path

import click
import cv2

from linesies.calibration import read_calibration
from linesies.device.announcers.pins import open_real_pins
from linesies.device.box.wiring import check_wiring
from linesies.device.cameras.opening import is_live, open_source
from linesies.device.cameras.source import Live, focus_advice, settled_frames
from linesies.device.doctor import LEFT_OPEN_SIGMAS, Health, advise, draw_health, examine
from linesies.device.errors import BadInput, DeviceError
from linesies.device.outside import let_games_in, open_announcers
from linesies.device.settings.settings import Settings
from linesies.device.settings.tables import read_tables
from linesies.vision import read_caps

PICTURES = 5


class WiredWrong(DeviceError, RuntimeError):  # noqa: N818 - reads as what happened
    """Something at the pins does not answer."""


@click.command("doctor")
@click.argument("source", required=False)
@click.option("--calibration", "calibration_file", help="What `linesies calibrate` wrote.")
@click.option("--caps", "caps_file", help="Who plays with which cap; a usual bottle cap where not given.")
@click.option("--picture", type=click.Path(path_type=Path), help="Where to draw how exact each box is.")
@click.option("--wiring", is_flag=True, help="Instead: light, sound and read what is wired to the pins, in turn.")
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    default="linesies.toml",
    show_default=True,
    help="The settings, for --wiring.",
)
def command(
    *,
    source: str | None,
    calibration_file: str | None,
    caps_file: str | None,
    picture: Path | None,
    wiring: bool,
    config: Path,
) -> None:
    """Tell how exact calls will be in this set-up, and what to change, before anyone plays.

    With a camera alone it says what that gives, and what else it could be asked for. With a calibration it measures
    focus, light, noise, tilt, the paint's survey, and the standard error to expect in each box, and prints one line of
    JSON; the advice is for people, on stderr.
    """
    for aside in (*let_games_in(), *open_announcers()[1]):
        click.echo(f"{aside}.", err=True)
    if wiring:
        return _wiring(config)
    if source is not None and calibration_file is None and is_live(source):
        return _offers(source)
    if source is None or calibration_file is None:
        raise BadInput("say which camera or picture to look at, and its --calibration; or --wiring for the pins")
    return _view(source, calibration_file, caps_file, picture)


def _wiring(config: Path) -> None:
    pins = read_tables(config, Settings).pins
    factory = open_real_pins(pins.library)
    try:
        is_well = check_wiring(pins, factory, partial(click.echo, err=True))
    finally:
        factory.close()
    if not is_well:
        raise WiredWrong("not all that is wired answers; mend what is said above")


def _offers(source: str) -> None:
    """Say what a camera gives, and what else it could be asked for."""
    with open_source(source) as camera:
        width, height = camera.size_px
        click.echo(f"{camera.name} gives {width}x{height} at {camera.fps:.0f} frames a second.", err=True)
        for line in camera.offers if isinstance(camera, Live) else ():
            click.echo(line, err=True)


def _view(source: str, calibration_file: str, caps_file: str | None, picture: Path | None) -> None:
    calibration = read_calibration(calibration_file)
    if not calibration.survey.lines:
        raise BadInput(f"{calibration_file}: holds no painted lines, as of a card mat; doctor measures gaps to paint")
    caps = read_caps(caps_file) if caps_file else ()
    with open_source(source) as frames:
        pictures = [frame.bgr for frame in islice(settled_frames(frames), PICTURES)]
        if advice := focus_advice(frames):
            click.echo(advice, err=True)
    if not all(calibration.has_frame_size(seen) for seen in pictures) or not pictures:
        raise BadInput(f"{source}: its pictures are not of the size of {calibration_file}; calibrate at this size")
    health = examine(pictures, calibration, caps)
    click.echo(json.dumps(_told(health)))
    worst = max(box.sigma_mm for box in health.boxes)
    click.echo(f"Caps nearer to the paint than {LEFT_OPEN_SIGMAS * worst:.1f} mm may be left to people.", err=True)
    for words in [str(saying) for saying in advise(health)] or ["Nothing needs mending."]:
        click.echo(words[0].upper() + words[1:] + ("" if words.endswith(".") else "."), err=True)
    if picture and not cv2.imwrite(str(picture), draw_health(pictures[-1], calibration, health)):
        raise BadInput(f"{picture}: cannot be written; choose another place, ending in .jpg or .png")


def _told(health: Health) -> dict[str, object]:
    return {
        "camera": {"height": round(health.height_mm, 1), "tilt": round(health.tilt_deg, 2)},
        "blur_px": round(health.blur_px, 2),
        "light": round(health.light),
        "washed_out": round(health.washed_out, 4),
        "too_dark": round(health.too_dark, 4),
        "noise": None if health.noise is None else round(health.noise, 2),
        "survey_mm": round(health.survey_mm, 3),
        "margin_mm": round(health.margin_mm),
        "boxes": {
            box.name: {"mm_per_px": round(box.mm_per_px, 3), "sigma": round(box.sigma_mm, 2), "seen": box.is_seen}
            for box in health.boxes
        },
        "advice": [str(saying) for saying in advise(health)],
    }
