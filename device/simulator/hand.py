"""A player's hand and arm: shaped from rounded limbs, shaded once, then laid over the picture in perspective."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import View
from device.simulator.light import Light, linear
from device.simulator.limbs import SHAPES, Gesture, Limbs
from device.simulator.noise import noise_tile
from device.simulator.planes import Box, Planes

Array = NDArray[np.float32]
Piece = tuple[int, int]  # from, to along the sprite, in mm

REACH_MM = 2600  # from fingertip to where the sleeve ends, beyond any picture
WIDE_MM = 240
TIP_X, TIP_Y = REACH_MM - 60, WIDE_MM // 2  # where the fingertip is on the sprite
FAR_PX = 2e4  # what is farther out of the picture is beside or behind the camera
STEP_MM = 2.5  # a sprite's pixel
LAP_MM = 6  # how far the arm's pieces overlap, so that no seam shows
HIGHEST = 0.45  # of the camera's height: nobody's shoulder is in front of it
NEAREST = 0.2  # of the camera's height: nearer than this nothing is in front of it
HAND_MM = 14.0  # how high the hand is held over the ground


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hand:
    """A hand (or a foot, or a dog) of this moment: where its tip is, where it points (radians), how high, whose."""

    tip_mm: Array
    bearing_rad: float
    lift_mm: float
    person: int
    gesture: Gesture


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
    pieces = [piece for piece in _PIECES if _is_covered(sprite, *piece)]
    highest_mm = HIGHEST * view.camera_height_mm
    corners, heights = _corners(hand, pieces, highest_mm)
    fallen = _seen(view, corners + heights[:, None] * light.per_mm, np.zeros(len(corners)))
    for piece, px in zip(pieces, fallen, strict=True):
        _lay_shadow(planes, sprite, light, piece, px)
    lapped = [(max(first - LAP_MM, 0), last) for first, last in pieces]
    seen = _seen(view, *_corners(hand, lapped, highest_mm))
    for piece, px in zip(lapped, seen, strict=True):
        _lay_piece(planes, sprite, piece, px)


_EDGES = [*range(0, 2200, 200), 2200, 2330, 2440, REACH_MM]  # laid in pieces, so that boxes stay small
_PIECES = list(pairwise(_EDGES))


def _seen(view: View, corners: NDArray[np.float64], heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Project corners, four a piece: (N / 4, 4, 2); what is beside or behind the camera lies infinitely far away."""
    depths = (np.column_stack([corners, -heights]) @ view.rotation.T + view.translation_mm)[:, 2]
    is_before = depths > NEAREST * view.camera_height_mm
    px = np.full((len(corners), 2), np.inf)
    px[is_before] = view.mm_to_px(corners[is_before], heights[is_before])
    return px.reshape(-1, 4, 2)


def _is_covered(sprite: NDArray[np.uint8], first: int, last: int) -> bool:
    return bool(sprite[::4, int(first / STEP_MM) : int(last / STEP_MM) : 4, 3].any())


def _corners(hand: Hand, pieces: list[Piece], highest_mm: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the board points (4 a piece, 2) under the pieces' corners, and their heights."""
    along = np.array([(first, last, last, first) for first, last in pieces], float).ravel() - TIP_X
    across = np.tile([-TIP_Y, -TIP_Y, WIDE_MM - TIP_Y, WIDE_MM - TIP_Y], len(pieces))
    c, s = np.cos(hand.bearing_rad), np.sin(hand.bearing_rad)
    points = hand.tip_mm + np.column_stack([c * along - s * across, s * along + c * across])
    heights = hand.lift_mm + HAND_MM - SHAPES[hand.gesture].rise * np.minimum(along, 0.0)
    return points, np.minimum(heights, highest_mm)


def _lay_piece(planes: Planes, sprite: NDArray[np.uint8], piece: Piece, seen: NDArray[np.float64]) -> None:
    found = _onto(planes, sprite, piece, seen)
    if found is None:
        return
    (x0, y0, x1, y1), patch = found
    left = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(patch, 3)), cv2.COLOR_GRAY2RGB)
    under = cv2.multiply(planes.rgb[y0:y1, x0:x1], left, scale=1 / 255)
    planes.paint((x0, y0, x1, y1), cv2.add(under, cv2.cvtColor(patch, cv2.COLOR_RGBA2RGB)))


def _lay_shadow(
    planes: Planes, sprite: NDArray[np.uint8], light: Light, piece: Piece, fallen: NDArray[np.float64]
) -> None:
    found = _onto(planes, sprite, piece, fallen)
    if found is None:
        return
    (x0, y0, x1, y1), patch = found
    soft = int(1.5 + light.softness * 30) | 1
    cover = cv2.blur(cv2.extractChannel(patch, 3), (soft, soft))
    sun_share = float((light.sun_rgb / (light.sun_rgb + light.sky_rgb)).mean())
    darkest = (1 - sun_share) ** 0.45 if light.softness < 0.5 else 0.8  # linear light to coded
    keep = cv2.LUT(cover, np.rint(255 - (1 - darkest) * np.arange(256)).astype(np.uint8))
    under = planes.rgb[y0:y1, x0:x1]
    planes.paint((x0, y0, x1, y1), cv2.multiply(under, cv2.cvtColor(keep, cv2.COLOR_GRAY2RGB), scale=1 / 255))


def _onto(
    planes: Planes, sprite: NDArray[np.uint8], piece: Piece, seen: NDArray[np.float64]
) -> tuple[Box, NDArray[np.uint8]] | None:
    """Warp a piece of the sprite onto its box of the picture; None outside."""
    if not np.abs(seen).max() < FAR_PX:
        return None
    x0, y0 = np.maximum(np.floor(seen.min(axis=0)).astype(int) & ~1, 0)
    x1, y1 = np.minimum((np.ceil(seen.max(axis=0)).astype(int) + 2) & ~1, [planes.width, planes.height])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return None
    first, last = (int(v / STEP_MM) for v in piece)
    part = sprite[:, first:last]
    height, width = part.shape[:2]
    corners = np.array(
        [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32
    )
    turn = cv2.getPerspectiveTransform(corners, (seen - [x0, y0]).astype(np.float32))
    patch = cv2.warpPerspective(part, turn, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    return (int(x0), int(y0), int(x1), int(y1)), patch


@lru_cache(maxsize=64)
def _sprite(gesture: Gesture, person: int, sun: tuple[float, float, float], sky: float) -> NDArray[np.uint8]:
    """Shape and shade a hand with its sleeve: (h, w, 4), r, g, b (weighted by cover) and cover."""
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
    return np.dstack([shown * cover[..., None], cover * 255]).astype(np.uint8)


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
