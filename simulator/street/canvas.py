"""The picture as it changes: what lies still is drawn once, and each frame only what moves is drawn anew.

Work is done in linear light, before the lens' blur, on small boxes; a frame is the still planes with the
changed boxes copied in and the sensor's noise added.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.simulator.street.cast import Cast, EyePoint, Pose, cast
from linesies.simulator.street.hand import FAR_PX, Hand, lay_hand
from linesies.simulator.street.light import Light, expose
from linesies.simulator.street.mood import CALM, Mood, lay_shadow
from linesies.simulator.street.planes import Planes
from linesies.simulator.street.solids import CapSolid

Array = NDArray[np.float32]
Box = tuple[int, int, int, int]  # x0, y0, x1, y1

BLUR_PX = 0.65  # the lens, beside each pixel's own width
BAND = 60  # rows composed at a time
PAD_PX = 3  # what the blur reaches
FINE_STILL = 5  # sub-pixels each way of what lies still
FINE_MOVING = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnCap:
    """One cap drawn on its box."""

    box: Box
    cast: Cast
    depth_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moving:
    """A cap under way: where it is in the middle of the exposure, and how fast (mm/s)."""

    pose: Pose
    velocity_mm_s: NDArray[np.float64]


class Canvas:
    """Remembers the empty ground's light and which caps lie still on it."""

    def __init__(
        self, ground_light: Array, ground_mm: Array, view: View, light: Light, rng: np.random.Generator
    ) -> None:
        self._ground = ground_light  # from now on the canvas's own: rain changes it
        self._ground_mm = ground_mm
        self._view = view
        self._light = light
        self._eye = EyePoint(foot_mm=view.camera_mm[:2].astype(np.float32), height_mm=view.camera_height_mm)
        self._still: dict[str, DrawnCap] = {}
        height, width = ground_light.shape[:2]
        bands = [(0, top, width, min(top + BAND, height)) for top in range(0, height, BAND)]
        self._planes = Planes(np.vstack([self._compose(band, []) for band in bands]), rng)

    def put(self, player: str, solid: CapSolid, pose: Pose, sun: float = 1.0) -> None:
        """Let a cap lie still from now on, in a share of the sun."""
        light = replace(self._light, sun_rgb=self._light.sun_rgb * np.float32(sun))
        drawn = self._draw(solid, pose, FINE_STILL, light, self._box(solid, pose, 0.0))
        if drawn is not None:
            self._still[player] = drawn
            self._bake(drawn.box)

    def take(self, player: str) -> None:
        """Let a cap no longer lie still."""
        drawn = self._still.pop(player, None)
        if drawn is not None:
            self._bake(drawn.box)

    def frame(
        self, moving: list[tuple[CapSolid, Moving]], hands: tuple[Hand, ...] = (), mood: Mood = CALM
    ) -> NDArray[np.uint8]:
        """Draw the picture of this moment: planes Y, U, V (H * 3 / 2, W) of full range."""
        drawn = [d for solid, m in moving if (d := self._draw_moving(solid, m)) is not None]
        for one in drawn:
            self._planes.paint(one.box, self._compose(one.box, [*self._still.values(), *drawn]))
        if mood.shadow_mm:
            lay_shadow(self._planes, mood, self._view, self._light)
        for hand in hands:
            lay_hand(self._planes, hand, self._view, self._light)
        return self._planes.take(mood.gain, _shift(mood, self._planes))

    def wet(self, xy_mm: NDArray[np.float64], radius_mm: float) -> None:
        """Let a drop darken the ground for good."""
        seen = self._view.mm_to_px(np.asarray(xy_mm, float)[None])[0]
        reach = int(radius_mm * self._view.px_per_mm(xy_mm)) + 3
        x0, y0 = np.maximum(np.floor(seen).astype(int) - reach & ~1, 0)
        x1, y1 = np.minimum((np.ceil(seen).astype(int) + reach + 2) & ~1, self._ground.shape[1::-1])
        if x1 - x0 >= 4 and y1 - y0 >= 4:
            away = np.hypot(*np.moveaxis(self._ground_mm[y0:y1, x0:x1] - np.asarray(xy_mm, np.float32), -1, 0))
            dry = np.clip((away - radius_mm) / 2 + 0.5, 0, 1)[..., None]
            self._ground[y0:y1, x0:x1] *= 0.5 + 0.5 * dry
            self._bake((int(x0), int(y0), int(x1), int(y1)))

    def picture(self) -> NDArray[np.uint8]:
        """Show the still scene in colour, B, G, R, without noise."""
        return np.ascontiguousarray(self._planes.rgb[..., ::-1])

    def _bake(self, box: Box) -> None:
        self._planes.settle(box, self._compose(box, list(self._still.values())))

    def _compose(self, box: Box, caps: list[DrawnCap]) -> NDArray[np.uint8]:
        """Ground and caps on a box, blurred and exposed: (h, w, 3), r, g, b."""
        height, width = self._ground.shape[:2]
        x0, y0, x1, y1 = box
        wide = (max(x0 - PAD_PX, 0), max(y0 - PAD_PX, 0), min(x1 + PAD_PX, width), min(y1 + PAD_PX, height))
        light = self._ground[wide[1] : wide[3], wide[0] : wide[2]].copy()
        for one in sorted(caps, key=lambda d: -d.depth_mm):
            lay(light, wide, one)
        blurred = cv2.GaussianBlur(light, (0, 0), BLUR_PX)
        return expose(blurred[y0 - wide[1] : y1 - wide[1], x0 - wide[0] : x1 - wide[0]])

    def _draw(self, solid: CapSolid, pose: Pose, fine: int, light: Light, box: Box | None) -> DrawnCap | None:
        if box is None:
            return None
        patch = self._ground_mm[box[1] : box[3], box[0] : box[2]]
        drawn = cast(solid, pose, patch, self._eye, light, fine)
        return DrawnCap(box=box, cast=drawn, depth_mm=float(np.hypot(*(pose.xy_mm - self._eye.foot_mm))))

    def _draw_moving(self, solid: CapSolid, moving: Moving) -> DrawnCap | None:
        travel_mm = moving.velocity_mm_s * self._light.exposure_s
        ends = np.array([moving.pose.xy_mm - travel_mm / 2, moving.pose.xy_mm + travel_mm / 2], float)
        travel_px = np.ptp(self._view.mm_to_px(ends), axis=0) * np.sign(np.diff(self._view.mm_to_px(ends), axis=0)[0])
        box = self._box(solid, moving.pose, float(np.hypot(*travel_mm)) / 2)
        drawn = self._draw(solid, moving.pose, FINE_MOVING, self._light, box)
        if drawn is None or np.hypot(*travel_px) < 0.4:
            return drawn
        kernel = _smear(travel_px)
        c = drawn.cast
        blurred = Cast(
            light_rgb=cv2.filter2D(c.light_rgb, -1, kernel),
            cover=cv2.filter2D(c.cover, -1, kernel),
            shade=cv2.filter2D(c.shade, -1, kernel, borderType=cv2.BORDER_REPLICATE),
        )
        return DrawnCap(box=drawn.box, cast=blurred, depth_mm=drawn.depth_mm)

    def _box(self, solid: CapSolid, pose: Pose, smear_mm: float) -> Box | None:
        """Find the picture box that a cap, its shadow and its blur can reach; sides even, None outside the picture."""
        radius = solid.cap.diameter_mm / 2 + 2 + smear_mm
        top = solid.height_mm + pose.lift_mm
        fall = self._light.per_mm * np.float32(top)
        soft = 2 + 2 * self._light.softness * top
        around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
        low = pose.xy_mm + around * (radius + soft)
        shadow = pose.xy_mm + fall + around * (radius + soft)
        seen = np.vstack(
            [
                self._view.mm_to_px(low),
                self._view.mm_to_px(shadow),
                self._view.mm_to_px(pose.xy_mm + around * radius, top),
            ]
        )
        if not np.abs(seen).max() < FAR_PX:
            return None
        height, width = self._ground.shape[:2]
        x0, y0 = np.maximum(np.floor(seen.min(axis=0)).astype(int) & ~1, 0)
        x1, y1 = np.minimum((np.ceil(seen.max(axis=0)).astype(int) + 2) & ~1, [width, height])
        return (int(x0), int(y0), int(x1), int(y1)) if x1 - x0 >= 4 and y1 - y0 >= 4 else None


