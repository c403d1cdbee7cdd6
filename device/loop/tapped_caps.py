"""A new set of caps, picked by people on the live picture: the camera reads the colour where each was tapped.

The colour is kept as this camera sees it in this light, which is what caps are told apart by. The diameter people
measure with a ruler: half of a wrong one goes into every gap, and no camera sees it as well.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from linesies.calibration import Calibration
from linesies.referee.orders import TappedCap
from linesies.referee.saying import Saying, Trouble
from linesies.vision import Cap, Image, caps_to_file, find_unknown_caps, looks_wide

HEIGHT_MM = {"crown": 6.0, "crown_upturned": 6.0, "lid": 13.0, "lid_open": 11.0, "ring": 8.0, "glide": 6.5}
SIZES_MM = {  # the usual diameters of a kind: the least, the most
    "crown": (24.5, 32.5),
    "crown_upturned": (24.5, 32.5),
    "lid": (32.0, 44.0),
    "lid_open": (32.0, 44.0),
    "ring": (26.0, 35.0),
    "glide": (23.0, 31.0),
}
CLEAR = ("ring", "glide")  # glass and steel show the ground, or the sky
LEAST_REACH_PX = 1.5  # so that nine pixels are averaged however small a cap is
CORE = 0.3  # of the diameter: so far from the tap it is surely the cap
BY_THE_BOOK_MM = (12.7, 50.8)  # 1.7.5: half an inch to two
CHANGED = 18.0  # of 255, in the channel that changed most: of less only what the camera finds too is a cap


def pick(picture_bgr: Image, calibration: Calibration, picked: Sequence[TappedCap]) -> tuple[Cap, ...] | Saying:
    """Read each tapped cap's colour from the picture, or say which cannot be read."""
    caps = []
    for one in picked:
        found = _read(picture_bgr, calibration, one)
        if isinstance(found, Saying):
            return found
        caps.append(found)
    return tuple(caps)


def _read(picture_bgr: Image, calibration: Calibration, one: TappedCap) -> Cap | Saying:
    height, width = picture_bgr.shape[:2]
    height_mm = HEIGHT_MM[one.kind]
    middle_mm = calibration.view.px_to_mm(np.array([one.xy]), height_mm)[0]
    diameter_mm = one.diameter or _offered_mm(picture_bgr, calibration, one)
    reach_px = max(LEAST_REACH_PX, CORE * diameter_mm * calibration.view.px_per_mm(middle_mm))
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    core = np.hypot(columns - one.xy[0], rows - one.xy[1]) <= reach_px
    if not core.any():
        return Saying("cap_outside", {"player": one.player})
    colour = np.median(picture_bgr[core], axis=0)
    if one.kind not in CLEAR and calibration.has_frame_size(picture_bgr):
        change = np.abs(colour - np.median(calibration.empty_bgr[core], axis=0)).max()
        if change < CHANGED and not _is_found(picture_bgr, calibration, one.xy):
            return Saying("cap_nothing", {"player": one.player})
    blue, green, red = (round(float(value)) for value in colour)
    return Cap(
        player=one.player,
        colour_rgb=(red, green, blue),
        diameter_mm=diameter_mm,
        height_mm=height_mm,
        kind=one.kind,
    )


def _is_found(picture_bgr: Image, calibration: Calibration, xy_px: tuple[float, float]) -> bool:
    """Tell whether the camera finds a cap there by itself, be it white on white paint: by its edge and its shadow."""
    return any(np.hypot(*(one.xy_px - xy_px)) <= one.radius_px for one in find_unknown_caps(picture_bgr, calibration))


def _offered_mm(picture_bgr: Image, calibration: Calibration, one: TappedCap) -> float:
    """Offer a diameter, to half a millimetre: as the cap looks, else the middle of its kind's."""
    sizes = SIZES_MM[one.kind]
    looks = looks_wide_as(one.kind, picture_bgr, calibration, one.xy)
    likely_mm = looks if looks is not None and sizes[0] <= looks <= sizes[1] else sum(sizes) / 2
    return round(2 * likely_mm) / 2


def looks_wide_as(kind: str, picture_bgr: Image, calibration: Calibration, xy_px: tuple[float, float]) -> float | None:
    """Tell how wide, in mm, what lies there looks as a cap of this kind; None where such a one's edge is not seen."""
    if not calibration.has_frame_size(picture_bgr):
        return None
    return looks_wide(picture_bgr, calibration, xy_px, HEIGHT_MM[kind], SIZES_MM[kind])


def told_sizes(caps: Sequence[Cap]) -> Trouble:
    """Say whose caps are larger or smaller than the book's, or that none is."""
    least, most = BY_THE_BOOK_MM
    unusual = [cap.player for cap in caps if not least <= cap.diameter_mm <= most]
    return Trouble("cap sizes", Saying("cap_sizes", {"players": unusual})) if unusual else Trouble.over("cap sizes")


def write_kit(caps: Sequence[Cap], path: Path) -> None:
    """Write caps as the caps file has them, in its place only once all of it is there; raises OSError."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(caps_to_file(caps)), indent=2))
    beside.replace(path)
