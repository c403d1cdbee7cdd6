"""What lies round a street, as whatever is polished mirrors it: sky, what stands dark before it, and the ground."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.light import Light

Array = NDArray[np.float32]

OVERHEAD = 0.75  # of the sky's mean light; toward the horizon it is brighter
GLOW_NEAR = 0.08  # how near to the sun the sky glows: one less the cosine of that angle
SOFT = 0.06  # of every edge that is mirrored, beside what the polish softens


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mass:
    """What stands before the sky, a house, a tree or somebody who watches: where, how wide, how high, how bright.

    Angles are in radians on the board's axes; `rises` is the sine of how high it reaches.
    """

    azimuth_rad: float
    half_rad: float
    rises: float
    share: float  # of the sky's light that comes from it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Environment:
    """All that a ray may come from: the sky with its glow, masses before it, and the ground (shares of light)."""

    masses: tuple[Mass, ...]
    horizon: float  # by how much brighter the sky is there than overhead
    glow: float  # of the sun's light, round the sun
    ground: float  # of the light on it that the ground gives back

    def seen(self, rays: Array, light: Light, rough: float) -> Array:
        """Tell the light (N, 3) from the directions of rays (N, 3), blurred by so much (of a sine)."""
        up, soft = rays[:, 2], np.float32(SOFT + rough)
        low = (1 - np.clip(up, 0, 1)) ** 3
        share = np.float32(OVERHEAD) + np.float32(self.horizon) * low
        azimuth = np.arctan2(rays[:, 1], rays[:, 0])
        for mass in self.masses:
            away = np.abs((azimuth - np.float32(mass.azimuth_rad) + np.pi) % (2 * np.pi) - np.pi)
            before = _step((mass.rises - up) / soft) * _step((mass.half_rad - away) / soft)
            share = share + before * (np.float32(mass.share) - share)
        near = np.exp((rays @ light.to_sun - 1) / np.float32(GLOW_NEAR + rough))
        sky = share[:, None] * light.sky_rgb + (np.float32(self.glow) * near)[:, None] * light.sun_rgb
        ground = np.float32(self.ground) * (light.sky_rgb + light.sun_rgb)
        above = _step(up / soft)[:, None]
        return np.asarray(above * sky + (1 - above) * ground, np.float32)


def choose_environment(rng: np.random.Generator) -> Environment:
    """Choose what stands round a street, from an open place to a yard."""
    masses = tuple(
        Mass(
            azimuth_rad=float(rng.uniform(-np.pi, np.pi)),
            half_rad=float(rng.uniform(0.15, 1.2)),
            rises=float(rng.uniform(0.1, 0.98)),
            share=float(rng.uniform(0.03, 0.5)),
        )
        for _ in range(int(rng.integers(0, 6)))
    )
    return Environment(
        masses=masses,
        horizon=float(rng.uniform(0.1, 1.2)),
        glow=float(rng.uniform(0.0, 0.8)),
        ground=float(rng.uniform(0.05, 0.4)),
    )


def _step(from_edge: Array) -> Array:
    return np.asarray(np.clip(from_edge + 0.5, 0, 1), np.float32)
