"""The small picture on which motion is noticed: luma and colour side by side, about as wide for every camera.

Points of the small picture are `xy_small`; full pixels are `xy_px`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Frame
from linesies.vision.picture.layout import EVERYWHERE, Image, Layout, Window
from linesies.vision.picture.scaling import shrink_by

AVERAGED = 6  # frames behind a call
LEAST_TO_LEAVE_OUT = 4  # pictures, of which the brightest and the darkest may be left out
COARSE_FROM_PX = 1000  # pictures at least this wide are shrunk
STRIP = 54  # rows that are averaged at once, of squares or of sums: more leave a core's own memory, fewer cost calls
STRIP_WIDE = 768  # pixels of such squares: narrower windows are averaged in higher strips
LEAST_WIDE = 640  # small pixels: as wide as those of the public films, on which caps were learned to be followed
LEAST_FILMED, MOST_FILMED = 560, 640  # pixels: a phone of 390 has two or three of its own to each; few see a difference

Points = NDArray[np.float64]


def shrink_of(size_px: tuple[int, int]) -> int:
    """How many full pixels a small one spans: 1 for pictures that are small already."""
    return max(size_px[0] // LEAST_WIDE, 2) if size_px[0] >= COARSE_FROM_PX else 1


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallPlanes:
    """The planes of a small picture (h, w), made of the source's when they are asked for: of most frames, little is.

    `luma_by` and `colours_by` pixels of the source's planes each way make a small one; of the colours it may be a half,
    and need not be whole.
    """

    source_luma: Image
    luma_by: int
    source_colours: tuple[Image, Image]
    colours_by: float

    @property
    def shape(self) -> tuple[int, int]:
        """Its height and width."""
        height, width = (side // self.luma_by for side in self.source_luma.shape)
        return height, width

    @cached_property
    def luma(self) -> Image:
        """All of its luma."""
        return averaged(self.source_luma, self.luma_by)

    def luma_squares(self, corners_small: NDArray[np.int64], side_small: int) -> Image:
        """Make but squares (P, side, side) of its luma, from their upper left corners (P, 2): x, y."""
        side = side_small * self.luma_by
        corners = (corners_small * self.luma_by).tolist()
        squares = np.concatenate([self.source_luma[y : y + side, x : x + side] for x, y in corners])
        return averaged(squares, self.luma_by).reshape(-1, side_small, side_small)

    def joined(self, window: Window = EVERYWHERE) -> Image:
        """Join luma, U and V of a window: (rows, columns, 3)."""
        return cv2.merge([self._luma_in(window), *self.colours(window)])

    def _luma_in(self, window: Window) -> Image:
        if window == EVERYWHERE or "luma" in self.__dict__:
            return self.luma[window]
        rows, columns = (slice(self.luma_by * one.start, self.luma_by * one.stop) for one in self._within(window))
        return averaged(self.source_luma[rows, columns], self.luma_by)

    def colours(self, window: Window = EVERYWHERE) -> tuple[Image, Image]:
        """Make U and V of a window, whose corners lie between two of the source's pixels."""
        by = self.colours_by
        if by < 1:  # at a window's border it takes what lies beyond
            u, v = (_shrunk(plane, by, self.shape)[window] for plane in self.source_colours)
            return u, v
        rows, columns = self._within(window)
        corner = slice(round(rows.start * by), None), slice(round(columns.start * by), None)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        u, v = (_shrunk(plane[corner], by, shape) for plane in self.source_colours)
        return u, v

    def _within(self, window: Window) -> Window:
        rows, columns = (slice(*one.indices(side)) for one, side in zip(window, self.shape, strict=True))
        return rows, columns

    @cached_property
    def filmed(self) -> Image:
        """Its luma as films store it, of about one width for every camera: pixels cost time to store."""
        if self._filmable.shape[1] <= MOST_FILMED:
            return self._filmable
        height = round(LEAST_FILMED * self._filmable.shape[0] / self._filmable.shape[1])
        return cv2.resize(self._filmable, (LEAST_FILMED, height), interpolation=cv2.INTER_LINEAR)

    @cached_property
    def _filmable(self) -> Image:
        """Its luma, or where threes are averaged, one by fours that is wide enough for a film: half of the time."""
        return self.luma if self._filmable_by == self.luma_by else averaged(self.source_luma, self._filmable_by)

    @property
    def _filmable_by(self) -> int:
        is_by_fours = self.luma_by == 3 and self.source_luma.shape[1] // 4 >= LEAST_FILMED
        return 4 if is_by_fours else self.luma_by

    def filmed_colours(self) -> tuple[Image, Image]:
        """Make U and V as films store them: one for two pixels of luma each way."""
        shape = (self.filmed.shape[0] // 2, self.filmed.shape[1] // 2)
        by = self.colours_by * self.shape[1] / shape[1]
        halves, by = (self._halved_colours, by / 2) if by >= 2 else (self.source_colours, by)
        u, v = (_shrunk(plane, by, shape) for plane in halves)
        return u, v

    @cached_property
    def _halved_colours(self) -> tuple[Image, Image]:
        u, v = (averaged(plane, 2) for plane in self.source_colours)
        return u, v

    def averaged(self, by: int) -> Image:
        """Average so many small pixels each way, a multiple of four, into one: (3, h / by, w / by)."""
        u, v = (averaged(plane, round(self.colours_by * by) // 2) for plane in self._halved_colours)
        return np.stack([averaged(self._filmable, by * self.luma_by // self._filmable_by), u, v])


def look_at(frame: Frame) -> Image:
    """Make the small picture (h, w, 3) of luma, U and V, in the range in which the source gave them."""
    return small_planes(frame).joined()


def small_planes(frame: Frame) -> SmallPlanes:
    """Make the same as planes."""
    width, height = frame.size_px
    shrink = shrink_of((width, height))
    if frame.layout is Layout.BGR:
        y, u, v = cv2.split(_yuv_of(averaged(frame.pixels, shrink)))
        return SmallPlanes(source_luma=y, luma_by=1, source_colours=(u, v), colours_by=1.0)
    u, v = frame.pixels[height:].reshape(2, height // 2, width // 2)
    luma = frame.pixels[:height]
    return SmallPlanes(source_luma=luma, luma_by=shrink, source_colours=(u, v), colours_by=shrink / 2)


def _shrunk(plane: Image, by: float, shape: tuple[int, int]) -> Image:
    """Shrink a plane's corner to a shape (h, w), of whose pixels each is `by` wide: halved, then interpolated."""
    rows, columns = (round(side * by) for side in shape)
    plane = plane[:rows, :columns]
    while by >= 2 and min(plane.shape) >= 2:
        plane, by = shrink_by(plane, times=2), by / 2
    return plane if plane.shape == shape else cv2.resize(plane, shape[::-1], interpolation=cv2.INTER_LINEAR)


def look_at_bgr(bgr: Image, layout: Layout) -> Image:
    """Make the small picture of a colour picture (H, W, 3) as a source of that layout would show it."""
    if layout is Layout.BGR:
        return look_at(Frame.from_bgr(bgr, number=0, t_s=0.0))
    width, height = bgr.shape[1] // 2 * 2, bgr.shape[0] // 2 * 2
    even = np.ascontiguousarray(bgr[:height, :width])
    if layout is Layout.YUV420_LIMITED:
        planes = cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420)
        return look_at(Frame(planes, layout=layout, number=0, t_s=0.0))
    return _yuv_of(averaged(even, shrink_of((width, height))))


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


def steady_mean(pictures: list[Image]) -> NDArray[np.float32]:
    """Average pictures of one size, to float32, without each pixel's brightest and darkest: a streak of rain, a fly."""
    total, count = _steady_sum(pictures)
    return np.multiply(total, np.float32(1 / count), dtype=np.float32)


def mean_bgr(frames: Sequence[Frame]) -> Image:
    """Average the latest frames of one source, against noise, and give them in colour (H, W, 3)."""
    latest = list(frames)[-AVERAGED:]
    pixels = np.empty_like(latest[-1].pixels)  # planes where there are any: half of what BGR takes
    for top in range(0, len(pixels), STRIP):  # one after the other, for sums are twice as large as pictures
        rows = slice(top, top + STRIP)
        total, count = _steady_sum([frame.pixels[rows] for frame in latest])
        cv2.convertScaleAbs(total, pixels[rows], alpha=1 / count)
    return Frame(pixels, layout=latest[-1].layout, number=latest[-1].number, t_s=latest[-1].t_s).bgr


def _steady_sum(pictures: list[Image]) -> tuple[NDArray[np.uint16], int]:
    """Add up to 257 pictures as whole numbers, which takes half of what floats do; tells also how many count."""
    total = pictures[0].astype(np.uint16)
    for picture in pictures[1:]:
        total += picture
    if len(pictures) < LEAST_TO_LEAVE_OUT:
        return total, len(pictures)
    total -= reduce(cv2.max, pictures)
    total -= reduce(cv2.min, pictures)
    return total, len(pictures) - 2


def _yuv_of(bgr: Image) -> Image:
    """Turn colours (h, w, 3) to luma, U and V of full range, scaled as in JPEG and in cameras' planes."""
    y, v, u = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb))
    return cv2.merge([y, u, v])


def averaged(picture: Image, by: int) -> Image:
    """Average squares of so many pixels each way; what is left over at the right and below is cut off.

    By twos, or by a blur of which the middle of each square is kept, it takes a fraction of what OpenCV's own way does;
    the blur strip by strip, for a strip stays in a core's own memory until its middles are taken. (By three, halving
    and then weighing every pixel and a half of that into one takes half of a blur; but every other pixel is then
    blurred otherwise, and of two caps that hardly stirred one was not told.)
    """
    by = min(by, *picture.shape[:2])  # of a picture smaller than that
    picture = picture[: picture.shape[0] // by * by, : picture.shape[1] // by * by]
    while by % 2 == 0:
        picture, by = shrink_by(picture, times=2), by // 2
    if by == 1:
        return picture
    height, width = (side // by for side in picture.shape[:2])
    mean = np.empty((height, width, *picture.shape[2:]), np.uint8)
    high = STRIP * max(STRIP_WIDE // width, 1)
    for top in range(0, height, high):
        strip = picture[by * top : by * min(top + high, height), : by * width]
        mean[top : top + high] = cv2.blur(strip, (by, by))[by // 2 :: by, by // 2 :: by]
    return mean
