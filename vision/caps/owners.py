"""Whose cap is it, if it is one? A small net weighs how it looks against each listed cap, beside each net that sees.

They weigh its colour, size, height and kind, and what is seen within and round a disc of its size. That it is nobody's,
and that no cap lies there at all, are answers too. Trained by `training/caps`; no weight is set by hand.
"""

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import to_linear
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cap import Cap, Kind, Listed
from linesies.vision.caps.cuts import AWAY_MM, SIDE_PX, Cuts, Planes
from linesies.vision.caps.looks import DESCRIBED, LOOK, NETS, NO_CAP, NOBODYS, Seen
from linesies.vision.caps.net import open_net

Array = NDArray[np.float64]

BANDS = ((0.0, 0.35), (0.35, 0.7), (0.7, 0.97), (1.03, 1.3), (1.3, 1.75))  # of a listed radius
INSIDE = 3  # of these lie within the cap
KINDS: tuple[str, ...] = get_args(Kind)
USUAL_MM, USUAL_HEIGHT_MM = 30.0, 10.0  # sizes are told as shares of these
LEAST_LEVEL = 0.05  # keeps tints finite
WEIGHED_BY = {"sighting": "owner", "sighting_again": "owner_again"}
LOG_SIZE = 3  # where the logarithm of a diameter over USUAL_MM stands among what is listed of a cap
STRANGERS_SHARE = 0.02  # in play one cap in fifty is nobody's; among the lessons one in five
STRANGERS = np.log(STRANGERS_SHARE / (1 - STRANGERS_SHARE) / (0.2 / 0.8))


@dataclass(frozen=True)
class OwnersTuning(Tuning):
    """How sure several answers are together."""

    sharper: float = tuned(
        1.2,
        title="power of the averaged shares, for an average is less sure than it is right",
        unit="1",
        low=0.5,
        high=2,
        source="by likelihood: the best of 0.9 to 1.3, 32 of the 45 times that one of 45 windows of world=varied "
        "(lessons 91000 to 91044) was left out; 1.2 to 1.3 on 24 other streets, 1.05 to 1.15 on the third world "
        "(`training/caps/sureness.py`), 2026-11-29",
    )


OWNERS = OwnersTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Owners:
    """How likely each of N cuts, if a cap lies there, shows each of C listed caps, or nobody's (N, C + 1).

    `log_odds` (N,) are of a cap, whosever it is.
    """

    shares: Array
    log_odds: Array


def name(seen: Seen, cuts: Cuts, listed: Listed) -> Owners:
    """Tell of each cut, by what was seen of it, whose cap it may show."""
    if not len(cuts.planes):
        return Owners(shares=np.zeros((0, len(listed.caps) + 1)), log_odds=np.zeros(0))
    log_shares, log_odds = answers(seen, cuts, cap_facts(listed.caps))
    return Owners(shares=np.exp(sharpened(log_shares, OWNERS.sharper)), log_odds=log_odds)


def answers(seen: Seen, cuts: Cuts, facts: Planes) -> tuple[Array, Array]:
    """Weigh what was seen of N cuts against what `cap_facts` lists of C caps, each net's and both ways.

    Gives the means of their answers: logarithms of shares (N, C + 1) of a cap, and the log odds (N,) that it is one.
    """
    diameters = USUAL_MM * np.exp(facts[:, LOG_SIZE].astype(float))
    measured = pair_inputs(cuts.planes, facts, band_weights(diameters))  # bands know no left and right
    weighed = [way for net, told in zip(NETS, seen.told, strict=True) for way in _weighed_by(net, told, measured)]
    log_shares, log_odds = (np.mean(one, axis=0) for one in zip(*weighed, strict=True))
    return log_shares, log_odds


def sharpened(log_shares: Array, power: float) -> Array:
    """Raise shares (N, C + 1) to a power, but for how many caps are nobody's, which was reckoned and not seen."""
    raised = power * log_shares
    raised[:, -1] += (1 - power) * STRANGERS
    return np.asarray(raised - np.logaddexp.reduce(raised, axis=1)[:, None], float)


