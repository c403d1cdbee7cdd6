"""How the surface of a cap gives back what is about it: as lacquer, as metal, brushed one way, bent by an opener."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.environment import Environment
from linesies.simulator.street.light import Light

Array = NDArray[np.float32]

FACE = 48  # points across a face's relief
BRIGHTEST = 30.0  # a mirrored sun, of the light of white in the sun: every camera is past its white there
METAL = 1.3  # what a metal mirrors, of what is listed as its colour
BENT = 0.35  # how often an opener has left its mark on a crown,
METALLIC = 0.35  # and how often its ink is bright metal
LAMP = 0.5  # how wide a lamp or a veiled sun is mirrored, of how soft its shadows are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Polish:
    """What a surface mirrors, and how.

    `share` of the light is given back as by a mirror, tinted by the surface's own colour where it `is_metal`. The
    mirrored sun has widths `along` and `across` a brush that lies at `brushed_rad` of the cap (slopes); `relief`
    (FACE, FACE, 2) is how its face slopes beside being flat.
    """

    environment: Environment
    share: float
    is_metal: bool
    along: float
    across: float
    brushed_rad: float
    relief: Array

    def mirrored(self, slopes: Array, seen: Array, turn_rad: float, light: Light) -> Array:
        """Tell the light (N, 3) that a mirror of these slopes (N, 2) sends along `seen`, to the camera."""
        normal = np.column_stack([slopes, np.ones(len(slopes), np.float32)])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        rays = 2 * (normal @ seen)[:, None] * normal - seen
        around = self.environment.seen(rays, light, float(np.hypot(self.along, self.across)))
        return around + self._sun(slopes, seen, turn_rad, light)

    def over(self, scattered: Array, mirrored: Array, rgb: Array) -> Array:
        """Lay what is mirrored over what a surface of these colours (N, 3) scatters."""
        tint = np.minimum(np.float32(METAL) * rgb, 1) if self.is_metal else np.float32(1)
        share = np.float32(self.share)
        return np.asarray((1 - share) * scattered + share * tint * mirrored, np.float32)

    def relief_at(self, xy: Array, turn_rad: float) -> Array:
        """Tell how the face slopes (N, 2) on the board's axes, at points (N, 2) of a cap turned so, in radii."""
        c, s = np.float32(np.cos(turn_rad)), np.float32(np.sin(turn_rad))
        own = (xy @ np.array([[c, -s], [s, c]]) + 1) * ((FACE - 1) / 2)
        columns, rows = np.clip(own, 0, FACE - 1).astype(int).T
        return np.asarray(self.relief[rows, columns] @ np.array([[c, s], [-s, c]]), np.float32)

    def _sun(self, slopes: Array, seen: Array, turn_rad: float, light: Light) -> Array:
        """Mirror the sun in small facets, whose slopes lie about the surface's own (Ward 1992)."""
        half = light.to_sun + seen
        off = half[:2] / half[2] - slopes
        c, s = np.cos(self.brushed_rad + turn_rad), np.sin(self.brushed_rad + turn_rad)
        along, across = (float(np.hypot(wide, LAMP * light.softness)) for wide in (self.along, self.across))
        near = ((c * off[:, 0] + s * off[:, 1]) / along) ** 2 + ((c * off[:, 1] - s * off[:, 0]) / across) ** 2
        bright = min(BRIGHTEST, 1 / (4 * along * across))
        sun = light.sun_rgb / light.to_sun[2]  # on what faces it
        return np.asarray(np.float32(bright) * np.exp(-near)[:, None] * sun, np.float32)


def choose_polish(kind: str, environment: Environment, rng: np.random.Generator) -> Polish | None:
    """Choose how a cap of a kind shines; None for glass, and for what is dull."""
    if kind == "ring":
        return None
    is_metal = rng.random() < {"glide": 0.85, "crown": METALLIC, "crown_upturned": 0.6}.get(kind, 0.0)
    low, high = (0.6, 1.0) if kind == "glide" else (0.2, 0.7)
    along, across = np.exp(rng.uniform(np.log(0.05), np.log(0.5), 2))
    is_bent = kind.startswith("crown") and rng.random() < BENT
    return Polish(
        environment=environment,
        share=float(rng.uniform(low, high) if is_metal else rng.uniform(0.02, 0.12)),
        is_metal=bool(is_metal),
        along=float(along),
        across=float(across if rng.random() < 0.5 else along),
        brushed_rad=float(rng.uniform(0, np.pi)),
        relief=_uneven(rng) + (_bend(rng) if is_bent else 0),
    )


def _uneven(rng: np.random.Generator) -> Array:
    """Make a face that was pressed, handled and trodden on."""
    wide = FACE * float(rng.uniform(0.08, 0.25))
    slopes = np.stack([cv2.GaussianBlur(rng.standard_normal((FACE, FACE), np.float32), (0, 0), wide) for _ in "xy"], 2)
    return np.asarray(slopes / slopes.std() * np.float32(rng.uniform(0, 0.12)), np.float32)


def _bend(rng: np.random.Generator) -> Array:
    """Crease a face where the opener held it: it slopes away to both sides of a line."""
    turn, beside = rng.uniform(0, 2 * np.pi), rng.uniform(-0.35, 0.35) * FACE
    rows, columns = np.mgrid[:FACE, :FACE].astype(np.float32) - FACE / 2
    way = np.array([np.cos(turn), np.sin(turn)], np.float32)
    past = (columns * way[0] + rows * way[1] - beside) / (0.08 * FACE)
    return np.asarray(np.float32(rng.uniform(0.05, 0.3)) * np.tanh(past)[..., None] * way, np.float32)
