"""Litter that stands off the ground and casts shadows: curled leaves, twigs, stones, cigarette ends, paper, coins."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.simulator.noise import noise_along
from linesies.simulator.street.light import Light

Array = NDArray[np.float32]
Outline = NDArray[np.float64]

# linear light that things throw back, by eye
LEAF_RGB = ((0.30, 0.12, 0.03), (0.16, 0.19, 0.04), (0.40, 0.06, 0.03), (0.5, 0.33, 0.05), (0.09, 0.05, 0.02))
STONE_RGB = ((0.30, 0.28, 0.26), (0.10, 0.09, 0.09), (0.5, 0.48, 0.45), (0.2, 0.12, 0.08))  # grey, dark, light, brown
COIN_RGB = (
    (0.32, 0.15, 0.07),
    (0.45, 0.33, 0.12),
    (0.42, 0.42, 0.40),
    (0.12, 0.07, 0.04),
)  # copper, brass, nickel, and one long in use
# litter
PAPER_RGB = (
    (0.8, 0.79, 0.75),
    (0.75, 0.1, 0.08),
    (0.1, 0.2, 0.6),
    (0.05, 0.3, 0.12),
    (0.6, 0.5, 0.1),
    (0.03, 0.03, 0.03),
)
FINE = 4
SHADOW_BLUR_PX, EDGE_BLUR_PX = 1.2, 0.4  # of a shadow's rim, of a thing's; by eye
SHADE = 0.9  # of the light that a shadow takes
FOOT = 1.06  # as wide as this the ground at its foot is dimmer
FAR_PX = 2e4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Thing:
    """One piece of litter: its outline (N, 2) and height in mm, its albedo, and how uneven that is."""

    outline_mm: Outline
    height_mm: float
    rgb: tuple[float, float, float]
    grain: float
    inner_mm: Outline | None = None  # a part of another colour: a vein, a facet, a print
    inner_rgb: tuple[float, float, float] = (0.0, 0.0, 0.0)


def choose_things(rng: np.random.Generator, size_mm: float) -> list[Thing]:
    """Strew a handful of litter over and round a board."""
    makers = (_leaf, _leaf, _twig, _stone, _stone, _cigarette, _paper)
    things = []
    for _ in range(int(rng.integers(2, 12))):
        make = makers[int(rng.integers(len(makers)))] if rng.random() < 0.95 else _coin
        turn, middle = rng.uniform(0, 2 * np.pi), rng.uniform(-0.1, 1.1, 2) * size_mm
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        things.append(make(rng, spin, middle))
    return things


def lay_thing(lit: Array, view: View, thing: Thing, light: Light, rng: np.random.Generator) -> None:
    """Lay a thing and its shadow on the lit ground (H, W, 3), in place."""
    left = light.sky_rgb / (light.sky_rgb + light.sun_rgb)
    for step in (0.5, 1.0):
        fallen = thing.outline_mm + step * thing.height_mm * light.per_mm
        _shade(lit, view.mm_to_px(fallen), left, SHADOW_BLUR_PX + 2 * light.softness)
    middle = thing.outline_mm.mean(axis=0)
    _shade(lit, view.mm_to_px(middle + FOOT * (thing.outline_mm - middle)), np.full(3, 0.7, np.float32), 1.5)
    whole = light.sky_rgb + light.sun_rgb * np.float32(rng.uniform(0.6, 1.0))
    parts = [(thing.outline_mm, thing.rgb)]
    if thing.inner_mm is not None:
        parts.append((thing.inner_mm, thing.inner_rgb))
    for outline_mm, rgb in parts:
        tint = np.array(rgb, np.float32) * whole * np.float32(np.exp(rng.normal(0, thing.grain)))
        _paint(lit, view.mm_to_px(outline_mm, np.full(len(outline_mm), thing.height_mm)), tint, thing.grain, rng)


def _shade(lit: Array, seen_px: Outline, left_rgb: Array, blur_px: float) -> None:
    """Leave a share of the light within an outline (N, 2), in place."""
    cut = _cover(lit, seen_px, blur_px)
    if cut is not None:
        box, cover = cut
        box *= 1 - SHADE * cover * (1 - left_rgb)


def _paint(lit: Array, seen_px: Outline, rgb: Array, grain: float, rng: np.random.Generator) -> None:
    """Fill an outline (N, 2) with a rough colour, in place."""
    cut = _cover(lit, seen_px, EDGE_BLUR_PX)
    if cut is not None:
        box, cover = cut
        rough = cv2.GaussianBlur(rng.standard_normal(box.shape[:2], np.float32), (0, 0), 1.5)
        box += cover * (rgb * np.exp(np.float32(2.5 * grain) * rough)[..., None] - box)


def _cover(lit: Array, seen_px: Outline, blur_px: float) -> tuple[Array, Array] | None:
    """Cut the box round an outline (N, 2) out of a picture, and the share of each pixel within; None outside it."""
    height, width = lit.shape[:2]
    if not np.abs(seen_px).max() < FAR_PX:
        return None
    x0, y0 = np.maximum(np.floor(seen_px.min(axis=0)).astype(int) - 6, 0)
    x1, y1 = np.minimum(np.ceil(seen_px.max(axis=0)).astype(int) + 7, [width, height])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    mask = np.zeros(((y1 - y0) * FINE, (x1 - x0) * FINE), np.uint8)
    fine = (seen_px - [x0, y0] + 0.5) * FINE - 0.5
    cv2.fillPoly(mask, [np.rint(fine * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    cover = cv2.resize(mask, (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return lit[y0:y1, x0:x1], np.asarray(cv2.GaussianBlur(cover, (0, 0), blur_px), np.float32)[..., None]


def _choose(rng: np.random.Generator, tints: tuple[tuple[float, float, float], ...]) -> tuple[float, float, float]:
    r, g, b = np.array(tints[int(rng.integers(len(tints)))]) * np.exp(rng.normal(0, 0.25, 3))
    return (float(r), float(g), float(b))


def _leaf(rng: np.random.Generator, spin: Outline, middle: Outline) -> Thing:
    length, wide, lobes = rng.uniform(18, 60), rng.uniform(0.25, 0.5), int(rng.integers(0, 10))
    a = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    waves = 1 + rng.uniform(0, 0.3) * np.cos(lobes * a)
    tip = np.sign(np.cos(a)) * np.abs(np.cos(a)) ** rng.uniform(0.6, 1.0)  # pointed at both ends, or round
    shape = 0.5 * length * np.column_stack([tip, 2 * wide * np.sin(a)]) * waves[:, None]
    vein = np.array([[-0.5, -0.6], [0.7, -0.4], [0.7, 0.4], [-0.5, 0.6]]) * [length, 1]
    rgb = _choose(rng, LEAF_RGB)
    return Thing(
        outline_mm=middle + shape @ spin.T,
        height_mm=rng.uniform(0.5, 7),
        rgb=rgb,
        grain=0.2,
        inner_mm=middle + vein @ spin.T,
        inner_rgb=_tinted(rgb, float(rng.uniform(0.5, 1.8))),
    )


def _twig(rng: np.random.Generator, spin: Outline, middle: Outline) -> Thing:
    length, thick = rng.uniform(30, 130), rng.uniform(1.5, 5)
    x = np.linspace(-0.5, 0.5, 20) * length
    y = 0.06 * length * noise_along(rng, 20, 4)
    shape = np.vstack([np.column_stack([x, y + thick / 2]), np.column_stack([x, y - thick / 2])[::-1]])
    return Thing(
        outline_mm=middle + shape @ spin.T, height_mm=thick, rgb=_choose(rng, LEAF_RGB[:1] + LEAF_RGB[4:]), grain=0.15
    )


def _stone(rng: np.random.Generator, spin: Outline, middle: Outline) -> Thing:
    """Break a stone: corners, and a facet on top that is lit otherwise than its sides."""
    a = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(5, 9))))
    radius = float(np.exp(rng.uniform(np.log(3), np.log(14))))
    corners = radius * rng.uniform(0.75, 1.1, (len(a), 1)) * np.column_stack([np.cos(a), np.sin(a)])
    corners *= [1.0, rng.uniform(0.5, 0.95)]
    facet = rng.uniform(0.35, 0.75) * corners + rng.normal(0, 0.12 * radius, 2)
    rgb = _choose(rng, STONE_RGB)
    return Thing(
        outline_mm=middle + _worn(corners) @ spin.T,
        height_mm=rng.uniform(0.3, 0.8) * radius,
        rgb=rgb,
        grain=0.2,
        inner_mm=middle + _worn(facet) @ spin.T,
        inner_rgb=_tinted(rgb, float(rng.uniform(0.6, 1.8))),
    )


def _worn(corners: Outline) -> Outline:
    """Round the corners (N, 2) of an outline off, twice."""
    for _ in range(2):
        after = np.roll(corners, -1, axis=0)
        corners = np.stack([0.75 * corners + 0.25 * after, 0.25 * corners + 0.75 * after], axis=1).reshape(-1, 2)
    return corners


def _tinted(rgb: tuple[float, float, float], times: float) -> tuple[float, float, float]:
    red, green, blue = (min(times * one, 0.9) for one in rgb)
    return (red, green, blue)


def _cigarette(rng: np.random.Generator, spin: Outline, middle: Outline) -> Thing:
    length, filter_mm = rng.uniform(22, 40), rng.uniform(12, 20)
    box = np.array([[0, -3.8], [1, -3.8], [1, 3.8], [0, 3.8]])
    body, end = box * [length, 1], box * [filter_mm, 1]
    return Thing(
        outline_mm=middle + body @ spin.T,
        height_mm=6,
        rgb=(0.75, 0.74, 0.7),
        grain=0.08,
        inner_mm=middle + end @ spin.T,
        inner_rgb=(0.55, 0.28, 0.08),
    )


def _paper(rng: np.random.Generator, spin: Outline, middle: Outline) -> Thing:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * rng.uniform(6, 30, 2) + rng.normal(0, 3, (4, 2))
    outline = np.vstack(
        [np.linspace(a, b, 6, endpoint=False) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    part = middle + (outline * rng.uniform(0.3, 0.7, 2)) @ spin.T
    return Thing(
        outline_mm=middle + outline @ spin.T,
        height_mm=rng.uniform(0, 4),
        rgb=_choose(rng, PAPER_RGB),
        grain=0.08,
        inner_mm=part if rng.random() < 0.5 else None,
        inner_rgb=_choose(rng, PAPER_RGB),
    )


def _coin(rng: np.random.Generator, spin: Outline, middle: Outline) -> Thing:
    a = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    shape = rng.uniform(8, 13) * np.column_stack([np.cos(a), np.sin(a)])
    return Thing(
        outline_mm=middle + shape @ spin.T, height_mm=rng.uniform(1.2, 2.2), rgb=_choose(rng, COIN_RGB), grain=0.1
    )
