"""The simulated street as a camera source: the picture of a game that plays itself, and its truth."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration import Board, Lens
from device.cameras.source import Source
from device.simulator.canvas import Canvas, Moving
from device.simulator.cast import Pose
from device.simulator.drill import Drill, idle
from device.simulator.pacing import Pacing, Speed
from device.simulator.people import People, Umpire
from device.simulator.set_up import averaged, rough_taps
from device.simulator.solids import on_edge
from device.simulator.stage import DRILL, GAME, NOTHING, Stage, Wishes, set_stage
from device.simulator.truth import Truth, camera_truth
from device.simulator.umpire import OwnEyes
from device.simulator.weather import weather
from device.simulator.world import FPS, World
from vision import Cap, Frame


class SimulatedStreet(Source):
    """A camera over a game that plays itself; remembers the game's moment and its picture.

    `speed` 1.0 keeps real time and leaves out frames that nobody takes; "max" is as fast as the frames are taken.
    """

    def __init__(
        self,
        seed: int = 1,
        *,
        wishes: Wishes | None = None,
        players: int | None = None,
        umpire: Umpire | None = None,
        speed: Speed = "max",
        pace: float = 1.0,
    ) -> None:
        wishes = wishes or Wishes(seed=seed, players=players)
        self.stage: Stage = set_stage(wishes)
        self.name = f"sim:{self.stage.kind}?seed={self.stage.seed}"
        self.size_px = self.stage.lens.size_px
        self.fps = float(wishes.fps)
        self._every = FPS // wishes.fps
        self.is_live = speed != "max"
        self._pacing = Pacing(speed, FPS)
        self.world = World(self.stage)
        self._umpire = umpire or OwnEyes(self.start)
        self._game = self._script(pace)
        self._weather = weather(self.world, self.stage.rng(6), is_busy=self.stage.play != GAME)
        self._shown: dict[str, Pose] = {}
        self._is_open = True

    @property
    def board(self) -> Board:
        """The board as drawn."""
        return self.stage.painted.board

    @property
    def lens(self) -> Lens:
        """The camera's lens, exactly."""
        return self.stage.lens

    @property
    def caps(self) -> tuple[Cap, ...]:
        """Who plays with what."""
        return self.stage.caps

    @property
    def start(self) -> dict[str, Any]:
        """The game's start event."""
        return {"event": "start", "game": "skully", "players": [cap.player for cap in self.caps], "options": {}}

    @property
    def truth(self) -> list[Truth]:
        """What has truly happened so far."""
        return self.world.truth

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self._umpire.state()["phase"] == "over"

    @property
    def corners_px(self) -> list[tuple[float, float]]:
        """Rough taps on the board's outer corners, clockwise from box 1's."""
        return rough_taps(self.board, self.stage.view, self.stage.rng(2))

    @property
    def empty_bgr(self) -> NDArray[np.uint8]:
        """A picture of the empty board, with the camera's noise averaged away over a few frames."""
        return averaged(self._drawn[1], self.stage.rng(3))

    def header(self, frames: int) -> Truth:
        """Write a clip's first line of truth, before the first frame is taken."""
        start = {player: self.world.place(player) for player in self.world.pavement.players}
        return {
            "event": "clip",
            "name": self.name,
            "frames": frames,
            "fps": int(self.fps),
            "board": self.stage.kind,
            "light": self.stage.light.name,
            "ground": self.stage.ground,
            "camera": camera_truth(self.stage.view),
            "start": start,
        }

    def frames(self) -> Iterator[Frame]:
        """Yield the game's pictures for as long as they are asked for."""
        canvas, _ = self._drawn
        while self._is_open and next(self._game, True) is None:
            if self.world.frame % self._every == 0 and self._pacing.is_in_time(self.world.frame):
                planes = canvas.frame(self._show(canvas), self.world.hands, self.world.mood)
                number = self.world.frame // self._every
                yield Frame.from_yuv420(planes, number=number, t_s=self.world.t_s, is_full_range=True)
            next(self._weather)
            self.world.tick()

    def play(self) -> Iterator[float]:
        """Let the game pass without pictures; yields the time in seconds."""
        while self._is_open and next(self._game, True) is None:
            yield self.world.t_s
            next(self._weather)
            self.world.tick()

    def _script(self, pace: float) -> Iterator[None]:
        rng = self.stage.rng(1)
        if self.stage.play == DRILL:
            return Drill(self.world, rng).play()
        if self.stage.play == NOTHING:
            return idle(self.world, rng)
        return People(self.world, self._umpire, rng, pace).play()

    def close(self) -> None:
        """End the game; may be called twice."""
        self._is_open = False

    @cached_property
    def _drawn(self) -> tuple[Canvas, NDArray[np.uint8]]:
        """The canvas, and the picture of the empty board that it began with."""
        stage = self.stage
        light = (stage.albedo * (stage.light.sky_rgb + stage.light.sun_rgb)).astype(np.float32)
        canvas = Canvas(light, stage.ground_mm, stage.view, stage.light, stage.rng(4))
        return canvas, canvas.picture()

    def _show(self, canvas: Canvas) -> list[tuple[Any, Moving]]:
        """Bring what lies still up to date; tell what moves."""
        for xy_mm, radius_mm in self.world.drops:
            canvas.wet(xy_mm, radius_mm)
        self.world.drops.clear()
        moving = []
        still: dict[str, Pose] = {}
        ground = self.world.pavement
        for solid in self.stage.solids:
            player = solid.cap.player
            if player not in ground.players:
                continue
            pose = Pose(xy_mm=ground.xy_mm(player).astype(np.float32), angle_rad=ground.angle_rad(player))
            velocity = ground.velocity_mm_s(player)
            if ground.is_rolling(player):
                heading = float(np.arctan2(velocity[1], velocity[0]))
                moving.append((on_edge(solid), Moving(pose=replace(pose, angle_rad=heading), velocity_mm_s=velocity)))
            elif velocity.any():
                moving.append((solid, Moving(pose=pose, velocity_mm_s=velocity)))
            else:
                still[player] = pose
        if self.world.held is not None:
            player, pose = self.world.held
            solid = next(s for s in self.stage.solids if s.cap.player == player)
            moving.append((solid, Moving(pose=pose, velocity_mm_s=np.zeros(2))))
        self._settle(canvas, still)
        return moving

    def _settle(self, canvas: Canvas, still: dict[str, Pose]) -> None:
        for player in [p for p in self._shown if p not in still or _differ(self._shown[p], still[p])]:
            canvas.take(player)
            del self._shown[player]
        for solid in self.stage.solids:
            player = solid.cap.player
            if player in still and player not in self._shown:
                canvas.put(player, solid, still[player])
                self._shown[player] = still[player]


def _differ(a: Pose, b: Pose) -> bool:
    return bool((a.xy_mm != b.xy_mm).any()) or a.angle_rad != b.angle_rad
