"""A simulated installation under a gauge: only what lies on its board is drawn and photographed anew.

The gauge is printed to PDF and read back as a printer would ink it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import click
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Lens, View, calibrate
from linesies.device.sheets.gauge import gauge_sheet
from linesies.device.sheets.paper import PAPERS
from linesies.simulator.street.camera import Camera, CameraDrift, take
from linesies.simulator.street.canvas import Canvas
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.light import linear
from linesies.simulator.street.set_up import rough_taps
from linesies.simulator.street.shade import shade, sun_at
from linesies.simulator.street.sheet import PrintedSheet, lay_sheets
from linesies.simulator.street.solids import CapSolid
from linesies.simulator.street.stage import VARIED, Stage, Wishes, set_stage
from linesies.simulator.street.varied import littered, make_world
from linesies.vision import Cap, Gauge, draw_gauge

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Lying = Sequence[tuple[CapSolid, Array]]

SIZE_PX = (1920, 1080)
INK_PX_PER_MM = 8.0
TILE_PX = 16  # in which JPEG stores colour: a window of whole tiles is stored as it is in a whole picture
ROOM_MM = 60.0  # round a cap's middle: it and its shadow
GOOD = Camera(
    blur_px=0.4,
    colour_blur_px=1.0,
    shot_noise=0.008,
    read_noise=0.002,
    denoise_px=0.0,
    halo=0.3,
    halo_px=1.0,
    local_tone=0.0,
    saturation=1.0,
    contrast=0.0,
    warm=1.0,
    exposure=0.9,
    jpeg_quality=93,
)
STILL = CameraDrift()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shooting:
    """With which camera, and how it hangs."""

    camera: Camera = GOOD
    shot: CameraDrift = STILL


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A part of a picture in whole tiles, from its first pixel to beyond its last, and how wide a border it has."""

    x: tuple[int, int]
    y: tuple[int, int]
    border: tuple[int, int, int, int]  # left, above, right, below

    @property
    def whole(self) -> tuple[slice, slice]:
        """Give its rows and columns."""
        return slice(*self.y), slice(*self.x)

    @property
    def inner(self) -> tuple[slice, slice]:
        """Give the rows and columns of the picture within its border, where no blur brings in what lies beyond."""
        left, above, right, below = self.border
        return slice(self.y[0] + above, self.y[1] - below), slice(self.x[0] + left, self.x[1] - right)

    def within(self, part: Picture) -> Picture:
        """Cut the border off what was drawn of it."""
        left, above, right, below = self.border
        return part[above : part.shape[0] - below, left : part.shape[1] - right]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PicturePart:
    """A part of a picture: its rows and columns, and what is there."""

    where: tuple[slice, slice]
    pixels: Picture

    def meets(self, other: "PicturePart") -> bool:
        """Tell whether two parts share a pixel."""
        pairs = zip(self.where, other.where, strict=True)
        return all(one.start < two.stop and two.start < one.stop for one, two in pairs)


def with_parts(picture: Picture, parts: Iterable[PicturePart]) -> Picture:
    """Give a picture with these parts in place of its own."""
    done = picture.copy()
    for part in parts:
        done[part.where] = part.pixels
    return done


def four_caps(seed: int) -> Wishes:
    """Wish for a street that is proved: four caps as in a game."""
    return Wishes(seed=seed, size_px=SIZE_PX, play="nothing", players=4)


