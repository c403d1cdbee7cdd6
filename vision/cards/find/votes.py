"""Votes gathered into cards: cells that mean the same card make one rough outline."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.find.net import STRIDE_PX, Votes, halved
from linesies.vision.cards.find.votes_shape import fit_shape

Array = NDArray[np.floating]


@dataclass(frozen=True)
class VoteTuning(Tuning):
    """Which of the cells' votes mean one card."""

    centre_spread: float = tuned(
        0.09,
        title="spread of the votes for one card's middle, of its half diagonal",
        unit="1",
        low=0.01,
        high=0.5,
        source=by_hand_in("17e35d0"),
    )
    axes_spread: float = tuned(
        0.27, title="likewise, of those for each half axis", unit="1", low=0.02, high=1, source=by_hand_in("17e35d0")
    )
    agreed: float = tuned(
        2.5,
        title="spreads within which a vote is for that card",
        unit="1",
        low=1,
        high=6,
        source="chance: 99 of 100 Gaussian votes lie nearer",
    )
    whole: float = tuned(
        0.92,
        title="of a card, what must be seen for its shape to be told by its cells",
        unit="1",
        low=0.5,
        high=1,
        source=by_hand_in("17e35d0"),
    )
    unlike: float = tuned(
        0.2,
        title="how far that shape may differ from the voted one, of its half diagonal",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("17e35d0"),
    )
    least_cells: float = tuned(
        4.0, title="cells that a card takes at least", unit="1", low=1, high=40, source=by_hand_in("2e89f4b")
    )
    least_good_half_px: float = tuned(
        13.0,
        title="half the long side at a scale that shows a card well, at least",
        unit="px",
        low=4,
        high=40,
        source=by_hand_in("2e89f4b"),
    )
    most_good_half_px: float = tuned(
        50.0, title="likewise at most", unit="px", low=20, high=150, source=by_hand_in("2e89f4b")
    )
    least_half: float = tuned(
        0.6,
        title="of a good half length, below which what is voted for is no card",
        unit="1",
        low=0.1,
        high=1,
        source=BY_HAND,
    )

    @property
    def shares(self) -> NDArray[np.float32]:
        """What the centre and the half axes count in how far votes are apart (6,)."""
        return np.array([1, 1] + 4 * [(self.centre_spread / self.axes_spread) ** 2 / 2], np.float32)


VOTES = VoteTuning()

SETTLING, ROUNDS = 3, 3  # steps to where votes are densest; to which vote means which card
MOST_COMPARED = 60  # cells, where votes are densest
MOST_CARDS = 120


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rough:
    """A card about whose outline cells agree: `quad_px` (4, 2) clockwise, the first side a short one.

    `half_px` is half its long side as the net saw it; `cells_px` (N, 2), each `cell_px` wide, are where it is seen;
    `scatter` says how far their votes scatter, in usual spreads; `agreed` is the score that it has at other scales too.
    """

    quad_px: Array
    score: float
    visible: float
    half_px: float
    cells_px: Array
    cell_px: float
    scatter: float
    agreed: float = 0.0

    @property
    def area_px2(self) -> float:
        """How much of the picture it covers."""
        return float(cv2.contourArea(self.quad_px.astype(np.float32)))

    @property
    def trust(self) -> float:
        """How much it may say about the table."""
        return (self.score + self.agreed) * self.visible**2

    def mirrored(self, width_px: int) -> "Rough":
        """See it in a picture so wide that is turned left to right."""
        flip, shift = np.array([-1.0, 1.0]), np.array([width_px - 1.0, 0.0])
        quad = (self.quad_px * flip + shift)[[1, 0, 3, 2]]
        return replace(self, quad_px=quad, cells_px=self.cells_px * flip + shift)


def gather(votes: Votes) -> list[Rough]:
    """Group one scale's votes: found where votes are densest, then each is given to the card that it fits best."""
    says = np.column_stack([votes.centre_px, votes.long_px, votes.short_px]).astype(np.float32)
    weight = votes.chance / (1 + (votes.spread_px / (4 * votes.reduction)) ** 2)
    means = _densest_first(says, weight, 4 * votes.reduction)
    for _ in range(ROUNDS):
        owner, _ = _owned(votes, says, means)
        means = _means(says, weight, owner, len(means))
    owner, away = _owned(votes, says, means)
    heavy = [k for k in range(len(means)) if weight[owner == k].sum() >= VOTES.least_cells]
    roughs = [_outline(votes, owner == k, means[k], away[owner == k]) for k in heavy]
    return [rough for rough in roughs if rough is not None]


def _densest_first(says: Array, weight: Array, bin_px: float) -> Array:
    """Find what many votes say (cards, 6), the most by weight first."""
    found: list[Array] = []
    while len(found) < MOST_CARDS and weight.sum() > VOTES.least_cells:
        mean = _densest(says, weight, bin_px)
        for _ in range(SETTLING):
            pull = weight * np.exp(-_away(says, mean) / 2)
            mean = pull @ says / pull.sum() if pull.sum() > 0 else mean
        near = _away(says, mean) < VOTES.agreed**2
        if weight[near].sum() >= VOTES.least_cells:
            found.append(mean)
        scraps = np.hypot(says[:, 0] - mean[0], says[:, 1] - mean[1]) < 2 * bin_px
        if not near.any() and not scraps.any():
            break
        left = ~near if near.any() else ~scraps
        says, weight = says[left], weight[left]
    return np.array(found, np.float32).reshape(-1, 6)


