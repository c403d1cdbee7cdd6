"""Views of cards as a table's camera gives them: one to be read, others over and under it, its outline a bit off."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from linesies.training.decks import Deck, IndexBox
from linesies.training.reader.camera import light, photograph
from linesies.vision import CARD_MM, Image

Array = NDArray[np.float64]
Layer = list[tuple[Image, Array]]  # cards and how they lie
HALF_MM = np.array(CARD_MM) / 2
ASLANT, ASLANT_DEG = 0.3, (35.0, 62.0)  # share of the cameras that look across the table, and how far they are tilted
ASTRAY, ASTRAY_MM = 0.2, 3.0  # share of the outlines that lie beside the card, as covered ones' do, and how far


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """A deck's faces at three resolutions, as BGRA, the card's shape as alpha: what views are pasted from."""

    levels: dict[str, tuple[Image, ...]]
    indices: dict[str, tuple[IndexBox, ...]]
    px_per_mm: float
    words: str  # the letters' language

    def at(self, name: str, px_per_mm: float) -> Image:
        """Give a face (or the `back`) at the coarsest resolution that still serves."""
        levels = self.levels[name]
        steps = np.log2(max(self.px_per_mm / (1.25 * px_per_mm), 1.0))
        return levels[min(int(steps), len(levels) - 1)]


def printed(deck: Deck, letters: str) -> Print:
    """Bring a deck into a form that can be pasted quickly."""
    levels: dict[str, tuple[Image, ...]] = {}
    jokers = {f"joker{k}": joker for k, joker in enumerate(deck.jokers)}
    for name, face in (deck.faces | jokers | {"back": deck.back}).items():
        full = cv2.merge([face, deck.alpha])
        half = cv2.resize(full, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels[name] = (full, half, cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return Print(levels=levels, indices=deck.indices, px_per_mm=deck.px_per_mm, words=letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A picture, the corners (4, 2) that a finder gave for the card to read, the true ones, and where it is seen."""

    picture: Image
    quad_px: Array
    true_quad_px: Array
    seen: NDArray[np.float32]


def draw_camera(rng: Generator) -> tuple[Array, float]:
    """Draw how millimetres on the table become pixels, a homography about the origin, and its scale."""
    px_per_mm = float(np.exp(rng.uniform(np.log(0.95), np.log(2.6)) if rng.random() < 0.9 else rng.uniform(0.9, 1.8)))
    tilt = np.radians(rng.uniform(*ASLANT_DEG) if rng.random() < ASLANT else 50 * rng.beta(1, 2))
    around, turn = rng.uniform(0, 2 * np.pi, 2)
    if rng.random() < 0.5:
        turn = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1)
    c, s = np.cos(around), np.sin(around)
    squeeze = np.array([[c, s], [-s, c]]).T @ np.diag([1.0, np.cos(tilt)]) @ np.array([[c, s], [-s, c]])
    c, s = np.cos(turn), np.sin(turn)
    matrix = np.eye(3)
    matrix[:2, :2] = np.array([[c, -s], [s, c]]) @ squeeze * px_per_mm
    matrix[2, :2] = rng.normal(0, 0.0008, 2)
    return matrix, px_per_mm


