"""What a small camera makes of a picture: it shifts a little, exposes, adds noise and haze, smooths and sharpens.

No two shots of one camera are alike: white balance, exposure and haze move, a pole shifts it by a fraction of a pixel,
and what it does against noise depends on the light.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.light import stored
from linesies.simulator.street.light import linear

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """One camera's processing: noise and blurs in pixels, the rest as shares of the light."""

    blur_px: float  # of luma, by demosaicking and by focus
    colour_blur_px: float
    shot_noise: float  # of the square root of the light
    read_noise: float
    denoise_px: float  # of the smoothing that follows edges
    halo: float  # how much sharpening adds
    halo_px: float
    local_tone: float  # how far each part of the picture is brought to the same brightness
    saturation: float
    contrast: float
    warm: float  # its red over blue where all is white
    exposure: float  # too much of it clips what is bright
    jpeg_quality: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraDrift:
    """What moved since the last picture: white balance (r, g, b), exposure, haze, and the camera itself."""

    balance_rgb: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 1.0
    haze: float = 0.0
    shift_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 1.0


def choose_camera(rng: np.random.Generator) -> Camera:
    """Choose a camera by chance, from a good one to a cheap phone."""
    return Camera(
        blur_px=rng.uniform(0.2, 0.9),
        colour_blur_px=rng.uniform(0.6, 1.8),
        shot_noise=rng.uniform(0.004, 0.02),
        read_noise=rng.uniform(0.001, 0.006),
        denoise_px=float(rng.choice((0.0, rng.uniform(1.0, 2.5)))),
        halo=rng.uniform(0.0, 1.3),
        halo_px=rng.uniform(0.7, 1.8),
        local_tone=float(rng.choice((0.0, rng.uniform(0.1, 0.45)))),
        saturation=rng.uniform(0.75, 1.3),
        contrast=rng.uniform(-0.15, 0.25),
        warm=float(np.exp(rng.normal(0, 0.08))),
        exposure=float(np.exp(rng.normal(0, 0.22))),
        jpeg_quality=int(rng.integers(80, 96)),
    )


def choose_shot(rng: np.random.Generator) -> CameraDrift:
    """Let everything move a little since the empty picture was taken."""
    red, blue = np.exp(rng.normal(0, 0.03, 2))
    return CameraDrift(
        balance_rgb=(float(red), 1.0, float(blue)),
        exposure=float(np.exp(rng.normal(0, 0.09))),
        haze=float(rng.choice((0.0, rng.uniform(0.0, 0.06)))),
        shift_px=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
    )


def take(camera: Camera, scene_bgr: Picture, shot: CameraDrift, rng: np.random.Generator) -> Picture:
    """Turn a perfect picture (H, W, 3) into the one that this camera stores."""
    light = linear(_shifted(scene_bgr, shot.shift_px))
    red, green, blue = shot.balance_rgb
    light *= np.array([blue / camera.warm, green, red * camera.warm], np.float32) * np.float32(
        shot.exposure * camera.exposure
    )
    light = light * np.float32(1 - shot.haze) + np.float32(0.6 * shot.haze)
    spread = shot.noise * np.sqrt(camera.shot_noise**2 * light + camera.read_noise**2)
    light += spread * rng.standard_normal(light.shape, np.float32)
    light = _demosaicked(np.clip(light, 0, 1.2), camera)
    if camera.local_tone:
        light = light * _local_gain(light, camera.local_tone)
    coded = stored(np.clip(light, 0, 1).astype(float)).astype(np.float32)
    coded += np.float32(camera.contrast) * np.sin(2 * np.pi * (coded - 0.5)) / np.float32(2 * np.pi)
    grey = coded.mean(axis=-1, keepdims=True)
    coded = grey + np.float32(camera.saturation) * (coded - grey)
    if camera.denoise_px:
        coded = cv2.bilateralFilter(np.ascontiguousarray(coded), 5, 0.05, camera.denoise_px)
    luma = coded.mean(axis=-1)
    coded += np.float32(camera.halo) * (luma - cv2.GaussianBlur(luma, (0, 0), camera.halo_px))[..., None]
    done = np.clip(coded * 255 + 0.5, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg_quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _shifted(scene_bgr: Picture, shift_px: tuple[float, float]) -> Picture:
    if shift_px == (0.0, 0.0):
        return scene_bgr
    move = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float32)
    size = (scene_bgr.shape[1], scene_bgr.shape[0])
    moved = cv2.warpAffine(scene_bgr, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _demosaicked(light: Array, camera: Camera) -> Array:
    """Blur luma a little and colour more: a colour filter shows each pixel one colour only."""
    luma = light.mean(axis=-1, keepdims=True)
    colour = cv2.GaussianBlur(light - luma, (0, 0), camera.colour_blur_px)
    sharp = cv2.GaussianBlur(luma, (0, 0), camera.blur_px)
    return np.asarray(np.maximum(sharp[..., None] + colour, 0), np.float32)


def _local_gain(light: Array, strength: float) -> Array:
    """Brighten dark parts of the picture and darken bright ones, as phones do."""
    luma = cv2.resize(light.mean(axis=-1), None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    slow = cv2.resize(cv2.GaussianBlur(luma, (0, 0), 0.06 * max(luma.shape)), (light.shape[1], light.shape[0])) + 0.02
    return np.asarray((slow / np.median(slow)) ** np.float32(-strength), np.float32)[..., None]
