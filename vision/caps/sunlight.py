"""How shadows have fallen lately: one sun lights a street, and every cap that is measured tells of it.

One cap by itself misleads. A crack or a stain on the ground beside it passes for shadow, and a cap that is as dark as
its shadow may be sought in that, and then tells of another sun. What is dark round many that are not dark themselves is
where the sun has cast it.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.shadow import SHADOW, Shade, likeliest_slope
from linesies.vision.shadow_light import ShadowLight

STREETS = (
    "by hand on 19 streets of certain_calls (plain 16117 to 16124, varied 15120 to 15127, 16096, 16098, 16107; 40 to "
    "200 caps each), 2026-11-29: "
)


@dataclass(frozen=True)
class SunlightTuning(Tuning):
    """How many caps tell how shadows fall, for how long, and when they tell anything."""

    caps: int = tuned(
        12,
        title="caps measured last that tell how shadows fall",
        unit="1",
        low=3,
        high=100,
        source=STREETS + "the slope is off by 0.44 of 1.4 in the median with one, 0.12, 0.08, 0.07, 0.04 with 4 to 20",
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
    alone: float = tuned(
        0.15,
        title="of the darkness, what one cap's chance explains; of several, so much by their number",
        unit="1",
        low=0,
        high=1,
        source=STREETS
        + "where light is diffuse the best slope explains 0.05 to 0.11 of 8 to 20 caps' darkness, in the "
        "sun 0.16 to 0.75",
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
        is_told = explained > SHADOW.plain_share + SUNLIGHT.alone / len(shades)
        is_near = float(np.hypot(*slope)) < SHADOW.farthest
        return ShadowLight(slope=slope if is_told and is_near else None)
