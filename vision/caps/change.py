"""How surely a pixel shows something else than the empty ground did."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.bands import bands
from linesies.vision.picture.layout import Image

Plane = NDArray[np.float32]
Stored = tuple[Image, Image, Image]  # luma and two colour differences


@dataclass(frozen=True)
class CapChangeTuning(Tuning):
    """How surely a pixel has changed."""

    shake_px: float = tuned(
        0.2,
        title="how far the camera may have moved unnoticed",
        unit="px",
        low=0.02,
        high=1,
        source=by_hand_in("1a12867"),
    )
    noise_levels: float = tuned(
        0.7,
        title="stored levels that a picture is never better than",
        unit="levels",
        low=0.1,
        high=5,
        source=by_hand_in("1a12867"),
    )
    light_step: int = tuned(
        4,
        title="pixels each way to one of the grid on which the local gain is found",
        unit="px",
        low=1,
        high=16,
        source=by_hand_in("1a12867"),
    )
    surely_changed: float = tuned(
        25.0,
        title="variances at which a pixel counts half as changed",
        unit="1",
        low=4,
        high=100,
        source=by_hand_in("1a12867"),
    )


CHANGE = CapChangeTuning()


def light_window(light_px: float) -> int:
    """Tell how wide, on the coarser grid, a median is that gives a light which changes over `light_px`."""
    return max(int(light_px / CHANGE.light_step) // 2 * 2 + 1, 5)


def change_of(now: Stored, empty: Stored, window: int) -> tuple[Plane, Plane]:
    """Tell how surely each pixel changed, 0 to 1, and the light's local gain, by its `light_window`."""
    brighter = np.empty(now[0].shape, np.float32)
    for rows in bands(len(brighter)):
        np.divide(lifted(now[0][rows]), lifted(empty[0][rows]), out=brighter[rows])
    gain = _slow(brighter, window, scale=100)
    return changed_share(_rests(now, empty, gain, window), empty), gain


def split_stored(bgr: Image) -> Stored:
    """Split a picture (H, W, 3) into luma and two colour differences round 128, as they are stored."""
    luma, red, blue = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb))
    return np.asarray(luma, np.uint8), np.asarray(red, np.uint8), np.asarray(blue, np.uint8)


def colour_of(stored: Image) -> Plane:
    """Centre a stored colour difference round 0."""
    return np.asarray(stored.astype(np.float32) - 128, np.float32)


def split_planes(bgr: Image) -> list[Plane]:
    """Split a picture (H, W, 3) into stored luma and two colour differences round 0."""
    luma, *colours = split_stored(bgr)
    return [luma.astype(np.float32), *map(colour_of, colours)]


def shaken(plane: Image | Plane, rows: slice) -> Plane:
    """Give the variance that a small shake of the camera causes at each pixel of some rows."""
    first = max(rows.start - 1, 0)  # a slope is taken over three
    across, down = (
        np.asarray(cv2.Sobel(plane[first : rows.stop + 1], cv2.CV_32F, *step, scale=0.125), np.float32)
        for step in ((1, 0), (0, 1))
    )
    across *= across
    down *= down
    across += down
    across *= np.float32(CHANGE.shake_px**2)
    return across[rows.start - first :][: rows.stop - rows.start]


def changed_share(rests: Iterable[Plane], grounds: Iterable[Image | Plane]) -> Plane:
    """Tell from what is left of each plane after its ground how surely each pixel changed, 0 to 1.

    Takes one plane after the other, and works in their memory: those of a whole picture are large. How the ground
    would look shaken is quickly done, and large to remember.
    """
    total: Plane | None = None
    for rest, ground in zip(rests, grounds, strict=True):
        noise = 1.4826 * float(np.median(np.abs(rest[::3, ::3]))) + CHANGE.noise_levels
        for rows in bands(len(rest)):
            off = rest[rows]
            off *= off
            off /= shaken(ground, rows) + np.float32(noise**2)
        total = rest if total is None else np.add(total, rest, out=total)
    assert total is not None
    for rows in bands(len(total)):
        total[rows] /= total[rows] + CHANGE.surely_changed
    return total


def lifted(luma: Image) -> Plane:
    """Keep black from being divided by."""
    return np.asarray(luma.astype(np.float32) + 4, np.float32)


def less_slow(rest: Plane, window: int) -> Plane:
    """Take from what is left of a colour what changes slowly, in its own memory."""
    rest += 64
    rest -= _slow(rest, window, scale=2)
    return rest


def less_ground(plane: Image, ground: Image, gain: Plane, centred: Callable[[Image], Plane]) -> Plane:
    """Take the ground under a gain from a stored plane, both centred so."""
    rest = np.empty(gain.shape, np.float32)
    for rows in bands(len(rest)):
        under = centred(ground[rows])
        under *= gain[rows]
        np.subtract(centred(plane[rows]), under, out=rest[rows])
    return rest


def _rests(now: Stored, empty: Stored, gain: Plane, window: int) -> Iterator[Plane]:
    """Take the ground from each plane, as it is lit now, and from the colours what changes slowly."""
    yield less_ground(now[0], empty[0], gain, lifted)
    for colour, ground in zip(now[1:], empty[1:], strict=True):
        yield less_slow(less_ground(colour, ground, gain, colour_of), window)


def _slow(plane: Plane, window: int, *, scale: float) -> Plane:
    """Take the median of a plane (of 0 to 255 / scale) over windows of its coarser grid."""
    coarse = cv2.resize(plane, None, fx=1 / CHANGE.light_step, fy=1 / CHANGE.light_step, interpolation=cv2.INTER_AREA)
    median = cv2.medianBlur(np.clip(coarse * scale, 0, 255).astype(np.uint8), window)
    return np.asarray(cv2.resize(median.astype(np.float32) / scale, (plane.shape[1], plane.shape[0])), np.float32)
