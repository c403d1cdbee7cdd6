"""Where caps lie that nobody has named yet: the camera finds them, so that people only say whose each is."""

from typing import Any

from linesies.calibration import Calibration
from linesies.device.loop.tapped_caps import looks_wide_as
from linesies.vision import Image, find_unknown_caps

MOST = 8  # players at most


def found_json(picture_bgr: Image, calibration: Calibration) -> list[dict[str, Any]]:
    """Write each cap found as `xy` (px of the picture), `diameter` (mm) and `kind`, in the order of reading."""
    spots = find_unknown_caps(picture_bgr, calibration)[:MOST]
    rows = sorted(spots, key=lambda spot: (round(spot.xy_px[1] / (4 * spot.radius_px)), spot.xy_px[0]))
    found = []
    for spot in rows:
        x_px, y_px = (round(float(value), 1) for value in spot.xy_px)
        kind = _kind(picture_bgr, calibration, (x_px, y_px))
        found.append({"xy": [x_px, y_px], "diameter": round(2 * spot.diameter_mm) / 2, "kind": kind})
    return found


def _kind(picture_bgr: Image, calibration: Calibration, xy_px: tuple[float, float]) -> str:
    """Tell a lid from a crown: it has no edge where a crown has its own, but one farther out."""
    is_lid = (
        looks_wide_as("crown", picture_bgr, calibration, xy_px) is None
        and looks_wide_as("lid", picture_bgr, calibration, xy_px) is not None
    )
    return "lid" if is_lid else "crown"
