"""Caps sliding on level ground: friction, restitution and spin by pymunk, and who touched whom when."""

from dataclasses import dataclass, field

import numpy as np
import pymunk
from numpy.typing import NDArray

Array = NDArray[np.float64]

SLIDING_MM_S2 = 2100.0  # what friction takes from a sliding cap
ROLLING_MM_S2 = 260.0  # what friction takes from a cap that rolls on its edge
TOPPLES_MM_S = 140.0  # slower than this it falls over
SPINNING = 60.0  # rad/s2, what it takes from a spinning one
BOUNCE = 0.72  # a cap's; two together make its square
GRIP = 0.5
STEP_S = 1 / 960
MASS = 1.0


@dataclass(slots=True, kw_only=True)
class Touch:
    """Two caps that met, at a time in seconds of the ground."""

    players: tuple[str, str]
    t_s: float


@dataclass(slots=True)
class _Body:
    body: pymunk.Body
    shape: pymunk.Circle
    radius_mm: float
    is_rolling: bool = False


@dataclass(slots=True)
class Slide:
    """What has happened since the caps were last at rest."""

    touches: list[Touch] = field(default_factory=list)
    moved_s: dict[str, float] = field(default_factory=dict)  # when each cap first moved
    still_s: float = 0.0  # when the last cap came to rest


class Pavement:
    """Remembers where every cap on the ground is and how it moves."""

    def __init__(self) -> None:
        self._space = pymunk.Space()
        self._space.iterations = 20
        self._space.collision_slop = 0.005
        self._bodies: dict[str, _Body] = {}
        self._touching: set[tuple[str, str]] = set()
        self.t_s = 0.0
        self.slide = Slide()

    def put(self, player: str, xy_mm: Array, diameter_mm: float) -> None:
        """Lay a cap down, or lay it elsewhere."""
        self.take(player)
        radius = diameter_mm / 2
        body = pymunk.Body(MASS, pymunk.moment_for_circle(MASS, 0, radius))
        body.position = float(xy_mm[0]), float(xy_mm[1])
        shape = pymunk.Circle(body, radius)
        shape.elasticity, shape.friction = BOUNCE, GRIP
        self._space.add(body, shape)
        self._bodies[player] = _Body(body, shape, radius)

    def take(self, player: str) -> None:
        """Take a cap off the ground."""
        old = self._bodies.pop(player, None)
        if old is not None:
            self._space.remove(old.body, old.shape)

    def flick(self, player: str, velocity_mm_s: Array, spin_rad_s: float, *, is_rolling: bool = False) -> None:
        """Let a cap go, with mm/s and rad/s, sliding or rolling on its edge."""
        self.slide = Slide()
        self._touching.clear()
        body = self._bodies[player].body
        body.velocity = float(velocity_mm_s[0]), float(velocity_mm_s[1])
        body.angular_velocity = spin_rad_s
        self._bodies[player].is_rolling = is_rolling
        self.slide.moved_s[player] = self.t_s

    @property
    def players(self) -> list[str]:
        """Whose caps lie on the ground."""
        return list(self._bodies)

    def xy_mm(self, player: str) -> Array:
        """Where a cap's middle is."""
        return np.array(self._bodies[player].body.position)

    def angle_rad(self, player: str) -> float:
        """How far a cap is turned, in radians."""
        return float(self._bodies[player].body.angle)

    def velocity_mm_s(self, player: str) -> Array:
        """How fast a cap moves, in mm/s."""
        return np.array(self._bodies[player].body.velocity)

    def is_rolling(self, player: str) -> bool:
        """Tell whether a cap rolls on its edge."""
        return self._bodies[player].is_rolling

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing slides or spins."""
        return all(b.body.velocity.length == 0 and b.body.angular_velocity == 0 for b in self._bodies.values())

    def wait(self, duration_s: float) -> None:
        """Let time pass."""
        steps = round(duration_s / STEP_S)
        for _ in range(steps):
            if self.is_at_rest:
                break
            self._step()
            steps -= 1
        self.t_s += steps * STEP_S

    def _step(self) -> None:
        self._note_touches()
        self._space.step(STEP_S)
        self.t_s += STEP_S
        for player, cap in self._bodies.items():
            if self._slow(cap):
                self.slide.moved_s.setdefault(player, self.t_s - STEP_S)
                self.slide.still_s = self.t_s

    def _note_touches(self) -> None:
        moving = [p for p, cap in self._bodies.items() if cap.body.velocity.length > 0]
        for a in moving:
            for b, other in self._bodies.items():
                reach = self._bodies[a].radius_mm + other.radius_mm
                if b == a or (pair := (min(a, b), max(a, b))) in self._touching:
                    continue
                if self._bodies[a].body.position.get_distance(other.body.position) < reach:
                    self._touching.add(pair)
                    self.slide.touches.append(Touch(players=(a, b), t_s=self.t_s))

    @staticmethod
    def _slow(cap: _Body) -> bool:
        """Take what friction takes in a step; tell whether the cap moved."""
        body = cap.body
        speed, spin_rad_s = body.velocity.length, body.angular_velocity
        if speed == 0 and spin_rad_s == 0:
            return False
        cap.is_rolling &= speed > TOPPLES_MM_S
        left = max(speed - (ROLLING_MM_S2 if cap.is_rolling else SLIDING_MM_S2) * STEP_S, 0.0)
        if speed:
            turn = body.angular_velocity * STEP_S if cap.is_rolling else 0.0  # who rolls runs in a bow
            body.velocity = (body.velocity * (left / speed)).rotated(turn)
        spun = SPINNING * STEP_S if not cap.is_rolling else 0.0
        body.angular_velocity = 0.0 if abs(spin_rad_s) <= spun else spin_rad_s - np.sign(spin_rad_s) * spun
        return True
