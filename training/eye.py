"""A camera over a table, and sheets laid before it: true projection, curl, soft shadows.

The table's frame has x to the right, y down and z *into* the table, in mm; (0, 0) is where the camera looks.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.noise import Floats

Array = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Eye:
    """A pinhole camera: `projection` (3, 4) takes table points into the picture of `size_px` (width, height)."""

    projection: Array
    size_px: tuple[int, int]
    px_per_mm: float

    def project(self, points_mm: Array) -> Array:
        """Project table points (N, 3) to pixels (N, 2)."""
        seen = points_mm @ self.projection[:, :3].T + self.projection[:, 3]
        return seen[:, :2] / seen[:, 2:]

    @property
    def table(self) -> Array:
        """The homography from the table's plane (mm) to pixels."""
        return self.projection[:, [0, 1, 3]]


def draw_eye(rng: Rng, size_px: tuple[int, int], px_per_mm: float, tilt_deg: tuple[float, float] = (0.0, 50.0)) -> Eye:
    """Hang a camera, tilted within `tilt_deg`; a millimetre at the picture's middle spans `px_per_mm` pixels."""
    width, height = size_px
    focal = max(size_px) * rng.uniform(0.9, 1.9)
    least, most = np.radians(tilt_deg)
    tilt, roll = least + (most - least) * rng.beta(1.2, 1.8), rng.uniform(0, 2 * np.pi)
    towards = rng.normal(0, 0.1)
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turns = [np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]) for a in (towards, roll)]
    rotation = turns[0] @ about_x @ turns[1]
    camera = np.array([[focal, 0, width / 2 - 0.5], [0, focal, height / 2 - 0.5], [0, 0, 1]])
    pose = np.column_stack([rotation, (0.0, 0.0, focal / px_per_mm)])
    return Eye(projection=camera @ pose, size_px=size_px, px_per_mm=px_per_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A thin thing on the table: its middle, turn, size, height and curl, each in mm but the turn (radians)."""

    middle_mm: tuple[float, float]
    turn: float
    size_mm: tuple[float, float]
    lift_mm: float = 0.0
    curl_mm: float = 0.0  # how far the ends stand above the middle (or, negative, the middle above the ends)
    curl_turn: float = 0.0  # along which direction of the sheet it is curled, radians

    def rise_mm(self, u: Array, v: Array) -> Array:
        """How high the sheet's points (u, v), mm from its middle, lie above the table."""
        reach = np.hypot(*self.size_mm) / 2
        along = (u * np.cos(self.curl_turn) + v * np.sin(self.curl_turn)) / reach
        bent = self.curl_mm * along**2
        return self.lift_mm + bent - min(self.curl_mm, 0.0)

    def points_mm(self, u: Array, v: Array) -> Array:
        """Place the sheet's points (u, v), mm from its middle, in the table's frame: (N, 3)."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        x, y = self.middle_mm[0] + c * u - s * v, self.middle_mm[1] + s * u + c * v
        return np.column_stack([x, y, -self.rise_mm(u, v)])

    def corners_mm(self) -> Array:
        """Place the corners (4, 3), clockwise from the print's top left."""
        w, h = self.size_mm[0] / 2, self.size_mm[1] / 2
        return self.points_mm(np.array([-w, w, w, -w]), np.array([-h, -h, h, h]))

    def sides_mm(self) -> Array:
        """Place nine points along each side, (4 * 9, 3), in the corners' order."""
        w, h = self.size_mm[0] / 2, self.size_mm[1] / 2
        corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
        along = np.linspace(0, 1, 9)[None, :, None]
        u, v = (corners[:, None] + along * (np.roll(corners, -1, 0) - corners)[:, None]).reshape(-1, 2).T
        return self.points_mm(u, v)


FINER = 2  # samples a pixel, each way


def lay_sheet(eye: Eye, sheet: Sheet, art: NDArray[np.uint8]) -> tuple[tuple[slice, slice], Floats, Floats] | None:
    """See a sheet printed with `art` (h, w, 4): the part of the picture it lies in, its BGR there, its share there.

    None when it is out of the picture.
    """
    corners_px = eye.project(sheet.corners_mm())
    margin = 2 + 8 * eye.px_per_mm
    low = np.floor(np.maximum(corners_px.min(0) - margin, 0)).astype(int)
    high = np.ceil(np.minimum(corners_px.max(0) + margin, eye.size_px)).astype(int)
    if (high - low < 2).any():
        return None
    w, h = sheet.size_mm
    art = _coarser(art, w, eye.px_per_mm)
    flat = np.array([(-w, -h), (w, -h), (w, h), (-w, h)], np.float32) / 2
    to_sheet = cv2.getPerspectiveTransform(corners_px.astype(np.float32), flat)
    xs = low[0] + (np.arange((high[0] - low[0]) * FINER) + 0.5) / FINER - 0.5
    ys = low[1] + (np.arange((high[1] - low[1]) * FINER) + 0.5) / FINER - 0.5
    grid = np.stack(np.meshgrid(xs, ys), -1).astype(np.float32)
    uv = cv2.perspectiveTransform(grid.reshape(1, -1, 2), to_sheet)[0]
    if sheet.curl_mm:
        uv += _straightened(eye, sheet, to_sheet, uv)
    scale = np.array(art.shape[1::-1]) / sheet.size_mm
    at = ((uv + np.array(sheet.size_mm) / 2) * scale - 0.5).astype(np.float32).reshape(*grid.shape)
    seen = cv2.remap(art, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    seen = seen.astype(np.float32)
    seen[..., :3] *= seen[..., 3:] / 255  # weigh colours by how solid they are before they are averaged
    seen = cv2.resize(seen, tuple((high - low).tolist()), interpolation=cv2.INTER_AREA)
    share = seen[..., 3] / 255
    return (slice(low[1], high[1]), slice(low[0], high[0])), seen[..., :3], share


def _coarser(art: NDArray[np.uint8], width_mm: float, px_per_mm: float) -> NDArray[np.uint8]:
    wanted = width_mm * px_per_mm * FINER
    while art.shape[1] > 2 * wanted:
        art = cv2.resize(art, (art.shape[1] // 2, art.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return art


def _straightened(eye: Eye, sheet: Sheet, to_sheet: Array, uv: Floats) -> Floats:
    """Tell how far a curled sheet's points lie from where a flat one's would: a quadric fitted on a grid."""
    w, h = sheet.size_mm
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(-w / 2, w / 2, 7), np.linspace(-h / 2, h / 2, 7)))
    px = eye.project(sheet.points_mm(u, v)).astype(np.float32)
    flat = cv2.perspectiveTransform(px[None], to_sheet)[0]
    x, y = (flat / 50).T
    terms = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    away, *_ = np.linalg.lstsq(terms, np.column_stack([u, v]) - flat, rcond=None)
    c = away.astype(np.float32)
    x, y = np.clip(uv[:, :1], -w, w) / 50, np.clip(uv[:, 1:], -h, h) / 50
    return c[0] + x * (c[1] + x * c[3] + y * c[4]) + y * (c[2] + y * c[5])
