"""One cap as the camera sees it: every sub-pixel's ray meets the solid at the height where it truly would.

A ray that ends at ground point g passes height h at g + h * (camera - g) / camera's height, so a ring of the
solid covers it when that point lies within the ring. Nothing is approximated but the number of rings.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulator.light import Light
from device.simulator.solids import LOGO, TEETH, Solid

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cast:
    """What a cap does to a patch: its own light (h, w, 3), its cover (h, w), and how it shades the ground."""

    light_rgb: Array  # already weighted by cover
    cover: Array
    shade: Array  # (h, w, 3), 1 where the ground's light is untouched


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Eye:
    """The camera's foot point and height over the board's plane, in mm."""

    foot_mm: Array
    height_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pose:
    """Where a cap is: the middle of its footprint, how far it is turned (radians), how high it is held."""

    xy_mm: Array
    angle: float = 0.0
    lift_mm: float = 0.0


def cast(solid: Solid, pose: Pose, ground_mm: Array, eye: Eye, light: Light, fine: int = 3) -> Cast:
    """Draw a cap onto a patch whose pixels see `ground_mm` (h, w, 2)."""
    height, width = ground_mm.shape[:2]
    dense = cv2.resize(ground_mm, (width * fine, height * fine), interpolation=cv2.INTER_LINEAR)
    rays = _Rays(
        from_cap=dense - pose.xy_mm + np.float32(pose.lift_mm) * (eye.foot_mm - dense) / np.float32(eye.height_mm),
        slope=(eye.foot_mm - dense) / np.float32(eye.height_mm),
        angle=pose.angle,
    )
    struck = _meet(solid, rays)
    lit = _lit(solid, struck, light, eye, pose.xy_mm) * struck.hit[..., None]
    size = (width, height)
    return Cast(
        light_rgb=cv2.resize(lit, size, interpolation=cv2.INTER_AREA),
        cover=cv2.resize(struck.hit, size, interpolation=cv2.INTER_AREA),
        shade=_shade(solid, ground_mm - pose.xy_mm, light, pose.lift_mm),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rays:
    """Where rays cross the plane of the cap's foot (from its middle), how they lean, and how the cap is turned."""

    from_cap: Array
    slope: Array
    angle: float

    def at(self, height_mm: float) -> Array:
        return self.from_cap + np.float32(height_mm) * self.slope


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Struck:
    """Where rays meet the solid: cover, point from the cap's middle, how far it faces up, colour."""

    hit: Array
    point: Array
    up: Array
    rgb: Array


def _meet(solid: Solid, rays: _Rays) -> _Struck:
    """Follow each ray down to the highest ring, face or well that it meets."""
    shape = rays.from_cap.shape[:2]
    struck = _Struck(
        hit=np.zeros(shape, np.float32),
        point=np.zeros((*shape, 2), np.float32),
        up=np.ones(shape, np.float32),
        rgb=np.zeros((*shape, 3), np.float32),
    )
    bearing = np.arctan2(rays.from_cap[..., 1], rays.from_cap[..., 0]) - np.float32(rays.angle)
    tooth = np.float32(0.5) - np.float32(0.5) * np.cos(TEETH * bearing)
    for ring in solid.rings:
        at = rays.at(ring.height_mm)
        reach = ring.radius_mm * (1 - ring.teeth * tooth)
        inside = (at[..., 0] ** 2 + at[..., 1] ** 2) < reach**2
        struck.hit[inside] = solid.opacity
        struck.point[inside] = at[inside]
        struck.up[inside] = ring.up
        struck.rgb[inside] = ring.rgb * (1 - 4 * ring.teeth * tooth[inside, None])
    _top(solid, rays, struck)
    return struck


