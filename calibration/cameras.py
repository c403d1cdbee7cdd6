"""What is usual of a camera's lens before it is measured: where an estimate from one view of the board begins.

Focal lengths are shares of the picture's width, from the makers' sheets: focal length over the sensor's width, for
modes that use the whole of it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LensPrior:
    """A usual focal length (share of the picture's width) and bend k1, and how far lenses stray from both.

    `focal_spread` is of the logarithm. Neighbouring stretches of a line stray together, so that each knows less than
    it counts: what is usual must count more beside them, and spreads here are smaller than lenses' own.
    """

    focal: float
    focal_spread: float
    bend: float = 0.0
    bend_spread: float = 0.03


ANY_CAMERA = LensPrior(focal=0.85, focal_spread=0.06)  # phones, USB and Pi cameras alike
CAMERAS = {
    "camera-module-2": LensPrior(focal=3.04 / 3.67, focal_spread=0.02),
    "camera-module-3": LensPrior(focal=4.74 / 6.45, focal_spread=0.02),
    "camera-module-3-wide": LensPrior(focal=2.75 / 6.45, focal_spread=0.03, bend_spread=0.06),
    "hq-6mm": LensPrior(focal=6.0 / 6.29, focal_spread=0.03, bend_spread=0.06),
    "global-shutter-6mm": LensPrior(focal=6.0 / 5.02, focal_spread=0.03, bend_spread=0.06),
}
