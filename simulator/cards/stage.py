"""What a card game is played on and with, all chosen from one seed: mat, table, light, camera, deck, a cup."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies import rules
from linesies.calibration import Board, View
from linesies.calibration.card_mats import mat
from linesies.device.errors import BadInput
from linesies.games import GAMES, CardsOnMat
from linesies.simulator.agreed import DRAWN, options_of
from linesies.simulator.cards.faces import DealtDeck, draw_deck
from linesies.simulator.cards.tables import TABLES, choose_table, lay_mat
from linesies.simulator.street.canvas import DrawnCap, lay
from linesies.simulator.street.cast import EyePoint, Pose, cast
from linesies.simulator.street.light import Light, choose_light
from linesies.simulator.street.solids import solid
from linesies.simulator.street.surface import ground_map
from linesies.simulator.street.viewpoint import choose_lens, choose_view
from linesies.vision import Cap

Array = NDArray[np.float32]
NAMES = ("ana", "bo", "cy", "di", "ed", "flo", "gus", "hal")
LIGHTS = ("indoor", "overcast")
TILT_DEG = (3.0, 32.0)  # of the camera from straight down, as it may hang over a table
SIZE_PX = (1280, 720)
FPS = 30  # frames a second in which the game is played
USUAL = {"skull": (3, 5), "skull_king": (2, 4), "skipbo": (2, 3)}  # how many play, as the seed has it
OFFERED = {"skull": (2, 8), "skull_king": (2, 8), "skipbo": (2, 6)}  # whatever the game is for
TABLE_GAMES = ("skull", "skull_king", "skipbo")
CUP_ROOM_MM = 52.0  # round its middle, which no mat covers


def game_at(place: str) -> str | None:
    """Name the card game of `sim:PLACE`, however its words are joined; None where no cards are played."""
    name = rules.game_named(place)
    return name if name in TABLE_GAMES else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWishes:
    """What is asked for; None leaves it to the seed."""

    game: str
    seed: int = 1
    table: str | None = None
    light: str | None = None
    players: int | None = None
    size_px: tuple[int, int] = SIZE_PX
    fps: int = FPS
    options: str | None = None  # JSON, or DRAWN: as the seed has it
    preset: str | None = None
    fidget: float = 0.0  # how often somebody does something between two turns that does not count


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableStage:
    """The table before anybody plays."""

    seed: int
    game: str
    table: str
    players: tuple[str, ...]
    board: Board
    view: View
    light: Light
    table_light: Array  # (H, W, 3), linear
    ground_mm: Array  # (H, W, 2)
    deck: DealtDeck
    fidget: float
    options: Mapping[str, Any]

    def rng(self, purpose: int) -> np.random.Generator:
        """Open a stream of chance for one purpose, so that a change of one leaves the others as they were."""
        return np.random.default_rng([self.seed, 100 + purpose])


def set_table(wishes: TableWishes) -> TableStage:
    """Choose everything that is left open; raises BadInput for a wish that cannot be had."""
    _check(wishes)
    rng = np.random.default_rng([wishes.seed, 100])
    low, high = (OFFERED if wishes.options == DRAWN else USUAL)[wishes.game]
    players = NAMES[: wishes.players or int(rng.integers(low, high + 1))]
    board = mat(players, wishes.game, _plan(wishes.game))
    table = wishes.table or str(rng.choice(TABLES))
    light = choose_light(wishes.light or str(rng.choice(LIGHTS)), rng)
    lens = choose_lens(rng, wishes.size_px)
    turn_deg = float(rng.choice([0.0, 180.0]) + rng.normal(0, 4.0))
    view = choose_view(rng, board, lens, tilt_deg=rng.uniform(*TILT_DEG), turn_deg=turn_deg, has_start_line=False)
    ground_mm = ground_map(view)
    albedo = lay_mat(choose_table(table, rng), board, view, ground_mm, rng)
    shine = _uneven(ground_mm, board, rng) * np.float32(rng.uniform(0.75, 1.1))
    table_light = albedo * (light.sky_rgb + light.sun_rgb) * shine[..., None]
    _stand_cup(table_light, ground_mm, board, view, light, rng)
    return TableStage(
        seed=wishes.seed,
        game=wishes.game,
        table=table,
        players=players,
        board=board,
        view=view,
        light=light,
        table_light=table_light.astype(np.float32),
        ground_mm=ground_mm,
        deck=draw_deck(wishes.game, rng),
        fidget=wishes.fidget,
        options=options_of(wishes.game, players, wishes.options, wishes.preset, wishes.seed),
    )


def _plan(game: str) -> CardsOnMat:
    plan = GAMES[game].seen
    assert isinstance(plan, CardsOnMat)
    return plan


def _check(wishes: TableWishes) -> None:
    least, most = OFFERED[wishes.game]
    offers = {"table": (None, *TABLES), "light": (None, *LIGHTS), "players": (None, *range(least, most + 1))}
    for name, offered in offers.items():
        wish = getattr(wishes, name)
        if wish not in offered:
            choices = ", ".join(str(o) for o in offered if o is not None)
            raise BadInput(f"the simulator's {wishes.game} has no {name} {wish!r}; choose from {choices}")


def _uneven(ground_mm: Array, board: Board, rng: np.random.Generator) -> Array:
    """Let the lamp light one side of the table better than the other."""
    towards = rng.uniform(0, 2 * np.pi)
    away = (ground_mm - np.array(board.size_mm, np.float32) / 2) / np.float32(max(board.size_mm))
    slope = rng.uniform(0.05, 0.45)
    lit = 1 + slope * (away[..., 0] * np.cos(towards) + away[..., 1] * np.sin(towards))
    return np.clip(lit, 0.5, 1.5).astype(np.float32)


def _stand_cup(
    table_light: Array, ground_mm: Array, board: Board, view: View, light: Light, rng: np.random.Generator
) -> None:
    """Stand a cup where no zone is, if there is such a place."""
    tried = rng.uniform(0.06, 0.94, (60, 2)) * board.size_mm
    free = [xy for xy in tried if all(_out_mm(region.polygon_mm, xy) > CUP_ROOM_MM for region in board.regions)]
    if not free or rng.random() < 0.3:
        return
    red, green, blue = (int(v) for v in rng.integers(40, 220, 3))
    kind = Cap(
        player="", colour_rgb=(red, green, blue), diameter_mm=70.0, height_mm=rng.uniform(35, 80), kind="lid_open"
    )
    eye = EyePoint(foot_mm=view.camera_mm[:2].astype(np.float32), height_mm=view.camera_height_mm)
    drawn = cast(solid(kind, rng), Pose(xy_mm=free[0].astype(np.float32)), ground_mm, eye, light, 2)
    height, width = ground_mm.shape[:2]
    whole = (0, 0, width, height)
    lay(table_light, whole, DrawnCap(box=whole, cast=drawn, depth_mm=0.0))


def _out_mm(polygon_mm: NDArray[np.float64], xy_mm: NDArray[np.float64]) -> float:
    return -cv2.pointPolygonTest(polygon_mm.astype(np.float32), (float(xy_mm[0]), float(xy_mm[1])), measureDist=True)
