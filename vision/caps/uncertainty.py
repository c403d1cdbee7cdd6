"""How far off a fitted place may be: by a cap's shape, by how the rim's parts disagree, by what stays unexplained.

The figures were set on 86 simulated and known scenes and hold on 16 more: errors come from shapes and light that the
model does not know, so they grow with the cap in the picture and are many times what noise alone makes.
"""

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap, Kind
from linesies.vision.caps.fit import Fit

Array = NDArray[np.float64]

# of a cap's diameter, what its kind's own shape leaves open: teeth, glass and steel are seen less plainly
SHAPE_SHARE: dict[Kind | None, float] = {
    "crown": 0.0057,
    "crown_upturned": 0.006,
    "lid": 0.0055,
    "lid_open": 0.0085,
    "ring": 0.011,
    "glide": 0.008,
    None: 0.02,
}
LEAST_PX = 0.08
SCATTER_SHARE = 5.6  # sectors mislead together
USUAL_SCATTER_PX = 0.035
USUAL_MISFIT, MISFIT_SHARE = 0.9, 1.35  # a misfit above the usual doubts all: logarithm for each unit
MISFIT_REACH = (-0.5, 1.0)
NEIGHBOUR_DOUBT = 1.35
NAME_DOUBT = 0.25  # of the spread of the listed diameters: half of a wrong one goes into the gap, one time in four


def fit_sigma_mm(fit: Fit, cap: Cap, towards_mm: Array, px_per_mm: float, crowd: int = 0) -> float:
    """Give the standard error of a fitted place in the direction (2,) that counts, beside `crowd` neighbours."""
    along = towards_mm / max(float(np.hypot(*towards_mm)), 1e-9)
    scatter_mm = float(np.sqrt(along @ fit.scatter_mm2 @ along))
    misfit = float(np.clip(fit.misfit - USUAL_MISFIT, *MISFIT_REACH))
    doubt = float(np.exp(MISFIT_SHARE * misfit)) * (NEIGHBOUR_DOUBT if crowd else 1.0)
    return _sigma_mm(cap, px_per_mm, scatter_mm) * doubt


def lens_sigma_mm(calibration: Calibration, cap: Cap, xy_mm: Array, towards_mm: Array) -> float:
    """Give the standard error that an estimated lens makes in a direction (2,): what stands tall leans otherwise."""
    view = calibration.view
    lean = (xy_mm - view.camera_mm[:2]) / view.camera_height_mm
    along = towards_mm / max(float(np.hypot(*towards_mm)), 1e-9)
    return calibration.focal_doubt * cap.height_mm * abs(float(lean @ along))


def name_sigma_mm(caps: tuple[Cap, ...]) -> float:
    """Give the standard error of a gap whose cap may as well be another of those listed."""
    return NAME_DOUBT * float(np.std([cap.diameter_mm for cap in caps]))


def usual_sigma_mm(cap: Cap, px_per_mm: float) -> float:
    """Give the standard error that a cap's place usually has where it stands alone."""
    return _sigma_mm(cap, px_per_mm, USUAL_SCATTER_PX / px_per_mm)


def _sigma_mm(cap: Cap, px_per_mm: float, scatter_mm: float) -> float:
    parts = (LEAST_PX / px_per_mm, SHAPE_SHARE[cap.kind] * cap.diameter_mm, SCATTER_SHARE * scatter_mm)
    return float(np.linalg.norm(parts))
