"""How far off a gap may be: by where the cap stands, by the lens, by the paint's edge, and by whose cap it may be."""

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Located, locate
from linesies.vision.caps.cap import Cap, Listed
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.placing import Placing, direction
from linesies.vision.caps.reading import CapReading
from linesies.vision.caps.uncertainty import FIT_DOUBT

Array = NDArray[np.float64]


def gap_sigma_mm(
    reading: CapReading, placing: Placing, place: Located, calibration: Calibration, listed: Listed
) -> float:
    """Give the standard error of the gap of a cap that was read, stands there, and was located in a place."""
    towards_mm = place.edge_mm - placing.xy_mm
    lens_mm = lens_sigma_mm(calibration, reading.cap, placing.xy_mm, towards_mm)
    whose_mm = 0.0 if reading.has_name else _whose_sigma_mm(reading, calibration, listed)
    parts_mm = (placing.sigma_mm(towards_mm), lens_mm, whose_mm, place.edge_sigma_mm)
    return calibration.sigma_times * float(np.linalg.norm(parts_mm))


def _whose_sigma_mm(reading: CapReading, calibration: Calibration, listed: Listed) -> float:
    """Give the standard error of a gap because it may be another cap, or another thing beside it."""
    strayed_mm = FIT_DOUBT.strayed * max(reading.strayed_mm - CERTAINTY.strayed_mm, 0.0)
    nobody_mm = float(np.hypot(strayed_mm, name_sigma_mm(listed.caps, reading.candidate.owner_shares[-1])))
    rival = reading.rival
    if rival is None:
        return nobody_mm
    fitted_mm, other_mm = (locate(calibration, one.fit.xy_mm, one.cap.diameter_mm).gap_mm for one in (reading, rival))
    return float(np.hypot(nobody_mm, np.sqrt(rival.share) * (fitted_mm - other_mm)))


def lens_sigma_mm(calibration: Calibration, cap: Cap, xy_mm: Array, towards_mm: Array) -> float:
    """Give the standard error that an estimated lens makes in a direction (2,): what stands tall leans otherwise."""
    view = calibration.view
    lean = (xy_mm - view.camera_mm[:2]) / view.camera_height_mm
    return calibration.focal_doubt * cap.height_mm * abs(float(lean @ direction(towards_mm)))


def name_sigma_mm(caps: tuple[Cap, ...], nobody_share: float) -> float:
    """Give the standard error of a gap whose cap may be nobody's, of any size that those listed have."""
    return FIT_DOUBT.name * float(np.sqrt(nobody_share) * np.std([cap.diameter_mm for cap in caps]))
