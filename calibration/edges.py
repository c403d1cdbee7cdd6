"""Both edges of one painted line, fitted together along its whole length.

Across a line the light is a box, blurred by the camera: ground, paint, ground. Where its middle lies and how wide
it is are smooth curves along the line (cubic B-splines, stiffened); the ground's level is free at every station,
the paint's step over it smooth. All is one least-squares fit, so worn spots and rough ground average out
instead of pulling at single edges, and a worn stretch is bridged by the stiffness and says so in its sigma.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.bell import share_below
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class EdgeTuning(Tuning):
    """How finely edges are fitted, and how far misfits are believed."""

    knot_widths: float = tuned(
        0.8,
        title="between the splines' knots, in widths of the line",
        unit="1",
        low=0.2,
        high=5,
        source="geometry: a brush as wide as the line hardly turns within its own width",
    )
    least_knot_px: float = tuned(
        5.0,
        title="between knots at least",
        unit="px",
        low=1,
        high=40,
        source="stations lie a pixel apart: five of them to a knot, so that it does not follow their noise",
    )
    rounds: int = tuned(6, title="rounds of the robust fit", unit="1", low=1, high=30, source=by_hand_in("6becef9"))
    step_smooth: float = tuned(
        2.0,
        title="stations over which the paint's step is averaged",
        unit="1",
        low=0.5,
        high=20,
        source=by_hand_in("e65a92b"),
    )
    noise_reach: int = tuned(
        8,
        title="stations (and half as many samples across) over which roughness may be alike",
        unit="1",
        low=2,
        high=40,
        source=by_hand_in("e65a92b"),
    )
    swell_knots: float = tuned(
        3.0, title="knots to one swelling of a line's width", unit="1", low=1, high=20, source=by_hand_in("e65a92b")
    )
    wear_run: float = tuned(
        5.0, title="stations over which the misfit is averaged", unit="1", low=1, high=40, source=by_hand_in("093fe82")
    )
    gross: float = tuned(
        5.0,
        title="robust deviations that a misfit counts at most",
        unit="1",
        low=2,
        high=20,
        source="chance: a Gaussian strays so far once in two million times",
    )
    touch: float = tuned(
        2.0,
        title="robust deviations up to which a misfit counts in full",
        unit="1",
        low=0.5,
        high=10,
        source="Cauchy's weights: 2.39 deviations keep 95 % of least squares' efficiency; here a little stricter",
    )
    lenient: float = tuned(
        4.0,
        title="how many times as far a misfit counts in full in the first round, half as many in each that follows",
        unit="1",
        low=1,
        high=30,
        source="simulated streets 14002, 14100, 15043, 15066: where paint bulges, edges taken for misfit at the start "
        "were cut straight through it, by 3 mm; of gaps off by 1.5 mm there are half as many so",
    )
    start_stiff: float = tuned(
        0.3, title="stiffness of the first guess of a line's middle", unit="1", low=0.01, high=3, source=BY_HAND
    )
    step_px: float = tuned(1.5, title="longest step of a line's middle", unit="px", low=0.2, high=5, source=BY_HAND)
    wide_step: float = tuned(
        0.15, title="most by which its width changes in a step, as a share", unit="1", low=0.02, high=1, source=BY_HAND
    )
    narrowest: float = tuned(
        -0.6,
        title="as a share, by how much narrower than the board file a line may be",
        unit="1",
        low=-0.9,
        high=0,
        source=BY_HAND,
    )
    widest: float = tuned(0.8, title="likewise wider", unit="1", low=0, high=3, source=BY_HAND)


EDGE = EdgeTuning()

FREE = 1e-4  # precision of the middle itself, of which nothing is usual; keeps its equations solvable
MOST_ALIKE = 40.0  # samples that know no more than one; keeps a misfit by gross things from ruling


@dataclass(frozen=True, kw_only=True)
class Stiffness(Tuning):
    """How hand-painted lines wander, in shares of their width."""

    middle: float = tuned(
        0.02,
        title="deviation of the middle's second difference over one knot",
        unit="1",
        low=0.001,
        high=0.5,
        source=by_hand_in("e65a92b"),
    )
    width: float = tuned(
        0.07, title="likewise of the width's", unit="1", low=0.005, high=0.5, source=by_hand_in("e65a92b")
    )
    swell: float = tuned(
        0.12, title="deviation of the width within a line", unit="1", low=0.01, high=0.5, source=by_hand_in("e65a92b")
    )
    brush: float = tuned(
        0.15,
        title="deviation of the mean width from line to line",
        unit="1",
        low=0.01,
        high=0.5,
        source=by_hand_in("e65a92b"),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossSections:
    """Light across a line: `light` (N, U) at `reach_px` (N, U), trusted by `weight` (N, U); `width_px` (N,) as drawn.

    `share` (N,) is the place along the line; `guess_px` (N,) the middle as roughly known.
    """

    share: Array
    light: Array
    weight: Array
    reach_px: Array
    width_px: Array
    guess_px: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edges:
    """A line's `middle_px` and `width_px` (N,) along its cuts, each edge's `sigma_px` (N,).

    `middle_sigma_px` (N,) is the middle's alone; `step` (N,) is how much brighter paint is than ground;
    `noise` the deviation of one sample; `cost` is the misfit per sample.
    """

    middle_px: Array
    width_px: Array
    sigma_px: Array
    middle_sigma_px: Array
    step: Array
    noise: float
    misfit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A line's middle at one of its ends (0 or 1), known from all lines that meet there."""

    share: float
    middle_px: float
    sigma_px: float


