"""Light that lies on parts of the scene: glare, a lamp's pool, shade, as what they add to the empty ground."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.added_light import COARSE_LIGHT, added_by_light
from linesies.vision.picture.background import BACKGROUND
from linesies.vision.picture.layout import SATURATED, Image
from linesies.vision.picture.lighting import TO_LEVELS, TO_RGB, clipped_at
from linesies.vision.picture.masks import largest, largest_of_colours


@dataclass(frozen=True)
class LocalLightTuning(Tuning):
    """What is light on a part of the scene, and no thing that came there."""

    light_spot: float = tuned(
        0.14,
        title="of the picture's height: over less than half of that a thing looks otherwise, and no light",
        unit="1",
        low=0.02,
        high=0.6,
        source=BY_HAND,
    )
    cap_spot_radii: float = tuned(
        5.0,
        title="side of a window of which two caps and their shadows cover half",
        unit="1",
        low=2,
        high=20,
        source="geometry: two caps and as much of shadow cover 4 pi, 12.6 of the 25 radii squared",
    )
    nearly_levels: int = tuned(
        16,
        title="below what is saturated, where light is not known well enough to tell ground from white caps",
        unit="levels",
        low=2,
        high=60,
        source=by_hand_in("ad693e3"),
    )
    lit_half_levels: int = tuned(
        7,
        title="halves of a grey level that a part is lit otherwise than the rest",
        unit="levels/2",
        low=2,
        high=40,
        source=BY_HAND,
    )
    sharp_half_levels: int = tuned(
        9,
        title="by which that changes across its border at most: glare fades out by 4, a hand ends by 20",
        unit="levels/2",
        low=4,
        high=20,
        source=BY_HAND,
    )


LOCAL_LIGHT = LocalLightTuning()

FOLLOWED_TIMES = 3  # after which steep light is followed to a grey level or two


class LocalLight:
    """Remembers what light adds to each part of a picture, beside the empty ground: glare, a lamp's pool, shade.

    `white` is the luma of what is saturated, `radius_small` that of caps, which are no light.
    """

    def __init__(self, empty: Image, seen: Image, *, radius_small: float, white: int = 255) -> None:
        self._white = white
        self._ground_yuv = np.median(empty.reshape(-1, 3), axis=0)
        height, width = seen.shape[:2]
        halved = np.clip(np.rint(128 + added_by_light(empty, seen, white) / 2), 0, 255).astype(np.uint8)
        light = _soft(cv2.medianBlur(halved, _odd(LOCAL_LIGHT.light_spot * len(halved))))
        light = _followed(light, halved, _odd(LOCAL_LIGHT.cap_spot_radii * radius_small / COARSE_LIGHT))
        self._halved = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)

    @property
    def is_clear(self) -> bool:
        """Whether any part is clearly lit otherwise than the rest."""
        return bool(
            largest(cv2.absdiff(self._halved, np.full_like(self._halved, 128))).max() >= LOCAL_LIGHT.lit_half_levels
        )

    def on_colours(self, yuv: NDArray[np.float64], xs: NDArray[np.int64], ys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Show colours (..., 3) in it at pixels (N,): (..., N, 3). What would be brighter than white is white."""
        return clipped_at(self._white, yuv[..., None, :] + self.added_at(xs, ys))

    def added_at(self, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Tell what it adds to pixels (N,): (N, 3)."""
        return 2.0 * (self._halved[ys, xs] - 128.0)

    def on(self, empty: Image) -> Image:
        """Show the empty ground in it."""
        return cv2.addWeighted(empty, 1.0, self._halved, 2.0, -256)

    def saturates(self, yuv: NDArray[np.float64], xy_small: NDArray[np.float64]) -> bool:
        """Tell whether it saturates a colour (3,), red, green or blue of it, at a point (2,)."""
        height, width = self._halved.shape[:2]
        x, y = (int(np.clip(round(float(c)), 0, side - 1)) for c, side in zip(xy_small, (width, height), strict=True))
        added = self.added_at(np.array(x), np.array(y))
        rgb = (yuv + added - (0.0, 128.0, 128.0)) @ TO_RGB.T
        is_lit = added[0] >= 2 * LOCAL_LIGHT.lit_half_levels
        return bool(is_lit and rgb.max() >= self._white - LOCAL_LIGHT.nearly_levels)

    def blinds(self, colours_yuv: NDArray[np.float64], xy_small: NDArray[np.float64]) -> bool:
        """Tell whether it saturates any of these colours (N, 3), or the ground, at a point (2,)."""
        return any(self.saturates(yuv, xy_small) for yuv in (self._ground_yuv, *colours_yuv))

    @property
    def blinds_somewhere(self) -> bool:
        """Tell whether it saturates the ground where it is brightest."""
        row, column = np.unravel_index(self._halved[..., 0].argmax(), self._halved.shape[:2])
        return self.saturates(self._ground_yuv, np.array([column, row], float))

    def shown(self, empty: Image) -> Image:
        """Show the empty ground in it as the camera does: white where that saturates."""
        lit = clipped_at(self._white, empty.astype(np.float64) + 2.0 * (self._halved - 128.0))
        return np.clip(np.rint(lit), 0, 255).astype(np.uint8)

    def off(self, seen: Image, empty: Image) -> Image:
        """Show a picture without it; ground that it saturates tells nothing, and is shown as the `empty` one.

        So is what lies beside such ground, for pixels mix, unless it is coloured: light that saturates takes colour
        away and gives none.
        """
        dull = cv2.addWeighted(seen, 1.0, self._halved, -2.0, 256)
        saturated = cv2.inRange(cv2.transform(seen, TO_LEVELS), (self._white - SATURATED,) * 3, (255,) * 3)
        would_be = cv2.inRange(
            cv2.extractChannel(self.on(empty), 0), self._white - SATURATED - LOCAL_LIGHT.nearly_levels, 255
        )
        lit = cv2.inRange(cv2.extractChannel(self._halved, 0), 128 + LOCAL_LIGHT.lit_half_levels, 255)
        coloured = cv2.inRange(largest_of_colours(cv2.absdiff(seen, empty)), BACKGROUND.colour_levels + 1, 255)
        silent = saturated & would_be & lit
        cv2.copyTo(empty, silent | (cv2.dilate(silent, np.ones((3, 3), np.uint8)) & ~coloured), dull)
        return dull


def _odd(side: float) -> int:
    return int(side) // 2 * 2 + 1


def _followed(light: Image, halved: Image, window: int) -> Image:
    """Follow steep and bent light more closely, where there is any: what the medians of wide windows round off."""
    apart = largest(cv2.absdiff(light, np.full_like(light, 128)))
    lit = cv2.dilate(cv2.inRange(apart, LOCAL_LIGHT.lit_half_levels, 255), np.ones((2 * window + 1,) * 2, np.uint8))
    for _ in range(FOLLOWED_TIMES):
        left = np.full_like(light, 128)
        cv2.copyTo(cv2.addWeighted(halved, 1.0, light, -1.0, 128), lit, left)
        light = cv2.addWeighted(light, 1.0, cv2.medianBlur(left, window), 1.0, -128)
    return light


def _soft(halved: Image) -> Image:
    """Leave out of differences about 128 those with a sharp border: a hand or a thing lies there."""
    apart = largest(cv2.absdiff(halved, np.full_like(halved, 128)))
    slope = cv2.morphologyEx(apart, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(cv2.inRange(apart, LOCAL_LIGHT.lit_half_levels, 255))
    soft = halved.copy()
    for label in range(1, count):
        is_own = labels == label
        inside = cv2.erode(is_own.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=1)
        if np.median(slope[is_own & (inside == 0)]) > LOCAL_LIGHT.sharp_half_levels:
            soft[is_own] = 128
    return soft
