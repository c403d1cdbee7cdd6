"""One cap as the camera sees it: every sub-pixel's ray meets the solid at the height where it truly would.

A ray that ends at ground point g passes height h at g + h * (camera - g) / camera's height, so a ring of the
solid covers it when that point lies within the ring. Nothing is approximated but the number of rings.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.light import Light
from linesies.simulator.street.polish import Polish
from linesies.simulator.street.solids import TEETH, CapSolid

Array = NDArray[np.float32]

MIRROR_GLEAM = 2.0
SUNLIT_SKY = 0.3  # brushed steel scatters some of the sun everywhere
BULGE = 0.16  # a face's slope at its rim
STEEPEST = 4.0  # slope of a wall
GROUND = np.float32(0.3)  # what ground gives back, of the light on it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cast:
    """What a cap does to a patch: its own light (h, w, 3), its cover (h, w), and how it shades the ground."""

    light_rgb: Array  # already weighted by cover
    cover: Array
    shade: Array  # (h, w, 3), 1 where the ground's light is untouched


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EyePoint:
    """The camera's foot point and height over the board's plane, in mm."""

    foot_mm: Array
    height_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pose:
    """Where a cap is: the middle of its footprint, how far it is turned (radians), how high it is held."""

    xy_mm: Array
    angle_rad: float = 0.0
    lift_mm: float = 0.0


def cast(solid: CapSolid, pose: Pose, ground_mm: Array, eye: EyePoint, light: Light, fine: int = 3) -> Cast:
    """Draw a cap onto a patch whose pixels see `ground_mm` (h, w, 2)."""
    height, width = ground_mm.shape[:2]
    dense = cv2.resize(ground_mm, (width * fine, height * fine), interpolation=cv2.INTER_LINEAR).reshape(-1, 2)
    near = np.flatnonzero(_is_near(solid, pose, dense, eye))
    slope = (eye.foot_mm - dense[near]) / np.float32(eye.height_mm)
    from_cap = dense[near] - pose.xy_mm + np.float32(pose.lift_mm) * slope
    struck = _meet(solid, _Rays(x=from_cap[:, 0], y=from_cap[:, 1], slope=slope, angle_rad=pose.angle_rad))
    light_and_cover = np.zeros((len(dense), 4), np.float32)
    light_and_cover[near, :3] = _lit(solid, struck, light, eye, pose) * struck.hit[:, None]
    light_and_cover[near, 3] = struck.hit
    mean = cv2.resize(
        light_and_cover.reshape(height * fine, width * fine, 4), (width, height), interpolation=cv2.INTER_AREA
    )
    return Cast(
        light_rgb=mean[..., :3],
        cover=np.ascontiguousarray(mean[..., 3]),
        shade=_shade(solid, pose, ground_mm - pose.xy_mm, light),
    )


def _is_near(solid: CapSolid, pose: Pose, dense: Array, eye: EyePoint) -> NDArray[np.bool_]:
    """Tell which rays could meet the cap at all."""
    top = solid.height_mm + pose.lift_mm
    lean = (eye.foot_mm - pose.xy_mm) / np.float32(eye.height_mm)
    away = dense - (pose.xy_mm - np.float32(top / 2) * lean)
    reach = solid.cap.diameter_mm / 2 + 1.0 + 0.6 * top * float(np.hypot(*lean))
    return away[:, 0] ** 2 + away[:, 1] ** 2 < reach**2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rays:
    """Where rays cross the plane of the cap's foot (from its middle), how they lean (N, 2), and the cap's turn."""

    x: Array
    y: Array
    slope: Array
    angle_rad: float

    def at(self, height_mm: Array | float) -> tuple[Array, Array]:
        height = np.float32(height_mm) if isinstance(height_mm, float) else height_mm
        return self.x + height * self.slope[:, 0], self.y + height * self.slope[:, 1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Struck:
    """Where rays meet the solid: cover, point from the middle, how far it faces up, colour (N, 3), whether its face."""

    hit: Array
    x: Array
    y: Array
    up: Array
    rgb: Array
    is_face: NDArray[np.bool_]


def _meet(solid: CapSolid, rays: _Rays) -> _Struck:
    """Follow each ray down to the highest ring, face or well that it meets."""
    tooth = np.float32(0.5) - np.float32(0.5) * np.cos(
        TEETH * (np.arctan2(rays.y, rays.x) - np.float32(rays.angle_rad))
    )
    ring = np.zeros(len(tooth), np.int8)  # 0: none, else counted from the ground
    for i, one in enumerate(solid.rings):
        x, y = rays.at(float(one.height_mm))
        reach = np.float32(one.radius_mm) * (1 - np.float32(one.teeth) * tooth) if one.teeth else one.radius_mm
        inside = x * x + y * y < reach**2
        if one.strip_mm is not None:
            inside &= np.abs(_across(x, y, rays.angle_rad)) < one.strip_mm
        np.copyto(ring, np.int8(i + 1), where=inside)
    height, up, teeth = (
        np.array([0.0, *(getattr(one, name) for one in solid.rings)], np.float32)[ring]
        for name in ("height_mm", "up", "teeth")
    )
    x, y = rays.at(height)
    rgb = np.array([np.zeros(3), *(one.rgb for one in solid.rings)], np.float32)[ring]
    rgb *= (1 - 4 * teeth * tooth)[:, None]
    hit = (ring > 0) * np.float32(solid.opacity)
    struck = _Struck(hit=hit, x=x, y=y, up=up, rgb=rgb, is_face=np.zeros(len(hit), bool))
    _top(solid, rays, struck)
    return struck


def _across(x: Array, y: Array, angle_rad: float) -> Array:
    """Measure how far points are to the side of a line through the middle."""
    return np.float32(np.cos(angle_rad)) * y - np.float32(np.sin(angle_rad)) * x


def _top(solid: CapSolid, rays: _Rays, struck: _Struck) -> None:
    """Lay the face on the top ring, or sink it into the well."""
    top = solid.rings[-1]
    radius = solid.well.radius_mm if solid.well else 0.985 * top.radius_mm
    x, y = rays.at(float(top.height_mm))
    inside = x * x + y * y < radius**2
    floor_mm = top.height_mm if solid.well is None else solid.well.floor_mm
    floor_x, floor_y = rays.at(float(floor_mm or 0.0))
    on_floor = inside & (floor_x * floor_x + floor_y * floor_y < radius**2)
    if solid.well is not None:
        struck.rgb[inside] = solid.well.rgb
        struck.up[inside] = 0.35
        struck.x[inside], struck.y[inside] = -x[inside], -y[inside]  # the far wall faces back
        if floor_mm is None:
            struck.hit[on_floor] = 0.12
            return
    if solid.cap.kind == "glide":
        return
    floor_x, floor_y = floor_x[on_floor], floor_y[on_floor]
    struck.rgb[on_floor] = _printed(solid, rays.angle_rad, floor_x, floor_y, radius)
    struck.up[on_floor] = 0.985
    struck.x[on_floor], struck.y[on_floor] = floor_x, floor_y
    struck.is_face[on_floor] = True


def _printed(solid: CapSolid, angle_rad: float, x: Array, y: Array, radius_mm: float) -> Array:
    """Look up what is printed on the face."""
    c, s = np.cos(-angle_rad), np.sin(-angle_rad)
    scale = (len(solid.face) / 2 - 1) / (1.02 * radius_mm)
    middle = len(solid.face) / 2
    return solid.face[((s * x + c * y) * scale + middle).astype(int), ((c * x - s * y) * scale + middle).astype(int)]


def _lit(solid: CapSolid, struck: _Struck, light: Light, eye: EyePoint, pose: Pose) -> Array:
    """Tell the light that goes to the camera: what a surface scatters, and what it mirrors."""
    seen = np.append(eye.foot_mm - pose.xy_mm, eye.height_mm)
    seen = seen / np.linalg.norm(seen)
    if solid.polish is not None:
        slopes = _slopes(solid, solid.polish, struck, pose)
        mirrored = solid.polish.mirrored(slopes, seen.astype(np.float32), pose.angle_rad, light)
        return solid.polish.over(_scattered(struck, light), mirrored, struck.rgb)
    x, y, up = struck.x, struck.y, struck.up
    half = light.to_sun + seen
    half = (half / np.linalg.norm(half)).astype(np.float32)
    span = _span(struck)
    lean = _aside(struck) + np.float32((BULGE if solid.well is None else 0.0) / solid.rings[-1].radius_mm)
    facing = (x * half[0] + y * half[1]) * lean + up * half[2]
    gleam = np.clip(facing / np.sqrt((span * lean) ** 2 + up**2), 0, 1)[:, None] ** solid.gleam_sharpness
    if solid.is_mirror:
        return struck.rgb * _mirrored(up, light) + MIRROR_GLEAM * gleam * light.sun_rgb
    return _scattered(struck, light) + 1.2 * solid.gloss * gleam * light.sun_rgb


def _span(struck: _Struck) -> Array:
    """Tell how far points are from the cap's middle."""
    return np.asarray(np.sqrt(np.maximum(struck.x * struck.x + struck.y * struck.y, 1e-6)))


