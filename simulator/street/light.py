"""Light on the scene: the sky's share, the sun's or lamp's share and direction, and the camera's tone curve."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LIGHTS = ("sun_high", "sun_low", "overcast", "indoor")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Light:
    """Linear light (r, g, b) on level ground, from all round and from one direction.

    `per_mm` (2,) is where a shadow falls: millimetres on the ground a millimetre of height. `softness`
    is the half shadow's width a millimetre of height. `exposure_s` is how long the shutter stands open.
    """

    name: str
    sky_rgb: NDArray[np.float32]
    sun_rgb: NDArray[np.float32]
    per_mm: NDArray[np.float32]
    softness: float
    exposure_s: float

    @property
    def to_sun(self) -> NDArray[np.float32]:
        """The unit vector (x, y, up) towards the sun or lamp."""
        x, y = -self.per_mm
        vector = np.array([x, y, 1.0], np.float32)
        return vector / np.linalg.norm(vector)


_MIX = {  # name: share of the sky, colours of sky and sun, elevation in degrees, softness, exposure in ms
    "sun_high": (0.30, (0.80, 0.92, 1.20), (1.05, 1.0, 0.93), (45, 70), 0.02, 1.5),
    "sun_low": (0.34, (0.78, 0.92, 1.25), (1.12, 1.0, 0.82), (22, 36), 0.02, 2.5),
    "overcast": (0.96, (0.97, 1.0, 1.05), (1.0, 1.0, 1.0), (50, 70), 1.0, 4.0),
    "indoor": (0.55, (1.05, 1.0, 0.88), (1.12, 1.0, 0.80), (50, 75), 0.25, 8.0),
}


def choose_light(name: str, rng: np.random.Generator) -> Light:
    """Choose a light of that name: where the sun stands is chance."""
    sky, sky_rgb, sun_rgb, elevation, softness, exposure_ms = _MIX[name]
    reach = 1 / np.tan(np.radians(rng.uniform(*elevation)))
    towards = rng.uniform(0, 2 * np.pi)
    return Light(
        name=name,
        sky_rgb=np.array(sky_rgb, np.float32) * np.float32(sky),
        sun_rgb=np.array(sun_rgb, np.float32) * np.float32(1 - sky),
        per_mm=np.array([np.cos(towards), np.sin(towards)], np.float32) * np.float32(reach),
        softness=softness,
        exposure_s=exposure_ms / 1000,
    )


STEPS = 4096


def _tone_curve() -> NDArray[np.uint8]:
    """Draw sRGB with a shoulder, as cameras have it, so that white paint keeps some drawing."""
    light = np.linspace(0, 2, STEPS)
    knee = 0.75
    soft = np.where(light < knee, light, knee + (1 - knee) * (1 - np.exp(-(light - knee) / (1 - knee))))
    coded = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
    return np.asarray(np.clip(coded * 255 + 0.5, 0, 255), np.uint8)


_CURVE = _tone_curve()


def expose(light_rgb: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Turn linear light into what the camera writes, 0 to 255; 2.0 and more is white."""
    index = np.clip(light_rgb * ((STEPS - 1) / 2) + 0.5, 0, STEPS - 1).astype(np.int16)
    return np.take(_CURVE, index)


def linear(coded: NDArray[np.uint8] | tuple[int, int, int]) -> NDArray[np.float32]:
    """Turn coded values 0 to 255 (sRGB) into linear light."""
    share = np.asarray(coded, np.float32) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4).astype(np.float32)
