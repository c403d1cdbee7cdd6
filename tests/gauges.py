"""A gauge on a plain dark floor under a known camera: what tests of proof look at."""

import functools

import msgspec
import numpy as np
import pypdfium2

from linesies.calibration import Calibration, Lens, PaintedLine, Region, Survey, View, write_calibration
from linesies.calibration.standard_boards import TABLE, nominal_board
from linesies.device.sheets.gauge import gauge_sheet
from linesies.device.sheets.paper import PAPERS
from linesies.simulator.street.canvas import Canvas
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.light import choose_light, linear
from linesies.simulator.street.sheet import PrintedSheet, lay_sheets
from linesies.simulator.street.solids import solid
from linesies.simulator.street.surface import ground_map
from linesies.vision import BANK_CARD_MM, BANK_CARD_TALL_MM, CARD_MIDDLE_MM, Cap, caps_to_file, draw_gauge

PX_PER_MM = 8.0
SIZE_PX = (1280, 960)
MIDDLE_MM = np.array([290.0, 310.0])
GAUGE = draw_gauge(12.7)
CAPS = tuple(
    Cap(player=player, colour_rgb=rgb, diameter_mm=wide_mm, height_mm=6.0, kind="crown")
    for player, rgb, wide_mm in (
        ("ana", (200, 60, 50), 26.0),
        ("bo", (235, 200, 60), 28.5),
        ("cal", (60, 180, 190), 26.0),
        ("dee", (230, 140, 170), 28.5),
    )
)


@functools.cache
def printed(px_per_mm=PX_PER_MM):
    """Print the gauge on A4, as light (h, w, 3)."""
    page = pypdfium2.PdfDocument(gauge_sheet(GAUGE, PAPERS["a4"]))[0]
    return linear(page.render(scale=px_per_mm * 25.4 / 72).to_numpy()[..., 2::-1])


def view(away_mm=900.0):
    """Hang a camera over a small board, at a slant."""
    lean = np.radians(18)
    rotation = np.array([[1, 0, 0], [0, np.cos(lean), np.sin(lean)], [0, -np.sin(lean), np.cos(lean)]])
    camera_mm = np.array([300.0, 300.0, 0.0]) - away_mm * rotation[2]
    width, height = SIZE_PX
    matrix = np.array([[1100.0, 0, (width - 1) / 2], [0, 1100.0, (height - 1) / 2], [0, 0, 1]])
    lens = Lens(size_px=SIZE_PX, camera_matrix=matrix, distortion=np.zeros(5))
    return View(lens=lens, rotation=rotation, translation_mm=-rotation @ camera_mm)


class Floor:
    """Remembers the floor under the camera, and takes pictures of it."""

    def __init__(self, away_mm=900.0):
        self.view = view(away_mm)
        self.ground_mm = ground_map(self.view)
        rng = np.random.default_rng(3)
        self.light = choose_light("overcast", rng)
        grain = rng.normal(1, 0.06, self.ground_mm.shape[:2]).astype(np.float32)
        self.albedo = 0.1 * grain[..., None] * np.ones(3, np.float32)
        board = nominal_board(TABLE)
        line = PaintedLine(
            left_mm=np.array([[0.0, 0], [0, 600]]), right_mm=np.array([[5.0, 0], [5, 600]]), sigma_mm=np.full(2, 0.1)
        )
        self.calibration = Calibration(
            board=board,
            view=self.view,
            survey=Survey(lines=(line,), misfit_px=0.1),
            regions=(Region(name="1", polygon_mm=board.regions[0].polygon_mm),),
            reprojection_px=0.1,
            empty_bgr=self.picture(),
        )

    def picture(self, sheets=(), lying=()):
        """Photograph sheets, and caps (cap, place), with a sensor's noise."""
        albedo = self.albedo.copy()
        if sheets:
            lay_sheets(albedo, self.ground_mm, self.view, sheets)
        rng = np.random.default_rng(5)
        lit = (albedo * (self.light.sky_rgb + self.light.sun_rgb)).astype(np.float32)
        canvas = Canvas(lit, self.ground_mm, self.view, self.light, rng)
        for cap, xy_mm in lying:
            canvas.put(cap.player, solid(cap, rng), Pose(xy_mm=np.asarray(xy_mm, np.float32), angle_rad=0.3))
        return np.clip(canvas.picture() + rng.normal(0, 1.5, (*SIZE_PX[::-1], 3)), 0, 255).astype(np.uint8)


@functools.cache
def floor():
    """Lay one floor for all tests."""
    return Floor()


def sheet(scale=1.0, turn_rad=0.4):
    """Lay the printed gauge on it."""
    ink = printed()
    px_per_mm = ink.shape[1] / PAPERS["a4"][0]
    return PrintedSheet(ink=ink, px_per_mm=px_per_mm, middle_mm=MIDDLE_MM, turn_rad=turn_rad, scale=scale)


def bank_card(on, light_rgb=(0.1, 0.25, 0.5)):
    """Lay a bank card on its place of a sheet, a little beside."""
    width, height = (round(side * PX_PER_MM) for side in BANK_CARD_MM)
    return PrintedSheet(
        ink=np.full((height, width, 3), light_rgb, np.float32),
        px_per_mm=width / BANK_CARD_MM[0],
        middle_mm=on.to_board((CARD_MIDDLE_MM + np.array([0.8, -0.5]))[None])[0],
        turn_rad=on.turn_rad + 0.01,
        tall_mm=BANK_CARD_TALL_MM,
    )


def seated(on, caps=CAPS):
    """Lay caps on the rings of a sheet."""
    return [(cap, seat_at(on, seat, cap)) for seat, cap in zip(GAUGE.seats, caps, strict=True)]


def seat_at(on, seat, cap):
    """Tell where a cap lies that touches both strokes of a ring of a sheet."""
    upright = on.turn / on.scale
    return on.to_board(seat.corner_mm[None])[0] - upright @ (seat.towards + seat.aside) * cap.diameter_mm / 2


def install(folder):
    """Write the floor's calibration and the caps into a folder, as a box has them."""
    write_calibration(floor().calibration, folder / "calibration.json")
    (folder / "caps.json").write_bytes(msgspec.json.encode(caps_to_file(CAPS)))
    return folder
