"""One card (or other flat thing) as the camera sees it: each sub-pixel's ray meets the bent, tilted sheet in space.

A sheet is a plane through its middle, turned and perhaps tilted about its long axis as when it is flipped over,
that bows up towards both ends by its curl. Rays meet the plane first and the bow by two further steps.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.faces import TEXELS_PER_MM, Texture
from linesies.simulator.street.cast import Cast, EyePoint
from linesies.simulator.street.light import Light

Array = NDArray[np.float32]
THICK_MM = 0.3  # of a card, as most are sold


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardSheet:
    """What lies or is held: both sides' textures, its size, its corners' radius, how it shines."""

    up: Texture
    down: Texture
    size_mm: tuple[float, float]
    radius_mm: float
    gloss: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lie:
    """Where a sheet is: its middle, its turn, how high, how far tilted over (pi: shows its other side), its bow."""

    xy_mm: NDArray[np.float64]
    angle_rad: float = 0.0
    lift_mm: float = THICK_MM
    tilt_rad: float = 0.0
    curl_mm: float = 0.0


def corners(sheet: CardSheet, lie: Lie) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give a sheet's corners over the ground: points (4, 2) and heights (4,), in mm."""
    middle, across, along, _ = _frame(sheet, lie)
    half = np.array(sheet.size_mm) / 2
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    points = middle + signs[:, :1] * half[0] * across + signs[:, 1:] * half[1] * along
    return points[:, :2], points[:, 2] + lie.curl_mm


def cast_sheet(sheet: CardSheet, lie: Lie, ground_mm: Array, eye: EyePoint, light: Light, fine: int) -> Cast:
    """Draw a sheet onto a patch whose pixels see `ground_mm` (h, w, 2)."""
    height, width = ground_mm.shape[:2]
    light_rgb, cover = np.zeros((height, width, 3), np.float32), np.zeros((height, width), np.float32)
    rows, columns = _seen_on(sheet, lie, ground_mm, eye)
    patch = ground_mm[rows, columns]
    if patch.size:
        size = (patch.shape[1], patch.shape[0])
        dense = cv2.resize(patch, (size[0] * fine, size[1] * fine), interpolation=cv2.INTER_LINEAR)
        mean = cv2.resize(_lit(sheet, lie, dense, eye, light), size, interpolation=cv2.INTER_AREA)
        light_rgb[rows, columns], cover[rows, columns] = mean[..., :3], mean[..., 3]
    return Cast(light_rgb=light_rgb, cover=cover, shade=_shade(sheet, lie, ground_mm, light))


def _seen_on(sheet: CardSheet, lie: Lie, ground_mm: Array, eye: EyePoint) -> tuple[slice, slice]:
    """Find the rows and columns of a patch in which the sheet is seen."""
    points, heights = corners(sheet, lie)
    flat = points + (points - eye.foot_mm) * (heights / (eye.height_mm - heights))[:, None]
    reach = np.float32(2 + 2 * lie.curl_mm)
    low, high = flat.min(axis=0).astype(np.float32) - reach, flat.max(axis=0).astype(np.float32) + reach
    near = cv2.inRange(ground_mm[..., 0], float(low[0]), float(high[0]))
    near &= cv2.inRange(ground_mm[..., 1], float(low[1]), float(high[1]))
    x, y, wide, tall = cv2.boundingRect(near)
    return slice(y, y + tall), slice(x, x + wide)


