"""How far off a fitted place may be: by a cap's shape, by how the rim's parts disagree, by what stays unexplained.

Errors come from shapes and light that the model does not know, so they grow with the cap in the picture and are many
times what noise alone makes. `training/caps/sigma.py` sets most of the figures, and tells how each world fares whose
errors were not looked at.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.cap import Cap, Kind
from linesies.vision.caps.fit import CapFit
from linesies.vision.caps.placing import Placing
from linesies.vision.caps.reading import CapReading

Array = NDArray[np.float64]

SET_BY = "from the exam's tables by training/caps/sigma.py: two public worlds, world=varied 1700 to 1705, 2026-11"


def _shape(share: float, kind: str, source: str = SET_BY) -> float:
    return tuned(
        share, title=f"of its diameter, what {kind} leaves open", unit="1", low=0.0005, high=0.05, source=source
    )


@dataclass(frozen=True)
class ShapeDoubt(Tuning):
    """What each kind's own shape leaves open of its place: teeth, glass and steel are seen less plainly."""

    crown: float = _shape(0.0056, "a crown")
    crown_upturned: float = _shape(0.0056, "an upturned crown")
    lid: float = _shape(0.0045, "a lid")
    lid_open: float = _shape(0.0045, "an open lid")
    ring: float = _shape(0.007, "a ring of glass")
    glide: float = _shape(0.0067, "a steel glide")
    untold: float = _shape(0.02, "an untold kind", BY_HAND)


@dataclass(frozen=True)
class FitDoubt(Tuning):
    """What else is doubtful in a fitted place."""

    least_px: float = tuned(
        0.156, title="what pixels and stored colours leave open at best", unit="px", low=0.01, high=1, source=SET_BY
    )
    scatter: float = tuned(
        5.43,
        title="how many times the scatter of a rim's sectors counts: they mislead together",
        unit="1",
        low=1,
        high=20,
        source=SET_BY,
    )
    misfit: float = tuned(
        1.2,
        title="logarithm of the doubt for each unit of misfit above the usual",
        unit="1",
        low=0,
        high=5,
        source="by hand, on the same scenes",
    )
    neighbour: float = tuned(
        1.35, title="by how much a neighbour widens the band", unit="1", low=1, high=5, source=BY_HAND
    )
    name: float = tuned(
        0.5,
        title="of the spread of listed diameters, where the name is in doubt",
        unit="1",
        low=0,
        high=1,
        source="geometry: half of a wrong diameter goes into the gap",
    )
    usual_scatter_px: float = tuned(
        0.055, title="scatter of a usual cap", unit="px", low=0.005, high=0.5, source="the median on the same scenes"
    )
    usual_misfit: float = tuned(
        0.83, title="misfit of a usual cap", unit="1", low=0.1, high=2, source="the median on the same scenes"
    )
    least_misfit: float = tuned(
        0.0,
        title="misfit less than the usual that counts as no better: what hardly differs from its ground misfits little",
        unit="1",
        low=-2,
        high=0,
        source="by likelihood, of -0.5 and 0, on 180 caps of simulated streets (certain_calls, 8000 to 8002); so the "
        "band holds as well or better on five sets of stills, 2026-11-27",
    )
    most_misfit: float = tuned(
        1.0,
        title="misfit above the usual that counts as no worse",
        unit="1",
        low=0.2,
        high=5,
        source=by_hand_in("e9c8bce"),
    )
    strayed: float = tuned(
        0.5,
        title="of how far a fit strayed, beyond what is usual, what is doubt",
        unit="1",
        low=0,
        high=2,
        source=BY_HAND,
    )

    def of_misfit(self, misfit: Array) -> Array:
        """Tell by how many times a misfit, or several, widens a place's error."""
        above = np.clip(misfit - self.usual_misfit, self.least_misfit, self.most_misfit)
        return np.asarray(np.exp(self.misfit * above), float)


SHAPE_DOUBT, FIT_DOUBT = ShapeDoubt(), FitDoubt()


def fitted_place(reading: CapReading, calibration: Calibration) -> Placing:
    """Give the place of a cap by its fit alone."""
    fit = reading.fit
    px_per_mm = calibration.view.px_per_mm(fit.xy_mm)
    return Placing(xy_mm=fit.xy_mm, covariance_mm2=fit_covariance_mm2(fit, reading.cap, px_per_mm, reading.crowd))


def fit_covariance_mm2(fit: CapFit, cap: Cap, px_per_mm: float, crowd: int = 0) -> Array:
    """Give the covariance (2, 2) of a fitted place, beside `crowd` neighbours."""
    doubt = float(FIT_DOUBT.of_misfit(np.array(fit.misfit))) * (FIT_DOUBT.neighbour if crowd else 1.0)
    even_mm = _sigma_mm(cap, px_per_mm, 0.0)
    return np.asarray(doubt**2 * (even_mm**2 * np.eye(2) + FIT_DOUBT.scatter**2 * fit.scatter_mm2), float)


def usual_sigma_mm(cap: Cap, px_per_mm: float) -> float:
    """Give the standard error that a cap's place usually has where it stands alone."""
    return _sigma_mm(cap, px_per_mm, FIT_DOUBT.usual_scatter_px / px_per_mm)


def shape_share(kind: Kind | None) -> float:
    """Tell what share of its diameter a kind's shape leaves open of its place."""
    share: float = getattr(SHAPE_DOUBT, kind or "untold")
    return share


def _sigma_mm(cap: Cap, px_per_mm: float, scatter_mm: float) -> float:
    parts = (FIT_DOUBT.least_px / px_per_mm, shape_share(cap.kind) * cap.diameter_mm, FIT_DOUBT.scatter * scatter_mm)
    return float(np.linalg.norm(parts))
