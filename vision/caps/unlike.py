"""How unlike its ground each pixel of a patch is: the ground as it was, and the ground in shadow."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.change import CHANGE
from linesies.vision.caps.light import FAINTEST
from linesies.vision.caps.patch import Patch

Array = NDArray[np.float64]

CAP_COST = float(np.log1p(9.0))  # a pixel three deviations off is as likely cap as ground
SHADE_COST = float(np.log1p(1.0))


@dataclass(frozen=True)
class UnlikeTuning(Tuning):
    """How unlike its ground, in light or shadow, a pixel is."""

    colour_share: float = tuned(
        0.7,
        title="what a difference of colour counts beside one of light",
        unit="1",
        low=0,
        high=2,
        source=by_hand_in("05a0afb"),
    )
    shade_tint: float = tuned(
        0.15,
        title="of the light lost, by how much its colour may differ: shadows are lit by the sky and by walls",
        unit="1",
        low=0.01,
        high=1,
        source=by_hand_in("496f879"),
    )
    darkest_shade: float = tuned(
        0.15, title="of the light, what any shadow leaves", unit="1", low=0.02, high=0.5, source=BY_HAND
    )
    lightest_shade: float = tuned(
        0.95, title="of the light, from which the ground is in no shadow", unit="1", low=0.7, high=1, source=BY_HAND
    )


UNLIKE = UnlikeTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unlike:
    """What each pixel of a patch (H, W) costs as ground as it was, and as ground in whichever light.

    `is_changed` are those surely not the ground as it was, `is_shaded` those that may be the ground made darker.
    """

    lit_cost: Array
    shaded_cost: Array
    is_changed: NDArray[np.bool_]
    is_shaded: NDArray[np.bool_]


def unlike_ground(patch: Patch) -> Unlike:
    """Weigh each pixel of a patch against its ground."""
    lit, tint = _lit_cost(patch), _tint_cost(patch)
    share = patch.now[..., 0] / (patch.empty[..., 0] + FAINTEST)
    is_darker = (share > UNLIKE.darkest_shade) & (share < UNLIKE.lightest_shade)
    return Unlike(
        lit_cost=lit,
        shaded_cost=np.minimum(lit, np.where(is_darker, SHADE_COST + tint, np.inf)),
        is_changed=lit > CAP_COST,
        is_shaded=is_darker & (tint < CAP_COST),
    )


def _lit_cost(patch: Patch) -> Array:
    away = patch.now - patch.empty
    luma = patch.empty[..., 0]
    slopes = (np.asarray(cv2.Sobel(luma, cv2.CV_64F, *step, scale=0.125), float) for step in ((1, 0), (0, 1)))
    slope2 = sum(slope**2 for slope in slopes)
    off = away[..., 0] ** 2 + UNLIKE.colour_share**2 * (away[..., 1] ** 2 + away[..., 2] ** 2)
    return np.asarray(np.log1p(off / (patch.noise**2 + CHANGE.shake_px**2 * slope2)), float)


def _tint_cost(patch: Patch) -> Array:
    """Weigh how unlike the colour of a pixel is to that of its ground made darker."""
    share = np.clip(patch.now[..., 0] / (patch.empty[..., 0] + FAINTEST), 0, 1)
    off = patch.now[..., 1:] - patch.empty[..., 1:] * share[..., None]
    skylight = UNLIKE.shade_tint * (patch.empty[..., 0] - patch.now[..., 0])
    return np.asarray(np.log1p((UNLIKE.colour_share * off**2).sum(axis=-1) / (patch.noise**2 + skylight**2)), float)
