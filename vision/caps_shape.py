"""Is it a solid of that shape, or litter of about its size? What its outline covers, and what is seen beyond it.

A cap changes all that its outline covers and nothing beyond but the light: it shuts off the sky close by, or casts a
shadow. Leaves and gum lie flat, their rims are ragged or elsewhere; pebbles are smaller. The weights were fitted on
1,270 spots of 34 scenes, in the unit of the costs of naming.
"""

import numpy as np
from numpy.typing import NDArray

from vision.caps_fit import Fit
from vision.caps_seek import changed_pixels, shaded_pixels
from vision.caps_solid import DIRECTIONS, near_hull, outline_px, reach

Array = NDArray[np.float64]

SECTORS = 12
WORST_SECTORS = 3
RIM = (0.7, 1.2, 0.25)  # the rim's band inside the outline: from, to (px), and that much more in radii
RING = (1.2, 2.2, 0.3)  # the band outside it, likewise
NEIGHBOUR_PX = 1.5
UNCOVERED_COST, STRAY_COST, SHADE_WORTH = 2.35, 3.8, 5.6  # of shares of the rim and the ring
MOST_STRAY, MOST_SHADE = 0.5, 0.25
SCATTER_COST, MOST_SCATTER = 100.0, 0.03  # in diameters
MISFIT_COST, USUAL_MISFIT = 1.8, 1.0
EVEN = -1.3  # caps are the likelier: litter of a cap's size and colour is rare


def litter_cost(fit: Fit, *, is_hollow: bool, taken: tuple[Array, ...] = ()) -> float:
    """Weigh that a fitted outline holds no cap, in the costs of naming; `taken` are outlines (N, 2) of neighbours.

    `is_hollow` says that ground is seen through the cap, so that its rim alone is covered.
    """
    patch = fit.patch
    points = outline_px(patch.view, patch.solid, fit.xy_mm)
    diameter_mm = 2 * float(patch.solid.radii_mm.max())
    radius_px = patch.px_per_mm * diameter_mm / 2
    pixels = patch.pixels()
    near = near_hull(pixels, points, RING[1] + RING[2] * radius_px)
    for other in taken:
        near = near[_beyond(pixels[near], other) > NEIGHBOUR_PX]
    beyond = _beyond(pixels[near], points)
    changed, shaded = changed_pixels(patch).ravel()[near], shaded_pixels(patch).ravel()[near]
    rim = (beyond < -RIM[0]) & (beyond > -RIM[1] - RIM[2] * radius_px)
    ring = (beyond > RING[0]) & (beyond < RING[1] + RING[2] * radius_px)
    if not rim.any() or not ring.any():
        return 0.0  # so little of it is free that nothing speaks against it
    away = pixels[near][rim] - points.mean(axis=0)
    covered = 2 * changed[rim].mean() - 1 if is_hollow else _worst(changed[rim], away)
    stray = min((changed & ~shaded)[ring].mean(), MOST_STRAY)
    shade = min((changed & shaded)[ring].mean(), MOST_SHADE)
    scatter = min(float(np.sqrt(np.trace(fit.scatter_mm2))) / diameter_mm, MOST_SCATTER)
    misfit = np.clip(fit.misfit - USUAL_MISFIT, 0, 1)
    flat = UNCOVERED_COST * (1 - covered) + STRAY_COST * stray - SHADE_WORTH * shade
    return float(EVEN + flat + SCATTER_COST * scatter + MISFIT_COST * misfit)


def _beyond(pixels: Array, points_px: Array) -> Array:
    """Tell how far pixels (P, 2) lie outside the hull of points (N, 2)."""
    return np.asarray((pixels @ DIRECTIONS.T - reach(points_px)).max(axis=1), float)


def _worst(changed: NDArray[np.bool_], away_px: Array) -> float:
    """Give the share of changed pixels in those sectors round the middle where it is least."""
    sector = ((np.arctan2(away_px[:, 1], away_px[:, 0]) / (2 * np.pi) + 0.5) * SECTORS).astype(int) % SECTORS
    whole = np.bincount(sector, minlength=SECTORS)
    shares = np.bincount(sector, changed, SECTORS)[whole > 0] / whole[whole > 0]
    return float(np.sort(shares)[:WORST_SECTORS].mean())
