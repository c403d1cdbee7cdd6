"""What places look like to the nets: each is asked once, and tells all that is asked of it.

Two nets, alike but taught apart, err in other places. Their first layers are those of EfficientNet-Lite0 (Apache-2.0),
which know photographs of a thousand kinds of things; `training/caps` taught them caps. No weight is set by hand.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cuts import Cuts
from linesies.vision.caps.net import asking
from linesies.vision.pieces import Pieces

Array = NDArray[np.float64]

NETS = ("sighting", "sighting_again")
DESCRIBED = 96  # numbers that describe a look
LOG_ODDS, OFFSET, NO_CAP, NOBODYS, LOOK = 0, slice(1, 3), 3, 4, slice(5, 5 + DESCRIBED)  # where each is told
TURNED = np.array([1.0, -1.0, *np.ones(LOOK.stop - 2)])  # what of it is told the other way round of a mirrored cut


@dataclass(frozen=True)
class LooksTuning(Tuning):
    """Which places are looked at mirrored too."""

    worth_mirroring: float = tuned(
        -7.0,
        title="log odds of a cap, as it is seen, from which a place is first looked at mirrored too",
        unit="nat",
        low=-20,
        high=-4,
        source="by hand, on 8,647 places of the third world and 69 streets of world=varied: six in ten lie below, none "
        "of which came over -5.06 by both looks, where -4 is worth a second one, 2026-11-29",
    )


LOOKS = LooksTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """What nets tell of N cuts, each net in one or more ways: (nets, ways, N, TOLD).

    That is the log odds of a cap, its offset in the cut as it is, logits of no cap and of nobody's, and how it looks.
    """

    told: Array


def glance(cuts: Cuts) -> Pieces[Seen]:
    """Look at cuts, none or more, with one net, and mirrored only at what may be worth a second look."""
    told = yield from _asking(NETS[0], cuts)
    worth = np.flatnonzero(told[:, LOG_ODDS] > LOOKS.worth_mirroring)
    mirrored = yield from _asking(NETS[0], _mirrored(cuts[worth]))
    told[worth] = (told[worth] + mirrored * TURNED) / 2
    return Seen(told=told[None, None])


def look(cuts: Cuts) -> Pieces[Seen]:
    """Look at cuts, none or more, with both nets, as they are and mirrored."""
    count, told = len(cuts.planes), []
    both_ways = replace(
        cuts,
        planes=np.concatenate([cuts.planes, _mirrored(cuts).planes]),
        leans=np.concatenate([cuts.leans, cuts.leans]),
    )
    for net in NETS:
        ways = yield from _asking(net, both_ways)
        told.append((ways[:count], ways[count:] * TURNED))
    return Seen(told=np.array(told))


def _asking(net: str, cuts: Cuts) -> Pieces[Array]:
    """Ask a net of cuts, none or more, as they are: (N, TOLD)."""
    if not len(cuts.planes):
        return np.zeros((0, LOOK.stop))
    return (yield from asking(net, cuts.planes, leans=cuts.leans))


def _mirrored(cuts: Cuts) -> Cuts:
    return replace(cuts, planes=np.ascontiguousarray(cuts.planes[..., ::-1]))
