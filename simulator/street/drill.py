"""Shots of every kind one after the other, without rules: what a watcher must tell apart."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.aim import FASTEST_MM_S
from linesies.simulator.street.gestures import place, point, shoot, wait
from linesies.simulator.street.physics import BOUNCE, ROLLING_MM_S2, SLIDING_MM_S2
from linesies.simulator.street.world import World

Array = NDArray[np.float64]
Frames = Iterator[None]

GIVES = (1 + BOUNCE**2) / 2  # of the striker's speed, what a cap of equal weight takes in a full hit


class Drill:
    """Remembers which kinds are still to come."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self._world = world
        self._rng = rng
        self._coming: list[str] = []

    def play(self) -> Frames:
        """Lay caps anywhere, then shoot, place and point for ever."""
        lay_anywhere(self._world, self._rng)
        yield from wait(1.0)
        while not self._world.mood.is_knocked:
            yield from wait(float(self._rng.uniform(0.4, 1.2)))
            if not self._coming:
                self._coming = [str(k) for k in self._rng.permutation(list(self._kinds()))]
            yield from self._kinds()[self._coming.pop()]()
        while True:  # nobody plays on before a knocked camera
            yield

    def _kinds(self) -> dict[str, Callable[[], Frames]]:
        return {
            "plain": self._plain,
            "hit": lambda: self._at_another("hit", 0.0, 0.45),
            "graze": lambda: self._at_another("graze", float(self._rng.uniform(0.72, 0.95)), 0.3),
            "near": self._near,
            "tiny": self._tiny,
            "chain": self._chain,
            "skullout": self._skullout,
            "leave": self._leave,
            "roll": self._roll,
            "placed": self._placed,
            "hand_visit": lambda: point(self._world, self._anywhere(), self._rng),
        }

    def _plain(self) -> Frames:
        player = self._pick(1)[0]
        yield from self._shoot(player, self._anywhere() - self._at(player), None, "plain")

    def _at_another(self, kind: str, aside: float, hard: float) -> Frames:
        """Hit another cap, `aside` of the two radii off its middle, so that it flies `hard` board's sizes at most."""
        by, victim = self._pick(2)
        way = self._at(victim) - self._at(by)
        offset = aside * self._reach(by, victim) * (1 if self._rng.random() < 0.5 else -1)
        past = self._rng.uniform(0.15, 1.0) * hard * self._size
        yield from self._shoot(by, _turned(way, offset), past, kind)

    def _near(self) -> Frames:
        """Pass another cap closely without touching it."""
        by, other = self._pick(2)
        way = self._at(other) - self._at(by)
        offset = (self._reach(by, other) + self._rng.uniform(1.5, 5.0)) * (1 if self._rng.random() < 0.5 else -1)
        if np.hypot(*way) > 2 * abs(offset):
            yield from self._shoot(by, _turned(way, offset), self._rng.uniform(0.05, 0.25) * self._size, "near")

    def _tiny(self) -> Frames:
        """Arrive at another cap so slowly that it moves by a few millimetres only."""
        by, victim = self._pick(2)
        way = self._at(victim) - self._at(by)
        moves = self._rng.uniform(2.0, 4.5)
        yield from self._shoot(by, way, moves / GIVES**2 - self._reach(by, victim), "tiny")

    def _chain(self) -> Frames:
        """Hit a cap that hits another, which was laid behind it by hand."""
        by, first, second = self._pick(3)
        way = self._at(first) - self._at(by)
        ahead = way / np.hypot(*way)
        spot = self._at(first) + ahead * (
            self._reach(first, second) + self._rng.uniform(12, 60) * self._world.stage.scale
        )
        if not self._is_free(spot, second):
            return
        yield from place(self._world, second, spot + self._rng.normal(0, 2.0, 2), self._rng)
        yield from wait(float(self._rng.uniform(0.8, 1.2)))
        yield from self._shoot(by, way, self._rng.uniform(0.15, 0.4) * self._size, "chain")

    def _skullout(self) -> Frames:
        """Hit a cap out of the skull."""
        by, victim = self._pick(2)
        spot = self._size * (0.5 + np.array(((0, -0.115), (0.115, 0), (0, 0.115), (-0.115, 0)))[self._rng.integers(4)])
        if not self._is_free(spot, victim):
            return
        yield from place(self._world, victim, spot, self._rng)
        yield from wait(float(self._rng.uniform(0.8, 1.2)))
        yield from self._shoot(
            by, self._at(victim) - self._at(by), self._rng.uniform(0.1, 0.35) * self._size, "skullout"
        )

    def _leave(self) -> Frames:
        """Shoot out of the picture, and bring the cap back by hand."""
        player = self._pick(1)[0]
        out = self._at(player) - self._size / 2
        side = np.sign(out) * (np.abs(out) == np.abs(out).max())
        heading = side + self._rng.normal(0, 0.2, 2)
        yield from self._shoot(player, heading / np.hypot(*heading) * self._size, 0.1 * self._size, "leave")
        if not self._world.stage.view.is_in_picture(self._at(player)):
            yield from wait(1.0)
            yield from place(self._world, player, self._free_place(player), self._rng)

    def _roll(self) -> Frames:
        """Let a cap roll on its edge, away from the others and mostly out of the picture."""
        player = self._pick(1)[0]
        tried = [self._rng.uniform(-np.pi, np.pi) for _ in range(12)]
        heading = max(tried, key=lambda a: self._room(player, np.array([np.cos(a), np.sin(a)])))
        way = np.array([np.cos(heading), np.sin(heading)])
        speed = np.sqrt(2 * ROLLING_MM_S2 * self._rng.uniform(0.25, 1.2) * self._size)
        yield from shoot(self._world, player, speed * way, self._rng, "roll")
        if not self._world.stage.view.is_in_picture(self._at(player)):
            yield from wait(1.0)
            yield from place(self._world, player, self._free_place(player), self._rng)

    def _room(self, player: str, ahead: Array) -> float:
        """Tell how far from a way the nearest other cap lies."""
        ways = [self._at(p) - self._at(player) for p in self._world.caps if p != player]
        return min(
            float(np.hypot(*w)) if w @ ahead < 0 else abs(float(w[0] * ahead[1] - w[1] * ahead[0])) for w in ways
        )

    def _placed(self) -> Frames:
        player = self._pick(1)[0]
        yield from place(self._world, player, self._free_place(player), self._rng)

    def _shoot(self, player: str, way: Array, past_mm: float | None, kind: str) -> Frames:
        """Shoot a given way, and as far beyond its end."""
        distance = float(np.hypot(*way)) + (past_mm or 0.0)
        speed = min(np.sqrt(2 * SLIDING_MM_S2 * max(distance, 10.0)), FASTEST_MM_S)
        yield from shoot(self._world, player, speed * way / np.hypot(*way), self._rng, kind)

    @property
    def _size(self) -> float:
        return self._world.stage.painted.board.size_mm[0]

    def _at(self, player: str) -> Array:
        return self._world.pavement.xy_mm(player)

    def _reach(self, a: str, b: str) -> float:
        return (self._world.caps[a].diameter_mm + self._world.caps[b].diameter_mm) / 2

    def _pick(self, count: int) -> list[str]:
        return [str(p) for p in self._rng.permutation(list(self._world.caps))[:count]]

    def _anywhere(self) -> Array:
        return self._rng.uniform(0.03, 0.97, 2) * self._size

    def _is_free(self, spot: Array, player: str) -> bool:
        others = [p for p in self._world.pavement.players if p != player]
        return all(np.hypot(*(self._at(p) - spot)) > self._reach(p, player) + 4 for p in others)

    def _free_place(self, player: str) -> Array:
        tried = (self._anywhere() for _ in range(100))
        return next(spot for spot in tried if self._is_free(spot, player))


def idle(world: World, rng: np.random.Generator) -> Frames:
    """Let caps lie and nobody shoot; a hand points at something now and then."""
    lay_anywhere(world, rng)
    while True:
        yield from wait(float(rng.uniform(3.0, 20.0)))
        yield from point(world, rng.uniform(0.1, 0.9, 2) * world.stage.painted.board.size_mm[0], rng)


def lay_anywhere(world: World, rng: np.random.Generator) -> None:
    """Lay every cap somewhere on the board, clear of the others."""
    size = world.stage.painted.board.size_mm[0]
    for player in world.caps:
        for _ in range(100):
            spot = rng.uniform(0.05, 0.95, 2) * size
            if all(np.hypot(*(world.pavement.xy_mm(p) - spot)) > 50 for p in world.pavement.players):
                break
        world.put(player, spot)


def _turned(way: Array, offset_mm: float) -> Array:
    """Turn a way so that it passes its end at `offset_mm` to the side."""
    length = float(np.hypot(*way))
    turn = np.arcsin(np.clip(offset_mm / length, -0.9, 0.9))
    c, s = np.cos(turn), np.sin(turn)
    return np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])
