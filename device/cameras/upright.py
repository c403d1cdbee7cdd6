"""Phones store a film as the sensor lay, and beside it how it is to be turned to be shown upright."""

from dataclasses import dataclass
from typing import Any, Self

import av
import numpy as np
from numpy.typing import NDArray

from linesies.vision import Image, Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarterTurn:
    """By quarters, and mirrored as some front cameras are: first along the diagonal, then each way that is flipped."""

    is_across: bool = False
    is_flipped_down: bool = False
    is_flipped_along: bool = False

    @classmethod
    def of(cls, picture: av.VideoFrame) -> Self:
        """Read the display matrix of a decoded picture: x' = a x + c y, y' = b x + d y (ISO/IEC 14496-12, 6.2.2)."""
        beside: Any = picture.side_data  # a list, though av's types know it as a mapping alone
        told = next((one for one in beside if one.type.name == "DISPLAYMATRIX"), None)
        if told is None:
            return cls()
        a, b, _, c, d = np.frombuffer(bytes(told), np.int32)[:5].tolist()
        is_across = abs(b) > abs(a)
        down, along = (b, c) if is_across else (d, a)
        return cls(is_across=is_across, is_flipped_down=down < 0, is_flipped_along=along < 0)

    def size_of(self, size_px: tuple[int, int]) -> tuple[int, int]:
        """Tell the width and height of pictures of that size once they are turned."""
        return size_px[::-1] if self.is_across else size_px

    def upright(self, pixels: Image, layout: Layout) -> Image:
        """Turn a picture's pixels, laid out so."""
        if self == AS_STORED:
            return pixels
        if layout is Layout.BGR:
            return np.ascontiguousarray(self._turned(pixels))
        height, width = pixels.shape[0] * 2 // 3, pixels.shape[1]
        planes = (pixels[:height], *pixels[height:].reshape(2, height // 2, width // 2))
        turned = np.concatenate([self._turned(plane).ravel() for plane in planes])
        return turned.reshape(-1, self.size_of((width, height))[0])

    def _turned(self, plane: NDArray[np.uint8]) -> NDArray[np.uint8]:
        across = plane.swapaxes(0, 1) if self.is_across else plane
        return across[:: -1 if self.is_flipped_down else 1, :: -1 if self.is_flipped_along else 1]


AS_STORED = QuarterTurn()
