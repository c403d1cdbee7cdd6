"""Fit a cap as a solid: slide its outline until outside is ground, in light or in shadow, and inside is not.

The place that explains best what is seen near the outline (`rim.py`) is found by Gauss-Newton with robust weights, at
first of only the worst. How far the rim's sectors disagree is how far off it may be.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.grid import on_grid
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.hull import SHAPE
from linesies.vision.caps.patch import PATCH, Patch
from linesies.vision.caps.rim import RIM, Residuals, Rim

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FitTuning(Tuning):
    """How the place is sought that explains the picture best."""

    free_cost: float = tuned(
        1.0,
        title="misfit of a pixel deep inside, which may look as it likes",
        unit="1",
        low=0.1,
        high=5,
        source=by_hand_in("05a0afb"),
    )
    first_robust_sigmas: float = tuned(
        8.0,
        title="deviations off that halve a pixel's weight, at first",
        unit="1",
        low=1,
        high=50,
        source=by_hand_in("05a0afb"),
    )
    then_robust_sigmas: float = tuned(
        2.0, title="likewise in the second turn", unit="1", low=0.5, high=20, source=by_hand_in("05a0afb")
    )
    last_robust_sigmas: float = tuned(
        1.0, title="likewise in the last", unit="1", low=0.3, high=10, source=by_hand_in("05a0afb")
    )
    step_px: float = tuned(
        1.5, title="longest step of the fit", unit="px", low=0.2, high=5, source=by_hand_in("61110c0")
    )
    still_px: float = tuned(
        0.1, title="step below which it stands still", unit="px", low=0.005, high=0.5, source=by_hand_in("61110c0")
    )
    steps: int = tuned(
        3,
        title="steps in each turn, unless it stands still before",
        unit="1",
        low=1,
        high=20,
        source=by_hand_in("e9c8bce"),
    )
    least_pixels: int = tuned(
        20,
        title="fewer pixels say nothing: others lie over it",
        unit="1",
        low=5,
        high=200,
        source=by_hand_in("e8018b0"),
    )
    hold_doubt: float = tuned(
        0.2,
        title="of how far off a cap usually was seen, what counts as doubt; scatter counts several times as much",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("2a80f44"),
    )
    hold: float = tuned(
        0.3,
        title="how much less a fit is held to where a cap was seen than what is sought, which no edge has placed yet",
        unit="1",
        low=0,
        high=1,
        source="by hand, of 0.1, 0.3 and 1: five public scenes moved least, those in moved shade (1701 to 1741) held",
    )
    noise_doubt: float = tuned(
        0.37,
        title="how many deviations a sector misleads at least, whatever it leaves unexplained; scatter counts several "
        "times as much",
        unit="1",
        low=0,
        high=3,
        source="by likelihood, of 0 to 0.46, on 180 caps of streets 8000 to 8002 (benchmarks.certain_calls), 2026-11",
    )
    sectors: int = tuned(
        12,
        title="sectors of the rim, each of which may mislead the fit by itself",
        unit="1",
        low=4,
        high=48,
        source=by_hand_in("e9c8bce"),
    )

    @property
    def robust_sigmas(self) -> tuple[float, ...]:
        """How many deviations off halve a pixel's weight, turn by turn."""
        return self.first_robust_sigmas, self.then_robust_sigmas, self.last_robust_sigmas


FIT = FitTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapFit:
    """Where a cap's axis meets the ground, the misfit there a pixel, and how far the rim's sectors disagree.

    `scatter_mm2` (2, 2) is the place's covariance if each sector misleads by what it leaves unexplained; `patch` is
    what the cap was fitted to.
    """

    patch: Patch
    xy_mm: Array
    misfit: float
    scatter_mm2: Array