def lay(light: Array, box: Box, drawn: DrawnCap) -> None:
    """Lay a drawn cap and its shadow on a box of linear light."""
    x0, y0 = max(box[0], drawn.box[0]), max(box[1], drawn.box[1])
    x1, y1 = min(box[2], drawn.box[2]), min(box[3], drawn.box[3])
    if x0 >= x1 or y0 >= y1:
        return
    on = (slice(y0 - box[1], y1 - box[1]), slice(x0 - box[0], x1 - box[0]))
    of = (slice(y0 - drawn.box[1], y1 - drawn.box[1]), slice(x0 - drawn.box[0], x1 - drawn.box[0]))
    under = light[on] * drawn.cast.shade[of]
    light[on] = under * (1 - drawn.cast.cover[of])[..., None] + drawn.cast.light_rgb[of]


def _shift(mood: Mood, planes: Planes) -> NDArray[np.float64] | None:
    """Make the affine map (2, 3) of a knocked camera; None where it hangs as it did."""
    if not mood.is_knocked:
        return None
    turn = cv2.getRotationMatrix2D((planes.width / 2, planes.height / 2), float(np.degrees(mood.turn_rad)), 1.0)
    turn[:, 2] += mood.shift_px
    return np.asarray(turn, float)


def _smear(travel_px: NDArray[np.float64]) -> Array:
    """Make the kernel of a straight motion over `travel_px` while the shutter is open."""
    reach = int(np.ceil(np.abs(travel_px).max() / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 4 * reach + 1):
        x, y = reach + share * travel_px
        i, j = int(np.floor(y)), int(np.floor(x))
        fy, fx = y - i, x - j
        kernel[i : i + 2, j : j + 2] += np.array([[(1 - fy) * (1 - fx), (1 - fy) * fx], [fy * (1 - fx), fy * fx]])
    return kernel / kernel.sum()
