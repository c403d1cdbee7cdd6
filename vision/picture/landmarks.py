"""How a picture lies on the ground as it was calibrated: a few hundred patches of paint and texture, Lucas-Kanade.

Each patch says by itself how it has moved, whatever its light (gain and offset are its own); a robust fit over all of
them says how the picture has moved. Caps, hands and shadows are the patches that disagree.
(Baker and Matthews, Lucas-Kanade 20 Years On, 2004: inverse compositional, iteratively reweighted.)
"""

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.displacement import DISPLACEMENT, TERMS, Displacement, none_of, terms_at
from linesies.vision.picture.layout import Image
from linesies.vision.picture.median import upper_median
from linesies.vision.picture.small_picture import SmallPlanes

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LandmarkTuning(Tuning):
    """Which patches show where the ground lies, and which of them agree."""

    blur_small: float = tuned(
        0.9,
        title="deviation of the blur: texture finer than the step that is looked for only confuses it",
        unit="small px",
        low=0.2,
        high=4,
        source=by_hand_in("f21dae2"),
    )
    least_texture: float = tuned(
        4.0,
        title="a pixel, in the direction in which a patch shows least",
        unit="levels^2",
        low=0.5,
        high=60,
        source=by_hand_in("f4c9dcb"),
    )
    least_patches: int = tuned(
        12,
        title="fewest patches by which a picture is registered",
        unit="1",
        low=4,
        high=100,
        source=by_hand_in("f21dae2"),
    )
    least_likeness: float = tuned(
        0.5, title="correlation of a patch with how it was", unit="1", low=0.1, high=0.95, source=by_hand_in("f21dae2")
    )
    least_gain: float = tuned(
        0.05,
        title="of a patch's contrast: less is no picture of it",
        unit="1",
        low=0.005,
        high=0.5,
        source=by_hand_in("807c0aa"),
    )
    settled_small: float = tuned(
        0.1,
        title="a step below this is the last: what it leaves is a tenth of it",
        unit="small px",
        low=0.01,
        high=1,
        source=BY_HAND,
    )
    least_spread_small: float = tuned(
        0.03,
        title="smallest spread that is believed of the patches that agree",
        unit="small px",
        low=0.003,
        high=0.3,
        source=by_hand_in("f21dae2"),
    )
    outlying_spreads: float = tuned(
        2.5,
        title="from which on a patch is trusted less",
        unit="1",
        low=1,
        high=8,
        source="chance: one in eighty patches of Gaussian spread strays so far",
    )
    agreeing_small: float = tuned(
        0.3,
        title="within which a patch agrees with the fit",
        unit="small px",
        low=0.05,
        high=2,
        source=by_hand_in("f21dae2"),
    )
    least_agreeing: float = tuned(
        0.2, title="of all patches, how many must", unit="1", low=0.05, high=0.9, source=by_hand_in("f21dae2")
    )
    least_response: float = tuned(
        0.05,
        title="of the phase correlation, for a leap to be believed",
        unit="1",
        low=0.005,
        high=0.5,
        source=by_hand_in("f21dae2"),
    )


LANDMARKS = LandmarkTuning()

CELLS = (12, 20)  # rows and columns of patches
HALF = 4  # a patch spans this to either side of its middle
BLUR = 2  # small pixels to either side that tell on a blurred one
SOME = 4  # patches, of which one tells whether a camera that hangs still goes on doing so
ITERATIONS = 4
REWEIGHTINGS = 3
STIFFNESS = np.array([0.0, 2e-4, 2e-4, 4e-4, 4e-4])  # share of the data's weight with which each term is held to zero
COARSE = 4  # small pixels that one spans where the picture has leapt


