"""Where caps lie that nobody has named yet: the camera finds them, so that people only say whose each is."""

from typing import Any

from linesies.calibration import Calibration
from linesies.vision import Image, find_unknown_caps

MOST = 8  # players at most


def found_json(picture_bgr: Image, calibration: Calibration) -> list[dict[str, Any]]:
    """Write each cap found as `xy` (px of the picture) and `diameter` (mm), in the order in which people read."""
    spots = find_unknown_caps(picture_bgr, calibration)[:MOST]
    rows = sorted(spots, key=lambda spot: (round(spot.xy_px[1] / (4 * spot.radius_px)), spot.xy_px[0]))
    return [
        {"xy": [round(float(value), 1) for value in spot.xy_px], "diameter": round(2 * spot.diameter_mm) / 2}
        for spot in rows
    ]