def _lit(sheet: CardSheet, lie: Lie, dense: Array, eye: EyePoint, light: Light) -> Array:
    """Tell what each sub-pixel sees of the sheet: light weighted by cover, and cover (h, w, 4)."""
    across, along = _meet(sheet, lie, dense, eye)
    half = np.array(sheet.size_mm, np.float32) / np.float32(2)
    normal = _frame(sheet, lie)[3]
    texture = sheet.down if normal[2] < 0 else sheet.up
    u = ((-across if normal[2] < 0 else across) + half[0]) * np.float32(TEXELS_PER_MM) - np.float32(0.5)
    v = (along + half[1]) * np.float32(TEXELS_PER_MM) - np.float32(0.5)
    shown = cv2.remap(texture, u, v, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
    shown *= light.sky_rgb + light.sun_rgb * np.float32(0.75 + 0.25 * abs(normal[2]))
    if sheet.gloss:
        shown += _gleam(sheet, lie, dense, along, eye, light)[..., None] * (light.sun_rgb + 0.3 * light.sky_rgb)
    inside = _rounded(across, along, half, np.float32(sheet.radius_mm))
    return np.dstack([shown * inside[..., None], inside])


def _frame(sheet: CardSheet, lie: Lie) -> tuple[NDArray[np.float64], ...]:
    """Give the sheet's middle, its axes across and along it, and the normal of its face, z up (3,) each."""
    c, s = np.cos(lie.angle_rad), np.sin(lie.angle_rad)
    ct, st = np.cos(lie.tilt_rad), np.sin(lie.tilt_rad)
    across = np.array([c * ct, s * ct, st])
    along = np.array([-s, c, 0.0])
    middle = np.array([*lie.xy_mm, lie.lift_mm + abs(st) * sheet.size_mm[0] / 2])
    return middle, across, along, np.array([-c * st, -s * st, ct])


def _meet(sheet: CardSheet, lie: Lie, dense: Array, eye: EyePoint) -> tuple[Array, Array]:
    """Find where rays meet the sheet: mm across and along it from its middle."""
    middle, across, along, normal = (v.astype(np.float32) for v in _frame(sheet, lie))
    camera = np.array([*eye.foot_mm, eye.height_mm], np.float32)
    x, y = dense[..., 0] - camera[0], dense[..., 1] - camera[1]

    def towards(axis: Array) -> Array:
        return x * axis[0] + y * axis[1] - camera[2] * axis[2]

    slant = towards(normal)
    slant = np.where(np.abs(slant) < 1e-3, np.float32(1e-3), slant)
    ahead, aside, from_camera = towards(along), towards(across), middle - camera
    depth, bow = from_camera @ normal, np.float32(0.0)
    for _ in range(3 if lie.curl_mm else 1):
        t = (depth + np.sign(normal[2]) * bow) / slant
        u, v = t * aside - from_camera @ across, t * ahead - from_camera @ along
        bow = np.float32(lie.curl_mm) * np.clip(v / np.float32(sheet.size_mm[1] / 2), -1.2, 1.2) ** 2
    return u, v


def _rounded(across: Array, along: Array, half: Array, radius: np.float32) -> Array:
    """Tell which points lie within a rectangle with rounded corners: 1 or 0."""
    x, y = np.abs(across) - (half[0] - radius), np.abs(along) - (half[1] - radius)
    outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0)
    return (outside < radius).astype(np.float32)


def _gleam(sheet: CardSheet, lie: Lie, dense: Array, along: Array, eye: EyePoint, light: Light) -> Array:
    """Tell how strongly the lamp is mirrored, by the bow's slope at each point."""
    if not sheet.gloss:
        return np.zeros(along.shape, np.float32)
    slope = np.float32(2 * lie.curl_mm / (sheet.size_mm[1] / 2) ** 2) * along
    c, s = np.float32(np.cos(lie.angle_rad)), np.float32(np.sin(lie.angle_rad))
    to_eye = np.dstack([eye.foot_mm - dense, np.full(along.shape, eye.height_mm, np.float32)])
    to_eye /= np.linalg.norm(to_eye, axis=2, keepdims=True)
    half = to_eye + light.to_sun
    half /= np.linalg.norm(half, axis=2, keepdims=True)
    facing = half[..., 2] + slope * (s * half[..., 0] - c * half[..., 1])
    return np.float32(0.7 * sheet.gloss) * np.clip(facing, 0, 1) ** np.float32(160)


def _shade(sheet: CardSheet, lie: Lie, ground_mm: Array, light: Light) -> Array:
    """Tell the share of light that reaches the ground: the lamp cut off, the sky crowded out close by."""
    points, heights = corners(sheet, lie)
    lift = float(heights.mean())
    fallen = points + heights[:, None] * light.per_mm
    sun = 1 - _covered(fallen, ground_mm, 0.5 + light.softness * lift)
    sky = 1 - 0.45 * np.exp(-lift / 25) * _covered(points, ground_mm, 1.0 + 0.6 * lift)
    shares = np.column_stack([light.sky_rgb, light.sun_rgb]) / (light.sky_rgb + light.sun_rgb)[:, None]
    return np.asarray(cv2.transform(cv2.merge([np.float32(sky), np.float32(sun)]), shares), np.float32)


def _covered(outline: NDArray[np.float64], ground_mm: Array, soft_mm: float) -> Array:
    """Tell how far each ground point lies inside a convex outline, 0 to 1 across a soft edge."""
    ahead = np.roll(outline, -1, axis=0) - outline
    length = np.hypot(*ahead.T)
    if length.min() < 1e-3:
        return np.zeros(ground_mm.shape[:2], np.float32)
    x, y = outline.T
    turn = np.sign((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    inwards = turn * np.column_stack([-ahead[:, 1], ahead[:, 0]]) / length[:, None]
    x, y = cv2.split(ground_mm)
    deep = np.full(x.shape, np.inf, np.float32)
    for corner, normal in zip(outline, inwards / (2 * soft_mm), strict=True):
        cv2.min(deep, cv2.addWeighted(x, normal[0], y, normal[1], 0.5 - float(corner @ normal)), dst=deep)
    return np.clip(deep, 0, 1, out=deep)