def _weighed_by(net: str, ways: Array, measured: Planes) -> list[tuple[Array, Array]]:
    """Weigh what one net told of N cuts, both ways (2, N, TOLD), and what was measured of them (N, C, inputs).

    Gives of both ways the logarithms of shares (N, C + 1) of a cap, and the log odds (N,) that it is one.
    """
    count, listed = measured.shape[:2]
    looks = (np.broadcast_to(told[:, None, LOOK], (count, listed, DESCRIBED)) for told in ways)
    inputs = np.stack([np.concatenate([look, measured], axis=-1).astype(np.float32) for look in looks])
    weigher = open_net(WEIGHED_BY[net])
    weigher.setInput(inputs.reshape(-1, inputs.shape[-1]))
    weighed = np.asarray(weigher.forward(), float).reshape(len(ways), count, listed)
    return [_weighed(logits, told[:, NO_CAP], told[:, NOBODYS]) for logits, told in zip(weighed, ways, strict=True)]


def _weighed(logits: Array, no_cap: Array, nobody: Array) -> tuple[Array, Array]:
    """Weigh N cuts' listed caps (N, C) against nobody's, and all of them against no cap at all, both (N,)."""
    caps = np.column_stack([logits, nobody + STRANGERS])
    any_cap = np.logaddexp.reduce(caps, axis=1)
    return caps - any_cap[:, None], any_cap - no_cap


def cap_facts(caps: tuple[Cap, ...]) -> Planes:
    """Write what is listed of caps as numbers (C, 11): colour, size, height, kind."""
    rows = []
    for cap in caps:
        light = np.sqrt(to_linear(np.array([cap.colour_rgb[::-1]], np.uint8))[0])
        size = (np.log(cap.diameter_mm / USUAL_MM), cap.height_mm / USUAL_HEIGHT_MM - 1)
        rows.append([*light, *size, *(float(kind == cap.kind) for kind in KINDS)])
    return np.array(rows, np.float32)


def band_weights(diameters_mm: Array) -> Planes:
    """Weigh a cut's pixels for the mean of each band round its middle: (C, bands, SIDE_PX * SIDE_PX)."""
    away = AWAY_MM.ravel() / (np.asarray(diameters_mm, float)[:, None, None] / 2)
    low, high = (np.array(edge)[None, :, None] for edge in zip(*BANDS, strict=True))
    inside = np.clip((away - low) * 8 + 0.5, 0, 1) * np.clip((high - away) * 8 + 0.5, 0, 1) + 1e-6
    return np.asarray(inside / inside.sum(axis=-1, keepdims=True), np.float32)


def pair_inputs(planes: Planes, facts: Planes, weights: Planes) -> Planes:
    """Lay out what the second net reads, beside the looks, of N cuts (N, 6, SIDE, SIDE) and C caps: (N, C, inputs).

    `weights` are the caps' `band_weights`. Colours are compared as they are, as tints, and in brightness.
    """
    count, listed = len(planes), len(facts)
    rows = weights.reshape(-1, SIDE_PX * SIDE_PX)
    bands = (planes.reshape(-1, SIDE_PX * SIDE_PX) @ rows.T).reshape(count, 6, listed, len(BANDS))
    bands = bands.transpose(0, 2, 3, 1)
    seen, told = bands[:, :, :INSIDE, :3], facts[None, :, None, :3]
    seen_level, told_level = (np.linalg.norm(one, axis=-1, keepdims=True) + LEAST_LEVEL for one in (seen, told))
    parts = (bands, seen - told, seen / seen_level - told / told_level, np.log(seen_level / told_level))
    flat = [part.reshape(count, listed, -1) for part in parts]
    return np.concatenate([*flat, np.broadcast_to(facts[None], (count, *facts.shape))], axis=-1).astype(np.float32)
