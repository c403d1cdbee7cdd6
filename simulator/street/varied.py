"""Pictures of many worlds: every ground, shadow, cap, piece of litter and camera by chance, as a street is not ours.

The judge is taught and examined on these; the plain pictures of `stills` show a world in which all is well.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Lens
from linesies.simulator.noise import noise_at, noise_tile
from linesies.simulator.street.camera import Camera, Shot, choose_camera, choose_shot, take
from linesies.simulator.street.canvas import Canvas
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.litter import person_shadow
from linesies.simulator.street.shade import SHADES, shade
from linesies.simulator.street.solids import Solid
from linesies.simulator.street.stage import Stage
from linesies.simulator.street.things import choose_things, lay_thing
from linesies.simulator.street.tops import listed, vary
from linesies.vision import Cap

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]

HARD = ("dusk", "wet", "glare")
LENS_DOUBT = 0.001  # of the focal length, as a calibration leaves it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """What is common to the pictures of one scene: its caps as they are and as they are listed, its camera, shade."""

    solids: tuple[Solid, ...]
    caps: tuple[Cap, ...]
    lens: Lens
    camera: Camera
    shade: str
    relief: Array  # (H, W, 1): by how much bumps of the ground brighten or darken it


def make_world(stage: Stage) -> World:
    """Vary everything about a stage that its plain scene leaves as it is."""
    rng = stage.rng(21)
    solids = tuple(vary(solid, rng) for solid in stage.solids)
    focal = 1 + rng.normal(0, LENS_DOUBT)
    matrix = stage.lens.camera_matrix * np.array([[focal, 1, 1], [1, focal, 1], [1, 1, 1]])
    return World(
        solids=solids,
        caps=tuple(listed(solid, rng) for solid in solids),
        lens=replace(stage.lens, camera_matrix=matrix),
        camera=choose_camera(rng),
        shade=str(rng.choice(SHADES)) if stage.light.softness < 0.5 else "none",
        relief=_relief(stage, rng),
    )


def photograph(
    stage: Stage, world: World, lying: list[tuple[str, NDArray[np.float64]]], rng: np.random.Generator, hard: str = ""
) -> Picture:
    """Take a picture (H, W, 3), b, g, r, of caps lying where they lie; without any it is the empty board's."""
    light = stage.light
    sun = shade(world.shade, stage.ground_mm, stage.seed, rng)
    if lying and light.softness < 0.5 and rng.random() < 0.25:
        sun = sun * person_shadow(stage.view, light.per_mm, rng, stage.painted.board.size_mm[0])
    lit = stage.albedo * world.relief * (light.sky_rgb + light.sun_rgb * sun[..., None])
    if hard == "wet":
        lit = _wet(lit, stage, rng)
    lit = np.asarray(lit, np.float32)
    if lying:
        for thing in choose_things(rng, stage.painted.board.size_mm[0]):
            lay_thing(lit, stage.view, thing, light, rng)
    canvas = Canvas(lit, stage.ground_mm, stage.view, light, rng)
    solids = {one.cap.player: one for one in world.solids}
    for player, xy_mm in lying:
        x, y = np.clip(np.rint(stage.view.mm_to_px(xy_mm[None])[0]).astype(int), 0, np.array(stage.lens.size_px) - 1)
        pose = Pose(xy_mm=xy_mm.astype(np.float32), angle_rad=float(rng.uniform(0, 2 * np.pi)))
        canvas.put(player, solids[player], pose, sun=float(sun[y, x]))
    picture = canvas.picture()
    if hard == "glare":
        picture = _glare(picture, rng)
    shot = choose_shot(rng) if lying else Shot()
    if hard == "dusk":
        shot = replace(shot, exposure=shot.exposure * float(rng.uniform(0.3, 0.6)), noise=3.0)
    return take(world.camera, picture, shot, rng)


def _relief(stage: Stage, rng: np.random.Generator) -> Array:
    """Light the bumps of the ground from where the sun stands: coarse stones, dents, patches of dirt."""
    bumps = noise_at(noise_tile(rng, 1.6), stage.ground_mm, rng.uniform(1.0, 4.0))
    grey = bumps * rng.uniform(0, 0.15)
    slope = np.gradient(bumps)
    along = stage.light.per_mm / max(float(np.hypot(*stage.light.per_mm)), 1e-6)
    grey += rng.uniform(0, 0.2) * (slope[1] * along[0] + slope[0] * along[1]) * (1 - min(stage.light.softness, 1))
    dirt = noise_at(noise_tile(rng, 6.0), stage.ground_mm, rng.uniform(4, 14))
    grey -= rng.uniform(0, 0.35) * np.clip(dirt - rng.uniform(0.3, 1.2), 0, 1)
    return np.asarray(np.clip(1 + grey, 0.3, 2.0), np.float32)[..., None]


def _wet(lit: Array, stage: Stage, rng: np.random.Generator) -> Array:
    """Darken the ground where it is wet, and mirror the sky in puddles."""
    damp = noise_at(noise_tile(rng, 8.0), stage.ground_mm, rng.uniform(10, 40))
    wet = np.clip(damp - rng.uniform(-1, 0.5), 0, 1)[..., None]
    puddle = np.clip(damp - rng.uniform(0.8, 1.8), 0, 1)[..., None]
    return np.asarray(lit * (1 - 0.5 * wet) + puddle * 0.25 * stage.light.sky_rgb, np.float32)


def _glare(picture: Picture, rng: np.random.Generator) -> Picture:
    """Let the sun's mirror image wipe out a part of the picture."""
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y = rng.uniform(0.2, 0.8, 2) * (width, height)
    away = np.hypot((columns - x) / rng.uniform(0.8, 2.0), rows - y) / (rng.uniform(0.12, 0.3) * height)
    return np.asarray(np.clip(picture + (260 * np.exp(-(away**2)))[..., None], 0, 255), np.uint8)
