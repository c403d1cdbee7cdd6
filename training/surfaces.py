"""Tables, drawn: wood, felt, cloth, stone, carpet, tiles, checks, flowers, print; light ones and dark ones."""

from collections.abc import Callable

import cv2
import numpy as np

from linesies.training.noise import Floats, draw_colour, draw_noise, mix, stretched_noise

Rng = np.random.Generator


def draw_surface(rng: Rng, side: int) -> Floats:
    """Draw a table's top as a square picture (side, side, 3) of floats from 0 to 255."""
    kinds = (
        _plain,
        _plain,
        _wood,
        _wood,
        _planks,
        _carpet,
        _marble,
        _checks,
        _stripes,
        _spots,
        _tiles,
        _patches,
        _print,
    )
    surface = kinds[rng.integers(len(kinds))](rng, side)
    if rng.random() < 0.25:
        surface = surface[:, ::-1].transpose(1, 0, 2)
    if rng.random() < 0.6:
        surface = surface * (1 + rng.uniform(0, 0.1) * draw_noise(rng, (side, side), coarse=3, octaves=3)[..., None])
    return np.array(np.clip(surface, 0, 255), np.float32, order="C")


def _tone(first: Floats, second: Floats, share: Floats) -> Floats:
    return mix(first, second, np.clip(share, 0, 1))


def _plain(rng: Rng, side: int) -> Floats:
    colour = draw_colour(rng, bright=(8, 252), vivid=rng.uniform(0, 1.3))
    grain = rng.standard_normal((side, side), np.float32) * rng.uniform(0, 0.12)
    weave = 1 + cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.3, 1.5)) + 0.04 * draw_noise(rng, (side, side), coarse=4)
    return colour * weave[..., None]


def _wood(rng: Rng, side: int) -> Floats:
    dark = draw_colour(rng, bright=(15, 190), vivid=0.2) * np.array([0.65, 0.9, 1.25], np.float32)
    light = dark * rng.uniform(1.15, 1.9)
    rows = int(rng.integers(8, 40))
    grain = stretched_noise(rng, (side, side), cells=(rows, int(rng.integers(1, 4))), octaves=4, fall=0.75)
    if rng.random() < 0.4:
        bow = draw_noise(rng, (side, side), coarse=2, octaves=2) * rng.uniform(5, 25)
        ys = np.arange(side, dtype=np.float32)[:, None]
        rings = np.sin((ys + bow) * rng.uniform(0.1, 0.6))
        grain = 0.6 * grain + rings.astype(np.float32)
    return _tone(dark, light, 0.5 + rng.uniform(0.1, 0.4) * grain)


