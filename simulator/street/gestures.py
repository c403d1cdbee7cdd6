"""What a hand does, frame by frame: each gesture is a generator that yields once a frame."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.cast import Pose
from linesies.simulator.street.hand import Hand
from linesies.simulator.street.limbs import Gesture
from linesies.simulator.street.truth import Truth
from linesies.simulator.street.world import FPS, Flick, World

Array = NDArray[np.float64]
Frames = Iterator[None]

COME_S = 0.42  # a hand's way in or out
AIM_S = (0.35, 0.8)
CARRY_MM_S = 900.0  # of a hand that carries a cap; as hands look, by eye
LIFT_MM = 45.0  # a carried cap over the ground; by eye
BEARINGS = 24  # directions tried for the arm


def wait(seconds: float) -> Frames:
    """Do nothing for a while."""
    for _ in range(round(seconds * FPS)):
        yield


def shoot(
    world: World, player: str, velocity_mm_s: Array, rng: np.random.Generator, kind: str | None = None
) -> Iterator[None]:
    """Come in, flick the cap, go, and wait until all is at rest; then the shot's truth stands in the world."""
    cap_mm = world.pavement.xy_mm(player)
    ahead = velocity_mm_s / np.hypot(*velocity_mm_s)
    behind = cap_mm - ahead * (world.caps[player].diameter_mm / 2 + 9)
    bearing_rad = _bearing(world, behind, float(np.arctan2(ahead[1], ahead[0])), spread=1.2)
    person = list(world.caps).index(player)
    yield from _come(world, behind, bearing_rad, person, "ready")
    for _ in range(round(rng.uniform(*AIM_S) * FPS)):
        _hold(world, behind + rng.normal(0, 0.25, 2), bearing_rad, person, "ready")
        yield
    is_rolling = kind == "roll"
    world.flick(
        Flick(
            player=player,
            velocity_mm_s=velocity_mm_s,
            spin_rad_s=float(rng.normal(0, 0.4 if is_rolling else 9)),
            wait_s=float(rng.uniform(0, 1 / FPS)),
            is_rolling=is_rolling,
        )
    )
    yield
    _hold(world, behind + ahead * 12, bearing_rad, person, "flick")
    yield from wait(0.12)
    yield from _leave(world, behind + ahead * 12, bearing_rad, person, "flick")
    while not world.is_at_rest:
        yield
    world.truth.append(world.shot_truth(player, kind))


def place(world: World, player: str, xy_mm: Array, rng: np.random.Generator) -> Iterator[None]:
    """Take a cap from where it lies (or bring it from elsewhere) and lay it down by hand."""
    person = list(world.caps).index(player)
    lies = player in world.pavement.players
    start = world.pavement.xy_mm(player) if lies else _outside(world, xy_mm)
    bearing_rad = _bearing(world, xy_mm, float(rng.uniform(-np.pi, np.pi)), spread=np.pi)
    if lies:
        yield from _come(world, start, bearing_rad, person, "pinch")
        yield from wait(0.1)
        t_start = world.t_s
        world.lift(player)
    else:
        t_start = world.t_s
    yield from _carry(world, player, start, xy_mm, bearing_rad, person)
    world.put(player, xy_mm)
    t_end = world.t_s
    yield from wait(0.12)
    yield from _leave(world, xy_mm, bearing_rad, person, "pinch")
    here = world.place(player)
    event: Truth = {"event": "placed", "player": player, "at": here["location"], "t_start": round(t_start, 4)}
    world.truth.append({**event, "t_end": round(t_end, 4), "rest": {player: here}})


def take_away(world: World, player: str, rng: np.random.Generator) -> Iterator[None]:
    """Carry a cap out of the picture."""
    person = list(world.caps).index(player)
    start = world.pavement.xy_mm(player)
    bearing_rad = _bearing(world, start, float(rng.uniform(-np.pi, np.pi)), spread=np.pi)
    yield from _come(world, start, bearing_rad, person, "pinch")
    t_start = world.t_s
    world.lift(player)
    yield from _carry(world, player, start, _outside(world, start, bearing_rad), bearing_rad, person)
    del world.held[player], world.limbs[person]
    world.truth.append({"event": "taken", "player": player, "t_start": round(t_start, 4), "t_end": round(world.t_s, 4)})


