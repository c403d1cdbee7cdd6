"""How shadows have fallen lately: one sun lights a street, and every cap that is measured tells of it.

One cap by itself misleads. A crack or a stain on the ground beside it passes for shadow, and a cap that is as dark as
its shadow may be sought in that, and then tells of another sun. What is dark round many that are not dark themselves is
where the sun has cast it.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.shadow import SLOPES, Shade, likeliest_slope
from linesies.vision.shadow_light import ShadowLight

Array = NDArray[np.float64]

ASIDE = 1.3  # radians; shadows whose bearings differ by more share hardly any ground

STREETS = (
    "by hand on 28 streets of certain_calls (plain 16117 to 16135, varied 15120 to 15154, 16096 to 16107; 24 to 200 "
    "caps each), 2026-11-29: "
)


@dataclass(frozen=True)
class SunlightTuning(Tuning):
    """How many caps tell how shadows fall, for how long, and when they tell anything."""

    caps: int = tuned(
        24,
        title="caps measured last that tell how shadows fall",
        unit="1",
        low=3,
        high=100,
        source=STREETS
        + "the slope is off by 0.44 of 1.4 in the median with one, 0.12, 0.08, 0.07, 0.04 with 4, 8, 12, 20; "
        "under leaves (varied 16037) twelve told none in the sun, twice the cause of a wrong call",
    )
    least: int = tuned(
        3, title="caps without which nothing is told", unit="1", low=1, high=20, source=STREETS + "as many were tried"
    )
    lasting_s: float = tuned(
        300.0,
        title="for which what a cap told holds",
        unit="s",
        low=10,
        high=3600,
        source="geometry: the sun goes on by a degree or two in that time",
    )
    aside: float = tuned(
        0.3,
        title="of what the likeliest slope explains, what shadows to quite another side may explain, or none fall",
        unit="1",
        low=0.05,
        high=0.9,
        source=STREETS + "0.32 to 0.88 where light is diffuse, 0 to 0.25 in the sun where the slope is right",
    )


SUNLIGHT = SunlightTuning()


class Sunlight:
    """Remembers what is dark round the caps that were measured last, and when that was."""

    def __init__(self) -> None:
        self._lately: deque[tuple[float, Shade]] = deque(maxlen=SUNLIGHT.caps)

    def see(self, shade: Shade, t_s: float) -> None:
        """Add what is dark round a cap at a time."""
        self._lately.append((t_s, shade))

    def at(self, t_s: float) -> ShadowLight | None:
        """Tell how shadows fall at a time; None where too few caps have told lately."""
        shades = [shade for seen_s, shade in self._lately if 0 <= t_s - seen_s < SUNLIGHT.lasting_s]
        if len(shades) < SUNLIGHT.least:
            return None
        slope, explained = likeliest_slope(shades)
        to_another_side = _bearing_apart(SLOPES, slope) > ASIDE
        aside = np.mean([shade.by_light[to_another_side] for shade in shades], axis=0)
        is_told = float(aside.max()) < SUNLIGHT.aside * explained
        return ShadowLight(slope=slope if is_told else None)


def _bearing_apart(slopes: Array, slope: Array) -> Array:
    """Tell by what angle slopes (K, 2) lead to another side than one (2,): (K,), in radians."""
    across, along = slopes @ np.array([-slope[1], slope[0]]), slopes @ slope
    return np.asarray(np.abs(np.arctan2(across, along)), float)
