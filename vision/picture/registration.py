"""Every frame registered to the ground as it was calibrated: a few hundred patches of paint and texture, Lucas-Kanade.

Each patch says by itself how it has moved, whatever its light (gain and offset are its own); a robust fit over all of
them says how the picture has moved. Caps, hands and shadows are the patches that disagree.
(Baker and Matthews, Lucas-Kanade 20 Years On, 2004: inverse compositional, iteratively reweighted.)
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.displacement import TERMS, Displacement, none_of, terms_at
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]

CELLS = (12, 20)  # rows and columns of patches
HALF = 4  # a patch spans this to either side of its middle
BLUR = 0.9  # deviation in small pixels: texture finer than the step that is looked for only confuses it
LEAST_TEXTURE = 12.0  # grey levels squared a pixel, in the direction in which a patch shows least
LEAST_PATCHES = 12
LEAST_LIKENESS = 0.5  # correlation of a patch with how it was
ITERATIONS = 4
SETTLED_SMALL = 0.02  # a step below this is the last
LEAST_SPREAD_SMALL = 0.03
OUTLYING = 2.5  # spreads
AGREEING_SMALL = 0.3  # a patch agrees with the fit within this
LEAST_AGREEING = 0.2  # of all patches, and
STIFFNESS = np.array([0.0, 2e-3, 2e-3, 4e-3, 4e-3])  # share of the data's weight with which each term is held to zero
COARSE = 4  # small pixels that one spans where the picture has leapt
LEAST_RESPONSE = 0.05  # of the phase correlation


@dataclass(frozen=True)
class _Landmarks:
    """The patches of the ground: P of (2 * HALF + 1)**2 = N pixels."""

    corner: NDArray[np.int64]  # (P, 2) x, y of the upper left pixel
    terms: Array  # (P, TERMS)
    look: NDArray[np.float32]  # (P, N), mean 0
    jacobian: NDArray[np.float32]  # (P, N, 2), less what gain and offset explain
    information: Array  # (P, 2, 2)


class Registration:
    """Remembers the ground's landmarks, and how the last picture lay against them."""

    def __init__(self, ground: Image) -> None:
        """Choose the landmarks of the calibrated small picture (h, w, 3)."""
        self._size = (ground.shape[1], ground.shape[0])
        self._coarse = _coarse(ground[:, :, 0])
        self._window = cv2.createHanningWindow(self._coarse.shape[::-1], cv2.CV_32F)
        self._landmarks = _landmarks_of(_blurred(ground))
        self._last = none_of(self._size).coefficients
        self._velocity = np.zeros_like(self._last)

    @property
    def can_see(self) -> bool:
        """Whether the ground has texture enough to be registered to."""
        return len(self._landmarks.terms) >= LEAST_PATCHES

    def see(self, small: Image) -> Displacement | None:
        """Register the next small picture (h, w, 3); None where too little of the ground is recognised."""
        luma = _blurred(small)
        for start in (self._last + self._velocity, None):
            first = self._leapt(small) if start is None else start
            if first is not None and (found := self._fitted(luma, first)) is not None:
                self._velocity = 0.7 * (found - self._last) if start is not None else np.zeros_like(found)
                self._last = found
                return Displacement(found, self._size)
        self._velocity = np.zeros_like(self._last)
        return None

    def _fitted(self, luma: Image, start: Array) -> Array | None:
        marks = self._landmarks
        now, agreeing = start.copy(), 0.0
        for _ in range(ITERATIONS):
            pull, is_alike = _pulls(marks, luma, marks.terms @ now.T)
            if np.count_nonzero(is_alike) < LEAST_PATCHES:
                return None
            step, agreeing = _robust_step(marks, pull, is_alike, now)
            now += step
            if np.abs(marks.terms @ step.T).max() < SETTLED_SMALL:
                break
        return now if agreeing >= LEAST_AGREEING else None

    def _leapt(self, small: Image) -> Array | None:
        """Look for the picture anywhere."""
        shift, response = cv2.phaseCorrelate(self._coarse, _coarse(small[:, :, 0]), self._window)
        if response < LEAST_RESPONSE:
            return None
        found = np.zeros_like(self._last)
        found[:, 0] = np.array(shift) * COARSE
        return found


def _blurred(small: Image) -> Image:
    return cv2.GaussianBlur(small[:, :, 0], (5, 5), BLUR)


