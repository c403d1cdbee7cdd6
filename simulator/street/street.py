"""The simulated street as a camera source: the picture of a game that plays itself, and its truth."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.agreed import options_of
from linesies.simulator.pacing import Pacing, Speed
from linesies.simulator.playing import SelfPlaying
from linesies.simulator.street.canvas import Canvas, Moving
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.drill import Drill, idle
from linesies.simulator.street.people import People, Umpire
from linesies.simulator.street.solids import on_edge
from linesies.simulator.street.stage import DRILL, GAME, NOTHING, VARIED, Stage, Wishes, set_stage
from linesies.simulator.street.truth import Truth, camera_truth
from linesies.simulator.street.umpire import rules_event
from linesies.simulator.street.varied import littered, make_world
from linesies.simulator.street.weather import weather
from linesies.simulator.street.world import FPS, World
from linesies.simulator.umpire import RulesUmpire
from linesies.vision import Cap, Frame


class SimulatedStreet(SelfPlaying[Stage, World, Umpire]):
    """A camera over a painted board on the street, where people flick caps.

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
        stage = set_stage(wishes)
        self._varied = make_world(stage) if wishes.world == VARIED else None
        stage = self._varied.on(stage) if self._varied else stage
        name, board = f"sim:{stage.kind}?seed={stage.seed}", stage.painted.board
        super().__init__(name, stage, board, fps=float(wishes.fps), pacing=Pacing(speed, FPS))
        self._every = FPS // wishes.fps
        names = [cap.player for cap in stage.caps]
        self._agreed = options_of("skully", names, wishes.options, wishes.preset, wishes.seed)
        self.world = World(self.stage)
        self._umpire = umpire or RulesUmpire(self.start, rules_event)
        self._people: People | None = None
        self._game = self._script(pace)
        self._weather = weather(self.world, self.stage.rng(6), is_busy=self.stage.play != GAME)
        self._shown: dict[str, Pose] = {}

    @property
    def fidgets(self) -> list[tuple[float, str]]:
        """What people did besides shooting, as (second, habit)."""
        return [] if self._people is None else self._people.fidgets.done

    @property
    def caps(self) -> tuple[Cap, ...]:
        """Who plays with what."""
        return self._varied.caps if self._varied else self.stage.caps

    @property
    def start(self) -> dict[str, Any]:
        """The game's start event."""
        return {
            "event": "start",
            "game": "skully",
            "players": [cap.player for cap in self.caps],
            "options": dict(self._agreed),
        }

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
        while self._goes_on():
            if self.world.frame % self._every == 0 and self._pacing.is_in_time(self.world.frame):
                planes = canvas.frame(self._show(canvas), self.world.hands, self.world.mood)
                number = self.world.frame // self._every
                yield Frame.from_yuv420(planes, number=number, t_s=self.world.t_s, is_full_range=True)
            next(self._weather)
            self.world.tick()

    def play(self) -> Iterator[float]:
        """Let the game pass without pictures; yields the time in seconds."""
        while self._goes_on():
            yield self.world.t_s
            next(self._weather)
            self.world.tick()

    def _script(self, pace: float) -> Iterator[None]:
        rng = self.stage.rng(1)
        if self.stage.play == DRILL:
            return Drill(self.world, rng).play()
        if self.stage.play == NOTHING:
            return idle(self.world, rng)
        self._people = People(self.world, self._umpire, rng, pace)
        return self._people.play()

    @cached_property
    def _drawn(self) -> tuple[Canvas, NDArray[np.uint8]]:
        """The canvas, and the picture of the empty board that it began with."""
        stage = self.stage
        light = (stage.albedo * (stage.light.sky_rgb + stage.light.sun_rgb)).astype(np.float32)
        canvas = self._canvas(light)
        empty = canvas.picture()
        if self._varied is None:
            return canvas, empty
        full_sun = np.ones(stage.ground_mm.shape[:2], np.float32)
        return self._canvas(littered(stage, stage.rng(22), full_sun)), empty

    def _canvas(self, ground_light: NDArray[np.float32]) -> Canvas:
        stage = self.stage
        return Canvas(ground_light, stage.ground_mm, stage.view, stage.light, stage.rng(4))

    @property
    def _empty_light(self) -> NDArray[np.uint8]:
        return self._drawn[1]

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
        moving += [
            (solid, Moving(pose=self.world.held[solid.cap.player], velocity_mm_s=np.zeros(2)))
            for solid in self.stage.solids
            if solid.cap.player in self.world.held
        ]
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
