"""The small picture on which motion is noticed: luma and colour side by side, at half the camera's resolution.

Cameras store colour at half resolution, so nothing but luma has to be shrunk. Points of the small picture are
`xy_small`; full pixels are `xy_px`.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Frame, Image, Layout

AVERAGED = 6  # frames behind a call
COARSE_FROM_PX = 1000  # pictures at least this wide are halved

Points = NDArray[np.float64]


def shrink_of(size_px: tuple[int, int]) -> int:
    """How many full pixels a small one spans: 2, or 1 for pictures that are small already."""
    return 2 if size_px[0] >= COARSE_FROM_PX else 1


def look_at(frame: Frame) -> Image:
    """Make the small picture (h, w, 3) of luma, U and V, in the range in which the source gave them."""
    width, height = frame.size_px
    shrink = shrink_of((width, height))
    size = (width // shrink, height // shrink)
    if frame.layout is Layout.BGR:
        return _yuv_of(_sized(frame.pixels, size))
    u, v = frame.pixels[height:].reshape(2, height // 2, width // 2)
    return cv2.merge([_sized(frame.pixels[:height], size), _sized(u, size), _sized(v, size)])


def look_at_bgr(bgr: Image, layout: Layout) -> Image:
    """Make the small picture of a colour picture (H, W, 3) as a source of that layout would show it."""
    if layout is Layout.BGR:
        return look_at(Frame.from_bgr(bgr, number=0, t_s=0.0))
    width, height = bgr.shape[1] // 2 * 2, bgr.shape[0] // 2 * 2
    even = np.ascontiguousarray(bgr[:height, :width])
    if layout is Layout.YUV420_LIMITED:
        planes = cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420)
        return look_at(Frame(planes, layout=layout, number=0, t_s=0.0))
    shrink = shrink_of((width, height))
    return _yuv_of(_sized(even, (width // shrink, height // shrink)))


def small_to_px(xy_small: Points, shrink: int) -> Points:
    """Turn points (N, 2) of the small picture into full pixels."""
    return (np.asarray(xy_small, float) + 0.5) * shrink - 0.5


def px_to_small(xy_px: Points, shrink: int) -> Points:
    """Turn full pixels (N, 2) into points of the small picture."""
    return (np.asarray(xy_px, float) + 0.5) / shrink - 0.5


def mean_picture(pictures: list[Image]) -> NDArray[np.float32]:
    """Average pictures of one size, to float32."""
    total = np.zeros(pictures[0].shape, np.float32)
    for picture in pictures:
        cv2.accumulate(picture, total)
    total /= len(pictures)
    return total


def mean_bgr(frames: Sequence[Frame]) -> Image:
    """Average the latest frames of one source, against noise, and give them in colour (H, W, 3)."""
    latest = list(frames)[-AVERAGED:]
    pixels = cv2.convertScaleAbs(mean_picture([frame.pixels for frame in latest]))  # planes: half of what BGR takes
    return Frame(pixels, layout=latest[-1].layout, number=latest[-1].number, t_s=latest[-1].t_s).bgr


def _yuv_of(bgr: Image) -> Image:
    """Turn colours (h, w, 3) to luma, U and V of full range, scaled as in JPEG and in cameras' planes."""
    y, v, u = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb))
    return cv2.merge([y, u, v])


def _sized(plane: Image, size: tuple[int, int]) -> Image:
    if (plane.shape[1], plane.shape[0]) == size:
        return plane
    way = cv2.INTER_AREA if plane.shape[1] > size[0] else cv2.INTER_LINEAR
    return cv2.resize(plane, size, interpolation=way)
