"""What it tells of a cap's being there that the fit and the witness agree on its place, or don't.

Of a true cap both find the same middle. A flat spot or a leaf has none: each finds another. Offsets along either axis
are taken to be normal, so that distances follow Rayleigh's distribution.
"""

from dataclasses import dataclass

import numpy as np

from linesies.calibration.tuning import Tuning, tuned

SEEN = "the median of 599 caps and of 12 other things of two public worlds, the third, and world=varied 1720 to 1766"


@dataclass(frozen=True)
class Agreement(Tuning):
    """How far apart a fit and the witness lie, along either axis, and how much may follow from that."""

    cap_mm: float = tuned(0.76, title="where a cap lies", unit="mm", low=0.1, high=5, source=SEEN)
    other_mm: float = tuned(1.36, title="where none lies", unit="mm", low=0.1, high=9, source=SEEN)
    surer: float = tuned(
        2.0,
        title="how many times likelier a cap is, at most, where they agree",
        unit="1",
        low=1,
        high=10,
        source="by hand: twelve things tell no more; of 1 and 2 the one that is certain of more, on the same",
    )
    doubtful: float = tuned(
        10.0,
        title="how many times less likely a cap is, at most, where they don't",
        unit="1",
        low=1,
        high=100,
        source="by hand: twelve things tell no more; 30 leaves as many calls certain, on the same",
    )


AGREEMENT = Agreement()


def cap_share_given(share: float, apart_mm: float) -> float:
    """Tell how likely a cap is that was so likely before it was known how far apart fit and witness lie.

    >>> round(cap_share_given(0.98, 0.5), 3), round(cap_share_given(0.98, 2.5), 3)
    (0.99, 0.831)
    """
    cap, other = AGREEMENT.cap_mm, AGREEMENT.other_mm
    times = (cap / other) ** 2 * np.exp(min(apart_mm**2 / 2 * (cap**-2 - other**-2), 50.0))
    against = (1 - share) * float(np.clip(times, 1 / AGREEMENT.surer, AGREEMENT.doubtful))
    return share / (share + against)
