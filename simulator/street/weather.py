"""What goes on round a game: people's shadows pass, the camera adapts, lamps flicker, somebody knocks the camera."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.visitors import run_through, step_in
from linesies.simulator.street.world import FPS, World

Array = NDArray[np.float64]

QUIET_S = (1.5, 7.0)  # between two disturbances
WALK_MM_S = (700.0, 1600.0)  # of people, and faster: they hurry past
STEP_S = 0.5
KNOCK = 0.4  # how often a busy clip ends with the camera knocked


def weather(world: World, rng: np.random.Generator, *, is_busy: bool) -> Iterator[None]:
    """Let the world's mood change, a frame at a time; a quiet one stays calm."""
    knock_s = rng.uniform(14.0, 20.0) if is_busy and world.stage.play == "drill" and rng.random() < KNOCK else np.inf
    flicker = rng.uniform(0.001, 0.004) if world.stage.light.name == "indoor" else 0.0
    goings_on = _goings_on(world, rng) if is_busy else _calm()
    while True:
        next(goings_on)
        if flicker:
            wave = 1 + flicker * np.sin(2 * np.pi * 0.6 * world.t_s)
            world.mood = replace(world.mood, gain=world.mood.gain * float(wave) if not is_busy else float(wave))
        if world.t_s >= knock_s:
            knock_s = np.inf
            _knock(world, rng)
        yield


def _calm() -> Iterator[None]:
    while True:
        yield


def _goings_on(world: World, rng: np.random.Generator) -> Iterator[None]:
    has_sun = world.stage.light.softness < 0.5
    is_street = world.stage.kind == "street"
    happenings: dict[str, tuple[float, Callable[[], Iterator[None]]]] = {
        "pass_by": (3.0 if has_sun else 0.0, lambda: _pass_by(world, rng)),
        "cloud": (1.0 if has_sun and is_street else 0.0, lambda: _cloud(world, rng)),
        "adapt": (1.0, lambda: _adapt(world, rng)),
        "lamp": (0.7, lambda: _lamp(world, rng)),
        "foot": (1.2 if is_street else 0.0, lambda: step_in(world, rng)),
        "dog": (0.6 if is_street else 0.0, lambda: run_through(world, rng)),
        "rain": (0.5 if is_street and world.stage.play == "nothing" else 0.0, lambda: _rain(world, rng)),
    }
    weights = np.array([weight for weight, _ in happenings.values()])
    while True:
        for _ in range(int(rng.uniform(*QUIET_S) * FPS)):
            yield
        _, happen = happenings[str(rng.choice(list(happenings), p=weights / weights.sum()))]
        yield from happen()


def _cloud(world: World, rng: np.random.Generator) -> Iterator[None]:
    """Let a cloud pass before the sun; the camera makes up for most of it."""
    world.truth.append({"event": "cloud", "t_start": round(world.t_s, 4)})
    before, depth, steps = world.mood.gain, rng.uniform(0.06, 0.2), int(rng.uniform(2.0, 6.0) * FPS)
    for i in range(steps):
        world.mood = replace(world.mood, gain=before * (1 - depth * np.sin(np.pi * (i + 1) / steps) ** 2))
        yield


def _lamp(world: World, rng: np.random.Generator) -> Iterator[None]:
    """Let the referee's own lamp blink on the scene."""
    world.truth.append({"event": "lamp", "t_start": round(world.t_s, 4)})
    before, bright, half = world.mood.gain, rng.uniform(1.01, 1.05), int(rng.integers(6, 20))
    for i in range(2 * half * int(rng.integers(2, 6))):
        world.mood = replace(world.mood, gain=before * (bright if (i // half) % 2 == 0 else 1.0))
        yield
    world.mood = replace(world.mood, gain=before)


def _rain(world: World, rng: np.random.Generator) -> Iterator[None]:
    """Let some drops fall and stay."""
    world.truth.append({"event": "rain", "t_start": round(world.t_s, 4)})
    for _ in range(int(rng.integers(3, 25))):
        xy_mm = rng.uniform(-0.3, 1.3, 2) * world.stage.painted.board.size_mm[0]
        world.drops.append((xy_mm, float(rng.uniform(2.5, 9.0))))
        for _ in range(int(rng.integers(2, 30))):
            yield


def _pass_by(world: World, rng: np.random.Generator) -> Iterator[None]:
    """Let somebody's shadow walk across the board."""
    world.truth.append({"event": "passer_by", "t_start": round(world.t_s, 4)})
    size = world.stage.painted.board.size_mm[0]
    scale = world.stage.scale
    heading = rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(heading), np.sin(heading)])
    side = np.array([-ahead[1], ahead[0]]) * rng.uniform(-0.9, 0.9) * size
    speed = rng.uniform(*WALK_MM_S) * scale
    way = 3.4 * size
    for i in range(int(way / speed * FPS)):
        at = np.full(2, size / 2) + side + (i / FPS * speed - way / 2) * ahead
        swing = 0.35 * np.sin(2 * np.pi * i / FPS / (2 * STEP_S))
        outlines = person_outlines(world.stage.light.per_mm, at, scale, swing * ahead)
        world.mood = replace(world.mood, shadow_mm=outlines)
        yield
    world.mood = replace(world.mood, shadow_mm=())


def person_outlines(per_mm: NDArray[np.float32], stand_mm: Array, scale: float, swing: Array) -> tuple[Array, ...]:
    """Outline the shadow of somebody who stands or walks: legs, body and head, cast along the light."""
    reach = float(np.hypot(*per_mm))
    ahead = per_mm / max(reach, 1e-6)
    aside = np.array([-ahead[1], ahead[0]])
    outlines = []
    parts = ((0, 800, -110, 75, 1), (0, 800, 110, 75, -1), (750, 1450, 0, 210, 0), (1480, 1720, 0, 100, 0))
    for low, high, offset, half, leg in parts:
        foot = stand_mm + scale * (low * reach * ahead + offset * aside + leg * 900 * swing)
        top = stand_mm + scale * (high * reach * ahead + offset * aside)
        round_end = [top + scale * half * (np.cos(a) * aside + np.sin(a) * ahead) for a in np.linspace(0, np.pi, 9)]
        outlines.append(np.array([foot - scale * half * aside, foot + scale * half * aside, *round_end]))
    return tuple(outlines)


def _adapt(world: World, rng: np.random.Generator) -> Iterator[None]:
    """Let the camera's exposure change to another level within a few frames."""
    world.truth.append({"event": "exposure", "t_start": round(world.t_s, 4)})
    before, after = world.mood.gain, float(np.clip(rng.uniform(0.86, 1.14), 0.85, 1.15))
    steps = int(rng.integers(1, 40))
    for i in range(steps):
        world.mood = replace(world.mood, gain=before + (i + 1) / steps * (after - before))
        yield


def _knock(world: World, rng: np.random.Generator) -> None:
    """Knock the camera: from now on the picture is shifted by some millimetres of the board."""
    size_mm = world.stage.painted.board.size_mm[0]
    px_per_mm = world.stage.view.px_per_mm(np.array([size_mm / 2, size_mm / 2]))
    heading, far_mm = rng.uniform(0, 2 * np.pi), rng.uniform(4, 30) * world.stage.scale**0.5
    shift = px_per_mm * far_mm * np.array([np.cos(heading), np.sin(heading)])
    world.mood = replace(world.mood, shift_px=(float(shift[0]), float(shift[1])), turn_rad=float(rng.normal(0, 0.002)))
    world.truth.append({"event": "camera_moved", "t": round(world.t_s, 4)})
