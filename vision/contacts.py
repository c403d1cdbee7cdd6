"""Who touched whom: from the caps' ways before and after, and from when each was set in motion."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tracks import Track

Array = NDArray[np.float64]

NEAR_MM = 9.0  # how far apart two caps' rims may seem at contact: places are good to a few millimetres in flight
DOUBTFUL_MM = 22.0  # nearer than this, the contact is likely but people should see it
BEFORE_S = 0.045  # the contact may seem this much earlier than the victim's first motion
AFTER_S = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Victim:
    """A cap that moved: where it rested, and when it set off (None: too little to see when)."""

    player: str
    radius_mm: float
    xy_mm: tuple[float, float]
    t_start_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """The likeliest toucher of one victim: when, and how far apart the rims seemed."""

    by: str
    t_s: float
    apart_mm: float

    @property
    def is_certain(self) -> bool:
        """Tell whether the pictures show the touch."""
        return self.apart_mm <= NEAR_MM


def toucher_of(victim: Victim, movers: list[Track], *, frame_s: float) -> Contact | None:
    """Find which of the moving caps set the victim in motion; None when none came near."""
    found = [_nearest(victim, mover, frame_s) for mover in movers if mover.player != victim.player]
    found = [contact for contact in found if contact is not None and contact.apart_mm <= DOUBTFUL_MM]
    return min(found, key=lambda contact: contact.apart_mm, default=None)


def _nearest(victim: Victim, mover: Track, frame_s: float) -> Contact | None:
    start, end = mover.t_start_s, mover.t_end_s
    if victim.t_start_s is not None:
        start = max(start, victim.t_start_s - max(BEFORE_S, 2 * frame_s))
        end = min(end, victim.t_start_s + max(AFTER_S, frame_s))
    if end <= start:
        return None
    times = np.linspace(start, end, max(2, int((end - start) / 0.001)))
    apart = np.hypot(*(mover.at(times) - np.array(victim.xy_mm)).T) - mover.radius_mm - victim.radius_mm
    i = int(apart.argmin())
    touching = np.flatnonzero(apart <= max(float(apart[i]), 0.0) + 0.5)
    return Contact(by=mover.player, t_s=float(times[touching[0]]), apart_mm=max(float(apart[i]), 0.0))