def fit_edges(cuts: CrossSections, blur_px: float, stiffness: Stiffness, pins: tuple[Pin, ...] = ()) -> Edges:
    """Fit middle and width of one line to its cuts, with the camera's blur as a Gaussian's deviation."""
    knots = _knots(cuts)
    basis, bend = _splines(cuts.share, knots)
    count = basis.shape[1]
    middle = np.linalg.lstsq(
        np.vstack([basis, EDGE.start_stiff * bend]), np.append(cuts.guess_px, np.zeros(len(bend))), rcond=None
    )[0]
    wide = np.zeros(count)
    prior = _prior(bend, count, stiffness, float(np.median(cuts.width_px)))
    trust = np.ones_like(cuts.light)
    for turn in range(EDGE.rounds):
        lenience = max(EDGE.lenient / 2**turn, 1.0)
        model = _model(cuts, basis @ middle, cuts.width_px * (1 + basis @ wide), blur_px, cuts.weight * trust)
        noise = _noise(model.miss, cuts.weight)
        trust = 1 / (1 + (model.miss / (EDGE.touch * lenience * noise)) ** 2)
        local = noise if lenience > 1 else _local_noise(model.miss, cuts.weight, noise)
        run = _noise_run(model.miss * cuts.weight * trust)
        hessian, gradient = _equations(model, cuts, basis, cuts.weight * trust / (local**2 * run))
        for pin in pins:
            at = _values(np.array([pin.share]), knots)[0]
            hessian[:count, :count] += np.outer(at, at) / pin.sigma_px**2
            gradient[:count] += at * (pin.middle_px - at @ middle) / pin.sigma_px**2
        gradient -= prior @ np.concatenate([middle, wide])
        step = np.linalg.solve(hessian + prior, gradient)
        middle = middle + np.clip(step[:count], -EDGE.step_px, EDGE.step_px)
        widened = wide + np.clip(step[count:], -EDGE.wide_step, EDGE.wide_step)
        wide = np.clip(widened, EDGE.narrowest, EDGE.widest)
    misfit = _misfit(model, cuts.weight, noise)
    return _result(
        cuts, basis, (middle, wide), np.asarray(np.linalg.inv(hessian + prior), float), (model.step, noise, misfit)
    )


def _result(
    cuts: CrossSections, basis: Array, shape: tuple[Array, Array], covariance: Array, fitted: tuple[Array, float, float]
) -> Edges:
    (middle, wide), (step, noise, misfit) = shape, fitted
    count = basis.shape[1]
    half = cuts.width_px[:, None] / 2 * basis
    sigmas = []
    for side in (-1, 1):
        row = np.hstack([basis, side * half])
        sigmas.append(np.sqrt((row @ covariance * row).sum(axis=1)))
    return Edges(
        middle_px=basis @ middle,
        width_px=cuts.width_px * (1 + basis @ wide),
        sigma_px=np.maximum(*sigmas),
        middle_sigma_px=np.sqrt((basis @ covariance[:count, :count] * basis).sum(axis=1)),
        step=step,
        noise=noise,
        misfit=misfit,
    )


def _knots(cuts: CrossSections) -> Array:
    """Space the splines' knots evenly over the line, whose stations lie a pixel apart."""
    apart_px = max(EDGE.knot_widths * float(np.median(cuts.width_px)), EDGE.least_knot_px)
    spans = max(round(len(cuts.share) / apart_px), 3)
    return np.linspace(-3 / spans, 1 + 3 / spans, spans + 7)


def _values(share: Array, knots: Array) -> Array:
    from scipy.interpolate import BSpline  # noqa: PLC0415 - heavy; a box learns its board once, and remembers it

    inside = np.clip(share, knots[3], knots[-4])
    return np.asarray(BSpline.design_matrix(inside, knots, 3).toarray(), float)


def _splines(share: Array, knots: Array) -> tuple[Array, Array]:
    """Give the spline basis (N, K) at the stations, and second differences (K - 2, K) of its coefficients."""
    basis = _values(share, knots)
    return basis, np.diff(np.eye(basis.shape[1]), n=2, axis=0)