def _aside(struck: _Struck) -> Array:
    """Tell how far a surface faces aside, a millimetre from the middle."""
    return np.asarray(np.sqrt(np.maximum(1 - struck.up**2, 0)) / _span(struck))


def _scattered(struck: _Struck, light: Light) -> Array:
    """Tell the light that a surface scatters: of the sky by how far it faces up, of the sun by its slant."""
    sun = light.to_sun
    slant = (struck.x * sun[0] + struck.y * sun[1]) * _aside(struck) + struck.up * sun[2]
    sky = 0.45 + 0.55 * struck.up
    lit = light.sky_rgb * sky[:, None] + light.sun_rgb * np.maximum(slant / sun[2], 0)[:, None]
    return np.asarray(struck.rgb * lit)


def _slopes(solid: CapSolid, polish: Polish, struck: _Struck, pose: Pose) -> Array:
    """Tell how a cap's surface slopes (N, 2) on the board's axes: a dome without a step, a face with its relief."""
    span, up = _span(struck), struck.up
    if solid.cap.kind == "glide":
        dome = solid.rings[:1:-1]  # from its top down to where it is widest
        up = np.interp(span, [one.radius_mm for one in dome], [one.up for one in dome]).astype(np.float32)
    steep = np.minimum(np.sqrt(np.maximum(1 - up**2, 0)) / np.maximum(up, 0.1), STEEPEST) / span
    slopes = np.column_stack([struck.x * steep, struck.y * steep]).astype(np.float32)
    face = struck.is_face
    xy_mm, radius_mm = np.column_stack([struck.x[face], struck.y[face]]), solid.rings[-1].radius_mm
    slopes[face] = BULGE / np.float32(radius_mm) * xy_mm + polish.relief_at(xy_mm / radius_mm, pose.angle_rad)
    return slopes


