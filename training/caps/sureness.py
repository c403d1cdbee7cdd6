"""How names fare on lessons that nothing was taught on: by how far off the middle is looked, and how sure they may be.

    python -m linesies.training.caps.sureness SAMPLES.npz...

Takes samples as `worlds` draws them, and of those the places where the judge would look once more. Tells by what power
shares are likeliest when each world is left out in turn (`OWNERS.sharper` in `vision/caps/owners.py`), and how many
caps and how much litter are, by each share, a certain cap of a certain name, each place alone in its picture. How
firmly fit and witness hold it (`vision/caps/firmness.py`) is not asked here, and tells before `CERTAINTY.cap` does.
"""

import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.caps.augment import plain
from linesies.training.caps.samples import STRANGER
from linesies.training.caps.stock import Stock
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.cuts import Cuts
from linesies.vision.caps.looks import look
from linesies.vision.caps.naming import TOGETHER, borne_out, cap_shares, weigh_together
from linesies.vision.caps.owners import OWNERS, STRANGERS_SHARE, Owners, answers, sharpened
from linesies.vision.caps.recognising import recognise
from linesies.vision.pieces import at_once

Array = NDArray[np.float64]

NEAR_MM = 5.0  # off the middle: of what lies farther off another look is mostly nearer
OFF_MM = (0, 1, 2, 3, 4, 5, 6, 8, 16)
POWERS = tuple(float(power) for power in np.arange(0.9, 1.31, 0.05).round(2))
CAP_SHARES = (0.984, 0.99, 0.992, 0.994, 0.996, 0.998, 0.999)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SceneAnswers:
    """What was told of N places of one scene: logarithms of shares (N, C + 1), not sharpened, and shares of a cap (N,).

    `truth` (N,) is the listed cap that lies there, C of a stranger's, -1 of none; `off_mm` (N,) how far off its middle.
    """

    world: str
    log_shares: Array
    cap: Array
    truth: NDArray[np.intp]
    off_mm: Array

    @property
    def is_near(self) -> NDArray[np.bool_]:
        """Which are caps, seen from about their middle (N,)."""
        return np.asarray((self.truth >= 0) & (self.off_mm < NEAR_MM), bool)

    @property
    def is_stranger(self) -> NDArray[np.bool_]:
        """Which are nobody's caps (N,)."""
        return np.asarray(self.truth == self.log_shares.shape[1] - 1, bool)


def asked(stock: Stock, scene: int) -> SceneAnswers | None:
    """Ask about the places of a scene that the judge would look at once more; None where there is none."""
    part = stock.lessons[(stock.scene[stock.lessons] == scene) & stock.is_closer[stock.lessons]]
    if not len(part):
        return None
    lesson = plain(stock.drawn(part))
    planes, leans, offsets, facts = (
        one.numpy() for one in (lesson.planes, lesson.leans, lesson.offset_mm, lesson.facts[0])
    )
    listed = facts[np.isfinite(facts[:, 0])]
    unturned = np.tile(np.eye(2), (len(part), 1, 1))
    cuts = Cuts(planes=planes, leans=leans[:, 0], xy_mm=np.zeros((len(part), 2)), turns=unturned)
    seen = at_once(look(cuts))
    log_shares, log_odds = answers(seen, cuts, listed)
    shares = np.exp(sharpened(log_shares, OWNERS.sharper))
    alone = borne_out(cap_shares(recognise(cuts, seen), Owners(shares=shares, log_odds=log_odds)), shares)
    together = [
        weigh_together(alone[i : i + 1], shares[i : i + 1], TOGETHER.present / TOGETHER.absent)[0]
        for i in range(len(part))
    ]
    owner = stock.owner[part]
    return SceneAnswers(
        world=str(stock.names[scene]).split(".")[0],
        log_shares=log_shares,
        cap=np.concatenate(together),
        truth=np.where(owner == STRANGER, len(listed), owner),
        off_mm=np.hypot(*offsets.T),
    )


def losses(told: SceneAnswers, power: float) -> Array:
    """Give the log losses of names (M,) of caps near the middle."""
    near = told.is_near
    return -sharpened(told.log_shares[near], power)[np.arange(near.sum()), told.truth[near]]


def tell_by_offset(scenes: list[SceneAnswers]) -> None:
    """Print how names of listed caps fare by how far off the middle is looked."""
    for low, high in pairwise(OFF_MM):
        right: list[bool] = []
        lost: list[bool] = []
        for told in scenes:
            here = (told.truth >= 0) & ~told.is_stranger & (told.off_mm >= low) & (told.off_mm < high)
            right.extend(told.log_shares[here].argmax(axis=1) == told.truth[here])
            lost.extend(told.cap[here] < CERTAINTY.named)
        print(f"{low:2d} to {high:2d} mm: {len(right):4d} caps, named {np.mean(right):.3f}, lost {np.mean(lost):.3f}")  # noqa: T201


def tell_power(scenes: list[SceneAnswers]) -> None:
    """Print the log loss of each power, and which is best on the others when each world is left out."""
    strangers = sum((told.is_near & told.is_stranger).sum() for told in scenes)
    caps = sum(told.is_near.sum() for told in scenes) - strangers
    rare = STRANGERS_SHARE / (1 - STRANGERS_SHARE) * caps / max(strangers, 1)
    weights = [np.where(told.is_stranger[told.is_near], rare, 1.0) for told in scenes]
    sums = np.array([[losses(told, power) @ w for power in POWERS] for told, w in zip(scenes, weights, strict=True)])
    worlds = np.array([told.world for told in scenes])
    best = [POWERS[sums[worlds != world].sum(axis=0).argmin()] for world in np.unique(worlds)]
    for power, loss in zip(POWERS, sums.sum(axis=0) / caps, strict=True):
        print(f"power {power}: log loss {loss:.4f}, best when a world is left out {best.count(power)} times")  # noqa: T201


def tell_certain(scenes: list[SceneAnswers]) -> None:
    """Print how many are certain caps of a certain name, and what of them is wrong, by the least share of a cap."""
    for least in CAP_SHARES:
        counts = np.zeros(4, int)
        for told in scenes:
            shares = np.exp(sharpened(told.log_shares, OWNERS.sharper))[:, :-1]
            is_sure = (told.cap > least) & (shares.max(axis=1) > CERTAINTY.owner)
            listed, is_right = told.is_near & ~told.is_stranger, shares.argmax(axis=1) == told.truth
            kinds = (listed, listed & ~is_right, told.is_near & told.is_stranger, told.truth < 0)
            counts += [(is_sure & kind).sum() for kind in kinds]
        print("cap > {}: {} certain, {} of them another's; {} strangers', {} litter".format(least, *counts))  # noqa: T201


def main() -> None:
    """Ask about all samples named on the command line."""
    cv2.setNumThreads(1)
    stock = Stock([Path(name) for name in sys.argv[1:]], [])
    scenes = [told for scene in range(len(stock.names)) if (told := asked(stock, scene)) is not None]
    tell_by_offset(scenes)
    tell_power(scenes)
    tell_certain(scenes)


if __name__ == "__main__":
    main()