def fit_from(patch: Patch, start_px: Array, slope: Array | None, taken: tuple[Array, ...]) -> CapFit:
    """Find the place by Gauss-Newton from a start shifted in the picture by `start_px` (2,), under a light.

    `taken` are outlines (N, 2) of neighbours. What others hide stays at the start, in doubt by its whole radius.
    """
    rim = Rim(patch, start_px, slope, taken)
    if len(rim.pixels) < FIT.least_pixels:
        blind_mm2 = float(patch.solid.radii_mm.max()) ** 2 * np.eye(2)
        return CapFit(patch=patch, xy_mm=rim.start_mm, misfit=FIT.free_cost, scatter_mm2=blind_mm2)
    shift = np.zeros(SHAPE)  # of the place, and how much wider and taller it is
    placed = rim.place(shift)
    look = rim.explain(placed, np.ones(len(rim.pixels)))
    for sigmas in FIT.robust_sigmas:
        for _ in range(FIT.steps):
            look = rim.explain(placed, look.robust_weights(sigmas * patch.noise))
            step, length_px = _step(rim, look, sigmas, shift)
            shift = on_grid(shift + step)
            placed = rim.place(shift)
            if length_px < FIT.still_px:
                break
    look = rim.explain(placed, look.robust_weights(patch.noise))
    off = (look.residual**2).sum(axis=0) / patch.noise**2
    misfit = float((look.window * np.log1p(off) + (1 - look.window) * FIT.free_cost).mean())
    scatter_mm2 = _scatter_mm2(rim, look, shift)
    return CapFit(patch=patch, xy_mm=rim.start_mm + shift[:2], misfit=misfit, scatter_mm2=scatter_mm2)


def unlikely(fit: CapFit) -> float:
    """Weigh a fit by what it leaves unexplained, and by how far it strayed from where the cap is supposed to stand."""
    return fit.misfit + float(fit.patch.stray_cost(fit.xy_mm)) / RIM.pixels


def _step(rim: Rim, look: Residuals, sigmas: float, shift: Array) -> tuple[Array, float]:
    """Give the next step (SHAPE,) and its length in the picture, from a body shifted and grown by (SHAPE,)."""
    patch = rim.patch
    residual, jacobian = look.weighted(sigmas * patch.noise)
    normal, pull = _normal(jacobian), np.einsum("cip,cp->i", jacobian, residual)
    away = np.append(rim.start_mm + shift[:2] - patch.near_mm, shift[2:])
    pull += _hold(rim, normal) * away
    step = -np.linalg.solve(normal, pull)
    length_px = float(np.hypot(*(patch.px_a_mm @ step[:2])))
    return step * min(1.0, FIT.step_px / max(length_px, 1e-9)), length_px


def _hold(rim: Rim, normal: Array) -> Array:
    """Hold a body in its place to where it was seen, and to its listed width and height: precisions (SHAPE,)."""
    there = np.full(2, FIT.hold * rim.patch.held * rim.patch.noise**2)
    held = np.append(there, rim.held * np.diag(normal)[2:])
    normal.flat[:: SHAPE + 1] += held
    return held


def _scatter_mm2(rim: Rim, look: Residuals, shift_mm: Array) -> Array:
    """Give the place's covariance (2, 2) if each sector of the rim misleads by what it leaves unexplained.

    Few sectors may leave little by chance, and an edge as bright as the ground leaves none wherever it is sought: so
    each misleads by a share of the noise at least.
    """
    patch = rim.patch
    residual, jacobian = look.weighted(patch.noise)
    away = rim.pixels - rim.middle_px - patch.px_a_mm @ shift_mm[:2]
    sector = ((np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) + 0.5) * FIT.sectors).astype(int) % FIT.sectors
    pulls = np.einsum("cip,cp->ip", jacobian, residual)
    pull = np.array([np.bincount(sector, axis, FIT.sectors) for axis in pulls])
    normal = _normal(jacobian)
    doubt = pull @ pull.T * FIT.sectors / (FIT.sectors - 1) + (FIT.noise_doubt * patch.noise) ** 2 * normal
    _hold(rim, normal)
    inverse = np.linalg.inv(normal)[:2]
    doubt[[0, 1], [0, 1]] += PATCH.alike_pixels * patch.held * (FIT.hold * FIT.hold_doubt * patch.noise**2) ** 2
    return np.asarray(inverse @ doubt @ inverse.T, float)


def _normal(jacobian: Array) -> Array:
    normal = np.einsum("cip,cjp->ij", jacobian, jacobian)
    return np.asarray(normal + 1e-6 * np.trace(normal) * np.eye(len(normal)), float)