def _coarse(luma: Image) -> NDArray[np.float32]:
    size = (luma.shape[1] // COARSE, luma.shape[0] // COARSE)
    return cv2.resize(luma, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _landmarks_of(luma: Image) -> _Landmarks:
    """Choose in each cell of a grid the patch that shows most in the direction in which it shows least."""
    picture = luma.astype(np.float32)
    gy, gx = np.gradient(picture)
    side = 2 * HALF + 1
    xx, yy, xy = (cv2.blur(product, (side, side)) for product in (gx * gx, gy * gy, gx * gy))
    least = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    margin = HALF + 2
    height, width = luma.shape
    corners = []
    for top, bottom in _parts(margin, height - margin, CELLS[0]):
        for left, right in _parts(margin, width - margin, CELLS[1]):
            cell = least[top:bottom, left:right]
            y, x = np.unravel_index(int(cell.argmax()), cell.shape)
            if cell[y, x] >= LEAST_TEXTURE:
                corners.append((left + x - HALF, top + y - HALF))
    corner = np.array(corners, np.int64).reshape(-1, 2)
    look, at_x, at_y = (_cut(p, corner, side).reshape(len(corner), side * side) for p in (picture, gx, gy))
    look = look - look.mean(axis=1, keepdims=True)
    jacobian = np.stack([at_x, at_y], axis=2)
    jacobian -= jacobian.mean(axis=1, keepdims=True)
    gain = np.einsum("pn,pni->pi", look, jacobian) / np.maximum((look**2).sum(axis=1), 1e-6)[:, None]
    jacobian -= look[:, :, None] * gain[:, None]
    return _Landmarks(
        corner=corner,
        terms=terms_at(corner + HALF, (width, height)),
        look=look,
        jacobian=jacobian,
        information=np.einsum("pni,pnj->pij", jacobian, jacobian).astype(float) + 1e-3 * np.eye(2),
    )


def _parts(first: int, after: int, count: int) -> list[tuple[int, int]]:
    ends = np.linspace(first, after, count + 1).astype(int)
    return [(int(a), int(b)) for a, b in zip(ends[:-1], ends[1:], strict=True)]


def _cut(picture: NDArray[np.float32], corner: NDArray[np.int64], side: int) -> NDArray[np.float32]:
    """Cut squares (P, side, side) out of a picture, whose border pixels go on beyond it."""
    height, width = picture.shape
    steps = np.arange(side)
    ys = np.clip(corner[:, 1, None] + steps, 0, height - 1)
    xs = np.clip(corner[:, 0, None] + steps, 0, width - 1)
    return picture.ravel()[(ys * width)[:, :, None] + xs[:, None, :]]


def _pulls(marks: _Landmarks, luma: Image, at: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Take the patches where they should lie, `at` (P, 2): the gradient (P, 2) of each, and which look as they did."""
    whole = np.floor(at).astype(np.int64)
    fx, fy = (at - whole).astype(np.float32).T[:, :, None, None]
    side = 2 * HALF + 1
    cut = _cut(luma, marks.corner + whole, side + 1).astype(np.float32)
    rows = cut[:, :-1] + fy * (cut[:, 1:] - cut[:, :-1])
    seen = (rows[:, :, :-1] + fx * (rows[:, :, 1:] - rows[:, :, :-1])).reshape(len(at), side * side)
    seen = seen - seen.mean(axis=1, keepdims=True)
    power = (marks.look**2).sum(axis=1)
    along = (seen * marks.look).sum(axis=1)
    likeness = along / np.sqrt(np.maximum(power * (seen**2).sum(axis=1), 1e-6))
    gain = np.maximum(along / np.maximum(power, 1e-6), 0.05)
    pull = -np.einsum("pn,pni->pi", seen, marks.jacobian) / gain[:, None]
    return pull.astype(float), likeness > LEAST_LIKENESS


def _robust_step(
    marks: _Landmarks, pull: Array, is_alike: NDArray[np.bool_], now: Array
) -> tuple[Array, float]:
    """Fit the step (2, TERMS) that most patches agree on; tells also the share of all patches that do."""
    moved = np.linalg.solve(marks.information, pull[:, :, None])[:, :, 0]
    residual = moved - np.median(moved[is_alike], axis=0)
    step = np.zeros_like(now)
    for _ in range(4):
        apart = np.hypot(*residual.T)
        spread = max(1.4826 * float(np.median(apart[is_alike])), LEAST_SPREAD_SMALL)
        weight = is_alike / (1.0 + (apart / (OUTLYING * spread)) ** 2) ** 2
        normal = np.einsum("p,pij,pk,pl->ikjl", weight, marks.information, marks.terms, marks.terms)
        normal = normal.reshape(2 * TERMS, 2 * TERMS)
        hold = np.tile(STIFFNESS, 2) * normal.trace() / (2 * TERMS)
        right = np.einsum("p,pi,pk->ik", weight, pull, marks.terms).ravel() - hold * now.ravel()
        step = np.linalg.solve(normal + np.diag(hold + 1e-9), right).reshape(2, TERMS)
        residual = moved - marks.terms @ step.T
    agrees = is_alike & (np.hypot(*residual.T) < AGREEING_SMALL)
    return step, float(agrees.mean())
