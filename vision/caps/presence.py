"""Is a known cap there at all, where it was fitted? The nets that find caps look there once, and so does the witness.

It was followed there, or people say so; that is likelier than that a cap lies anywhere, and is weighed so. But of a
drop of rain, or of another's cap, the nets say that it is not this one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap, Listed
from linesies.vision.caps.cuts import Places, cut_out, shrink_about, window_of_cut
from linesies.vision.caps.looks import look
from linesies.vision.caps.naming import TOGETHER, cap_shares, weigh_together
from linesies.vision.caps.owners import name
from linesies.vision.caps.pictures import BeforeAndNow, PixelWindow
from linesies.vision.caps.placing import Placing
from linesies.vision.caps.recognising import recognise
from linesies.vision.caps.witness import witnessed
from linesies.vision.pieces import at_once

Array = NDArray[np.float64]

OTHER_FIT_MM = 4.0  # another program that fits it no farther off can look there too


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapPresence:
    """By what share the cap lies there, where the middle (2,) of what is seen is, in mm, and what the witness says."""

    share: float
    xy_mm: Array
    testimony: Placing


def look_for(cap: Cap, xy_mm: Array, pictures: BeforeAndNow, calibration: Calibration) -> CapPresence | None:
    """Look whether this cap lies at a board point (2,); None where too little of the pictures is kept to tell."""
    window_px = window_of_cut(xy_mm, calibration)
    if not pictures.shows(window_px):
        return None
    cuts = cut_out(shrink_about(window_px, pictures, calibration), Places(xy_mm=xy_mm[None]), calibration)
    seen = at_once(look(cuts))
    recognised, owners = recognise(cuts, seen), name(seen, cuts, Listed(caps=(cap,)))
    shares = cap_shares(recognised, owners)
    (share,), (whose,) = weigh_together(shares, owners.shares, TOGETHER.followed)
    (testimony,) = witnessed(cuts, (cap,))
    return CapPresence(share=float(share * whose[0]), xy_mm=recognised.xy_mm[0], testimony=testimony)


def worth_keeping(looked_at: PixelWindow, xy_mm: Array, calibration: Calibration) -> PixelWindow:
    """Give the part of a picture that holds what was looked at, and what is looked at about a board point (2,)."""
    seen = window_of_cut(xy_mm, calibration, OTHER_FIT_MM)
    low, high = np.minimum(looked_at[:2], seen[:2]), np.maximum(looked_at[2:], seen[2:])
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])
