"""What a simulated game is played on and with, all chosen from one seed: board, ground, light, camera, caps."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Lens, View
from linesies.calibration.standard_boards import STREET, TABLE, nominal_board
from linesies.device.errors import BadInput
from linesies.simulator.street.ground import GROUNDS, PHOTOGRAPH, choose_ground
from linesies.simulator.street.light import LIGHTS, Light, choose_light
from linesies.simulator.street.paint import PaintedBoard, paint_board
from linesies.simulator.street.solids import CapSolid, solid
from linesies.simulator.street.surface import PAINTS, Numbers, ground_map, picture
from linesies.simulator.street.viewpoint import choose_lens, choose_view, look_through
from linesies.vision import Cap

Array = NDArray[np.float32]

GAME, DRILL, NOTHING = "game", "drill", "nothing"  # what people do
PLAIN, VARIED = "plain", "varied"  # worlds: in which all is well, or as real ones are
NAMES = ("ana", "bo", "cal", "dee", "eve", "fin", "gus", "hal")
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
GLASS = ((90, 164, 106), (154, 106, 42), (90, 120, 130))
STEEL = (185, 188, 192)
GAME_KINDS = ("crown", "crown", "crown", "crown_upturned", "lid", "lid_open")
STILLS_KINDS = ("crown", "crown", "crown", "crown_upturned", "crown_upturned", "lid", "lid_open", "ring", "glide")
CROWNS_MM = (26.0, 28.5, 29.0, 31.5, 32.0)  # of crown caps; which ones were measured was not recorded
SIZES_MM = {  # kind: diameter from, to, height from, to
    "crown": (26.0, 32.0, 6.0, 6.0),
    "crown_upturned": (26.0, 32.0, 6.0, 6.0),
    "lid": (30.0, 43.0, 8.5, 14.5),
    "lid_open": (30.0, 44.0, 8.5, 12.5),
    "ring": (26.0, 31.0, 7.0, 9.0),
    "glide": (22.0, 29.0, 5.5, 7.0),
}
CAMERA_TILT_DEG = (10.0, 27.0)  # from straight down, as a pole beside the board allows
STILLS_TILT_DEG = (6.0, 36.0)  # the same, of pictures from a hand
# what is usual on which ground: paints and lights by name
USUAL_PAINTS = {
    "asphalt": ("white", "white", "chalk", "yellow"),
    "concrete": ("yellow", "white"),
    "plywood": ("black",),
    PHOTOGRAPH: ("white", "white", "chalk", "yellow"),
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
    window_px: tuple[int, int] | None = None  # a part of the picture, by chance; None: the whole
    fps: int = 60  # divides the world's own 60
    play: str = GAME
    world: str = PLAIN
    is_for_stills: bool = False  # any tilt, any kind of cap, and no room for the start line
    options: str | None = None  # JSON, or "drawn": as the seed has it
    preset: str | None = None
    fidget: float = 0.0  # how often somebody does something between two shots that does not count


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """The scene before anybody plays; `truth` is the calibration that a perfect survey would give."""

    seed: int
    play: str
    kind: str
    ground: str
    paint: str
    painted: PaintedBoard
    view: View
    light: Light
    albedo: Array  # (H, W, 3), linear
    ground_mm: Array  # (H, W, 2)
    truth: Calibration
    solids: tuple[CapSolid, ...]
    fidget: float

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
    if wishes.window_px:
        view = look_through(view, wishes.window_px, np.random.default_rng([wishes.seed, 9]))
    ground_mm = ground_map(view)
    numbers = Numbers.choose(rng, has_worth=not wishes.is_for_stills)
    lies_on = choose_ground(ground, rng, 1.6 * painted.board.size_mm[0])
    return Stage(
        seed=wishes.seed,
        play=wishes.play,
        kind=wishes.board,
        ground=ground,
        paint=paint,
        painted=painted,
        view=view,
        light=light,
        albedo=picture(painted, lies_on, paint, ground_mm, view, numbers),
        ground_mm=ground_mm,
        truth=perfect_survey(painted, view),
        solids=tuple(solid(cap, rng) for cap in _choose_caps(wishes, rng)),
        fidget=wishes.fidget,
    )


def strangers(stage: Stage, wishes: Wishes) -> Stage:
    """Set other caps on the same stage, of people who play another game beside it."""
    rng = stage.rng(11)
    return replace(stage, solids=tuple(solid(cap, rng) for cap in _choose_caps(wishes, rng)))


def _hang_camera(wishes: Wishes, painted: PaintedBoard, rng: np.random.Generator) -> View:
    lens = choose_lens(rng, wishes.size_px)
    # in a game the start line lies at the picture's side, where a wide picture has room for it
    is_game = wishes.play == GAME and not wishes.is_for_stills
    turn = rng.choice([90.0, 270.0] if is_game else [0.0, 90.0, 180.0, 270.0]) + rng.normal(0, 5.0 if is_game else 10.0)
    return choose_view(
        rng,
        painted.board,
        lens,
        tilt_deg=rng.uniform(*(STILLS_TILT_DEG if wishes.is_for_stills else CAMERA_TILT_DEG)),
        turn_deg=float(turn),
        has_start_line=is_game,
    )


def perfect_survey(painted: PaintedBoard, view: View) -> Calibration:
    """Give the calibration that a faultless survey of a painted board would give."""
    width, height = view.lens.size_px
    return Calibration(
        board=painted.board,
        view=view,
        survey=painted.survey,
        regions=painted.regions,
        reprojection_px=0.0,
        empty_bgr=np.zeros((height, width, 3), np.uint8),
    )


def _choose_caps(wishes: Wishes, rng: np.random.Generator) -> tuple[Cap, ...]:
    """Choose caps of colours that can be told apart: mostly bottle caps in a game, of any kind in stills."""
    usual = 6 if wishes.is_for_stills else int(rng.integers(2, 5)) if wishes.play == GAME else int(rng.integers(4, 6))
    count = wishes.players or usual
    colours = rng.permutation(len(COLOURS))[:count]
    kinds = STILLS_KINDS if wishes.is_for_stills else GAME_KINDS
    return tuple(_cap(rng, NAMES[i], COLOURS[int(c)], str(rng.choice(kinds))) for i, c in enumerate(colours))


def _cap(rng: np.random.Generator, player: str, colour_rgb: tuple[int, int, int], kind: str) -> Cap:
    is_crown = kind.startswith("crown")
    low, high, flat, tall = SIZES_MM[kind]
    return Cap(
        player=player,
        colour_rgb=GLASS[int(rng.integers(len(GLASS)))] if kind == "ring" else STEEL if kind == "glide" else colour_rgb,
        diameter_mm=float(rng.choice(CROWNS_MM)) if is_crown else round(float(rng.uniform(low, high)), 1),
        height_mm=round(float(rng.uniform(flat, tall)), 1),
        kind=kind,  # type: ignore[arg-type]
    )


def _check(wishes: Wishes) -> None:
    offers = {
        "board": (STREET, TABLE),
        "ground": (None, *GROUNDS),
        "light": (None, *LIGHTS),
        "paint": (None, *PAINTS),
        "play": (GAME, DRILL, NOTHING),
        "world": (PLAIN, VARIED),
        "players": (None, *range(2, len(NAMES) + 1)),
    }
    for name, offered in offers.items():
        wish = getattr(wishes, name)
        if wish not in offered:
            choices = ", ".join(str(o) for o in offered if o is not None)
            raise BadInput(f"the simulator has no {name} {wish!r}; choose from {choices}")