def _prior(bend: Array, count: int, stiffness: Stiffness, width_px: float) -> Array:
    """Lay down what is usual of painted lines as a precision of (middle, width) coefficients."""
    stiff = bend.T @ bend
    mean = np.full((count, count), 1.0 / count)
    free = count / EDGE.swell_knots  # how many swellings of its width a line has
    prior = np.zeros((2 * count, 2 * count))
    prior[:count, :count] = stiff / (stiffness.middle * width_px) ** 2 + np.eye(count) * FREE
    prior[count:, count:] = (
        stiff / stiffness.width**2
        + (np.eye(count) - mean) / stiffness.swell**2 * free / count
        + mean / stiffness.brush**2 / count
    )
    return prior


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Model:
    miss: Array  # (N, U) light less model
    step: Array  # (N,)
    by_middle: Array  # (N, U) derivatives of the model
    by_width: Array


def _model(cuts: CrossSections, middle: Array, width: Array, blur_px: float, weight: Array) -> _Model:
    """Blur the box and level it: ground free at every station, the step smooth along the line."""
    u = cuts.reach_px - middle[:, None]
    left = (u + width[:, None] / 2) / blur_px
    right = (u - width[:, None] / 2) / blur_px
    total = np.maximum(weight.sum(axis=1, keepdims=True), 1e-9)

    def level(values: Array) -> Array:
        return np.asarray(values - (weight * values).sum(axis=1, keepdims=True) / total, float)

    box = level(share_below(left) - share_below(right))
    light = level(cuts.light)
    above = _smooth((weight * box * light).sum(axis=1), EDGE.step_smooth)
    below = _smooth((weight * box * box).sum(axis=1), EDGE.step_smooth)
    step = above / np.maximum(below, 1e-9)
    rise = np.exp(-(left**2) / 2) / np.sqrt(2 * np.pi) / blur_px
    fall = np.exp(-(right**2) / 2) / np.sqrt(2 * np.pi) / blur_px
    return _Model(
        miss=light - step[:, None] * box,
        step=step,
        by_middle=level(step[:, None] * (fall - rise)),
        by_width=level(step[:, None] * (rise + fall) / 2),
    )


def _smooth(values: Array, sigma: float) -> Array:
    """Blur values along a line (N,) by a Gaussian, as if each end's went on for ever."""
    column, reach = np.ascontiguousarray(values[:, None]), round(4 * sigma)
    blurred = cv2.GaussianBlur(column, (1, 2 * reach + 1), sigma, sigmaY=sigma, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, float).ravel()


def _noise(miss: Array, weight: Array) -> float:
    return max(1.4826 * float(np.median(np.abs(miss[weight > 0.5]))), 1e-5)


def _misfit(model: _Model, weight: Array, noise: float) -> float:
    """Average what the model leaves unexplained, gross misfits held down."""
    return float((weight * np.minimum(model.miss**2, (EDGE.gross * noise) ** 2)).sum() / max(float(weight.sum()), 1e-9))


def _local_noise(miss: Array, weight: Array, noise: float) -> Array:
    """Follow the noise along the line (N, 1): where paint is broken the cuts misfit, and tell less."""
    power = _smooth((weight * miss**2).sum(axis=1), EDGE.wear_run)
    count = _smooth(weight.sum(axis=1), EDGE.wear_run)
    return np.asarray(np.sqrt(np.maximum(power / np.maximum(count, 1e-6), noise**2))[:, None], float)


def _noise_run(miss: Array) -> float:
    """Count how many neighbouring samples the roughness of ground and paint makes alike: they know no more than one."""
    power = max(float((miss**2).sum()), 1e-12)
    along = [float((miss[lag:] * miss[:-lag]).sum()) / power for lag in range(1, min(EDGE.noise_reach, len(miss) - 1))]
    across = [float((miss[:, lag:] * miss[:, :-lag]).sum()) / power for lag in range(1, EDGE.noise_reach // 2)]
    return float(np.clip((1 + 2 * sum(along)) * (1 + 2 * sum(across)), 1.0, MOST_ALIKE))


def _equations(model: _Model, cuts: CrossSections, basis: Array, weight: Array) -> tuple[Array, Array]:
    """Sum the normal equations over all samples, station by station."""
    by_wide = model.by_width * cuts.width_px[:, None]
    mm = (weight * model.by_middle**2).sum(axis=1)[:, None]
    mw = (weight * model.by_middle * by_wide).sum(axis=1)[:, None]
    ww = (weight * by_wide**2).sum(axis=1)[:, None]
    hessian = np.block(
        [[basis.T @ (mm * basis), basis.T @ (mw * basis)], [basis.T @ (mw * basis), basis.T @ (ww * basis)]]
    )
    gradient = np.concatenate(
        [
            basis.T @ (weight * model.by_middle * model.miss).sum(axis=1),
            basis.T @ (weight * by_wide * model.miss).sum(axis=1),
        ]
    )
    return hessian, gradient