def _densest(says: Array, weight: Array, bin_px: float) -> Array:
    """Find where most votes for a centre meet, and of the heaviest there that which the others say most nearly."""
    bins = ((says[:, :2] - says[:, :2].min(0)) / bin_px).astype(int)
    wide, high = bins.max(0) + 1
    heap = np.bincount(bins[:, 1] * wide + bins[:, 0], weights=weight, minlength=wide * high).reshape(high, wide)
    y, x = np.unravel_index(int(np.argmax(cv2.GaussianBlur(heap, (0, 0), 1.0))), heap.shape)
    near = np.nonzero(np.abs(bins - (x, y)).max(1) <= 1)[0]
    if not len(near):
        return says[int(np.argmax(weight))]
    near = near[np.argsort(-weight[near])[:MOST_COMPARED]]
    away = np.abs(says[near, None, 2:] - says[None, near, 2:]).sum(2)
    return says[near[int(np.argmin(away @ weight[near]))]]


def _owned(votes: Votes, says: Array, means: Array) -> tuple[NDArray[np.intp], Array]:
    """Give each cell to the card that its vote and its place fit best: its number, -1 for none, and how far off."""
    if not len(means):
        return np.full(len(says), -1), np.zeros(len(says))
    away = _away(says[:, None], means) + _outside(votes, means)
    nearest = away.min(1)
    return np.where(nearest < VOTES.agreed**2, away.argmin(1), -1), nearest


def _means(says: Array, weight: Array, owner: NDArray[np.intp], cards: int) -> Array:
    """Average what each card's cells say (cards, 6), where they are enough."""
    is_own = (owner[:, None] == np.arange(cards)) * weight[:, None]
    heavy = is_own.sum(0) >= VOTES.least_cells
    return np.asarray((is_own.T @ says)[heavy] / is_own.sum(0)[heavy, None])


def _away(says: Array, mean: Array) -> Array:
    """Tell how far votes (..., 6) are from cards', in spreads, squared."""
    off = says - mean
    spread2 = VOTES.centre_spread**2 * (mean[..., 2:] ** 2).sum(-1)
    return np.asarray((off * off) @ VOTES.shares / spread2)


def _outside(votes: Votes, means: Array) -> Array:
    """Tell how far cells lie outside the cards that could be meant (cells, cards), to be added to `_away`."""
    (long_x, long_y), (short_x, short_y) = halved(means[:, 2:4]).T, halved(means[:, 4:6]).T
    x, y = votes.at_px[:, :1] - means[:, 0], votes.at_px[:, 1:] - means[:, 1]
    turned = long_x * short_y - long_y * short_x
    turned = np.where(np.abs(turned) < 1e-6, 1e-6, turned)
    along, across = (x * short_y - y * short_x) / turned, (y * long_x - x * long_y) / turned
    cells_px = 2 * STRIDE_PX * votes.reduction
    out_long = np.maximum(np.abs(along) - 1, 0) * np.hypot(long_x, long_y) / cells_px
    out_short = np.maximum(np.abs(across) - 1, 0) * np.hypot(short_x, short_y) / cells_px
    return np.asarray(out_long**2 + out_short**2)


def _outline(votes: Votes, members: NDArray[np.bool_], mean: Array, away: Array) -> Rough | None:
    centre = mean[:2]
    long, short = (_mean_axis(axes[members], votes.chance[members]) for axes in (votes.long_px, votes.short_px))
    cell_px = float(np.sqrt(votes.cell_px2))
    area_px2 = 4 * abs(float(long[0] * short[1] - long[1] * short[0]))
    if members.sum() * votes.cell_px2 > VOTES.whole * area_px2:
        shape = fit_shape(votes.at_px[members].astype(float), votes.chance[members], cell_px, (long, short))
        if shape is not None and _are_alike(shape[1:], (long, short)):
            centre, long, short = shape
    if long[0] * short[1] < long[1] * short[0]:
        short = -short
    quad = np.array([centre - long + short, centre - long - short, centre + long - short, centre + long + short])
    area = float(abs(4 * (long[0] * short[1] - long[1] * short[0])))
    half_px = float(np.hypot(*long)) / votes.reduction
    if area < 8 * votes.cell_px2 or half_px < VOTES.least_good_half_px * VOTES.least_half:
        return None
    fit = min(1.0, half_px / VOTES.least_good_half_px, VOTES.most_good_half_px / half_px)
    chance = float(votes.chance[members].mean())
    return Rough(
        quad_px=quad,
        score=chance * fit,
        visible=float(min(1.0, members.sum() * votes.cell_px2 / area)),
        half_px=half_px,
        cells_px=votes.at_px[members].astype(float),
        cell_px=cell_px,
        scatter=float(np.sqrt(np.average(away, weights=votes.chance[members]))),
    )


def _are_alike(axes: tuple[Array, Array], voted: tuple[Array, Array]) -> bool:
    """Tell whether two pairs of half axes agree, whichever way they point."""
    most = VOTES.unlike * float(np.hypot(*(np.hypot(*axis) for axis in voted)))
    return all(min(np.hypot(*(a - b)), np.hypot(*(a + b))) < most for a, b in zip(axes, voted, strict=True))


def _mean_axis(doubled: Array, weight: Array) -> Array:
    """Average directions and lengths apart: vectors that differ in direction would shorten their mean."""
    share = weight / weight.sum()
    axis = halved(share @ doubled)
    length = share @ np.hypot(doubled[:, 0], doubled[:, 1])
    return axis * (length / max(float(np.hypot(*axis)), 1e-6))
