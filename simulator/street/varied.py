"""Pictures of many worlds: every ground, shadow, cap, piece of litter and camera by chance, as a street is not ours.

The judge is taught and examined on these; the plain pictures of `stills` show a world in which all is well.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Lens
from linesies.simulator.noise import noise_at, noise_tile
from linesies.simulator.street.camera import Camera, CameraDrift, choose_camera, choose_shot, take
from linesies.simulator.street.canvas import Canvas
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.environment import choose_environment
from linesies.simulator.street.light import Light
from linesies.simulator.street.litter import person_shadow, strew
from linesies.simulator.street.shade import SHADES, shade, sun_at
from linesies.simulator.street.solids import CapSolid
from linesies.simulator.street.stage import Stage
from linesies.simulator.street.things import choose_things, lay_thing
from linesies.simulator.street.tops import listed, polished, vary
from linesies.vision import Cap

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]

HARD = ("dusk", "wet", "glare", "edge")
LENS_DOUBT = 0.001  # of the focal length, as a calibration leaves it
OCTAVES_MM = (1.5, 4.0, 11.0, 30.0, 80.0)  # of a ground's unevenness, from grit to patches
ONE_TINT = 0.4  # how often a ground's stains are of its own colour
LOWER_SUN = 0.3  # spread of how long shadows are, in logarithms
FLAT = 0.5  # how often leaves, gum and chalk lie flat on the ground


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VariedWorld:
    """What is common to the pictures of one scene: its caps as they are and as they are listed, its camera, shade."""

    solids: tuple[CapSolid, ...]
    caps: tuple[Cap, ...]
    lens: Lens
    camera: Camera
    shade: str
    light: Light
    relief: Array  # (H, W, 3): by how much bumps and stains of the ground brighten, darken or tint it

    def on(self, stage: Stage) -> Stage:
        """Set these caps on a stage of this ground and light; nothing shades it, and the camera adds noise alone."""
        return replace(stage, solids=self.solids, light=self.light, albedo=stage.albedo * self.relief)


def make_world(stage: Stage, draw: int = 0) -> VariedWorld:
    """Vary everything about a stage that its plain scene leaves as it is; each `draw` otherwise."""
    rng = stage.rng(21 + 100 * draw)
    shine = rng.spawn(1)[0]
    around = choose_environment(shine)
    solids = tuple(polished(vary(solid, rng), around, shine) for solid in stage.solids)
    focal = 1 + rng.normal(0, LENS_DOUBT)
    matrix = stage.lens.camera_matrix * np.array([[focal, 1, 1], [1, focal, 1], [1, 1, 1]])
    return VariedWorld(
        solids=solids,
        caps=tuple(listed(solid, rng) for solid in solids),
        lens=replace(stage.lens, camera_matrix=matrix),
        camera=choose_camera(rng),
        shade=str(rng.choice(SHADES)) if stage.light.softness < 0.5 else "none",
        light=_varied_light(stage.light, rng),
        relief=_relief(stage, rng),
    )


def photograph(
    stage: Stage,
    world: VariedWorld,
    lying: list[tuple[str, NDArray[np.float64]]],
    rng: np.random.Generator,
    hard: str = "",
    litter: int = 1,
) -> Picture:
    """Take a picture (H, W, 3), b, g, r, of caps lying where they lie; without any it is the empty board's.

    `litter` is how many times as much lies about as usual.
    """
    size_mm = stage.painted.board.size_mm[0]
    sun = shade(world.shade, stage.ground_mm, stage.seed, rng)
    if lying and world.light.softness < 0.5 and rng.random() < 0.25:
        sun = sun * person_shadow(stage.view, world.light.per_mm, rng, size_mm)
    if hard == "edge":
        sun = sun * _house_shadow(stage, rng)
    lit = littered(world.on(stage), rng, sun, is_wet=hard == "wet", litter=litter if lying else 0)
    picture = _with_caps(lit, sun, stage, world, lying, rng)
    if hard == "glare":
        picture = _glare(picture, rng)
    shot = choose_shot(rng) if lying else CameraDrift()
    if hard == "dusk":
        shot = replace(shot, exposure=shot.exposure * float(rng.uniform(0.3, 0.6)), noise=3.0)
    return take(world.camera, picture, shot, rng)


def littered(stage: Stage, rng: np.random.Generator, sun: Array, *, is_wet: bool = False, litter: int = 1) -> Array:
    """Light the ground (H, W, 3) by the share of sun (H, W) that falls on it, with so many times the usual litter."""
    size_mm, albedo = stage.painted.board.size_mm[0], stage.albedo.copy()
    if rng.random() < FLAT:
        for _ in range(litter):
            strew(albedo, stage.view, rng, size_mm)
    lit = albedo * (stage.light.sky_rgb + stage.light.sun_rgb * sun[..., None])
    lit = np.asarray(_wet(lit, stage, rng) if is_wet else lit, np.float32)
    for thing in (one for _ in range(litter) for one in choose_things(rng, size_mm)):
        lay_thing(lit, stage.view, thing, stage.light, rng)
    return lit


def _with_caps(
    lit: Array,
    sun: Array,
    stage: Stage,
    world: VariedWorld,
    lying: list[tuple[str, NDArray[np.float64]]],
    rng: np.random.Generator,
) -> Picture:
    """Put the caps on the lit ground, each in the share of the sun that falls where it lies."""
    canvas = Canvas(lit, stage.ground_mm, stage.view, world.light, rng)
    solids = {one.cap.player: one for one in world.solids}
    for player, xy_mm in lying:
        pose = Pose(xy_mm=xy_mm.astype(np.float32), angle_rad=float(rng.uniform(0, 2 * np.pi)))
        canvas.put(player, solids[player], pose, sun=sun_at(sun, stage.view, xy_mm))
    return canvas.picture()


def _varied_light(light: Light, rng: np.random.Generator) -> Light:
    """Let the sky be brighter or duller beside the sun, bluer or greyer, and the sun stand lower or higher."""
    share = float(np.exp(rng.normal(0, 0.3)))
    tint = np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
    sky, sun = light.sky_rgb * tint * np.float32(share), light.sun_rgb * np.exp(rng.normal(0, 0.03, 3))
    level = float((light.sky_rgb + light.sun_rgb).mean()) / float((sky + sun).mean())
    return replace(
        light,
        sky_rgb=np.float32(level) * sky,
        sun_rgb=np.asarray(np.float32(level) * sun, np.float32),
        per_mm=light.per_mm * np.float32(np.exp(rng.normal(0, LOWER_SUN))),
    )


def _relief(stage: Stage, rng: np.random.Generator) -> Array:
    """Tint the ground and light its bumps from where the sun stands: grit, coarse stones, dents, patches of dirt."""
    grey = np.zeros(stage.ground_mm.shape[:2], np.float32)
    slope_mm = rng.uniform(0.3, 1.4)  # fine grounds have all of it in the grit, stained ones in the patches
    strength = np.exp(rng.uniform(np.log(0.008), np.log(0.15)))
    for octave_mm in OCTAVES_MM:
        share = strength * (octave_mm / OCTAVES_MM[1]) ** (slope_mm - 1)
        grey += np.float32(min(share, 0.25)) * noise_at(noise_tile(rng, 1.6), stage.ground_mm, octave_mm / 1.6)
    bumps = noise_at(noise_tile(rng, 1.6), stage.ground_mm, rng.uniform(1.0, 4.0))
    across, down = (cv2.Sobel(bumps, cv2.CV_32F, *step, scale=0.125) for step in ((1, 0), (0, 1)))
    along = stage.light.per_mm / max(float(np.hypot(*stage.light.per_mm)), 1e-6)
    grey += rng.uniform(0, 0.2) * (across * along[0] + down * along[1]) * (1 - min(stage.light.softness, 1))
    dirt = noise_at(noise_tile(rng, 6.0), stage.ground_mm, rng.uniform(4, 14))
    stain = np.clip(dirt - rng.uniform(0.3, 1.2), 0, 1)
    grey -= rng.uniform(0, 0.35) * stain
    tint = np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * np.float32(np.exp(rng.normal(0, 0.25)))
    hue = rng.normal(0, 0.15, 3).astype(np.float32) * np.float32(rng.random() > ONE_TINT)
    return np.asarray(np.clip(1 + grey[..., None] + stain[..., None] * hue, 0.3, 2.0) * tint, np.float32)


def _house_shadow(stage: Stage, rng: np.random.Generator) -> Array:
    """Cast a long straight shadow over a part of the board."""
    turn, size_mm = rng.uniform(0, 2 * np.pi), stage.painted.board.size_mm[0]
    middle = stage.ground_mm.reshape(-1, 2)[::9973].mean(axis=0) + rng.normal(0, 0.15, 2) * size_mm
    aside = (stage.ground_mm - middle.astype(np.float32)) @ np.array([np.cos(turn), np.sin(turn)], np.float32)
    return np.asarray(np.clip(aside / np.float32(rng.uniform(3, 40)) + 0.5, 0, 1), np.float32)


def _wet(lit: Array, stage: Stage, rng: np.random.Generator) -> Array:
    """Darken the ground where it is wet; puddles mirror the sky, and wet grit the sun."""
    damp = noise_at(noise_tile(rng, 8.0), stage.ground_mm, rng.uniform(10, 40))
    wet = np.clip(damp - rng.uniform(-2, 0.5), 0, 1)[..., None]
    puddle = np.clip(damp - rng.uniform(0.8, 1.8), 0, 1)[..., None]
    grit = noise_at(noise_tile(rng, 0.8), stage.ground_mm, rng.uniform(1.5, 3))
    sparks = np.clip(grit - rng.uniform(1.5, 2.8), 0, 1)[..., None] * wet * rng.uniform(0, 1.2)
    gloss = rng.uniform(0.05, 0.4)
    dark = lit * (1 - rng.uniform(0.3, 0.6) * wet)
    return np.asarray(dark + puddle * gloss * stage.light.sky_rgb + sparks * stage.light.sun_rgb, np.float32)


def _glare(picture: Picture, rng: np.random.Generator) -> Picture:
    """Let the sun's mirror image wipe out a part of the picture."""
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y = rng.uniform(0.2, 0.8, 2) * (width, height)
    away = np.hypot((columns - x) / rng.uniform(0.8, 2.0), rows - y) / (rng.uniform(0.12, 0.3) * height)
    return np.asarray(np.clip(picture + (260 * np.exp(-(away**2)))[..., None], 0, 255), np.uint8)
