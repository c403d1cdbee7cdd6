"""`linesies lens`: the camera's lens from pictures of the printed sheet."""

import json

import click
import numpy as np

from linesies.calibration import LensFit, SeenSheet, find_sheet, fit_lens, write_lens
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.source import Source, settled_frames
from linesies.device.errors import BadInput

ENOUGH = 10  # before a live camera, whose sheets are held by hand
MOST_PICTURES = 40  # of a film; more only take time
APART_PX = 12.0  # how far the sheet must have moved for a film's next picture to tell anything new


@click.command("lens")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write the lens (lens.json).")
def command(sources: tuple[str, ...], output: str) -> None:
    """Learn a camera's lens from pictures or a film of the sheet that `linesies print lens` prints.

    Ten pictures are good, each with the sheet leaning another way, some near the picture's corners; before a live
    camera each is counted aloud as soon as it is seen, and after ten it is done. Pictures of another size than the
    games' are of no use: take them in the same camera mode, with the same focus.

    \b
    linesies lens sheet1.jpg sheet2.jpg ... -o lens.json
    linesies lens picamera2 -o lens.json
    """  # noqa: D301 - \b is click's sign for a paragraph to be left as it is
    sheets: list[SeenSheet | None] = []
    sizes: set[tuple[int, int]] = set()
    for source in sources:
        with open_source(source) as pictures:
            sizes.add(pictures.size_px)
            if len(sizes) > 1:
                shown = " and ".join("{}x{}".format(*size) for size in sorted(sizes))
                raise BadInput(f"{source}: pictures of {shown} are mixed; give those of one camera mode")
            sheets += _sheets(pictures)
    fit = fit_lens(sheets, sizes.pop())
    if not isinstance(fit, LensFit):
        raise BadInput(f"{' '.join(sources)}: {fit.reason}")
    write_lens(fit.lens, output)
    told = {
        "ok": True,
        "pictures": len(sheets),
        "used": len(fit.used),
        "reprojection_px": round(fit.reprojection_px, 3),
        "focal_px": round(float(fit.lens.camera_matrix[0, 0]), 1),
        "focal_sigma_px": round(fit.focal_sigma_px, 1),
    }
    click.echo(json.dumps(told))


def _sheets(pictures: Source) -> list[SeenSheet | None]:
    """Find the sheet in each picture until there are enough; of those that show it where it lay before, keep the first.

    Before a live camera each is counted aloud: whoever holds the sheet must know when to turn it.
    """
    enough = ENOUGH if pictures.is_live else MOST_PICTURES
    sheets: list[SeenSheet | None] = []
    last: SeenSheet | None = None
    for frame in settled_frames(pictures):
        sheet = find_sheet(frame.bgr)
        if sheet is not None and last is not None and _lies_as(sheet, last):
            continue
        sheets.append(sheet)
        if sheet is None:
            continue
        last = sheet
        seen = sum(found is not None for found in sheets)
        if pictures.is_live:
            click.echo(f"sheet {seen} of {enough}" + ("; lean it another way" if seen < enough else ""), err=True)
        if seen == enough:
            break
    return sheets


def _lies_as(sheet: SeenSheet, other: SeenSheet) -> bool:
    first, second = (
        {tuple(place): seen for place, seen in zip(s.on_sheet_mm.tolist(), s.seen_px, strict=True)}
        for s in (sheet, other)
    )
    moved = [np.linalg.norm(first[place] - second[place]) for place in first.keys() & second.keys()]
    return bool(moved) and float(np.max(moved)) < APART_PX
