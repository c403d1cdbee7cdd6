"""Blobs that keep still: where a cap on its way may have come to rest."""

from dataclasses import dataclass
from math import dist

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.blobs import Blob

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StillTuning(Tuning):
    """When a blob keeps still."""

    slack_radii: float = tuned(
        0.25,
        title="by which a still blob's centre wanders, in radii",
        unit="1",
        low=0.05,
        high=1,
        source=by_hand_in("87175e9"),
    )
    slack_small_px: float = tuned(
        0.85, title="likewise at least, in the small picture", unit="px", low=0.2, high=4, source=by_hand_in("87175e9")
    )
    unseen_s: float = tuned(
        0.12, title="for which a still blob may go unseen", unit="s", low=0.02, high=1, source=by_hand_in("cd19fdd")
    )


STILL = StillTuning()

AVERAGE_OVER = 12  # sightings
MOSTLY = 0.5  # of them
USUAL_RADIUS_SMALL = 6.0  # of a cap, until it is known how the board lies in the picture


@dataclass(slots=True, kw_only=True, eq=False)
class Still:
    """One blob that keeps still: since when, when last seen, and its running means as each listed cap.

    `by_hand` is the share of sightings in which something larger than caps touched it.
    """

    since_s: float
    last_s: float
    anchor_small: tuple[float, float]
    xy_small: Array
    misfit: Array
    fill: Array
    by_hand: float
    seen: int

    @property
    def is_by_hand(self) -> bool:
        """Whether something larger than caps touches it, mostly."""
        return self.by_hand > MOSTLY


class Stills:
    """Remembers the blobs that keep still."""

    def __init__(self) -> None:
        self.radius_small = USUAL_RADIUS_SMALL
        self.now: list[Still] = []

    def see(self, blobs: tuple[Blob, ...], t_s: float) -> None:
        """Match one picture's blobs with those that keep still."""
        slack = max(STILL.slack_small_px, STILL.slack_radii * self.radius_small)
        left = list(self.now)
        for blob in blobs:
            near = min(left, key=lambda still: dist(still.anchor_small, blob.middle_small), default=None)
            if near is None or dist(near.anchor_small, blob.middle_small) > slack:
                self.now.append(_first(blob))
                continue
            left.remove(near)
            _renew(near, blob)
        self.now = [still for still in self.now if t_s - still.last_s <= STILL.unseen_s]

    def forget(self, *, radius_small: float | None = None) -> None:
        """Forget all; caps of another radius may wander more or less."""
        self.now = []
        if radius_small is not None:
            self.radius_small = radius_small

    def forget_at(self, places: list[tuple[Array, float]]) -> None:
        """Forget what keeps still in some places, each a centre and a radius: it is known now."""
        self.now = [
            still
            for still in self.now
            if not any(np.hypot(*(np.array(still.anchor_small) - centre)) < radius for centre, radius in places)
        ]


def _first(blob: Blob) -> Still:
    return Still(
        since_s=blob.t_s,
        last_s=blob.t_s,
        anchor_small=blob.middle_small,
        xy_small=blob.xy_small.copy(),
        misfit=blob.misfit.copy(),
        fill=blob.fill.copy(),
        by_hand=float(blob.is_by_hand),
        seen=1,
    )


def _renew(still: Still, blob: Blob) -> None:
    still.seen += 1
    share = 1.0 / min(still.seen, AVERAGE_OVER)
    still.xy_small += share * (blob.xy_small - still.xy_small)
    still.misfit += share * (blob.misfit - still.misfit)
    still.fill += share * (blob.fill - still.fill)
    still.by_hand += share * (blob.is_by_hand - still.by_hand)
    still.last_s = blob.t_s
