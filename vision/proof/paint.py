"""Whether the paint still lies where it was surveyed: surveyed again, both edges of every line are compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Survey, surveys_again
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]

AT_ENDS = 2  # stations at each end of a line, where others meet it
GROSS = 3.0  # robust deviations: what is farther off counts as so much


@dataclass(frozen=True, slots=True, kw_only=True)
class PaintCheck:
    """How far edges lie from where they were surveyed.

    `shift_mm` (x, y) is common to all and `off_mm` the RMS of what is left; of `worst_mm`, one line in twenty is more
    off in its mean. `stated_mm` is the standard error, in the RMS likewise, that the survey itself states of its edges.
    In either RMS an edge that is worn away or covered counts as a gross one, no more.
    """

    shift_mm: tuple[float, float]
    off_mm: float
    worst_mm: float
    stated_mm: float


def check_paint(calibration: Calibration, pictures_bgr: Sequence[Image]) -> PaintCheck | None:
    """Compare the paint in some pictures (H, W, 3) with its survey; what lies there in less than half does not matter.

    Edges lie elsewhere in another plane of colours: of those in which they are surveyed anew that counts in which they
    are the least off. None where the board is not recognised.
    """
    middle = np.median(np.stack(pictures_bgr), axis=0).astype(np.uint8)
    found = [_compared(calibration.survey, again) for again in surveys_again(calibration, middle)]
    return min(found, key=lambda one: one.off_mm, default=None)


def _compared(was: Survey, now: Survey) -> PaintCheck:
    normals, offs, lines = [], [], []
    for number, (old, new) in enumerate(zip(was.lines, now.lines, strict=True)):
        aside = old.left_mm - old.right_mm
        aside = (aside / np.maximum(np.hypot(*aside.T), 1e-9)[:, None])[AT_ENDS:-AT_ENDS]
        for side in ("left_mm", "right_mm"):
            normals.append(aside)
            offs.append(_off_mm(getattr(old, side)[AT_ENDS:-AT_ENDS], aside, getattr(new, side)))
            lines.append(np.full(len(aside), number))
    normal, off, line = np.vstack(normals), np.concatenate(offs), np.concatenate(lines)
    known = np.isfinite(off)
    normal, off, line = normal[known], off[known], line[known]
    shift = np.zeros(2)
    for _ in range(5):
        left = off - normal @ shift
        held = np.abs(left) < GROSS * 1.4826 * np.median(np.abs(left)) + 1e-6
        shift = np.linalg.lstsq(normal[held], off[held], rcond=None)[0]
    left = off - normal @ shift
    means = [abs(float(left[line == number].mean())) for number in np.unique(line)]
    x, y = shift
    return PaintCheck(
        shift_mm=(float(x), float(y)),
        off_mm=_robust_rms(left, 1.4826 * float(np.median(np.abs(left)))),
        worst_mm=float(np.percentile(means, 95)),
        stated_mm=stated_mm(was),
    )


def stated_mm(survey: Survey) -> float:
    """Tell what error a survey states of its edges."""
    sigmas_mm = np.concatenate([one.sigma_mm for one in survey.lines])
    return _robust_rms(sigmas_mm, float(np.median(sigmas_mm)))


def _robust_rms(values_mm: Array, usual_mm: float) -> float:
    """Give the RMS of values of which none counts for more than a gross one."""
    return float(np.sqrt(np.mean(np.minimum(np.abs(values_mm), GROSS * usual_mm) ** 2)))


def _off_mm(points_mm: Array, aside: Array, edge_mm: Array) -> Array:
    """Tell how far aside (N,) of each point (N, 2) an edge (M, 2) runs; not finite where it does not."""
    along = edge_mm[-1] - edge_mm[0]
    along = along / max(float(np.hypot(*along)), 1e-9)
    order = np.argsort(edge_mm @ along)
    at = points_mm @ along
    across = np.stack([np.interp(at, (edge_mm @ along)[order], edge_mm[order, axis]) for axis in (0, 1)], axis=-1)
    off = ((across - points_mm) * aside).sum(axis=1)
    is_beside = (at > (edge_mm @ along).min()) & (at < (edge_mm @ along).max())
    return np.where(is_beside, off, np.nan)
