"""A player's hand and arm: shaped from rounded limbs, shaded once, then laid over the picture in perspective."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Lens, View
from linesies.simulator.noise import noise_tile
from linesies.simulator.street.light import Light, linear
from linesies.simulator.street.limbs import SHAPES, Gesture, Limbs
from linesies.simulator.street.planes import Box, Planes

Array = NDArray[np.float32]
Image = NDArray[np.uint8]
Piece = tuple[int, int]  # from, to along the sprite, in mm

REACH_MM = 2600  # from fingertip to where the sleeve ends, beyond any picture
WIDE_MM = 240
TIP_X, TIP_Y = REACH_MM - 60, WIDE_MM // 2  # where the fingertip is on the sprite
FAR_PX = 2e4  # what is farther out of the picture is beside or behind the camera
STEP_MM = 2.5  # a sprite's pixel
LAP_MM = 6  # how far the arm's pieces overlap, so that no seam shows
HIGHEST = 0.45  # of the camera's height: nobody's shoulder is in front of it
NEAREST = 0.2  # of the camera's height: nearer than this nothing is in front of it
BEYOND = 1.05  # times the picture's reach, what the lens does is not known
HAND_MM = 14.0  # how high the hand is held over the ground


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hand:
    """A hand (or a foot, or a dog) of this moment: where its tip is, where it points (radians), how high, whose."""

    tip_mm: Array
    bearing_rad: float
    lift_mm: float
    person: int
    gesture: Gesture


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sprite:
    """A hand as it looks from above: (h, w, 4), r, g, b (weighted by cover) and cover; and its covered pieces."""

    rgba: Image
    pieces: tuple[Piece, ...]


def lay_hand(planes: Planes, hand: Hand, view: View, light: Light) -> None:
    """Lay a hand and its shadow over the picture."""
    octant = int(np.floor(hand.bearing_rad / (np.pi / 4) + 0.5)) % 8
    sun_x, sun_y, sun_up = (float(v) for v in light.to_sun)
    turn = octant * np.pi / 4
    sun = (
        round(sun_x * np.cos(turn) + sun_y * np.sin(turn), 3),
        round(sun_y * np.cos(turn) - sun_x * np.sin(turn), 3),
        round(sun_up, 3),
    )
    sprite = _sprite(hand.gesture, hand.person, sun, float(light.sky_rgb.mean()))
    highest_mm = HIGHEST * view.camera_height_mm
    corners, heights = _corners(hand, sprite.pieces, highest_mm)
    fallen = _seen(view, corners + heights[:, None] * light.per_mm, np.zeros(len(corners)))
    keep, soft = _keep(light), int(1.5 + light.softness * 30) | 1
    for box, patch in _onto(planes, sprite, sprite.pieces, fallen):
        _lay_shadow(planes, box, cv2.blur(cv2.extractChannel(patch, 3), (soft, soft)), keep)
    lapped = tuple((max(first - LAP_MM, 0), last) for first, last in sprite.pieces)
    seen = _seen(view, *_corners(hand, lapped, highest_mm))
    for box, patch in _onto(planes, sprite, lapped, seen):
        _lay_piece(planes, box, patch)


_EDGES = [*range(0, 2200, 200), 2200, 2330, 2440, REACH_MM]  # laid in pieces, so that boxes stay small
_PIECES = list(pairwise(_EDGES))


def _seen(view: View, corners: NDArray[np.float64], heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Project corners, four a piece: (N / 4, 4, 2); what is beside or behind the camera lies infinitely far away."""
    seen = np.column_stack([corners, -heights]) @ view.rotation.T + view.translation_mm
    is_before = seen[:, 2] > NEAREST * view.camera_height_mm
    px = np.full((len(corners), 2), np.inf)
    seen = seen[is_before, :2] / seen[is_before, 2:]
    # farther out a lens model folds back into the picture: there, the last of it goes on straight
    out = np.maximum(np.hypot(*seen.T) / (BEYOND * _reach(view.lens)), 1.0)[:, None]
    px[is_before] = view.lens.distort(seen / out) * out + view.lens.camera_matrix[:2, 2] * (1 - out)
    return px.reshape(-1, 4, 2)


@lru_cache(maxsize=8)
def _reach(lens: Lens) -> float:
    """How far from its middle the picture's corners are seen, without the lens."""
    width, height = lens.size_px
    return float(np.hypot(*lens.undistort(np.array([[0, 0], [width, 0], [0, height], [width, height]])).T).max())


def _corners(
    hand: Hand, pieces: tuple[Piece, ...], highest_mm: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the board points (4 a piece, 2) under the pieces' corners, and their heights."""
    along = np.array([(first, last, last, first) for first, last in pieces], float).ravel() - TIP_X
    across = np.tile([-TIP_Y, -TIP_Y, WIDE_MM - TIP_Y, WIDE_MM - TIP_Y], len(pieces))
    c, s = np.cos(hand.bearing_rad), np.sin(hand.bearing_rad)
    points = hand.tip_mm + np.column_stack([c * along - s * across, s * along + c * across])
    heights = hand.lift_mm + HAND_MM - SHAPES[hand.gesture].rise * np.minimum(along, 0.0)
    return points, np.minimum(heights, highest_mm)


def _lay_piece(planes: Planes, box: Box, patch: Image) -> None:
    x0, y0, x1, y1 = box
    left = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(patch, 3)), cv2.COLOR_GRAY2RGB)
    under = cv2.multiply(planes.rgb[y0:y1, x0:x1], left, scale=1 / 255)
    planes.paint(box, cv2.add(under, cv2.cvtColor(patch, cv2.COLOR_RGBA2RGB)))


