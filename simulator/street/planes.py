"""A picture kept as planes of luma and colour, changed box by box, with the sensor's noise on every copy."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # x0, y0, x1, y1, all even

NOISE = 2.2  # spread in grey levels; a camera's shot noise is about even after the tone curve
BANKS = 3  # pictures of noise that are drawn from, each at a chance offset
SLACK = 64  # how far the offset may go


class Planes:
    """Remembers the still picture, what has been painted over it for the next copy, and the noise."""

    def __init__(self, rgb: Image, rng: np.random.Generator) -> None:
        self.height, self.width = rgb.shape[:2]
        self.rgb = rgb
        self._still_rgb = rgb.copy()
        self._work = np.empty((self.height * 3 // 2, self.width), np.uint8)
        self._store((0, 0, self.width, self.height))
        self._still = self._work.copy()
        self._painted: list[Box] = []
        self._rng = rng
        size = (BANKS, self.height * 3 // 2 + SLACK, self.width + SLACK)
        noise = np.rint(rng.standard_normal(size, np.float32) * NOISE).astype(np.int8)
        self._brighter, self._darker = np.maximum(noise, 0).astype(np.uint8), np.maximum(-noise, 0).astype(np.uint8)

    def settle(self, box: Box, rgb: Image) -> None:
        """Change the still picture on a box."""
        x0, y0, x1, y1 = box
        self._still_rgb[y0:y1, x0:x1] = rgb
        self.rgb[y0:y1, x0:x1] = rgb
        self._store(box)
        for still, work in zip(self._parts(self._still, box), self._parts(self._work, box), strict=True):
            still[...] = work

    def paint(self, box: Box, rgb: Image) -> None:
        """Change the next copy alone on a box."""
        x0, y0, x1, y1 = box
        self.rgb[y0:y1, x0:x1] = rgb
        self._painted.append(box)

    def take(self, gain: float = 1.0, shift: NDArray[np.float64] | None = None) -> Image:
        """Copy the planes, shifted (2, 3), with fresh noise, and forget what was painted over the still picture."""
        for box in self._painted:
            self._store(box)
        planes = self._work if gain == 1.0 else self._gained(gain)
        planes = self._noisy(planes if shift is None else self._shifted(planes, shift))
        for box in self._painted:
            x0, y0, x1, y1 = box
            self.rgb[y0:y1, x0:x1] = self._still_rgb[y0:y1, x0:x1]
            for still, work in zip(self._parts(self._still, box), self._parts(self._work, box), strict=True):
                work[...] = still
        self._painted.clear()
        return planes

    def _gained(self, gain: float) -> Image:
        planes = self._work.copy()
        planes[: self.height] = cv2.convertScaleAbs(planes[: self.height], alpha=gain)
        return planes

    def _shifted(self, planes: Image, shift: NDArray[np.float64]) -> Image:
        shifted = np.empty_like(planes)
        for i, (part, to) in enumerate(zip(self._parts(planes), self._parts(shifted), strict=True)):
            move = shift if i == 0 else np.column_stack([shift[:, :2], shift[:, 2] / 2])
            cv2.warpAffine(part, move, part.shape[::-1], dst=to, borderMode=cv2.BORDER_REPLICATE)
        return shifted

    def _noisy(self, planes: Image) -> Image:
        bank = int(self._rng.integers(BANKS))
        y, x = (int(v) for v in self._rng.integers(SLACK, size=2))
        window = (slice(y, y + planes.shape[0]), slice(x, x + planes.shape[1]))
        noisy = cv2.add(planes, self._brighter[bank][window])
        return cv2.subtract(noisy, self._darker[bank][window], dst=noisy)

    def _store(self, box: Box) -> None:
        """Turn a box of colour into its parts of the planes."""
        x0, y0, x1, y1 = box
        ycrcb = cv2.cvtColor(np.ascontiguousarray(self.rgb[y0:y1, x0:x1]), cv2.COLOR_RGB2YCrCb)
        half = cv2.resize(ycrcb, ((x1 - x0) // 2, (y1 - y0) // 2), interpolation=cv2.INTER_AREA)
        luma, u, v = self._parts(self._work, box)
        luma[...], u[...], v[...] = ycrcb[..., 0], half[..., 2], half[..., 1]

    def _parts(self, planes: Image, box: Box | None = None) -> tuple[Image, Image, Image]:
        """Give views of Y, U and V on a box (None: all)."""
        x0, y0, x1, y1 = box or (0, 0, self.width, self.height)
        quarter = self.height * self.width // 4
        colour = planes.reshape(-1)[4 * quarter :].reshape(2, self.height // 2, self.width // 2)
        half = (slice(y0 // 2, y1 // 2), slice(x0 // 2, x1 // 2))
        return planes[y0:y1, x0:x1], colour[0][half], colour[1][half]
