"""Pictures of flat printed things, seen through a known lens from a known place."""

import cv2
import numpy as np

from linesies.calibration import Lens, View

FINE = 3  # rays a pixel's side


def view_of(lens: Lens, *, at_mm: tuple[float, float], distance_mm: float, lean_deg: tuple[float, float]) -> View:
    """Stand `distance_mm` from the point, leaning about the print's x and y axes."""
    turn = cv2.Rodrigues(np.radians([lean_deg[0], lean_deg[1], 0.0]))[0]
    shift = np.array([0.0, 0.0, distance_mm]) - turn @ np.array([*at_mm, 0.0])
    return View(lens=lens, rotation=turn, translation_mm=shift)


def photograph(
    print_: np.ndarray, view: View, *, px_per_mm: float, corner_mm: tuple[float, float] = (0, 0)
) -> np.ndarray:
    """Photograph a grey print (H, W), whose upper left corner lies at `corner_mm`, on a grey ground: bgr uint8."""
    width, height = view.lens.size_px
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    places = ((view.px_to_mm(pixels) - np.array(corner_mm)) * px_per_mm - 0.5).astype(np.float32)
    across = cv2.resize(places.reshape(height, width, 2), (FINE * width, FINE * height))  # nearly linear within a pixel
    seen = cv2.remap(print_, across[..., 0], across[..., 1], cv2.INTER_LINEAR, borderValue=140)
    small = cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA)
    noisy = cv2.GaussianBlur(small, (0, 0), 0.7) + np.random.default_rng(1).normal(0, 1.5, small.shape)
    return cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
