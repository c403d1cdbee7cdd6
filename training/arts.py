"""Arts for the finder's training: crude faces and backs of every kind, 63 x 88 mm with rounded corners.

The finder need not know what a card shows, only that it is one, so these care for variety: light and dark
grounds, frames or none, pips, numbers, pictures, lattices, full-bleed prints.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.noise import Floats, draw_colour, draw_noise, mix
from linesies.training.surfaces import draw_surface
from linesies.vision import CARD_MM

Rng = np.random.Generator
Art = NDArray[np.uint8]  # (352, 252, 4): BGR and how solid

ART_PX_PER_MM = 4
WIDTH, HEIGHT = (round(side * ART_PX_PER_MM) for side in CARD_MM)


def rounded(bgr: Floats, radius_mm: float = 3.5) -> Art:
    """Cut the corners round."""
    solid = np.zeros((HEIGHT, WIDTH), np.uint8)
    r = int(radius_mm * ART_PX_PER_MM)
    cv2.rectangle(solid, (r, 0), (WIDTH - 1 - r, HEIGHT - 1), 255, -1)
    cv2.rectangle(solid, (0, r), (WIDTH - 1, HEIGHT - 1 - r), 255, -1)
    for x in (r, WIDTH - 1 - r):
        for y in (r, HEIGHT - 1 - r):
            cv2.circle(solid, (x, y), r, 255, -1, cv2.LINE_AA)
    return np.dstack([np.clip(bgr, 0, 255).astype(np.uint8), solid])


def draw_back(rng: Rng) -> Art:
    """Draw a back: a pattern of two or three colours, framed or full-bleed."""
    ground = _ground(rng, dark_share=0.5)
    ink = draw_colour(rng, bright=(10, 200), vivid=1.3)
    inner = np.tile(ink, (HEIGHT, WIDTH, 1))
    kind = rng.integers(7)
    if kind == 0:
        inner = draw_surface(rng, HEIGHT)[:, :WIDTH]
    elif kind in (1, 2):
        inner = _lattice(rng, ink, draw_colour(rng, vivid=1.0))
    elif kind == 3:
        inner = _rings(rng, ink, draw_colour(rng, vivid=1.0))
    elif kind == 4:
        half = draw_surface(rng, HEIGHT)[: HEIGHT // 2, :WIDTH]
        inner = np.vstack([half, half[::-1, ::-1]])
    elif kind == 5:
        inner = _dots(rng, ink, draw_colour(rng, vivid=1.0))
    inner = np.array(inner, np.float32, order="C")
    if rng.random() < 0.4:
        _ornament(rng, inner)
    return rounded(_framed(rng, ground, inner, bleed_share=0.3))


def draw_face(rng: Rng) -> Art:
    """Draw a face: pips and indices, a court, or the big number or picture of another game."""
    ground = _ground(rng, dark_share=0.15)
    face = np.tile(ground, (HEIGHT, WIDTH, 1))
    ink = draw_colour(rng, bright=(5, 110), vivid=1.6) if ground.mean() > 110 else draw_colour(rng, bright=(120, 250))
    kind = rng.integers(5)
    if kind <= 1:
        _pips(rng, face, ink)
    elif kind == 2:
        _court(rng, face)
    elif kind == 3:
        _number(rng, face, ink)
    else:
        half = draw_surface(rng, HEIGHT)[:, :WIDTH] * 0.6 + 0.4 * ground
        face = _framed(rng, ground, half, bleed_share=0.4)
        _ornament(rng, face)
    if rng.random() < 0.8:
        _indices(rng, face, ink)
    return rounded(face)


def _ground(rng: Rng, dark_share: float) -> Floats:
    if rng.random() < dark_share:
        return draw_colour(rng, bright=(5, 200), vivid=1.0)
    return draw_colour(rng, bright=(215, 252), vivid=rng.uniform(0, 0.8))


def _framed(rng: Rng, ground: Floats, inner: Floats, bleed_share: float) -> Floats:
    if rng.random() < bleed_share:
        return np.array(inner[:HEIGHT, :WIDTH], np.float32, order="C")
    margin = int(rng.uniform(1.5, 7) * ART_PX_PER_MM)
    face = np.tile(ground, (HEIGHT, WIDTH, 1))
    face[margin:-margin, margin:-margin] = inner[margin : HEIGHT - margin, margin : WIDTH - margin]
    if rng.random() < 0.3:
        corners = (margin, margin), (WIDTH - margin, HEIGHT - margin)
        cv2.rectangle(face, *corners, draw_colour(rng).tolist(), int(rng.integers(1, 6)))
    return face


def _lattice(rng: Rng, first: Floats, second: Floats) -> Floats:
    ys, xs = np.indices((HEIGHT, WIDTH), np.float32)
    period, duty = rng.uniform(5, 40), rng.uniform(0.15, 0.6)
    angle = rng.choice([0.0, np.pi / 4, rng.uniform(0, np.pi)])
    along, across = xs * np.cos(angle) + ys * np.sin(angle), ys * np.cos(angle) - xs * np.sin(angle)
    lines = ((along / period) % 1 < duty) | (((across / period) % 1 < duty) & (rng.random() < 0.75))
    return np.where(lines[..., None], second, first).astype(np.float32)


def _rings(rng: Rng, first: Floats, second: Floats) -> Floats:
    ys, xs = np.indices((HEIGHT, WIDTH), np.float32)
    dx, dy = np.abs(xs - WIDTH / 2), np.abs(ys - HEIGHT / 2)
    away = np.maximum(dx, dy - (HEIGHT - WIDTH) / 2) if rng.random() < 0.5 else np.hypot(dx, dy)
    return np.where((away / rng.uniform(6, 40) % 1 < rng.uniform(0.2, 0.7))[..., None], second, first)


def _dots(rng: Rng, first: Floats, second: Floats) -> Floats:
    ys, xs = np.indices((HEIGHT, WIDTH), np.float32)
    period = rng.uniform(8, 40)
    away = np.hypot(xs % period - period / 2, (ys + period / 2 * (xs // period % 2)) % period - period / 2) / period
    low = rng.uniform(0, 0.2)
    return np.where(((away > low) & (away < rng.uniform(0.25, 0.5)))[..., None], second, first)


def _ornament(rng: Rng, face: Floats) -> None:
    """Something in the middle: an oval, a star, a shield."""
    colour, edge = draw_colour(rng).tolist(), draw_colour(rng).tolist()
    axes = (int(rng.integers(20, 90)), int(rng.integers(20, 110)))
    if rng.random() < 0.5:
        cv2.ellipse(face, (WIDTH // 2, HEIGHT // 2), axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
        cv2.ellipse(face, (WIDTH // 2, HEIGHT // 2), axes, 0, 0, 360, edge, 5, cv2.LINE_AA)
        return
    turns = np.linspace(0, 2 * np.pi, int(rng.integers(5, 13)), endpoint=False)
    reach = np.where(np.arange(len(turns)) % 2, 1.0, rng.uniform(0.3, 1.0))[:, None]
    star = np.column_stack([np.sin(turns), np.cos(turns)]) * axes * reach + (WIDTH / 2, HEIGHT / 2)
    cv2.fillPoly(face, [star.astype(np.int32)], colour, cv2.LINE_AA)


def _pip(face: Floats, at: tuple[float, float], size: float, ink: Floats, shape: int) -> None:
    x, y, s = int(at[0]), int(at[1]), max(2, int(size))
    colour = ink.tolist()
    if shape == 0:
        diamond = np.array([(x, y - s), (x + int(0.75 * s), y), (x, y + s), (x - int(0.75 * s), y)], np.int32)
        cv2.fillPoly(face, [diamond], colour, cv2.LINE_AA)
        return
    flip = -1 if shape == 1 else 1  # a heart, or a spade, or a club
    for dx in (-0.45, 0.45):
        cv2.circle(face, (x + int(dx * s), y + int(flip * 0.2 * s)), int(0.5 * s), colour, -1, cv2.LINE_AA)
    if shape == 3:
        cv2.circle(face, (x, y - int(0.4 * s)), int(0.5 * s), colour, -1, cv2.LINE_AA)
    tip = np.array([(x - int(0.85 * s), y + int(flip * 0.3 * s)), (x + int(0.85 * s), y + int(flip * 0.3 * s))])
    if shape != 3:
        cv2.fillPoly(face, [np.vstack([tip, (x, y - flip * s)]).astype(np.int32)], colour, cv2.LINE_AA)
    if shape >= 2:
        cv2.line(face, (x, y), (x, y + s), colour, max(2, s // 4), cv2.LINE_AA)


def _pips(rng: Rng, face: Floats, ink: Floats) -> None:
    shape, size = int(rng.integers(4)), rng.uniform(14, 34)
    columns = (WIDTH * 0.3, WIDTH * 0.5, WIDTH * 0.7)
    count = int(rng.integers(1, 11))
    places = [(x, y) for x in columns for y in np.linspace(HEIGHT * 0.17, HEIGHT * 0.83, 5)]
    chosen = [(WIDTH / 2, HEIGHT / 2)] if count == 1 else [places[i] for i in rng.permutation(len(places))[:count]]
    for at in chosen:
        _pip(face, at, size * (rng.uniform(1.2, 3.5) if count == 1 else 1.0), ink, shape)


def _court(rng: Rng, face: Floats) -> None:
    left, top = (int(rng.uniform(0.1, 0.22) * WIDTH), int(rng.uniform(0.05, 0.15) * HEIGHT))
    wide, high = WIDTH - 2 * left, HEIGHT // 2 - top
    art = np.tile(_ground(rng, dark_share=0.2), (high, wide, 1))
    for _ in range(int(rng.integers(15, 60))):
        points = rng.integers(0, (wide, high), 2) + rng.integers(-30, 30, (int(rng.integers(3, 7)), 2))
        cv2.fillPoly(art, [points.astype(np.int32)], draw_colour(rng, vivid=1.6).tolist(), cv2.LINE_AA)
    art += 12 * draw_noise(rng, (high, wide), coarse=20, octaves=2)[..., None]
    face[top : top + high, left : left + wide] = art
    face[HEIGHT - top - high : HEIGHT - top, left : left + wide] = art[::-1, ::-1]
    if rng.random() < 0.6:
        cv2.rectangle(face, (left, top), (WIDTH - left, HEIGHT - top), draw_colour(rng).tolist(), 2)


def _number(rng: Rng, face: Floats, ink: Floats) -> None:
    if rng.random() < 0.5:
        oval = (int(rng.integers(50, 100)), int(rng.integers(60, 130)))
        cv2.ellipse(face, (WIDTH // 2, HEIGHT // 2), oval, 0, 0, 360, draw_colour(rng).tolist(), -1, cv2.LINE_AA)
    text, scale = str(rng.integers(1, 15)), rng.uniform(3, 6)
    at = (int(WIDTH / 2 - 10 * scale * len(text)), int(HEIGHT / 2 + 11 * scale))
    _write(face, text, at, ink, (int(rng.integers(0, 8)), scale, int(rng.integers(4, 16))))


def _indices(rng: Rng, face: Floats, ink: Floats) -> None:
    text = "A23456789TJQK"[rng.integers(13)]
    x, y = (int(rng.uniform(1, 6) * ART_PX_PER_MM) for _ in range(2))
    scale, shape = rng.uniform(0.8, 2.2), int(rng.integers(4))
    for _ in range(2):
        at = (x, y + int(22 * scale))
        _write(face, text, at, ink, (int(rng.integers(0, 5)), scale, int(rng.integers(2, 6))))
        _pip(face, (x + 10 * scale, y + 36 * scale), 9 * scale, ink, shape)
        face[:] = face[::-1, ::-1].copy()


def _write(face: Floats, text: str, at: tuple[int, int], ink: Floats, pen: tuple[int, float, int]) -> None:
    """Write with a pen: font, scale, thickness."""
    inked = np.zeros(face.shape[:2], np.uint8)
    font, scale, thickness = pen
    cv2.putText(inked, text, at, font, scale, 255, thickness, cv2.LINE_AA)
    face[:] = mix(face, ink, inked.astype(np.float32) / np.float32(255))
