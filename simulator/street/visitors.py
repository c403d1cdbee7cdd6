"""Who comes into the picture without playing: somebody's foot, a dog."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.hand import Hand
from linesies.simulator.street.limbs import Gesture
from linesies.simulator.street.world import FPS, World

Array = NDArray[np.float64]

CLEAR_MM = 190.0  # nobody steps on a cap
STRIDE_S = 0.35


def step_in(world: World, rng: np.random.Generator) -> Iterator[None]:
    """Let somebody set a foot on the ground near the border, and take it away."""
    size = world.stage.painted.board.size_mm[0]
    spot = _clear_spot(world, rng)
    if spot is None:
        return
    world.truth.append({"event": "foot", "t_start": round(world.t_s, 4)})
    inwards = np.full(2, size / 2) - spot
    bearing_rad = float(np.arctan2(inwards[1], inwards[0]) + rng.normal(0, 0.4))
    ahead = np.array([np.cos(bearing_rad), np.sin(bearing_rad)])
    person = int(rng.integers(8))
    stride = round(STRIDE_S * FPS)
    rest = int(rng.uniform(0.3, 2.5) * FPS)
    for i in range(2 * stride + rest):
        away = max(1 - (i + 1) / stride, 0.0) + max((i + 1 - stride - rest) / stride, 0.0)
        tip = spot - 1.1 * size * away * ahead
        world.visitors = [_visitor(tip, bearing_rad, 120 * away, person, "foot")]
        yield
    world.visitors = []


def run_through(world: World, rng: np.random.Generator) -> Iterator[None]:
    """Let a dog trot across."""
    world.truth.append({"event": "dog", "t_start": round(world.t_s, 4)})
    size = world.stage.painted.board.size_mm[0]
    heading = rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(heading), np.sin(heading)])
    aside = np.array([-ahead[1], ahead[0]])
    middle = np.full(2, size / 2) + rng.uniform(-0.6, 0.6) * size * aside
    speed, fur = rng.uniform(900, 2200), int(rng.integers(8))
    way = 4.2 * size
    for i in range(int(way / speed * FPS)):
        sway = 12 * np.sin(2 * np.pi * 2.2 * i / FPS)
        tip = middle + (i / FPS * speed - way / 2) * ahead + sway * aside
        world.visitors = [_visitor(tip, heading, 260 + sway, fur, "dog")]
        yield
    world.visitors = []


def _visitor(tip_mm: Array, bearing_rad: float, lift_mm: float, person: int, gesture: Gesture) -> Hand:
    tip = np.asarray(tip_mm, np.float32)
    return Hand(tip_mm=tip, bearing_rad=bearing_rad, lift_mm=float(lift_mm), person=person, gesture=gesture)


def _clear_spot(world: World, rng: np.random.Generator) -> Array | None:
    """Find a place near the border where no cap lies under the shoe."""
    size = world.stage.painted.board.size_mm[0]
    caps = [world.pavement.xy_mm(p) for p in world.pavement.players]
    for _ in range(50):
        spot = rng.uniform(-0.1, 1.1, 2) * size
        is_inside = np.all(np.abs(spot - size / 2) < 0.35 * size)
        if not is_inside and all(np.hypot(*(cap - spot)) > CLEAR_MM + 150 for cap in caps):
            return np.asarray(spot, float)
    return None
