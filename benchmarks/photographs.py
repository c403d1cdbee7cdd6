"""Looks for caps in real photographs that show no board: `python -m linesies.benchmarks.photographs FOLDER`.

crowns.json tells whose photographs they are, at what scale each camera shows a crown, and where crowns lie: each place
that this program marked was looked at, and what it missed was added. Bent crowns count as no caps. Those who took the
pictures give no licence, so they are not here; FOLDER holds them. Nothing is set on them.

They are shrunk until a crown is as wide as a street's camera shows it, and the empty ground is made from all pictures
of one camera. Cameras that look steeply aslant are left out, for their slant is not known.
"""

from collections import Counter
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Calibration, Lens, PaintedLine, Region, Survey, View
from linesies.vision import Cap, Judge
from linesies.vision.caps.candidates import Candidates
from linesies.vision.values import Judgement

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

TRUTH = Path(__file__).with_name("crowns.json")
CROWN_MM = 32.0
CAMERA_MM = 1500.0  # above the ground: far, as streets' cameras hang
AT_LEAST = 0.5  # likely a cap: so it counts as found
SAME_CROWNS = 0.25  # of a crown's width: nearer than that to its middle it is that one
ODD_LEVELS = 40  # of all three colours: so far from its surroundings the middle of all pictures shows things
SURROUNDINGS_PX = 301
# as people would list the crowns most often seen there
LISTED = (
    Cap(player="silver", colour_rgb=(190, 190, 185), diameter_mm=CROWN_MM, height_mm=6.0, kind="crown_upturned"),
    Cap(player="gold", colour_rgb=(190, 165, 90), diameter_mm=CROWN_MM, height_mm=6.0, kind="crown_upturned"),
    Cap(player="blue", colour_rgb=(40, 80, 160), diameter_mm=CROWN_MM, height_mm=6.0, kind="crown"),
    Cap(player="red", colour_rgb=(190, 40, 40), diameter_mm=CROWN_MM, height_mm=6.0, kind="crown"),
    Cap(player="black", colour_rgb=(40, 40, 45), diameter_mm=CROWN_MM, height_mm=6.0, kind="crown"),
    Cap(player="green", colour_rgb=(40, 120, 60), diameter_mm=CROWN_MM, height_mm=6.0, kind="crown"),
    Cap(player="white", colour_rgb=(235, 235, 235), diameter_mm=CROWN_MM, height_mm=6.0, kind="crown"),
)


class PhotographedCamera(msgspec.Struct, frozen=True):
    """One camera: how wide it shows a crown, the corners (x, y, x, y) of what counts, where crowns lie (x, y)."""

    cap_px: float
    within_px: tuple[float, float, float, float]
    pictures: dict[str, list[tuple[float, float]]]


class Photographs(msgspec.Struct, frozen=True):
    """Whose photographs, and what they show."""

    source: str
    cameras: list[PhotographedCamera]


def look(camera: PhotographedCamera, folder: Path, crown_px: float) -> Counter[str]:
    """Look for crowns in all pictures of one camera, shrunk until a crown is so wide."""
    shrunk = crown_px / camera.cap_px
    photos = {name: _read(folder / name) for name in camera.pictures}
    calibration = _calibration(_shrunk(_empty(list(photos.values())), shrunk), crown_px)
    judge, tally = Judge(calibration, LISTED), Counter[str]()
    for name, photo in photos.items():
        board = judge.look(_shrunk(photo, shrunk))
        if Candidates not in board:
            tally["unknown"] += 1  # its ground is not known again
            continue
        likely = [one.xy_mm for one in board[Candidates].candidates if one.cap_share > AT_LEAST]
        sure = [np.array(call.xy_mm) for call in board[Judgement].caps if call.is_certain]
        true_px = np.array(camera.pictures[name], float).reshape(-1, 2)
        seen, called = (_in_photo(calibration, places, shrunk) for places in (likely, sure))
        counted = seen[_is_within(seen, camera.within_px)]
        tally["pictures"] += 1
        tally["crowns"] += len(true_px)
        tally["found"] += int(_has_near(true_px, counted, camera.cap_px).sum())
        tally["false"] += int((~_has_near(counted, true_px, camera.cap_px)).sum())
        tally["certain"] += len(called)
        tally["certain_wrong"] += int((~_has_near(called, true_px, camera.cap_px)).sum())
    return tally


