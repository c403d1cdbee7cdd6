"""What else lies on a table: papers, phones, coins, dice, cups, pens, cables, hands; none of them is a card."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.eye import Eye, Sheet
from linesies.training.noise import Floats, draw_colour, draw_noise
from linesies.vision import CARD_MM

Rng = np.random.Generator
Art = NDArray[np.uint8]
Array = NDArray[np.float64]
Shape = tuple[NDArray[np.int32], Floats]  # a polygon (N, 2) in the picture and its colour


def draw_paper(rng: Rng) -> tuple[tuple[float, float], Art]:
    """Draw a sheet that is no card: a page, a note, a score pad, a book; its size in mm and its print."""
    sizes = [(148, 210), (105, 148), (76, 76), (74, 105), (210, 297), (100, 150), (130, 190), (50, 90), (120, 120)]
    size = np.array(sizes[rng.integers(len(sizes))]) * rng.uniform(0.85, 1.25)
    if (np.abs(size / CARD_MM - 1) < 0.2).all():
        size = size * 1.4
    scale = 2.0 if size[1] < 180 else 1.2
    width, height = (int(side * scale) for side in size)
    ground = draw_colour(rng, bright=(190, 250), vivid=rng.uniform(0, 1)) if rng.random() < 0.8 else draw_colour(rng)
    page = np.tile(ground, (height, width, 1)).astype(np.uint8)
    ink = draw_colour(rng, bright=(10, 120)).tolist()
    pitch = int(rng.uniform(4, 11) * scale)
    if rng.random() < 0.6:
        for y in range(pitch, height, pitch):
            cv2.line(page, (0, y), (width, y), (ground * 0.85).tolist(), 1)
    if rng.random() < 0.75:
        _scribble(rng, page, ink, pitch)
    if rng.random() < 0.25:
        low, high = rng.integers(0, (width // 2, height // 2)), rng.integers((width // 2, height // 2), (width, height))
        cv2.rectangle(page, low.tolist(), high.tolist(), draw_colour(rng).tolist(), -1 if rng.random() < 0.5 else 2)
    return (float(size[0]), float(size[1])), np.dstack([page, np.full(page.shape[:2], 255, np.uint8)])


def _scribble(rng: Rng, page: Art, ink: list[float], pitch: int) -> None:
    height, width = page.shape[:2]
    for y in range(int(pitch * rng.integers(1, 5)), height - pitch // 2, pitch):
        if rng.random() < 0.2:
            continue
        end = rng.uniform(0.2, 0.9) * width
        xs = np.arange(width * 0.08, max(end, width * 0.12), max(1.0, pitch / 6))
        ys = y - np.abs(rng.normal(0, pitch * 0.25, len(xs)))
        cv2.polylines(
            page,
            [np.column_stack([xs, ys]).astype(np.int32)],
            isClosed=False,
            color=ink,
            thickness=1,
            lineType=cv2.LINE_AA,
        )


def draw_phone(rng: Rng) -> tuple[tuple[float, float], Art]:
    """Draw a phone: dark or lit glass in a frame with round corners; its size in mm and its look."""
    size = (rng.uniform(64, 80), rng.uniform(135, 168))
    width, height = int(size[0] * 2), int(size[1] * 2)
    body = np.tile(draw_colour(rng, bright=(5, 60), vivid=0.3), (height, width, 1)).astype(np.uint8)
    if rng.random() < 0.5:
        rim = int(rng.uniform(3, 10))
        screen = body[rim : height - rim, rim : width - rim]
        screen[:] = draw_colour(rng, bright=(5, 250)).astype(np.uint8)
        for _ in range(int(rng.integers(0, 14))):
            low = rng.integers(0, (width - 20, height - 20))
            high = low + rng.integers(10, 90, 2)
            cv2.rectangle(screen, low.tolist(), high.tolist(), draw_colour(rng).tolist(), -1)
    solid = np.zeros((height, width), np.uint8)
    r = int(rng.uniform(8, 22))
    cv2.rectangle(solid, (r, r), (width - r, height - r), 255, -1)
    solid = cv2.dilate(solid, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)))
    return size, np.dstack([body, solid])


def draw_coin(rng: Rng) -> tuple[tuple[float, float], Art]:
    """Draw a coin, a chip or a cap seen from above."""
    size = rng.uniform(16, 42)
    side = 64
    metal = draw_colour(rng, bright=(60, 210), vivid=0.4)
    disc = metal * (1 + 0.25 * draw_noise(rng, (side, side), coarse=4)[..., None])
    cv2.circle(disc, (32, 32), 28, (metal * 0.7).tolist(), 2, cv2.LINE_AA)
    solid = np.zeros((side, side), np.uint8)
    cv2.circle(solid, (32, 32), 31, 255, -1, cv2.LINE_AA)
    return (size, size), np.dstack([np.clip(disc, 0, 255).astype(np.uint8), solid])


def draw_die(rng: Rng) -> tuple[tuple[float, float], Art]:
    """Draw a die seen from above."""
    size = rng.uniform(10, 20)
    face = np.tile(draw_colour(rng, bright=(10, 250), vivid=1.2), (32, 32, 1))
    pips = [(8, 8), (24, 24), (8, 24), (24, 8), (16, 16), (8, 16), (24, 16)]
    for at in pips[: int(rng.integers(1, 7))]:
        cv2.circle(face, at, 3, (255 - face[0, 0]).tolist(), -1, cv2.LINE_AA)
    return (size, size), np.dstack([face.astype(np.uint8), np.full((32, 32), 255, np.uint8)])


FLAT = (draw_paper, draw_paper, draw_paper, draw_phone, draw_coin, draw_coin, draw_die)


def lay_flat_thing(rng: Rng, at_mm: tuple[float, float]) -> tuple[Sheet, Art]:
    """Choose a flat thing that lies about `at_mm`."""
    size, art = FLAT[rng.integers(len(FLAT))](rng)
    return Sheet(middle_mm=at_mm, turn=rng.uniform(0, 2 * np.pi), size_mm=size, lift_mm=rng.uniform(0, 2)), art


def stand_thing(rng: Rng, eye: Eye, at_mm: tuple[float, float]) -> list[Shape]:
    """Choose a tall thing about `at_mm`: the polygons of which its picture is made, far ones first."""
    kinds = (_cup, _cup, _pen, _cable, _hand, _hand, _hand)
    return kinds[rng.integers(len(kinds))](rng, eye, np.array(at_mm))


def _ring_px(eye: Eye, at_mm: Array, radius_mm: float, height_mm: float) -> NDArray[np.int32]:
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = at_mm + radius_mm * np.column_stack([np.cos(turns), np.sin(turns)])
    return eye.project(np.column_stack([ring, np.full(40, -height_mm)])).astype(np.int32)


def _cup(rng: Rng, eye: Eye, at_mm: Array) -> list[Shape]:
    radius, height = rng.uniform(25, 48), rng.uniform(50, 150)
    colour, drink = draw_colour(rng), draw_colour(rng, bright=(15, 200))
    foot = _ring_px(eye, at_mm, radius * rng.uniform(0.7, 1.0), 0)
    rim, inside = _ring_px(eye, at_mm, radius, height), _ring_px(eye, at_mm, radius * 0.9, height * 0.95)
    hull = cv2.convexHull(np.vstack([foot, rim]))[:, 0]
    return [
        (hull, colour * 0.8),
        (rim, colour),
        (inside, colour * 0.6),
        (_ring_px(eye, at_mm, radius * 0.87, 0.8 * height), drink),
    ]


def _limb(eye: Eye, ends_mm: Array, radii_mm: tuple[float, float], height_mm: float, colour: Floats) -> list[Shape]:
    """Draw a capsule from end to end, its edges darker than its middle."""
    shapes = []
    for share, tone in ((1.0, 0.6), (0.85, 0.8), (0.6, 1.0), (0.3, 1.1)):
        rings = [_ring_px(eye, end, r * share, height_mm) for end, r in zip(ends_mm, radii_mm, strict=True)]
        shapes.append((cv2.convexHull(np.vstack(rings))[:, 0], np.clip(colour * tone, 0, 255)))
    return shapes


def _pen(rng: Rng, eye: Eye, at_mm: Array) -> list[Shape]:
    turn, radius = rng.uniform(0, 2 * np.pi), rng.uniform(3, 6)
    reach = 70 * np.array([np.cos(turn), np.sin(turn)])
    return _limb(eye, np.array([at_mm - reach, at_mm + reach]), (radius, radius), 5, draw_colour(rng))


def _cable(rng: Rng, eye: Eye, at_mm: Array) -> list[Shape]:
    colour, radius = draw_colour(rng, bright=(5, 230), vivid=0.5), rng.uniform(1.5, 4)
    turns = rng.uniform(0, 2 * np.pi) + np.cumsum(rng.normal(0, 0.25, 24))
    way = at_mm + np.cumsum(22 * np.column_stack([np.cos(turns), np.sin(turns)]), 0) - 200
    return [s for ends in pairwise(way) for s in _limb(eye, np.array(ends), (radius, radius), 3, colour)]


def _hand(rng: Rng, eye: Eye, at_mm: Array) -> list[Shape]:
    """Draw an arm that reaches in, a palm, four fingers and a thumb."""
    skin = np.array([130, 165, 215], np.float32) * rng.uniform(0.25, 1.1)
    turn, height = rng.uniform(0, 2 * np.pi), rng.uniform(15, 60)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    shapes = _limb(eye, np.array([at_mm - 500 * along, at_mm - 130 * along]), (45, 36), height, draw_colour(rng))
    shapes += _limb(eye, np.array([at_mm - 140 * along, at_mm - 60 * along]), (28, 26), height, skin)
    shapes += _limb(eye, np.array([at_mm - 55 * along, at_mm - 15 * along]), (36, 40), height, skin)
    spread = rng.uniform(0.05, 0.4)
    for finger in (-1.5, -0.5, 0.5, 1.5):
        aim = np.cos(finger * spread) * along + np.sin(finger * spread) * across
        knuckle = at_mm + 18 * finger * across
        tip = knuckle + rng.uniform(45, 85) * aim
        shapes += _limb(eye, np.array([knuckle, tip]), (11, 8), height, skin)
    side = rng.choice([-1, 1])
    thumb = at_mm - 35 * along + side * 30 * across
    shapes += _limb(eye, np.array([thumb, thumb + 50 * along + side * 25 * across]), (12, 9), height, skin)
    return shapes