def place(offset_mm: tuple[float, float], turn: float) -> Array:
    """Lay a card on the table: its own millimetres, from its middle, to the table's."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c, -s, offset_mm[0]], [s, c, offset_mm[1]], [0, 0, 1]])


def draw_view(
    rng: Generator,
    art: Image,
    others: tuple[Layer, Layer],
    ground: Image,
    camera: tuple[Array, float],
    *,
    around_mm: float,
) -> CardView:
    """Picture a card's `art` (BGRA) at the table's origin, `others` above it and below, and a margin of the table."""
    above, below = others
    matrix, px_per_mm = camera
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * HALF_MM
    at = cv2.perspectiveTransform(corners[None], matrix)[0]
    margin = 3 + around_mm * px_per_mm
    low = np.floor(at.min(0) - margin)
    size = tuple(int(v) for v in np.ceil(at.max(0) + margin - low))
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    table = shift @ matrix
    scene = cv2.resize(ground, size, interpolation=cv2.INTER_LINEAR).astype(np.float32)
    for other, pose in below:
        _lay(scene, other, table @ pose, rng)
    _lay(scene, art, table, rng)
    seen = np.ones(scene.shape[:2], np.float32)
    for other, pose in above:
        seen *= 1 - _lay(scene, other, table @ pose, rng)
    picture = photograph(light(scene, rng), rng, px_per_mm)
    quad = at - low
    return CardView(picture=picture, quad_px=quad + _outline_error(rng, quad, px_per_mm), true_quad_px=quad, seen=seen)


def strayed(quad_px: Array, rng: Generator) -> Array:
    """Draw an outline that is none: on a part of the card, half beside it, across it, or far too wide."""
    middle = quad_px.mean(0)
    sides = quad_px - middle
    lot = rng.random()
    if lot < 0.4:  # a pip or a picture taken for a card
        return (
            middle
            + sides * rng.uniform(0.15, 0.6)
            + rng.uniform(-0.7, 0.7) * sides[0]
            + rng.uniform(-0.7, 0.7) * sides[1]
        )
    if lot < 0.75:
        away = rng.uniform(0.5, 1.0) * rng.choice([-1, 1])
        return quad_px + away * (quad_px[1] - quad_px[0] if rng.random() < 0.5 else quad_px[3] - quad_px[0])
    if lot < 0.9:
        return np.roll(quad_px, 1, 0)
    return middle + sides * rng.uniform(1.35, 1.8)


def _outline_error(rng: Generator, quad_px: Array, px_per_mm: float) -> Array:
    """Draw how a finder errs: a pixel a corner or more, a common shift, or a side drawn where another card ends."""
    lot = rng.random()
    spread = 0.3 + 0.25 * px_per_mm if lot < 0.75 else 1.0 + 0.8 * px_per_mm
    error = rng.normal(0, spread * 0.7, (4, 2)) + rng.normal(0, spread * 0.4, 2)
    error = np.clip(error, -3 * px_per_mm, 3 * px_per_mm)
    if rng.random() < ASTRAY:
        error = error + rng.normal(0, ASTRAY_MM * px_per_mm, 2)
    for _ in range(0 if lot < 0.9 else rng.integers(1, 3)):
        a, b = (side := rng.integers(4)), (side + 1) % 4
        along = quad_px[b] - quad_px[a]
        outward = np.array([along[1], -along[0]]) / np.linalg.norm(along)
        error[a] += outward * rng.normal(0, 3) * px_per_mm
        error[b] += outward * rng.normal(0, 3) * px_per_mm
    return error


def _lay(scene: NDArray[np.float32], art: Image, pose: Array, rng: Generator) -> NDArray[np.float32]:
    """Lay a card (BGRA) into a scene with the shadow that it casts, and tell where it covers (0..1)."""
    height, width = art.shape[:2]
    size = (scene.shape[1], scene.shape[0])
    own = np.array(
        [
            [CARD_MM[0] / width, 0, (0.5 / width - 0.5) * CARD_MM[0]],
            [0, CARD_MM[1] / height, (0.5 / height - 0.5) * CARD_MM[1]],
            [0, 0, 1],
        ]
    )
    seen = cv2.warpPerspective(art, pose @ own, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    cover = cv2.multiply(seen[..., 3], 1 / 255, dtype=cv2.CV_32F)
    if rng.random() < 0.5:
        shift = np.array([[1, 0, rng.uniform(-2, 2)], [0, 1, rng.uniform(-2, 2)]], np.float32)
        shadow = cv2.blur(cv2.warpAffine(cover, shift, size), (2 * int(rng.integers(1, 5)) + 1,) * 2)
        scene *= (1 - np.float32(rng.uniform(0.1, 0.6)) * shadow)[..., None]
    bgr = seen[..., :3].astype(np.float32)
    cv2.blendLinear(bgr, scene, cover, 1 - cover, scene)
    return cover
