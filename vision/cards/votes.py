"""Votes gathered into cards: cells that mean the same card make one rough outline."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.net import Votes, halved
from vision.cards.votes_shape import fit_shape

Array = NDArray[np.float64]

SAME_CENTRE = 0.16  # votes for one card agree in its middle to this share of its half axis
SAME_AXES = 0.45  # and in each half axis to this share
WHOLE = 0.75  # of a card must be seen for its shape to be told by its cells
CROWDED = 1.18  # of a card's area: more cells about one middle belong to several cards
LEAST_CELLS = 4.0
MOST_CARDS = 120
GOOD_HALF_PX = (13.0, 50.0)  # half the long side at a scale that shows a card well


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rough:
    """A card about whose outline the cells agree: `quad_px` (4, 2) clockwise, the first side a short one.

    `half_px` is half its long side as the net saw it, `agreed` the score that it has at other scales too.
    """

    quad_px: Array
    score: float
    visible: float
    half_px: float
    agreed: float = 0.0

    @property
    def area_px2(self) -> float:
        """How much of the picture it covers."""
        return float(cv2.contourArea(self.quad_px.astype(np.float32)))

    @property
    def trust(self) -> float:
        """How much it may say about the table."""
        return (self.score + self.agreed) * self.visible**2


def gather(votes: Votes) -> list[Rough]:
    """Group one scale's votes, strongest card first."""
    left = np.ones(len(votes.chance), bool)
    says = np.column_stack([votes.centre_px, votes.long_px, votes.short_px])
    weight = votes.chance / (1 + (votes.spread_px / (4 * votes.reduction)) ** 2)
    found: list[Rough] = []
    while len(found) < MOST_CARDS and weight[left].sum() > LEAST_CELLS:
        mean = _densest(says[left], weight[left], 4 * votes.reduction)
        members = left & _agree(says, mean)
        for _ in range(3):
            if weight[members].sum() <= 0:
                break
            mean = np.average(says[members], axis=0, weights=weight[members])
            members = left & _agree(says, mean)
        if weight[members].sum() < LEAST_CELLS:
            break
        rough = _outline(votes, members, mean)
        if rough is not None:
            found.append(rough)
        left &= ~members & ~_agree(says, mean)
    return found


def _densest(says: Array, weight: Array, bin_px: float) -> Array:
    """Find where most votes for a centre meet, and start from the mean of what the best cells there say."""
    low = says[:, :2].min(0)
    bins = ((says[:, :2] - low) / bin_px).astype(int)
    wide, high = bins.max(0) + 1
    heap = np.bincount(bins[:, 1] * wide + bins[:, 0], weights=weight, minlength=wide * high).reshape(high, wide)
    heap = cv2.GaussianBlur(heap, (0, 0), 1.0)
    y, x = np.unravel_index(int(np.argmax(heap)), heap.shape)
    near = np.hypot(*(bins - (x, y)).T) <= 1.5
    if not near.any():
        return says[int(np.argmax(weight))]
    inside, heavy = says[near], weight[near]
    away = np.abs(inside[:, None, 2:] - inside[None, :, 2:]).sum(2) if len(inside) < 300 else np.zeros((len(inside), 1))
    return inside[int(np.argmin(away @ heavy if away.shape[1] > 1 else -heavy))]


def _agree(says: Array, mean: Array) -> NDArray[np.bool_]:
    reach = np.hypot(mean[2], mean[3])
    centre = np.hypot(*(says[:, :2] - mean[:2]).T) / (SAME_CENTRE * reach)
    long = np.hypot(*(says[:, 2:4] - mean[2:4]).T) / (SAME_AXES * reach)
    short = np.hypot(*(says[:, 4:] - mean[4:]).T) / (SAME_AXES * reach)
    return np.asarray(centre**2 + (long**2 + short**2) / 2 < 1.5)


def _outline(votes: Votes, members: NDArray[np.bool_], mean: Array) -> Rough | None:
    centre = mean[:2]
    long, short = (_mean_axis(axes[members], votes.chance[members]) for axes in (votes.long_px, votes.short_px))
    cell_px = float(np.sqrt(votes.cell_px2))
    area_px2 = 4 * abs(float(long[0] * short[1] - long[1] * short[0]))
    near = np.hypot(*(votes.centre_px - centre).T) < 2 * SAME_CENTRE * np.hypot(*long)
    if members.sum() * votes.cell_px2 > WHOLE * area_px2 and near.sum() * votes.cell_px2 < CROWDED * area_px2:
        shape = fit_shape(votes.at_px[near].astype(float), votes.chance[near], cell_px, (long, short))
        centre, long, short = shape or (centre, long, short)
    if long[0] * short[1] - long[1] * short[0] > 0:
        short = -short
    quad = np.array([centre - long + short, centre - long - short, centre + long - short, centre + long + short])
    area = float(abs(4 * (long[0] * short[1] - long[1] * short[0])))
    half_px = float(np.hypot(*long)) / votes.reduction
    if area < 8 * votes.cell_px2 or half_px < GOOD_HALF_PX[0] * 0.6:
        return None
    fit = min(1.0, half_px / GOOD_HALF_PX[0], GOOD_HALF_PX[1] / half_px)
    chance = float(votes.chance[members].mean())
    return Rough(
        quad_px=_clockwise(quad),
        score=chance * fit,
        visible=float(min(1.0, members.sum() * votes.cell_px2 / area)),
        half_px=half_px,
    )


def _mean_axis(doubled: Array, weight: Array) -> Array:
    """Average directions and lengths apart: vectors that differ in direction would shorten their mean."""
    axis = halved(np.average(doubled, axis=0, weights=weight))
    length = np.average(np.hypot(doubled[:, 0], doubled[:, 1]), weights=weight)
    return axis * (length / max(float(np.hypot(*axis)), 1e-6))


def _clockwise(quad: Array) -> Array:
    """Order corners clockwise as seen (y downward), keeping the first side a short one."""
    x, y = quad.T
    turned = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    return quad if turned > 0 else quad[[1, 0, 3, 2]]
