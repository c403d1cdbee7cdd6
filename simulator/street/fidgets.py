"""What people do in the street besides shooting: they pick caps up to look, knock them and put them back.

None of it counts: what the referee asks meanwhile was nothing, and what he rules on is objected to.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.gestures import place, wait
from linesies.simulator.street.hand import Hand
from linesies.simulator.street.world import FPS, World

Array = NDArray[np.float64]
Frames = Iterator[None]

PUT_BACK_MM = 1.5  # how far off a cap is put back
KNOCKED_MM = (15.0, 60.0)
KNOCK_S = 0.3
FOOT_MM = 30.0  # from the cap's middle back to the tip of the shoe


class Fidgets:
    """Remembers the world and what was done so far, as (second, habit), to tell which habit misleads a referee."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self._world = world
        self.rng = rng
        self.done: list[tuple[float, str]] = []
        self._habits = {
            "picked up to look": self._look,
            "knocked and put back": self._knock,
            "two at once": self._two_at_once,
        }

    def fidget(self) -> Frames:
        """Do one thing that leaves the game as it was."""
        caps = [p for p in self._world.pavement.players if self._is_in_view(p)]
        if not caps:
            return
        name = str(self.rng.choice(list(self._habits)))
        self.done.append((self._world.t_s, name))
        told = len(self._world.truth)
        yield from self._habits[name]([str(cap) for cap in self.rng.permutation(caps)])
        del self._world.truth[told:]  # nothing truly happened
        yield from wait(1.0)

    def _look(self, caps: list[str]) -> Frames:
        """Pick a cap up, look at it, and put it back where it lay."""
        yield from self._put_back(caps[0], self._world.pavement.xy_mm(caps[0]))

    def _knock(self, caps: list[str]) -> Frames:
        """Knock a cap with the foot, and put it back."""
        lay_mm = self._world.pavement.xy_mm(caps[0])
        yield from self._push(caps[0])
        yield from wait(0.8)
        yield from self._put_back(caps[0], lay_mm)

    def _two_at_once(self, caps: list[str]) -> Frames:
        """Let two players handle their caps at the same time."""
        if len(caps) < 2:
            yield from self._look(caps)
            return
        lay_mm = self._world.pavement.xy_mm(caps[1])
        looking, pushing = self._look(caps), self._push(caps[1])
        while [next(looking, True), next(pushing, True)] != [True, True]:
            yield
        yield from wait(0.8)
        yield from self._put_back(caps[1], lay_mm)

    def _put_back(self, cap: str, lay_mm: Array) -> Frames:
        yield from place(self._world, cap, lay_mm + self.rng.normal(0, PUT_BACK_MM, 2), self.rng)
        yield from wait(0.3)

    def _push(self, cap: str) -> Frames:
        """Push a cap along the ground with the tip of a shoe, which then draws back."""
        start = self._world.pavement.xy_mm(cap)
        inwards = np.array(self._world.stage.painted.board.size_mm) / 2 - start
        bearing_rad = float(np.arctan2(inwards[1], inwards[0]) + self.rng.normal(0, 0.3))
        ahead = np.array([np.cos(bearing_rad), np.sin(bearing_rad)])
        far_mm = float(self.rng.uniform(*KNOCKED_MM))
        steps = round(KNOCK_S * FPS)
        come = [1 - (i + 1) / steps for i in range(steps)]
        way_mm = 1.2 * self._world.stage.painted.board.size_mm[0]
        for left in come:
            yield from self._shoe(start - (FOOT_MM + left * way_mm) * ahead, bearing_rad)
        for i in range(1, steps + 1):
            share = i / steps
            self._world.put(cap, start + share * far_mm * ahead)
            yield from self._shoe(start + (share * far_mm - FOOT_MM) * ahead, bearing_rad)
        for left in reversed(come):
            yield from self._shoe(start + (far_mm - FOOT_MM - left * way_mm) * ahead, bearing_rad)

    def _shoe(self, tip_mm: Array, bearing_rad: float) -> Frames:
        """Show the shoe for a frame."""
        tip = np.asarray(tip_mm, np.float32)
        person = len(self._world.caps)
        self._world.shoe = Hand(tip_mm=tip, bearing_rad=bearing_rad, lift_mm=0.0, person=person, gesture="foot")
        yield
        self._world.shoe = None

    def _is_in_view(self, cap: str) -> bool:
        return self._world.stage.view.is_in_picture(self._world.pavement.xy_mm(cap))
