"""The four suits as shapes that no two decks draw alike: Bezier outlines, their proportions by lot, and their inks."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from linesies.training.decks.stamps import Colour, Pixels, cropped, grown, inked, polygon_mask, stamped_size

SUITS = "CDHS"
SUIT_SIGNS = "♣♦♥♠"
MASTER_PX = 240  # shapes are drawn once at this height and scaled down

Outline = NDArray[np.float64]


def _bezier(points: list[tuple[float, float]], steps: int = 14) -> Outline:
    """Sample a cubic Bezier curve of four control points."""
    t = np.linspace(0, 1, steps)[:, None]
    p = np.array(points, float)
    return (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]


def _mirrored(right: Outline) -> Outline:
    """Close the right half of an outline (x from 0) with its mirror image."""
    return np.vstack([right, right[::-1] * (-1, 1)])


def _heart(rng: Generator) -> list[Outline]:
    """Draw a heart: cleft, two lobes, a point; unit height, y downward, middle at x = 0."""
    cleft, shoulder = rng.uniform(0.08, 0.34), rng.uniform(0.22, 0.4)
    half, tip = rng.uniform(0.4, 0.6), rng.uniform(-0.06, 0.3)
    rise = _bezier(
        [
            (0, cleft),
            (rng.uniform(0.02, 0.16), rng.uniform(-0.14, 0.02)),
            (half, rng.uniform(-0.2, -0.02)),
            (half, shoulder),
        ]
    )
    fall = _bezier(
        [
            (half, shoulder),
            (half, shoulder + rng.uniform(0.15, 0.35)),
            (max(tip, 0) + 0.02, 0.98 - rng.uniform(0.1, 0.35)),
            (0, 1),
        ]
    )
    return [_mirrored(np.vstack([rise, fall]))]


def _stem(rng: Generator, top: float) -> Outline:
    """Draw the foot of a spade or a club."""
    half, thin = rng.uniform(0.1, 0.34), rng.uniform(0.01, 0.07)
    waist = rng.uniform(top + 0.1, 0.95)
    if rng.random() < 0.15:
        half = thin = rng.uniform(0.04, 0.09)
    return _mirrored(
        np.vstack(
            [
                [(0, top)],
                _bezier([(thin, top), (thin, waist), (half * 0.5, rng.uniform(0.93, 1.0)), (half, 1.0)]),
                [(0, rng.uniform(0.94, 1.0))],
            ]
        )
    )


def _spade(rng: Generator) -> list[Outline]:
    """Draw a spade: a heart upside down on a foot."""
    body = _heart(rng)[0]
    depth = rng.uniform(0.74, 0.93)
    flipped = np.column_stack([body[:, 0], (1 - body[:, 1]) * depth])
    return [flipped, _stem(rng, depth * rng.uniform(0.5, 0.7))]


def _ellipse(x: float, y: float, half_width: float, half_height: float) -> Outline:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.column_stack([x + half_width * np.cos(angle), y + half_height * np.sin(angle)])


def _club(rng: Generator) -> list[Outline]:
    """Draw a club: three leaves, their middle, a foot."""
    r, side_r = rng.uniform(0.19, 0.26), rng.uniform(0.19, 0.27)
    y, x = rng.uniform(0.5, 0.62), rng.uniform(0.2, 0.32)
    leaves = [
        _ellipse(0, r, r * rng.uniform(0.9, 1.1), r),
        _ellipse(-x, y, side_r, side_r * rng.uniform(0.9, 1.08)),
    ]
    leaves.append(leaves[1] * (-1, 1))
    if rng.random() < 0.2:  # pointed leaves
        tip = rng.uniform(0.02, 0.08)
        leaves += [_mirrored(np.array([(0, -tip), (r * 0.7, r * 0.5), (0, r)]))]
    core = rng.uniform(0.08, 0.16)
    middle = np.array([(-core, r), (core, r), (x, y + core * 0.6), (0, y + core), (-x, y + core * 0.6)])
    return [*leaves, middle, _stem(rng, y * 0.9)]


def _diamond(rng: Generator) -> list[Outline]:
    """Draw a diamond: four points, sides straight, hollow or full."""
    half, bend = rng.uniform(0.3, 0.52), rng.choice([0.0, rng.uniform(-0.14, 0.0), rng.uniform(0.0, 0.1)])
    mid = (half * 0.5 + bend * 0.7, 0.25 - bend * 0.7)
    upper = _bezier([(0, 0), mid, mid, (half, 0.5)])
    lower = upper[::-1] * (1, -1) + (0, 1)
    return [_mirrored(np.vstack([upper, lower]))]


SHAPES = {"C": _club, "D": _diamond, "H": _heart, "S": _spade}


def draw_suit_mask(suit: str, rng: Generator) -> Pixels:
    """Draw one suit's shape as a mask about `MASTER_PX` tall, cut to its ink."""
    outlines = [outline * MASTER_PX + (MASTER_PX * 0.7, MASTER_PX * 0.2) for outline in SHAPES[suit](rng)]
    return cropped(polygon_mask(outlines, (int(MASTER_PX * 1.4), int(MASTER_PX * 1.4))))


def draw_suit_stamp(mask: Pixels, height_px: float, colour: Colour, style: str, paper: Colour) -> Pixels:
    """Ink a suit's shape at a height, in one of the styles `solid`, `outlined`, `inlaid`, `shaded`, `doubled`."""
    scale = height_px / mask.shape[0]
    if style == "solid":
        return inked(stamped_size(mask, mask.shape[1] * scale, height_px), colour)
    rim = mask.shape[0] * 0.06
    wide = grown(mask, rim)
    stamp = inked(wide, colour)
    reach = (wide.shape[0] - mask.shape[0]) // 2
    inner = np.zeros_like(wide)
    inner[reach : wide.shape[0] - reach, reach : wide.shape[1] - reach] = mask
    if style == "outlined":
        _fill(stamp, inner, paper)
    elif style == "inlaid":
        _fill(stamp, _pad(grown(mask, -2.2 * rim), wide.shape), paper)
        _fill(stamp, _pad(grown(mask, -3.6 * rim), wide.shape), colour)
    elif style == "doubled":
        _fill(stamp, inner, paper)
        _fill(stamp, _pad(grown(mask, -1.6 * rim), wide.shape), colour)
    else:
        lift = np.linspace(60, -30, wide.shape[0])[:, None, None]
        stamp[..., :3] = np.clip(stamp[..., :3] + lift, 0, 255).astype(np.uint8)
    return stamped_size(stamp, stamp.shape[1] * scale, stamp.shape[0] * scale)


def _pad(mask: Pixels, shape: tuple[int, ...]) -> Pixels:
    """Lay a mask onto the middle of a sheet of a shape, or cut it down to that."""
    sheet = np.zeros(shape, np.uint8)
    top, left = (shape[0] - mask.shape[0]) // 2, (shape[1] - mask.shape[1]) // 2
    cut = mask[max(-top, 0) : max(-top, 0) + shape[0], max(-left, 0) : max(-left, 0) + shape[1]]
    top, left = max(top, 0), max(left, 0)
    sheet[top : top + cut.shape[0], left : left + cut.shape[1]] = cut
    return sheet


def _fill(stamp: Pixels, mask: Pixels, colour: Colour) -> None:
    """Colour a stamp where a mask of the same size is inked."""
    share = mask[..., None].astype(np.float32) / 255
    stamp[..., :3] = (stamp[..., :3] * (1 - share) + np.array(colour, np.float32) * share).astype(np.uint8)