@dataclass(frozen=True)
class _Patches:
    """The patches of the ground: P of (2 * HALF + 1)**2 = N pixels.

    Sums over pixels are of 64 bits: those of 32 differ so much from machine to machine that places in a picture, put on
    a grid, were of one line here and of the next there.
    """

    corner: NDArray[np.int64]  # (P, 2) x, y of the upper left pixel
    terms: Array  # (P, TERMS)
    look: Array  # (P, N), mean 0, length 1
    contrast: Array  # (P,) by which that was divided
    jacobian: Array  # (P, 2, N), less what gain and offset explain
    covariance: Array  # (P, 2, 2) of a patch's own shift, for noise of one grey level
    information: Array  # (P, 2, 2), the inverse of that
    normal: Array  # (P, (2 * TERMS)**2) what each patch adds to the normal equations of all coefficients
    ground: NDArray[np.int64]  # (P, N) where the patches lie in the calibrated picture

    def every(self, so_many: int) -> "_Patches":
        """Choose one of so many."""
        return _Patches(**{one.name: getattr(self, one.name)[::so_many] for one in fields(self)})


class Landmarks:
    """Remembers the landmarks of one ground."""

    def __init__(self, ground: Image) -> None:
        """Choose the landmarks in the luma (h, w) of the calibrated picture."""
        self.size = (ground.shape[1], ground.shape[0])
        self._coarse = _coarse(ground)
        self._window = cv2.createHanningWindow(self._coarse.shape[::-1], cv2.CV_32F)
        self._patches = _patches_of(_blurred(ground))
        self._some = self._patches.every(SOME)

    def lies_within(self, most_small: float, planes: SmallPlanes) -> bool:
        """Tell by some of the landmarks, without the rest, whether a picture lies as calibrated, or nearly."""
        still = none_of(self.size).coefficients
        told = _step(self._some, _looks_in(planes, self._some.corner), still)
        return told is not None and _is_believed(told[1]) and Displacement(told[0], self.size).most < most_small

    @property
    def can_tell(self) -> bool:
        """Whether the ground has texture enough to be registered to."""
        return len(self._patches.terms) >= LANDMARKS.least_patches

    def find(self, luma: Image, near: Array | None = None) -> Displacement | None:
        """Find how a picture's luma (h, w) lies: near these coefficients (else as calibrated), or else anywhere.

        None where too little of the ground is recognised.
        """
        if not self.can_tell:
            return None
        blurred = _blurred(luma)
        found = _fitted(self._patches, blurred, none_of(self.size).coefficients if near is None else near)
        if found is None and (leapt := self._leapt(luma)) is not None:
            found = _fitted(self._patches, blurred, leapt)
        return None if found is None else Displacement(found, self.size)

    def _leapt(self, luma: Image) -> Array | None:
        """Look for the picture anywhere."""
        shift, response = cv2.phaseCorrelate(self._coarse, _coarse(luma), self._window)
        if response < LANDMARKS.least_response:
            return None
        found = none_of(self.size).coefficients
        found[:, 0] = np.array(shift) * COARSE
        return found


def _fitted(patches: _Patches, luma: Image, start: Array) -> Array | None:
    """Fit the coefficients (2, TERMS) to a blurred picture; None where too little of the ground is recognised."""
    now, agreeing = start.copy(), 0.0
    if np.abs(start).max() < DISPLACEMENT.negligible_small / 2:
        now[:] = 0.0  # as calibrated, or nearly: pixels need not be interpolated
    for _ in range(ITERATIONS):
        told = _step(patches, _patches_at(patches, luma, now), now)
        if told is None:
            return None
        step, agreeing = told
        now += step
        if _most(patches, step) < LANDMARKS.settled_small or _most(patches, now) < DISPLACEMENT.negligible_small:
            break
    return now if _is_believed(agreeing) else None


def _is_believed(agreeing: float) -> bool:
    return agreeing >= LANDMARKS.least_agreeing


def _most(patches: _Patches, coefficients: Array) -> float:
    """Tell how far these displace a patch at most."""
    return float(np.abs(patches.terms @ coefficients.T).max())


