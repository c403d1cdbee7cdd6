"""Votes as cells cast them that see known cards, for tests of what is made of them."""

import cv2
import numpy as np

from linesies.vision.cards.find.net import Votes

LYING = np.array([(300.0, 200.0), (426.0, 200.0), (426.0, 376.0), (300.0, 376.0)])  # 2 px/mm
REDUCTION = 3.0


def doubled(axis):
    length, angle = np.hypot(*axis), np.arctan2(axis[1], axis[0])
    return length * np.array([np.cos(2 * angle), np.sin(2 * angle)])


def cast(cards, rng, *, noise_px=6.0):
    """Votes of cells that see cards (quad, is_seen(x, y)); later cards lie on top."""
    ys, xs = np.mgrid[6:1080:12, 6:1920:12]
    at = np.column_stack([xs.ravel(), ys.ravel()]).astype(float)
    rows, taken = [], np.zeros(len(at), bool)
    for quad in reversed(cards):
        shape = quad.astype(np.float32).reshape(-1, 1, 2)
        inside = np.array([cv2.pointPolygonTest(shape, (float(x), float(y)), False) > 0 for x, y in at]) & ~taken
        taken |= inside
        short, long = (quad[1] - quad[0]) / 2, (quad[2] - quad[1]) / 2
        says = np.concatenate([quad.mean(0), doubled(long), doubled(short)])
        rows.append(np.column_stack([at[inside], says + rng.normal(0, noise_px, (inside.sum(), 6))]))
    rows = np.vstack(rows)
    return Votes(
        at_px=rows[:, :2],
        chance=np.full(len(rows), 0.9),
        centre_px=rows[:, 2:4],
        spread_px=np.full(len(rows), noise_px),
        long_px=rows[:, 4:6],
        short_px=rows[:, 6:8],
        reduction=REDUCTION,
    )


def turned(quad, degrees, shift=(0, 0)):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return (quad - quad.mean(0)) @ np.array([[c, s], [-s, c]]) + quad.mean(0) + shift