class Street:
    """Remembers a stage, its caps as they are listed, its picture without any, and a sound calibration by a camera.

    In a varied world that was calibrated in another shade, before litter lay there, by a lens that was learned.
    """

    def __init__(self, wishes: Wishes, camera: Camera = GOOD) -> None:
        stage = set_stage(wishes)
        varied = make_world(stage) if wishes.world == VARIED else None
        self.stage: Stage = stage if varied is None else varied.on(stage)
        self.caps: tuple[Cap, ...] = stage.caps if varied is None else varied.caps
        lens = stage.lens if varied is None else varied.lens
        self._shade_by("none" if varied is None else varied.shade, stage.rng(63))
        self.gauge: Gauge = draw_gauge(self.stage.painted.board.line_width_mm)
        self.ink = _ink(self.gauge)
        whole = Window(x=(0, SIZE_PX[0]), y=(0, SIZE_PX[1]), border=(0, 0, 0, 0))
        self.empty = self._drawn(whole, [], [], stage.rng(62))
        self.calibration = self.calibrated(camera, lens, stage.rng(60))
        if varied is not None:
            self._shade_by(varied.shade, stage.rng(68))
            self._lit = littered(self.stage, stage.rng(69), self._sun)
            self.empty = self._drawn(whole, [], [], stage.rng(62))

    def calibrated(self, camera: Camera, lens: Lens, rng: np.random.Generator) -> Calibration:
        """Calibrate by a picture of the empty board."""
        stage = self.stage
        taps = np.array(rough_taps(stage.painted.board, stage.view, stage.rng(61)))
        found = calibrate(take(camera, self.empty, STILL, rng), stage.painted.board, lens=lens, corners_px=taps)
        if not isinstance(found, Calibration):
            raise click.ClickException(f"seed {stage.seed}: {found.reason}")
        return found

    def photograph(
        self, sheets: Sequence[PrintedSheet], lying: Lying, how: Shooting, rng: np.random.Generator
    ) -> Picture:
        """Take a picture of sheets and caps on the board."""
        scene = self.empty.copy()
        if sheets or lying:
            window = self._reached(sheets, lying)
            scene[window.inner] = window.within(self._drawn(window, sheets, lying, rng))
        return take(how.camera, scene, how.shot, rng)

    def added_to(
        self,
        picture: Picture,
        sheets: Sequence[PrintedSheet],
        lying: Lying,
        how: Shooting,
        rng: np.random.Generator,
    ) -> Picture:
        """Take a picture as another one was taken, of all these sheets and caps, where they reach; else leave it."""
        return with_parts(picture, [self.part_with(sheets, lying, how, rng)])

    def part_with(
        self, sheets: Sequence[PrintedSheet], lying: Lying, how: Shooting, rng: np.random.Generator
    ) -> PicturePart:
        """Take that part of a picture which all these sheets and caps reach."""
        window = self._reached(sheets, lying)
        taken = take(how.camera, self._drawn(window, sheets, lying, rng), how.shot, rng)
        return PicturePart(where=window.inner, pixels=window.within(taken))

    def _reached(self, sheets: Sequence[PrintedSheet], lying: Lying) -> Window:
        view, around = self.stage.view, ROOM_MM * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        corners = [view.mm_to_px(xy_mm + around) for _, xy_mm in lying]
        for sheet in sheets:
            rows, columns = sheet.box_px(view)
            corners.append(np.array([[columns.start, rows.start], [columns.stop, rows.stop]], float))
        seen = np.vstack(corners)
        low = (np.floor(seen.min(axis=0) / TILE_PX).astype(int) - 1) * TILE_PX
        high = (np.ceil(seen.max(axis=0) / TILE_PX).astype(int) + 1) * TILE_PX
        (left, top), (right, bottom) = np.maximum(low, 0), np.minimum(high, SIZE_PX)
        border = [TILE_PX * int(is_cut) for is_cut in (left > 0, top > 0, right < SIZE_PX[0], bottom < SIZE_PX[1])]
        return Window(x=(int(left), int(right)), y=(int(top), int(bottom)), border=tuple(border))  # type: ignore[arg-type]

    def _drawn(self, window: Window, sheets: Sequence[PrintedSheet], lying: Lying, rng: np.random.Generator) -> Picture:
        """Draw a window as a perfect camera would see it."""
        stage, lit = self.stage, self._lit[window.whole].copy()
        ground_mm, view = stage.ground_mm[window.whole], _through(stage.view, window)
        if sheets:
            albedo = stage.albedo[window.whole].copy()
            lay_sheets(albedo, ground_mm, view, sheets)
            lit = self._lighted(albedo, self._sun[window.whole])
        canvas = Canvas(lit, ground_mm, view, stage.light, rng)
        for number, (one, xy_mm) in enumerate(lying):
            pose = Pose(xy_mm=xy_mm.astype(np.float32), angle_rad=float(rng.uniform(0, 2 * np.pi)))
            canvas.put(f"{number}", one, pose, sun=sun_at(self._sun, stage.view, xy_mm))
        return canvas.picture()

    def _shade_by(self, name: str, rng: np.random.Generator) -> None:
        """Let shade fall as wind and sun have it now."""
        self._sun = shade(name, self.stage.ground_mm, self.stage.seed, rng)
        self._lit = self._lighted(self.stage.albedo, self._sun)

    def _lighted(self, albedo: NDArray[np.float32], sun: NDArray[np.float32]) -> NDArray[np.float32]:
        light = self.stage.light
        return np.asarray(albedo * (light.sky_rgb + light.sun_rgb * sun[..., None]), np.float32)


def _through(view: View, window: Window) -> View:
    """See a window alone."""
    matrix = view.lens.camera_matrix.copy()
    matrix[:2, 2] -= (window.x[0], window.y[0])
    size_px = (window.x[1] - window.x[0], window.y[1] - window.y[0])
    return replace(view, lens=replace(view.lens, size_px=size_px, camera_matrix=matrix))


def _ink(gauge: Gauge) -> NDArray[np.float32]:
    import pypdfium2  # noqa: PLC0415 - a tool of ours, which no box has

    page = pypdfium2.PdfDocument(gauge_sheet(gauge, PAPERS["a4"]))[0]
    return linear(page.render(scale=INK_PX_PER_MM * 25.4 / 72).to_numpy()[..., 2::-1])