def point(world: World, xy_mm: Array, rng: np.random.Generator) -> Iterator[None]:
    """Come in, point at something, and go."""
    t_start = world.t_s
    person = int(rng.integers(len(world.caps)))
    bearing_rad = _bearing(world, xy_mm, float(rng.uniform(-np.pi, np.pi)), spread=np.pi)
    yield from _come(world, xy_mm, bearing_rad, person, "point")
    for _ in range(round(rng.uniform(0.2, 0.7) * FPS)):
        _hold(world, xy_mm + rng.normal(0, 0.6, 2), bearing_rad, person, "point", 18.0)
        yield
    yield from _leave(world, xy_mm, bearing_rad, person, "point")
    world.truth.append({"event": "hand_visit", "t_start": round(t_start, 4), "t_end": round(world.t_s, 4)})


def _come(world: World, tip_mm: Array, bearing_rad: float, person: int, gesture: Gesture) -> Frames:
    steps = round(COME_S * FPS)
    way = _way_out_mm(world, tip_mm, bearing_rad)
    for i in range(steps):
        left = (1 - (i + 1) / steps) ** 2
        _hold(world, tip_mm - left * way * _ahead(bearing_rad), bearing_rad, person, gesture, 60 * left)
        yield


def _leave(world: World, tip_mm: Array, bearing_rad: float, person: int, gesture: Gesture) -> Frames:
    steps = round(COME_S * FPS)
    way = _way_out_mm(world, tip_mm, bearing_rad)
    for i in range(steps):
        gone = ((i + 1) / steps) ** 2
        _hold(world, tip_mm - gone * way * _ahead(bearing_rad), bearing_rad, person, gesture, 60 * gone)
        yield
    del world.limbs[person]


def _carry(world: World, player: str, start: Array, end: Array, bearing_rad: float, person: int) -> Frames:
    steps = max(round(float(np.hypot(*(end - start))) / CARRY_MM_S / world.stage.scale**0.5 * FPS), 18)
    for i in range(1, steps + 1):
        share = i / steps
        eased = share * share * (3 - 2 * share)
        lift = LIFT_MM * np.sin(np.pi * share) ** 0.7 if i < steps else 0.0
        xy = start + eased * (end - start)
        world.held[player] = Pose(xy_mm=xy.astype(np.float32), lift_mm=float(lift))
        _hold(world, xy, bearing_rad, person, "pinch", float(lift))
        yield


def _hold(world: World, tip_mm: Array, bearing_rad: float, person: int, gesture: Gesture, lift_mm: float = 0.0) -> None:
    tip = np.asarray(tip_mm, np.float32)
    world.limbs[person] = Hand(tip_mm=tip, bearing_rad=bearing_rad, lift_mm=lift_mm, person=person, gesture=gesture)


def _ahead(bearing_rad: float) -> Array:
    return np.array([np.cos(bearing_rad), np.sin(bearing_rad)])


def _bearing(world: World, tip_mm: Array, wanted: float, spread: float) -> float:
    """Point as wanted, within `spread`, so that the arm leaves the picture soon: people stand round the board."""
    tried = wanted + np.linspace(-spread, spread, BEARINGS)
    costs = [_way_out_mm(world, tip_mm, b) * (1 + 0.3 * abs(b - wanted) / spread) for b in tried]
    return float(tried[int(np.argmin(costs))])


def _way_out_mm(world: World, tip_mm: Array, bearing_rad: float) -> float:
    """How far a hand must draw back to be out of the picture."""
    size = world.stage.painted.board.size_mm[0]
    ways = np.linspace(0.1, 2.2, 22) * size
    points = tip_mm - ways[:, None] * _ahead(bearing_rad)
    px = world.stage.view.mm_to_px(points)
    width, height = world.stage.lens.size_px
    outside = ~((px >= 0).all(axis=1) & (px[:, 0] <= width) & (px[:, 1] <= height))  # also what has no place at all
    return float(ways[int(outside.argmax())] if outside.any() else ways[-1]) + 0.08 * size


def _outside(world: World, xy_mm: Array, bearing_rad: float | None = None) -> Array:
    """Find a point out of the picture, back along an arm."""
    towards = _bearing(world, xy_mm, 0.0, np.pi) if bearing_rad is None else bearing_rad
    return xy_mm - _way_out_mm(world, xy_mm, towards) * _ahead(towards)