def _read(path: Path) -> Picture:
    photo = cv2.imread(str(path))
    if photo is None:
        raise click.ClickException(f"{path}: no picture there; fetch it from where crowns.json says")
    return np.asarray(photo, np.uint8)


def _empty(photos: list[Picture]) -> Picture:
    """Make the empty ground: the middle of all pictures, and where that shows things, what is most like round about."""
    stack = np.stack(photos)
    middle = np.median(stack, axis=0).astype(np.uint8)
    quarter = cv2.resize(middle, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    for _ in range(2):
        quarter = cv2.medianBlur(quarter, SURROUNDINGS_PX // 4)
    about = cv2.resize(quarter, (middle.shape[1], middle.shape[0])).astype(int)
    is_odd = cv2.dilate((np.abs(middle - about).sum(axis=-1) > ODD_LEVELS).astype(np.uint8), np.ones((9, 9)))
    likest = np.abs(stack - about).sum(axis=-1).argmin(axis=0)
    return np.where(is_odd[..., None] > 0, np.take_along_axis(stack, likest[None, ..., None], 0)[0], middle)


def _shrunk(photo: Picture, by: float) -> Picture:
    height, width = (round(side * by) // 2 * 2 for side in photo.shape[:2])
    return np.asarray(cv2.resize(photo, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _calibration(empty: Picture, crown_px: float) -> Calibration:
    """Calibrate as if the camera looked straight down, on a board whose one line lies far outside."""
    size_px = (empty.shape[1], empty.shape[0])
    focal_px = crown_px / CROWN_MM * CAMERA_MM
    middle_px = (np.array(size_px) - 1) / 2
    size_mm = np.array(size_px) * CAMERA_MM / focal_px
    matrix = np.array([[focal_px, 0, middle_px[0]], [0, focal_px, middle_px[1]], [0, 0, 1.0]])
    region = Region(name="1", polygon_mm=np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size_mm)
    ends_mm, side_mm = np.array([[2.0, -4000.0], [2.0, -3000.0]]), np.array([1.5, 0.0])
    line = PaintedLine(left_mm=ends_mm - side_mm, right_mm=ends_mm + side_mm, sigma_mm=np.full(2, 0.2))
    return Calibration(
        board=Board(name="no board", size_mm=(size_mm[0], size_mm[1]), line_width_mm=12.0, regions=(region,)),
        view=View(
            lens=Lens(size_px=size_px, camera_matrix=matrix, distortion=np.zeros(5)),
            rotation=np.eye(3),
            translation_mm=np.array([*(-size_mm / 2), CAMERA_MM]),
        ),
        survey=Survey(lines=(line,), misfit_px=0.1),
        regions=(region,),
        reprojection_px=0.1,
        empty_bgr=empty,
    )


def _in_photo(calibration: Calibration, places_mm: list[Array], shrunk: float) -> Array:
    """Find where board points lie in the photograph as it was taken: (N, 2)."""
    return calibration.view.mm_to_px(np.array(places_mm, float).reshape(-1, 2)) / shrunk


def _is_within(points_px: Array, within_px: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    low, high = np.array(within_px[:2]), np.array(within_px[2:])
    return np.asarray(((points_px >= low) & (points_px <= high)).all(axis=1), bool)


def _has_near(points_px: Array, others_px: Array, cap_px: float) -> NDArray[np.bool_]:
    """Tell of each point (N, 2) whether one of the others is the same crown."""
    apart_px = np.linalg.norm(points_px[:, None] - others_px[None], axis=-1)
    return np.asarray((apart_px < SAME_CROWNS * cap_px).any(axis=1), bool)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--crown-px", default=28.0, show_default=True, help="How wide a crown is to be seen.")
def main(folder: Path, crown_px: float) -> None:
    """Look for crowns in the photographs that crowns.json lists."""
    told = msgspec.json.decode(TRUTH.read_bytes(), type=Photographs)
    told_of = (look(camera, folder, crown_px) for camera in told.cameras)
    seen = sum(told_of, Counter[str]())
    if seen["unknown"]:
        click.echo(f"{seen['unknown']} photographs left out: their ground is not known again on the one made of all")
    click.echo(
        f"{seen['found']} of {seen['crowns']} crowns found in {seen['pictures']} photographs, "
        f"{seen['false']} other things taken for caps; {seen['certain']} certain calls, "
        f"{seen['certain_wrong']} where no crown lies"
    )


if __name__ == "__main__":
    main()