def _blurred(luma: Image) -> Image:
    return cv2.GaussianBlur(luma, (2 * BLUR + 1, 2 * BLUR + 1), LANDMARKS.blur_small)


def _looks_in(planes: SmallPlanes, corners: NDArray[np.int64]) -> Array:
    """Take the patches (P, N) from where they lie in the ground: blurred as the whole is, without the rest of it."""
    side = 2 * (HALF + BLUR) + 1
    squares = planes.luma_squares(corners - BLUR, side).reshape(-1, side)
    inner = _blurred(squares).reshape(-1, side, side)[:, BLUR:-BLUR, BLUR:-BLUR]
    return inner.reshape(len(corners), -1).astype(float)


def _coarse(luma: Image) -> NDArray[np.float32]:
    size = (luma.shape[1] // COARSE, luma.shape[0] // COARSE)
    return cv2.resize(luma, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _corners_of(luma: Image) -> NDArray[np.int64]:
    """Choose in each cell of a grid the patch that shows most in the direction in which it shows least: (P, 2)."""
    margin = HALF + BLUR
    height, width = luma.shape
    corners = []
    for top, bottom in _parts(margin, height - margin, CELLS[0]):
        least = _texture(luma[top - margin : bottom + margin])[margin:-margin]
        for left, right in _parts(margin, width - margin, CELLS[1]):
            cell = least[:, left:right]
            y, x = np.unravel_index(int(cell.argmax()), cell.shape)
            if cell[y, x] >= LANDMARKS.least_texture:
                corners.append((left + x - HALF, top + y - HALF))
    return np.array(corners, np.int64).reshape(-1, 2)


def _patches_of(luma: Image) -> _Patches:
    """Cut the patches out of the ground, ready to be found again in other pictures."""
    corner, side = _corners_of(luma), 2 * HALF + 1
    height, width = luma.shape
    pixels = side * side
    wide = _cut(luma, corner - 1, side + 2).astype(float)
    look, at_x, at_y = (
        one.reshape(len(corner), pixels)
        for one in (
            wide[:, 1:-1, 1:-1],
            (wide[:, 1:-1, 2:] - wide[:, 1:-1, :-2]) / 2,
            (wide[:, 2:, 1:-1] - wide[:, :-2, 1:-1]) / 2,
        )
    )
    look = look - look.mean(axis=1, keepdims=True)
    contrast = np.sqrt((look**2).sum(axis=1)) + 1e-3
    look /= contrast[:, None]
    jacobian = np.stack([at_x, at_y], axis=1)
    jacobian -= jacobian.mean(axis=2, keepdims=True)
    jacobian -= look[:, None] * (jacobian @ look[:, :, None])
    information = jacobian @ jacobian.transpose(0, 2, 1) + 1e-3 * np.eye(2)
    terms = terms_at((corner + HALF).astype(float), (width, height))
    return _Patches(
        corner=corner,
        terms=terms,
        look=look,
        contrast=contrast,
        jacobian=jacobian,
        covariance=np.linalg.inv(information),
        information=information,
        normal=np.einsum("pij,pk,pl->pikjl", information, terms, terms).reshape(len(corner), (2 * TERMS) ** 2),
        ground=_indices(corner, side, luma.shape).reshape(len(corner), pixels),
    )


def _texture(luma: Image) -> NDArray[np.float32]:
    """Tell at each pixel how much the patch round it shows in the direction in which it shows least."""
    side = 2 * HALF + 1
    gy, gx = (np.asarray(slope) for slope in np.gradient(luma.astype(np.float32)))
    xx, yy, xy = (cv2.blur(product, (side, side)) for product in (gx * gx, gy * gy, gx * gy))
    return np.asarray((xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2), np.float32)


def _parts(first: int, after: int, count: int) -> list[tuple[int, int]]:
    ends = np.linspace(first, after, count + 1).astype(int)
    return list(pairwise(ends.tolist()))


def _cut(picture: NDArray[Any], corner: NDArray[np.int64], side: int) -> NDArray[Any]:
    """Cut squares (P, side, side) out of a picture, whose border pixels go on beyond it."""
    return picture.ravel()[_indices(corner, side, picture.shape)]


def _indices(corner: NDArray[np.int64], side: int, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Find where the pixels (P, side, side) of squares lie in a picture's memory."""
    height, width = shape
    steps = np.arange(side)
    ys = np.clip(corner[:, 1, None] + steps, 0, height - 1)
    xs = np.clip(corner[:, 0, None] + steps, 0, width - 1)
    return (ys * width)[:, :, None] + xs[:, None, :]


def _patches_at(patches: _Patches, luma: Image, coefficients: Array) -> Array:
    """Take the patches (P, N) from where they lie by these coefficients."""
    if not coefficients.any():
        return luma.ravel()[patches.ground].astype(float)
    at = patches.terms @ coefficients.T
    whole = np.floor(at).astype(np.int64)
    fx, fy = (at - whole).T[:, :, None, None]
    cut = _cut(luma, patches.corner + whole, 2 * HALF + 2).astype(float)
    rows = cut[:, :-1] + fy * (cut[:, 1:] - cut[:, :-1])
    return (rows[:, :, :-1] + fx * (rows[:, :, 1:] - rows[:, :, :-1])).reshape(len(at), -1)


def _step(patches: _Patches, seen: Array, now: Array) -> tuple[Array, float] | None:
    """Fit the next step (2, TERMS) to how patches (P, N) look; None where too few are recognised.

    Tells also the share of all patches that agree on it.
    """
    shifts, is_alike = _shifts(patches, seen)
    if np.count_nonzero(is_alike) < LANDMARKS.least_patches:
        return None
    return _robust_step(patches, shifts, is_alike, now)


def _shifts(patches: _Patches, seen: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Measure by how much each patch (P, N) lies beside where it should (P, 2), and which look as they did."""
    seen -= seen.mean(axis=1, keepdims=True)
    along = np.einsum("pn,pn->p", seen, patches.look)
    likeness = along / np.sqrt(np.einsum("pn,pn->p", seen, seen) + 1e-6)
    gain = np.maximum(along / patches.contrast, LANDMARKS.least_gain)
    pull = (patches.jacobian @ seen[:, :, None])[:, :, 0] / -gain[:, None]
    return (patches.covariance @ pull[:, :, None])[:, :, 0], likeness > LANDMARKS.least_likeness


def _robust_step(patches: _Patches, shifts: Array, is_alike: NDArray[np.bool_], now: Array) -> tuple[Array, float]:
    """Fit the step (2, TERMS) that most patches agree on; tells also the share of all patches that do."""
    pull = (patches.information @ shifts[:, :, None])[:, :, 0]
    residual = shifts - [upper_median(along) for along in shifts[is_alike].T]
    step = np.zeros_like(now)
    for _ in range(REWEIGHTINGS):
        apart = np.hypot(*residual.T)
        spread = max(1.4826 * upper_median(apart[is_alike]), LANDMARKS.least_spread_small)
        weight = is_alike / (1.0 + (apart / (LANDMARKS.outlying_spreads * spread)) ** 2) ** 2
        normal = (weight @ patches.normal).reshape(2 * TERMS, 2 * TERMS)
        hold = np.tile(STIFFNESS, 2) * normal.trace() / (2 * TERMS) + 1e-9
        told = (pull * weight[:, None]).T @ patches.terms
        step = np.linalg.solve(normal + np.diag(hold), told.ravel() - hold * now.ravel()).reshape(2, TERMS)
        residual = shifts - patches.terms @ step.T
    agrees = is_alike & (np.hypot(*residual.T) < LANDMARKS.agreeing_small)
    return step, float(agrees.mean())