def _planks(rng: Rng, side: int) -> Floats:
    surface = _wood(rng, side)
    height = int(rng.integers(side // 10, side // 3))
    for top in range(int(rng.integers(height)) - height, side, height):
        rows = slice(max(top, 0), max(top + height, 0))
        surface[rows] = np.roll(surface[rows], int(rng.integers(side)), 1) * rng.uniform(0.75, 1.2)
        if top > 0 and rng.random() < 0.9:
            surface[top : top + int(rng.integers(1, 3))] *= rng.uniform(0.2, 0.8)
    return surface


def _carpet(rng: Rng, side: int) -> Floats:
    first, second = (draw_colour(rng, vivid=0.5) for _ in range(2))
    tufts = cv2.GaussianBlur(rng.standard_normal((side, side), np.float32), (0, 0), rng.uniform(0.5, 2.5))
    tufts = tufts / tufts.std() + 0.5 * draw_noise(rng, (side, side), coarse=6)
    return _tone(first, second, np.float32(0.5) + np.float32(rng.uniform(0.1, 0.35)) * tufts)


def _marble(rng: Rng, side: int) -> Floats:
    ground, vein = draw_colour(rng, bright=(20, 245), vivid=0.15), draw_colour(rng, bright=(20, 245), vivid=0.2)
    clouds = draw_noise(rng, (side, side), coarse=int(rng.integers(2, 6)), octaves=5)
    veins = np.exp(-np.abs(clouds) * rng.uniform(5, 25))
    mottle = 1 + 0.06 * draw_noise(rng, (side, side), coarse=8)[..., None]
    return _tone(ground, vein, veins * np.float32(rng.uniform(0.3, 1.0))) * mottle


def _checks(rng: Rng, side: int) -> Floats:
    first, second = draw_colour(rng, bright=(20, 250)), draw_colour(rng, bright=(20, 250))
    period = rng.uniform(8, 70)
    ys, xs = np.indices((side, side), np.float32)
    angle = rng.uniform(0, np.pi) if rng.random() < 0.5 else 0.0
    along, across = xs * np.cos(angle) + ys * np.sin(angle), ys * np.cos(angle) - xs * np.sin(angle)
    duty = rng.uniform(0.3, 0.7)
    one, two = (along / period) % 1 < duty, (across / period) % 1 < duty
    kind = rng.integers(3)
    share = (one ^ two) if kind == 0 else ((one + two.astype(np.float32)) / 2 if kind == 1 else (one | two))
    weave = 1 + 0.05 * rng.standard_normal((side, side), np.float32)[..., None]
    return _tone(first, second, share.astype(np.float32)) * weave


def _stripes(rng: Rng, side: int) -> Floats:
    colours = [draw_colour(rng) for _ in range(int(rng.integers(2, 6)))]
    surface = np.empty((side, side, 3), np.float32)
    row = 0
    while row < side:
        width = int(rng.integers(2, 50))
        surface[row : row + width] = colours[rng.integers(len(colours))]
        row += width
    return surface * (1 + 0.04 * draw_noise(rng, (side, side), coarse=16)[..., None])


def _spots(rng: Rng, side: int) -> Floats:
    surface = np.ascontiguousarray(_plain(rng, side))
    size = rng.uniform(2, 14)
    for _ in range(int(rng.integers(20, 160))):
        x, y = rng.integers(0, side, 2)
        colour, radius = draw_colour(rng).tolist(), size * rng.uniform(0.6, 1.5)
        petals = int(rng.choice([1, 1, 5, 6]))
        for petal in range(petals if petals > 1 else 0):
            angle = 2 * np.pi * petal / petals + x
            at = (int(x + radius * np.cos(angle)), int(y + radius * np.sin(angle)))
            cv2.circle(surface, at, max(1, int(radius * 0.6)), colour, -1, cv2.LINE_AA)
        cv2.circle(surface, (int(x), int(y)), max(1, int(radius * 0.5)), draw_colour(rng).tolist(), -1, cv2.LINE_AA)
    return surface


def _tiles(rng: Rng, side: int) -> Floats:
    surface = np.ascontiguousarray((_marble if rng.random() < 0.5 else _carpet)(rng, side))
    grout, width = draw_colour(rng, vivid=0.2).tolist(), int(rng.integers(1, 6))
    high, wide = rng.integers(20, 160), rng.integers(20, 160)
    for row, y in enumerate(range(0, side, int(high))):
        cv2.line(surface, (0, y), (side, y), grout, width)
        start = int(wide // 2) if row % 2 and rng.random() < 0.9 else 0
        for x in range(start, side, int(wide)):
            cell = surface[y : y + high, x : x + wide]
            cell *= rng.uniform(0.8, 1.2)
            cv2.line(surface, (x, y), (x, y + int(high)), grout, width)
    return surface


def _patches(rng: Rng, side: int) -> Floats:
    surface = np.ascontiguousarray(_plain(rng, side))
    for _ in range(int(rng.integers(10, 80))):
        points = rng.integers(0, side, 2) + rng.integers(-60, 60, (int(rng.integers(3, 6)), 2))
        cv2.fillPoly(surface, [points.astype(np.int32)], draw_colour(rng).tolist(), cv2.LINE_AA)
    return surface


def _print(rng: Rng, side: int) -> Floats:
    """Motifs repeated over cloth: ornament, or small print as on a newspaper."""
    cell = int(rng.integers(12, 60))
    motif: Callable[[Rng, int], Floats] = _spots if rng.random() < 0.5 else _patches
    tile = motif(rng, cell * 2)[:cell, :cell]
    if rng.random() < 0.7:
        tile = np.hstack([tile, tile[:, ::-1]])
        tile = np.vstack([tile, tile[::-1]])
    times = -(-side // min(tile.shape[:2]))
    return np.tile(tile, (times, times, 1))[:side, :side]
