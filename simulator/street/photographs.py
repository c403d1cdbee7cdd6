"""Photographs of ground, seamless, as albedo at any point of the plane; whose they are says `photographs/README.md`."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.light import linear

Array = NDArray[np.float32]

FOLDER = Path(__file__).parent / "photographs"
STREET_MM, TABLE_MM = (
    (900.0, 2400.0),
    (250.0, 700.0),
)  # how wide one may be on the ground: its bricks are from toy to large
BRIGHTER = 0.25  # spread of how much brighter or darker the ground is than its photograph, in logarithms


class GroundPhotograph:
    """A photograph laid out over the ground again and again: `wide_mm` wide, turned, brightened."""

    def __init__(self, path: Path, rng: np.random.Generator, *, is_street: bool) -> None:
        self.name = path.stem
        coded = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
        low_mm, high_mm = STREET_MM if is_street else TABLE_MM
        self._wide_mm = float(np.exp(rng.uniform(np.log(low_mm), np.log(high_mm))))
        turn = rng.uniform(0, 2 * np.pi)
        self._turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
        gain = np.float32(np.exp(rng.normal(0, BRIGHTER)))
        self._pyramid = [gain * linear(cv2.cvtColor(coded, cv2.COLOR_BGR2RGB))]
        while len(self._pyramid[-1]) > 64:
            self._pyramid.append(cv2.resize(self._pyramid[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))

    def __call__(self, ground_mm: Array) -> Array:
        """Look it up at ground points (H, W, 2) in mm: albedo (H, W, 3), as coarse as those points lie apart."""
        apart_mm = float(np.median(np.hypot(*np.moveaxis(np.diff(ground_mm[:1], axis=1), -1, 0))))
        finest = self._wide_mm / len(self._pyramid[0])
        level = int(np.clip(np.floor(np.log2(max(apart_mm / finest, 1.0))), 0, len(self._pyramid) - 1))
        texels = self._pyramid[level]
        steps = (ground_mm @ self._turned) * np.float32(len(texels) / self._wide_mm)
        return cv2.remap(
            texels, np.mod(steps, np.float32(len(texels))), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
        )


def choose_photograph(rng: np.random.Generator, *, is_street: bool) -> GroundPhotograph:
    """Choose one of the photographs."""
    return GroundPhotograph(rng.choice(np.array(sorted(FOLDER.glob("*.webp")))), rng, is_street=is_street)
