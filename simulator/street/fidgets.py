"""What people do in the street besides shooting: they pick caps up, knock, kick and swap them, and put them back.

None of it counts: what the referee asks meanwhile was nothing, and what he rules on is objected to.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.gestures import place, wait
from linesies.simulator.street.hand import Hand
from linesies.simulator.street.physics import SLIDING_MM_S2
from linesies.simulator.street.world import FPS, Flick, World

Array = NDArray[np.float64]
Frames = Iterator[None]

PUT_BACK_MM = 1.5  # how far off a cap is put back
KNOCKED_MM = (15.0, 60.0)
KNOCK_S = 0.3  # a hand stays at a knocked cap; by hand
KICKED_MM_S = (500.0, 1300.0)  # which takes a cap 6 to 40 cm
KICK_SPREAD_RAD = 0.4
ASIDE = 0.08  # of the board's size from its border, one of two swapped caps is put meanwhile
FALSE_START = 0.3  # of how often somebody fidgets, a flick goes wrong
FALSE_START_MM = (6.0, 40.0)
FOOT_MM = 30.0  # from the cap's middle back to the tip of the shoe


class StreetFidgets:
    """Remembers the world and what was done so far, as (second, habit), to tell which habit misleads a referee."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self._world = world
        self.rng = rng
        self.done: list[tuple[float, str]] = []
        self._habits = {
            "picked up to look": self._look,
            "knocked and put back": self._knock,
            "kicked and put back": self._kick,
            "two at once": self._two_at_once,
            "two hands at once": self._two_hands,
            "swapped by mistake": self._swap,
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

    def slipped(self, velocity_mm_s: Array) -> Array:
        """Give the velocity of a flick, of a false start now and then: by the book, that is a shot (3.2.0)."""
        if self.rng.random() >= FALSE_START * self._world.stage.fidget:
            return velocity_mm_s
        way_mm = float(self.rng.uniform(*FALSE_START_MM))
        return velocity_mm_s / np.hypot(*velocity_mm_s) * np.sqrt(2 * SLIDING_MM_S2 * way_mm)

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
        yield from _both(self._look(caps), self._push(caps[1]))
        yield from wait(0.8)
        yield from self._put_back(caps[1], lay_mm)

    def _kick(self, caps: list[str]) -> Frames:
        """Kick a cap, so that it slides off by itself and may hit others, and put back all that moved."""
        pavement = self._world.pavement
        lay_mm = {cap: pavement.xy_mm(cap) for cap in pavement.players}
        kicked, start = caps[0], lay_mm[caps[0]]
        bearing_rad = self._inwards_rad(start)
        yield from self._step_in(start, bearing_rad)
        way_rad = bearing_rad + float(self.rng.normal(0, KICK_SPREAD_RAD))
        velocity = float(self.rng.uniform(*KICKED_MM_S)) * _ahead(way_rad)
        self._world.flick(Flick(player=kicked, velocity_mm_s=velocity, spin_rad_s=0.0, wait_s=0.0))
        yield from self._step_out(start, bearing_rad)
        while not self._world.is_at_rest:
            yield
        yield from wait(0.8)
        for cap, xy_mm in lay_mm.items():
            if (pavement.xy_mm(cap) != xy_mm).any():
                yield from self._put_back(cap, xy_mm)

    def _two_hands(self, caps: list[str]) -> Frames:
        """Let two players pick their caps up at the same time."""
        yield from _both(*(self._look([cap]) for cap in caps[:2]))

    def _swap(self, caps: list[str]) -> Frames:
        """Let two caps be taken for each other, and put back when it is noticed."""
        if len(caps) < 2:
            yield from self._look(caps)
            return
        one, other = caps[:2]
        one_mm, other_mm = (self._world.pavement.xy_mm(cap) for cap in (one, other))
        for one_goes_mm, other_goes_mm in ((other_mm, one_mm), (one_mm, other_mm)):
            yield from self._put_back(one, self._aside_mm(self._world.pavement.xy_mm(one)))
            yield from self._put_back(other, other_goes_mm)
            yield from self._put_back(one, one_goes_mm)
            yield from wait(0.8)

    def _put_back(self, cap: str, lay_mm: Array) -> Frames:
        yield from place(self._world, cap, lay_mm + self.rng.normal(0, PUT_BACK_MM, 2), self.rng)
        yield from wait(0.3)

    def _push(self, cap: str) -> Frames:
        """Push a cap along the ground with the tip of a shoe, which then draws back."""
        start = self._world.pavement.xy_mm(cap)
        bearing_rad = self._inwards_rad(start)
        ahead = _ahead(bearing_rad)
        far_mm = float(self.rng.uniform(*KNOCKED_MM))
        steps = round(KNOCK_S * FPS)
        yield from self._step_in(start, bearing_rad)
        for i in range(1, steps + 1):
            share = i / steps
            self._world.put(cap, start + share * far_mm * ahead)
            yield from self._shoe(start + (share * far_mm - FOOT_MM) * ahead, bearing_rad)
        yield from self._step_out(start + far_mm * ahead, bearing_rad)

    def _step_in(self, cap_mm: Array, bearing_rad: float) -> Frames:
        """Let a shoe come up to a cap."""
        steps = round(KNOCK_S * FPS)
        for i in range(1, steps + 1):
            yield from self._shoe(cap_mm - self._behind_mm(1 - i / steps) * _ahead(bearing_rad), bearing_rad)

    def _step_out(self, cap_mm: Array, bearing_rad: float) -> Frames:
        """Let a shoe draw back from where a cap is, or was, and out of the picture."""
        steps = round(KNOCK_S * FPS)
        for i in range(steps):
            yield from self._shoe(cap_mm - self._behind_mm(i / steps) * _ahead(bearing_rad), bearing_rad)

    def _behind_mm(self, share: float) -> float:
        """How far behind the cap a shoe's tip is, at a share of its way."""
        return FOOT_MM + share * 1.2 * self._size_mm

    def _shoe(self, tip_mm: Array, bearing_rad: float) -> Frames:
        """Show the shoe for a frame."""
        tip = np.asarray(tip_mm, np.float32)
        person = len(self._world.caps)
        self._world.limbs[person] = Hand(
            tip_mm=tip, bearing_rad=bearing_rad, lift_mm=0.0, person=person, gesture="foot"
        )
        yield
        del self._world.limbs[person]

    def _inwards_rad(self, xy_mm: Array) -> float:
        """Choose about which way leads from a point to the board's middle."""
        inwards = self._size_mm / 2 - xy_mm
        return float(np.arctan2(inwards[1], inwards[0]) + self.rng.normal(0, 0.3))

    def _aside_mm(self, xy_mm: Array) -> Array:
        """Find the point just outside the border that is nearest to a cap."""
        side = int(np.argmax(np.abs(xy_mm - self._size_mm / 2)))
        aside = np.array(xy_mm)
        aside[side] = -ASIDE * self._size_mm if xy_mm[side] < self._size_mm / 2 else (1 + ASIDE) * self._size_mm
        return aside

    @property
    def _size_mm(self) -> float:
        return self._world.stage.painted.board.size_mm[0]

    def _is_in_view(self, cap: str) -> bool:
        return self._world.stage.view.is_in_picture(self._world.pavement.xy_mm(cap))


def _ahead(bearing_rad: float) -> Array:
    return np.array([np.cos(bearing_rad), np.sin(bearing_rad)])


def _both(*acts: Frames) -> Frames:
    """Let people act at the same time, until all are done."""
    while not all([next(act, True) for act in acts]):  # noqa: C419 - each act goes on, whatever the others do
        yield