def _mirrored(up: Array, light: Light) -> Array:
    """Tell what polished steel shows from above: the sky where it faces up, the ground where it faces aside."""
    rises = 2 * up**2 - 1  # the mirrored ray, for a camera well above
    above = np.clip(rises / 0.3 + 0.5, 0, 1)[:, None]
    sky = (0.7 + 0.5 * np.clip(rises, 0, 1))[:, None] * light.sky_rgb
    ground = GROUND * (light.sky_rgb + light.sun_rgb)
    return np.asarray(above * (sky + np.float32(SUNLIT_SKY) * light.sun_rgb) + (1 - above) * ground, np.float32)


def _shade(solid: CapSolid, pose: Pose, from_cap: Array, light: Light) -> Array:
    """Tell the share of light that reaches the ground round the cap: sun cut off, sky crowded out close by."""
    away = np.sqrt(from_cap[..., 0] ** 2 + from_cap[..., 1] ** 2)
    lift_mm, strip_mm = pose.lift_mm, solid.rings[0].strip_mm
    close = np.float32(0.7 * solid.cap.height_mm + 0.5)
    sky = 1 - 0.5 * np.exp(-lift_mm / 12) * np.exp(-np.maximum(away - solid.rings[0].radius_mm, 0) / close)
    sun = np.ones_like(away)
    tallest = solid.height_mm
    steps = max(3, int(tallest * float(np.hypot(*light.per_mm)) / 3.0))
    for height in np.linspace(0.15 * tallest, tallest, steps):
        radius = np.interp(height, [r.height_mm for r in solid.rings], [r.radius_mm for r in solid.rings])
        fallen = from_cap - np.float32(height + lift_mm) * light.per_mm
        edge = np.sqrt(fallen[..., 0] ** 2 + fallen[..., 1] ** 2) - np.float32(radius)
        if strip_mm is not None:
            edge = np.maximum(edge, np.abs(_across(fallen[..., 0], fallen[..., 1], pose.angle_rad)) - strip_mm)
        soft = np.float32(0.7 + light.softness * (height + lift_mm))
        np.minimum(sun, np.clip(edge / (2 * soft) + 0.5, 0, 1), out=sun)
    if solid.opacity < 1:
        sun = 1 - 0.6 * (1 - sun)
    whole = light.sky_rgb + light.sun_rgb
    return (light.sky_rgb * sky[..., None] + light.sun_rgb * sun[..., None]) / whole
