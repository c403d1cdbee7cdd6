"""Busy coloured art drawn by lot: ornaments, robes, grounds; it fills courts, aces, full-bleed faces and backs."""

import cv2
import numpy as np
from numpy.random import Generator

from linesies.training.decks.stamps import Colour, Pixels, colour_of


def trace(area: Pixels, points: np.ndarray, colour: Colour, thickness: int, *, closed: bool) -> None:
    """Draw a smooth line through points (n, 2), in pixels."""
    cv2.polylines(area, [points.astype(np.int32)], closed, colour, thickness, cv2.LINE_AA)


def draw_palette(rng: Generator, count: int = 5) -> list[Colour]:
    """Choose colours that go together: a few hues about each other, with a light and a dark one."""
    hues = (rng.uniform(0, 180) + rng.choice([0, 12, 30, 60, 90, 120], count)) % 180
    if rng.random() < 0.4:
        hues = rng.choice([0, 3, 12, 25, 110, 118, 60], count)  # the printers' red, yellow, blue, green
    hsv = np.stack([hues, rng.uniform(40, 255, count), rng.uniform(60, 255, count)], 1).astype(np.uint8)
    colours = [colour_of(bgr) for bgr in cv2.cvtColor(hsv[None], cv2.COLOR_HSV2BGR)[0]]
    return [*colours, (30, 30, 30), (240, 245, 245)]


def draw_cloud(rng: Generator, size_px: tuple[int, int], grain: int) -> np.ndarray:
    """Draw soft random values, about 0 with spread 1, of a grain in cells across."""
    coarse = rng.normal(size=(max(2, grain * size_px[1] // max(size_px[0], 1)), max(2, grain))).astype(np.float32)
    return cv2.resize(coarse, size_px, interpolation=cv2.INTER_CUBIC)


def fill_art(area: Pixels, rng: Generator, palette: list[Colour], strokes: int) -> None:
    """Cover an area (bgr, in place) with random ornaments of a palette."""
    height, width = area.shape[:2]
    unit = min(height, width)
    for _ in range(strokes):
        colour = palette[rng.integers(len(palette))]
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        r = unit * rng.uniform(0.03, 0.25)
        _ORNAMENTS[rng.integers(len(_ORNAMENTS))](area, rng, (x, y), r, colour)


def _disc(area: Pixels, rng: Generator, at: tuple[float, float], r: float, colour: Colour) -> None:
    fill = -1 if rng.random() < 0.6 else max(1, int(r * 0.15))
    axes = (max(1, int(r)), max(1, int(r * rng.uniform(0.4, 1))))
    cv2.ellipse(area, (int(at[0]), int(at[1])), axes, rng.uniform(0, 180), 0, 360, colour, fill, cv2.LINE_AA)


def _shard(area: Pixels, rng: Generator, at: tuple[float, float], r: float, colour: Colour) -> None:
    angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 7)))
    points = np.column_stack([at[0] + r * np.cos(angles), at[1] + r * np.sin(angles)])
    cv2.fillPoly(area, [points.astype(np.int32)], colour, cv2.LINE_AA)


def _stripes(area: Pixels, rng: Generator, at: tuple[float, float], r: float, colour: Colour) -> None:
    angle, step = rng.uniform(0, np.pi), max(2.0, r * rng.uniform(0.15, 0.4))
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    for k in range(int(rng.integers(2, 7))):
        p = np.array(at) + across * step * k
        start, end = (p - along * r).astype(int), (p + along * r).astype(int)
        cv2.line(
            area,
            (int(start[0]), int(start[1])),
            (int(end[0]), int(end[1])),
            colour,
            max(1, int(step * 0.4)),
            cv2.LINE_AA,
        )


