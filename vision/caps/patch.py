"""The surroundings of one supposed cap, cut out of a picture and of the empty one, in linear light."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.calibration.grid import on_grid
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.light import FAINTEST, luma_blue_red
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.solid import Solid, outline_px, px_a_mm

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PatchTuning(Tuning):
    """What is cut out round a supposed cap, and what its ground tells of noise."""

    shadow_room_px: float = tuned(
        24.0,
        title="round the outline, so that a long shadow shows",
        unit="px",
        low=6,
        high=100,
        source=by_hand_in("05a0afb"),
    )
    quiet_px: float = tuned(
        2.5,
        title="from the outline, beyond which there is ground only, or shadow",
        unit="px",
        low=0.5,
        high=10,
        source=by_hand_in("05a0afb"),
    )
    alike_pixels: float = tuned(
        5.0,
        title="neighbouring pixels that tell as much as one that errs by itself",
        unit="1",
        low=1,
        high=50,
        source="by hand, on world=varied 1724",
    )
    least_noise: float = tuned(
        0.004,
        title="of the ground's brightness, the noise at least",
        unit="1",
        low=0.0005,
        high=0.05,
        source=by_hand_in("05a0afb"),
    )
    least_noise_light: float = tuned(
        0.0015, title="noise at least, in linear light", unit="1", low=0.0001, high=0.02, source=by_hand_in("05a0afb")
    )


PATCH = PatchTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patch:
    """Pixels round a cap supposed to stand at `near_mm`, and the ground that they showed when it was empty.

    `off_mm` is how far off `near_mm` usually is, along x as along y; inf where nobody knows. `pixels` (H * W, 2) are
    the picture positions of all pixels, row by row; `now` and `empty` are (H, W, 3) planes of luma, blue less luma, red
    less luma, `empty` already in the light of now; `noise` is the luma's standard deviation over quiet ground.
    `px_a_mm` and `ground_px_a_mm` (2, 2) are the picture's scales at half the cap's height and on the ground.
    """

    view: View
    solid: Solid
    near_mm: Array
    off_mm: float
    pixels: Array
    now: Array
    empty: Array
    noise: float
    px_a_mm: Array
    ground_px_a_mm: Array

    @property
    def held(self) -> float:
        """How firmly the cap is held to where it is supposed to stand, as pixels are weighed: a square millimetre."""
        return PATCH.alike_pixels / self.off_mm**2

    def place_mm(self, shift_px: Array) -> Array:
        """Tell at which board point (2,) a cap stands that is seen so far (2,) from where it is supposed to."""
        return np.asarray(self.near_mm + np.linalg.solve(self.px_a_mm, shift_px), float)

    def shift_px(self, place_mm: Array) -> Array:
        """Tell how far (2,) from where it is supposed to a cap is seen that stands at a board point (2,)."""
        return np.asarray(self.px_a_mm @ (place_mm - self.near_mm), float)

    def stray_cost(self, xy_mm: Array) -> Array:
        """Weigh how far board points (..., 2) lie from where the cap is supposed to stand, as pixels are weighed."""
        return np.asarray(self.held * ((xy_mm - self.near_mm) ** 2).sum(axis=-1) / 2, float)

    @property
    def px_per_mm(self) -> float:
        """The picture's scale at the cap, mean of all directions."""
        return float(np.sqrt(abs(np.linalg.det(self.px_a_mm))))


def cut_patch(
    view: View, pictures: BeforeAndNow, solid: Solid, near_mm: Array, *, off_mm: float = np.inf
) -> Patch | None:
    """Cut the patch of a solid near a board point (2,), so far off; None where too little is seen."""
    near_mm = on_grid(near_mm)
    view = pictures.view_now(view, near_mm)
    points = outline_px(view, solid, near_mm)
    height, width = pictures.now.shape[:2]
    low, high = (
        np.floor(points.min(axis=0) - PATCH.shadow_room_px),
        np.ceil(points.max(axis=0) + PATCH.shadow_room_px) + 1,
    )
    x0, y0 = np.clip(low, 0, (width, height)).astype(int)
    x1, y1 = np.clip(high, 0, (width, height)).astype(int)
    middle = points.mean(axis=0)
    if not (0 <= middle[0] < width and 0 <= middle[1] < height):
        return None
    window = slice(int(y0), int(y1)), slice(int(x0), int(x1))
    now, empty = (luma_blue_red(part) for part in (pictures.now[window], pictures.empty_window(*window)))
    rows, columns = np.mgrid[y0:y1, x0:x1]
    low, high = points.min(axis=0) - PATCH.quiet_px, points.max(axis=0) + PATCH.quiet_px
    quiet = np.flatnonzero((columns < low[0]) | (columns > high[0]) | (rows < low[1]) | (rows > high[1]))
    seen, bare = (plane.reshape(-1, 3).take(quiet, axis=0).T for plane in (now, empty))
    empty = empty * np.median(np.ascontiguousarray(seen / (bare + FAINTEST)), axis=1)  # medians of rows are faster
    now[..., 1:] -= now[..., :1]
    empty[..., 1:] -= empty[..., :1]
    away = seen[0] - empty[..., 0].ravel()[quiet]
    level = float(np.median(empty[..., 0]))
    noise = (
        1.4826 * float(np.median(np.abs(away - np.median(away)))) + PATCH.least_noise * level + PATCH.least_noise_light
    )
    return Patch(
        view=view,
        solid=solid,
        near_mm=near_mm,
        off_mm=off_mm,
        pixels=np.column_stack([columns.ravel(), rows.ravel()]).astype(float),
        now=now,
        empty=empty,
        noise=noise,
        px_a_mm=px_a_mm(view, near_mm, float(solid.heights_mm.mean())),
        ground_px_a_mm=px_a_mm(view, near_mm, 0.0),
    )