def _top(solid: Solid, rays: _Rays, struck: _Struck) -> None:
    """Lay the face on the top ring, or sink it into the well."""
    top = solid.rings[-1]
    mouth = rays.at(top.height_mm)
    radius = solid.well.radius_mm if solid.well else 0.985 * top.radius_mm
    inside = (mouth[..., 0] ** 2 + mouth[..., 1] ** 2) < radius**2
    floor_mm = top.height_mm if solid.well is None else solid.well.floor_mm
    floor = rays.at(floor_mm or 0.0)
    on_floor = inside & ((floor[..., 0] ** 2 + floor[..., 1] ** 2) < radius**2)
    if solid.well is not None:
        struck.rgb[inside] = solid.well.rgb
        struck.up[inside] = 0.35
        struck.point[inside] = -mouth[inside]  # the far wall faces back
        if floor_mm is None:
            struck.hit[on_floor] = 0.12
            return
    if solid.cap.kind == "glide":
        return
    struck.rgb[on_floor] = _printed(solid, rays.angle, floor, radius)[on_floor]
    struck.up[on_floor] = 0.985
    struck.point[on_floor] = floor[on_floor]


def _printed(solid: Solid, angle: float, floor: Array, radius_mm: float) -> Array:
    """Look up what is printed on the face."""
    c, s = np.cos(-angle), np.sin(-angle)
    scale = (LOGO / 2 - 1) / (1.02 * radius_mm)
    u = (c * floor[..., 0] - s * floor[..., 1]) * scale + LOGO / 2
    v = (s * floor[..., 0] + c * floor[..., 1]) * scale + LOGO / 2
    return cv2.remap(solid.face, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR)


def _lit(solid: Solid, struck: _Struck, light: Light, eye: Eye, xy_mm: Array) -> Array:
    """Light that the surface sends to the camera: the sky by how far it faces up, the sun by its slant, a gleam."""
    point, up = struck.point, struck.up
    span = np.sqrt(np.maximum(point[..., 0] ** 2 + point[..., 1] ** 2, 1e-6))
    aside = np.sqrt(np.maximum(1 - up**2, 0)) / span
    sun = light.to_sun
    slant = point[..., 0] * aside * sun[0] + point[..., 1] * aside * sun[1] + up * sun[2]
    seen = np.append(eye.foot_mm - xy_mm, eye.height_mm)
    half = sun + seen / np.linalg.norm(seen)
    half = (half / np.linalg.norm(half)).astype(np.float32)
    lean = aside + (0.16 if solid.well is None else 0.0) / solid.rings[-1].radius_mm  # faces bulge a little
    facing = point[..., 0] * lean * half[0] + point[..., 1] * lean * half[1] + up * half[2]
    gleam = np.clip(facing / np.sqrt((span * lean) ** 2 + up**2), 0, 1)
    sky = 0.45 + 0.55 * up
    lit = struck.rgb * (light.sky_rgb * sky[..., None] + light.sun_rgb * np.maximum(slant / sun[2], 0)[..., None])
    return lit + (1.2 * solid.gloss * gleam**90)[..., None] * light.sun_rgb


def _shade(solid: Solid, from_cap: Array, light: Light, lift_mm: float) -> Array:
    """Tell the share of light that reaches the ground round the cap: sun cut off, sky crowded out close by."""
    away = np.sqrt(from_cap[..., 0] ** 2 + from_cap[..., 1] ** 2)
    close = np.float32(0.7 * solid.height_mm + 0.5)
    sky = 1 - 0.5 * np.exp(-lift_mm / 12) * np.exp(-np.maximum(away - solid.rings[0].radius_mm, 0) / close)
    sun = np.ones_like(away)
    tallest = solid.height_mm
    steps = max(3, int(tallest * float(np.hypot(*light.per_mm)) / 3.0))
    for height in np.linspace(0.15 * tallest, tallest, steps):
        radius = np.interp(height, [r.height_mm for r in solid.rings], [r.radius_mm for r in solid.rings])
        fallen = from_cap - np.float32(height + lift_mm) * light.per_mm
        edge = np.sqrt(fallen[..., 0] ** 2 + fallen[..., 1] ** 2) - np.float32(radius)
        soft = np.float32(0.7 + light.softness * (height + lift_mm))
        np.minimum(sun, np.clip(edge / (2 * soft) + 0.5, 0, 1), out=sun)
    if solid.opacity < 1:
        sun = 1 - 0.6 * (1 - sun)
    whole = light.sky_rgb + light.sun_rgb
    return (light.sky_rgb * sky[..., None] + light.sun_rgb * sun[..., None]) / whole
