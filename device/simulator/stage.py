"""What a simulated game is played on and with, all chosen from one seed: board, ground, light, camera, caps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import Calibration, Lens, View
from device.errors import BadInput
from device.simulator.boards import STREET, TABLE, nominal_board
from device.simulator.ground import GROUNDS, choose_ground
from device.simulator.light import LIGHTS, Light, choose_light
from device.simulator.paint import PaintedBoard, paint_board
from device.simulator.solids import Solid, solid
from device.simulator.surface import PAINTS, Numbers, ground_map, picture
from device.simulator.viewpoint import choose_lens, choose_view
from vision import Cap

Array = NDArray[np.float32]

NAMES = ("ana", "bo", "cal", "dee", "eve", "fin")
COLOURS = (
    (192, 57, 43),
    (31, 95, 174),
    (232, 194, 30),
    (46, 139, 87),
    (224, 123, 26),
    (125, 63, 160),
    (229, 143, 176),
    (51, 179, 184),
    (241, 239, 232),
    (38, 38, 42),
    (122, 74, 40),
)
CAMERA_TILT_DEG = (10.0, 27.0)
# what is usual on which ground: paints and lights by name
USUAL_PAINTS = {
    "asphalt": ("white", "white", "chalk", "yellow"),
    "concrete": ("yellow", "white"),
    "plywood": ("black",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is asked for; None leaves it to the seed."""

    seed: int = 1
    board: str = STREET
    ground: str | None = None
    light: str | None = None
    paint: str | None = None
    players: int | None = None
    size_px: tuple[int, int] = (1280, 720)
    has_start_line_in_view: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """The scene before anybody plays; `truth` is the calibration that a perfect survey would give."""

    seed: int
    kind: str
    ground: str
    paint: str
    painted: PaintedBoard
    view: View
    light: Light
    albedo: Array  # (H, W, 3), linear
    ground_mm: Array  # (H, W, 2)
    truth: Calibration
    solids: tuple[Solid, ...]

    @property
    def lens(self) -> Lens:
        """The camera's lens."""
        return self.view.lens

    @property
    def caps(self) -> tuple[Cap, ...]:
        """Who plays with what."""
        return tuple(s.cap for s in self.solids)

    @property
    def scale(self) -> float:
        """The board's size, of a street board's."""
        return self.painted.board.size_mm[0] / 1828.8

    def rng(self, purpose: int) -> np.random.Generator:
        """Open a stream of chance for one purpose, so that a change of one leaves the others as they were."""
        return np.random.default_rng([self.seed, purpose])


def set_stage(wishes: Wishes) -> Stage:
    """Choose everything that is left open; raises BadInput for a wish that cannot be had."""
    _check(wishes)
    rng = np.random.default_rng([wishes.seed, 0])
    is_street = wishes.board == STREET
    ground = wishes.ground or str(rng.choice(("asphalt", "asphalt", "concrete") if is_street else ("plywood",)))
    paint = wishes.paint or str(rng.choice(USUAL_PAINTS[ground]))
    light = choose_light(wishes.light or str(rng.choice(LIGHTS[:3] if is_street else LIGHTS)), rng)
    painted = paint_board(nominal_board(wishes.board), rng)
    view = _hang_camera(wishes, painted, rng)
    ground_mm = ground_map(view)
    numbers = Numbers.choose(rng, has_worth=wishes.has_start_line_in_view)
    lies_on = choose_ground(ground, rng, 1.6 * painted.board.size_mm[0])
    return Stage(
        seed=wishes.seed,
        kind=wishes.board,
        ground=ground,
        paint=paint,
        painted=painted,
        view=view,
        light=light,
        albedo=picture(painted, lies_on, paint, ground_mm, view, numbers),
        ground_mm=ground_mm,
        truth=_perfect_survey(painted, view),
        solids=tuple(solid(cap, rng) for cap in choose_caps(rng, wishes.players or int(rng.integers(2, 5)))),
    )


def _hang_camera(wishes: Wishes, painted: PaintedBoard, rng: np.random.Generator) -> View:
    lens = choose_lens(rng, wishes.size_px)
    turn = rng.choice([0.0, 90.0, 180.0, 270.0]) + rng.normal(0, 9.0)
    return choose_view(
        rng,
        painted.board,
        lens,
        tilt_deg=rng.uniform(*CAMERA_TILT_DEG),
        turn_deg=float(turn),
        has_start_line=wishes.has_start_line_in_view,
    )


def _perfect_survey(painted: PaintedBoard, view: View) -> Calibration:
    width, height = view.lens.size_px
    return Calibration(
        board=painted.board,
        view=view,
        survey=painted.survey,
        regions=painted.regions,
        reprojection_px=0.0,
        empty_bgr=np.zeros((height, width, 3), np.uint8),
    )


def choose_caps(rng: np.random.Generator, count: int) -> tuple[Cap, ...]:
    """Choose caps of colours that can be told apart, mostly bottle caps."""
    colours = rng.permutation(len(COLOURS))[:count]
    return tuple(_cap(rng, NAMES[i], COLOURS[int(c)]) for i, c in enumerate(colours))


def _cap(rng: np.random.Generator, player: str, colour_rgb: tuple[int, int, int]) -> Cap:
    kind = str(rng.choice(["crown", "crown", "crown", "crown_upturned", "lid", "lid_open"]))
    is_crown = kind.startswith("crown")
    return Cap(
        player=player,
        colour_rgb=colour_rgb,
        diameter_mm=float(rng.choice([26.0, 28.5, 29.0, 32.0])) if is_crown else round(float(rng.uniform(30, 42)), 1),
        height_mm=6.0 if is_crown else round(float(rng.uniform(8.5, 13.0)), 1),
        kind=kind,  # type: ignore[arg-type]
    )


def _check(wishes: Wishes) -> None:
    offers = {
        "board": (STREET, TABLE),
        "ground": (None, *GROUNDS),
        "light": (None, *LIGHTS),
        "paint": (None, *PAINTS),
        "players": (None, 2, 3, 4, 5, 6),
    }
    for name, offered in offers.items():
        wish = getattr(wishes, name)
        if wish not in offered:
            choices = ", ".join(str(o) for o in offered if o is not None)
            raise BadInput(f"the simulator has no {name} {wish!r}; choose from {choices}")