def _dots(area: Pixels, rng: Generator, at: tuple[float, float], r: float, colour: Colour) -> None:
    size = max(1, int(r * rng.uniform(0.08, 0.2)))
    for k in range(int(rng.integers(3, 12))):
        angle = k * 2.4
        spot = (int(at[0] + r * np.sqrt(k / 12) * np.cos(angle)), int(at[1] + r * np.sqrt(k / 12) * np.sin(angle)))
        cv2.circle(area, spot, size, colour, -1, cv2.LINE_AA)


def _curl(area: Pixels, rng: Generator, at: tuple[float, float], r: float, colour: Colour) -> None:
    t = np.linspace(0, rng.uniform(2, 12), 40)
    reach = r * t / t[-1]
    points = np.column_stack([at[0] + reach * np.cos(t), at[1] + reach * np.sin(t)]).astype(np.int32)
    trace(area, points, colour, max(1, int(r * rng.uniform(0.03, 0.12))), closed=False)


_ORNAMENTS = (_disc, _shard, _stripes, _dots, _curl)


def draw_figure(area: Pixels, rng: Generator, palette: list[Colour]) -> None:
    """Draw a court figure into an area (bgr, in place): robe, head, hair, hat; no two alike."""
    height, width = area.shape[:2]
    at = (width * rng.uniform(0.38, 0.62), height * rng.uniform(0.12, 0.3))
    head = min(width, height) * rng.uniform(0.1, 0.2)
    robe = _robe(rng, at, head, (width, height))
    cv2.fillPoly(area, [robe.astype(np.int32)], _pick(rng, palette), cv2.LINE_AA)
    inside = area[int(min(at[1] + 3 * head, height - 4)) :, int(width * 0.1) : int(width * 0.9)]
    fill_art(inside, rng, palette, int(rng.integers(4, 25)))
    _draw_head(area, rng, at, head, _pick(rng, palette))
    crown = rng.uniform((0.8, -1, 0.8), (1.4, 0.1, 1.4))
    points = [(-1, 0.4), (-crown[0], -0.4), (0, crown[1]), (crown[2], -0.4), (1, 0.4)]
    hat = np.array(points) * head + at
    cv2.fillPoly(area, [hat.astype(np.int32)], _pick(rng, palette), cv2.LINE_AA)
    if rng.random() < 0.7:
        for outline in (hat, robe):
            trace(area, outline, (25, 25, 25), max(1, int(head * 0.05)), closed=True)


def _pick(rng: Generator, palette: list[Colour]) -> Colour:
    return palette[rng.integers(len(palette))]


def _robe(rng: Generator, at: tuple[float, float], head: float, size_px: tuple[int, int]) -> np.ndarray:
    """Outline a robe that falls from the neck to the area's foot."""
    x, neck = at[0], at[1] + 2 * head
    shoulders = head * rng.uniform(1.6, 3.2)
    right, left = size_px[0] * rng.uniform(0.75, 1.1), size_px[0] * rng.uniform(-0.1, 0.25)
    upper = [(x - head * 0.5, neck), (x + head * 0.5, neck), (x + shoulders, neck + head)]
    return np.array([*upper, (right, size_px[1]), (left, size_px[1]), (x - shoulders, neck + head)])


def _draw_head(area: Pixels, rng: Generator, at: tuple[float, float], head: float, hair: Colour) -> None:
    """Draw hair, a face and two eyes."""
    middle = (int(at[0]), int(at[1] + head * 1.1))
    mane = (int(head * rng.uniform(1.0, 1.5)), int(head * rng.uniform(1.0, 1.5)))
    skin = tuple(int(v) for v in rng.uniform((130, 160, 190), (215, 225, 245)))
    for axes, colour in ((mane, hair), ((int(head * 0.72), int(head)), skin)):
        cv2.ellipse(area, middle, axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
    for side in (-0.3, 0.3):
        eye = (int(at[0] + side * head), int(at[1] + head))
        cv2.circle(area, eye, max(1, int(head * 0.08)), (20, 20, 20), -1, cv2.LINE_AA)
