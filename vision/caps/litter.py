"""Is it a solid of that shape, or litter of about its size? What its outline covers, and what is seen beyond it.

A cap changes all that its outline covers and nothing beyond but the light: it shuts off the sky close by, or casts a
shadow. Leaves and gum lie flat, and the ground at their feet is as bright as farther off; their rims are ragged or
elsewhere; pebbles are smaller. The weights were fitted on 4,600 spots of 58 scenes, in the unit of the costs of naming,
with every cap counted thrice, as if it shut off less of the sky: no two skies, and no two renderers, dim feet alike.
"""

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.cap import Kind
from linesies.vision.caps.fit import Fit
from linesies.vision.caps.patch import Patch
from linesies.vision.caps.seek import changed_pixels, shaded_pixels
from linesies.vision.caps.solid import DIRECTIONS, near_hull, outline_px, reach

Array = NDArray[np.float64]

CLEAR: tuple[Kind, ...] = ("ring", "glide")  # glass lets the ground through, steel mirrors it
SECTORS = 12
WORST_SECTORS = 3
RIM = (0.7, 1.2, 0.25)  # the rim's band inside the outline: from, to (px), and that much more in radii
RING = (1.2, 2.2, 0.3)  # the band outside it, likewise
NEIGHBOUR_PX = 1.5
DARKEST = 0.003  # linear light that keeps ratios finite, as where the patch was cut
FOOT = (1.2, 3.0)  # the band beyond the outline (px) where the ground is dimmer
UNCOVERED_COST, STRAY_COST, SHADE_WORTH = 2.2, 4.0, 3.0  # of shares of the rim and the ring
MOST_STRAY, MOST_SHADE = 0.5, 0.25
DIM_WORTH, DIM = 20.0, (-0.03, 0.06)  # of how much darker the foot is, as a logarithm: a little tells as much as a lot
SCATTER_COST, MOST_SCATTER = 100.0, 0.03  # in diameters
MISFIT_COST, USUAL_MISFIT = 1.2, 1.0
EVEN = -0.8  # caps are the likelier: litter of a cap's size and colour is rare


def litter_cost(fit: Fit, *, is_clear: bool, taken: tuple[Array, ...] = ()) -> float:
    """Weigh that a fitted outline holds no cap, in the costs of naming; `taken` are outlines (N, 2) of neighbours.

    `is_clear` says that ground is seen through the cap or mirrored in it, so that not all of its rim need differ.
    """
    diameter_mm = 2 * float(fit.patch.solid.radii_mm.max())
    scatter = min(float(np.sqrt(np.trace(fit.scatter_mm2))) / diameter_mm, MOST_SCATTER)
    misfit = float(np.clip(fit.misfit - USUAL_MISFIT, 0, 1))
    shape = shape_cost(fit.patch, fit.xy_mm, is_clear=is_clear, taken=taken)
    return shape + SCATTER_COST * scatter + MISFIT_COST * misfit


def shape_cost(patch: Patch, xy_mm: Array, *, is_clear: bool, taken: tuple[Array, ...] = ()) -> float:
    """Weigh the same by what is seen alone of an outline at a board point (2,): good enough to the pixel."""
    points = outline_px(patch.view, patch.solid, xy_mm)
    radius_px = patch.px_per_mm * float(patch.solid.radii_mm.max())
    pixels = patch.pixels
    near = near_hull(pixels, points, max(RING[1] + RING[2] * radius_px, FOOT[1]))
    for other in taken:
        near = near[_beyond(pixels[near], other) > NEIGHBOUR_PX]
    beyond = _beyond(pixels[near], points)
    changed, shaded = changed_pixels(patch).ravel()[near], shaded_pixels(patch).ravel()[near]
    rim = (beyond < -RIM[0]) & (beyond > -RIM[1] - RIM[2] * radius_px)
    ring = (beyond > RING[0]) & (beyond < RING[1] + RING[2] * radius_px)
    if not rim.any() or not ring.any():
        return EVEN  # so little of it is free that nothing speaks against it
    away = pixels[near][rim] - points.mean(axis=0)
    covered = 2 * changed[rim].mean() - 1 if is_clear else _worst(changed[rim], away)
    stray = min((changed & ~shaded)[ring].mean(), MOST_STRAY)
    shade = min((changed & shaded)[ring].mean(), MOST_SHADE)
    dim = np.clip(_dimmed(patch, near, beyond), *DIM)
    return float(EVEN + UNCOVERED_COST * (1 - covered) + STRAY_COST * stray - SHADE_WORTH * shade - DIM_WORTH * dim)


def _dimmed(patch: Patch, near: NDArray[np.intp], beyond: Array) -> float:
    """Tell by how much, as a logarithm, the ground at the foot got darker than that farther off; 0 where unseen."""
    foot = near[(beyond > FOOT[0]) & (beyond < FOOT[1])]
    if not foot.size:
        return 0.0
    now, empty = (plane[..., 0].ravel()[foot] for plane in (patch.now, patch.empty))
    return -float(np.log(max(np.median(now / (empty + DARKEST)), DARKEST)))  # quiet ground's ratio is 1


def _beyond(pixels: Array, points_px: Array) -> Array:
    """Tell how far pixels (P, 2) lie outside the hull of points (N, 2)."""
    return np.asarray((pixels @ DIRECTIONS.T - reach(points_px)).max(axis=1), float)


def _worst(changed: NDArray[np.bool_], away_px: Array) -> float:
    """Give the share of changed pixels in those sectors round the middle where it is least."""
    sector = ((np.arctan2(away_px[:, 1], away_px[:, 0]) / (2 * np.pi) + 0.5) * SECTORS).astype(int) % SECTORS
    whole = np.bincount(sector, minlength=SECTORS)
    shares = np.bincount(sector, changed, SECTORS)[whole > 0] / whole[whole > 0]
    return float(np.sort(shares)[:WORST_SECTORS].mean())