def _lay_shadow(planes: Planes, box: Box, cover: Image, keep: Image) -> None:
    x0, y0, x1, y1 = box
    kept = cv2.cvtColor(cv2.LUT(cover, keep), cv2.COLOR_GRAY2RGB)
    planes.paint(box, cv2.multiply(planes.rgb[y0:y1, x0:x1], kept, scale=1 / 255))


def _keep(light: Light) -> Image:
    """Tabulate by how much a shadow's cover (0 to 255) darkens: 255 leaves all."""
    sun_share = float((light.sun_rgb / (light.sun_rgb + light.sky_rgb)).mean())
    darkest = (1 - sun_share) ** 0.45 if light.softness < 0.5 else 0.8  # linear light to coded
    return np.rint(255 - (1 - darkest) * np.arange(256)).astype(np.uint8)


def _onto(
    planes: Planes, sprite: Sprite, pieces: tuple[Piece, ...], seen: NDArray[np.float64]
) -> Iterator[tuple[Box, Image]]:
    """Warp each piece of the sprite that is in the picture onto its box; `seen`: (N, 4, 2), its corners."""
    low = np.maximum(np.floor(np.clip(seen.min(axis=1), -FAR_PX, FAR_PX)).astype(int) & ~1, 0)
    high = (np.ceil(np.clip(seen.max(axis=1), -FAR_PX, FAR_PX)).astype(int) + 2) & ~1
    high = np.minimum(high, [planes.width, planes.height])
    is_in = (np.abs(seen).max(axis=(1, 2)) < FAR_PX) & ((high - low) >= 4).all(axis=1)
    for i in np.flatnonzero(is_in):
        first, last = (int(v / STEP_MM) for v in pieces[i])
        part = sprite.rgba[:, first:last]
        height, width = part.shape[:2]
        corners = np.array(
            [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32
        )
        (x0, y0), (x1, y1) = low[i].tolist(), high[i].tolist()
        turn = cv2.getPerspectiveTransform(corners, (seen[i] - low[i]).astype(np.float32))
        yield (x0, y0, x1, y1), cv2.warpPerspective(part, turn, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)


@lru_cache(maxsize=64)
def _sprite(gesture: Gesture, person: int, sun: tuple[float, float, float], sky: float) -> Sprite:
    """Shape and shade a hand with its sleeve."""
    size = (int(WIDE_MM / STEP_MM), int(REACH_MM / STEP_MM))
    shape = SHAPES[gesture]
    skin, sleeve = _relief(shape.bare, size), _relief(shape.clothed, size)
    folds = noise_tile(np.random.default_rng(person), 7.0)[: size[0], :]
    folds = np.tile(folds, (1, size[1] // folds.shape[1] + 1))[:, : size[1]]
    is_sleeve = sleeve > 0
    relief = np.where(is_sleeve, sleeve + 2.2 * folds, skin)
    down, along = np.gradient(cv2.GaussianBlur(relief.astype(np.float32), (0, 0), 1.2) / STEP_MM)
    normal = np.dstack([-along, -down, np.ones_like(along)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    lit = sky * (0.45 + 0.55 * normal[..., 2]) + (1 - sky) * np.maximum(normal @ np.array(sun, np.float32), 0) / sun[2]
    clothed, bare = (linear(rgb[person % len(rgb)]) for rgb in (shape.clothed_rgb, shape.bare_rgb))
    colour = np.where(is_sleeve[..., None], clothed, bare)
    shown = np.clip(colour * lit[..., None], 0, 1) ** (1 / 2.2) * 255
    cover = cv2.GaussianBlur(((skin > 0) | is_sleeve).astype(np.float32), (0, 0), 0.7)
    rgba = np.dstack([shown * cover[..., None], cover * 255]).astype(np.uint8)
    is_covered = [rgba[::4, int(first / STEP_MM) : int(last / STEP_MM) : 4, 3].any() for first, last in _PIECES]
    return Sprite(rgba=rgba, pieces=tuple(compress(_PIECES, is_covered)))


def _relief(limbs: Limbs, size: tuple[int, int]) -> Array:
    """Shape the height (mm) of limbs laid side by side: cones with round ends."""
    ys, xs = np.mgrid[: size[0], : size[1]].astype(np.float32)
    xs, ys = xs * np.float32(STEP_MM) - TIP_X, ys * np.float32(STEP_MM) - TIP_Y
    relief = np.zeros(size, np.float32)
    for (ax, ay, ar), (bx, by, br) in limbs:
        near = slice(max(int((min(ax, bx) + TIP_X - 100) / STEP_MM), 0), int((max(ax, bx) + TIP_X + 100) / STEP_MM) + 1)
        x, y = xs[:, near], ys[:, near]
        span2 = (bx - ax) ** 2 + (by - ay) ** 2
        share = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / span2, 0, 1)
        away2 = (x - ax - share * (bx - ax)) ** 2 + (y - ay - share * (by - ay)) ** 2
        radius = ar + share * (br - ar)
        np.maximum(relief[:, near], np.sqrt(np.maximum(radius**2 - away2, 0)), out=relief[:, near])
    return relief
