"""Who touched whom: from the caps' ways before and after, and from when each was set in motion."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tracks import Track

Array = NDArray[np.float64]

NEAR_MM = 9.0  # how far apart two caps' rims may seem at contact: places are good to a few millimetres in flight
DOUBTFUL_MM = 22.0  # nearer than this, the contact is likely but people should see it
ASLANT = 1.2
ASLANT_MM = 8.0
BEFORE_S = 0.045  # the contact may seem this much earlier than the victim's first motion
AFTER_S = 0.02
TIMED_FRAMES = (0.7, 0.3)  # likewise, where the start is known to a part of a frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Victim:
    """A cap that moved: where it rested, when it set off (None: too little to see when), and which way it went.

    `is_timed`: it set off within half a frame of `t_start_s`.
    """

    player: str
    radius_mm: float
    xy_mm: tuple[float, float]
    t_start_s: float | None
    way_mm: tuple[float, float]
    is_timed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """The likeliest toucher of one victim: when, and how far apart the rims seemed."""

    by: str
    t_s: float
    apart_mm: float
    aslant: float  # 0: the victim was pushed straight away from the toucher, 1: across, 2: towards it

    @property
    def is_certain(self) -> bool:
        """Tell whether the pictures show the touch."""
        return self.apart_mm <= NEAR_MM and self.aslant < ASLANT

    @property
    def doubt(self) -> float:
        """How unlikely this toucher is, in millimetres apart."""
        return self.apart_mm + ASLANT_MM * self.aslant


def toucher_of(victim: Victim, movers: list[Track], *, frame_s: float) -> Contact | None:
    """Find which of the moving caps set the victim in motion; None when none came near."""
    found = [_nearest(victim, mover, frame_s) for mover in movers if mover.player != victim.player]
    found = [contact for contact in found if contact is not None and contact.apart_mm <= DOUBTFUL_MM]
    return min(found, key=lambda contact: contact.doubt, default=None)


def _nearest(victim: Victim, mover: Track, frame_s: float) -> Contact | None:
    start, end = mover.t_start_s, mover.t_end_s
    if victim.t_start_s is not None:
        before_s, after_s = max(BEFORE_S, 2 * frame_s), max(AFTER_S, frame_s)
        if victim.is_timed:
            before_s, after_s = TIMED_FRAMES[0] * frame_s, TIMED_FRAMES[1] * frame_s
        start, end = max(start, victim.t_start_s - before_s), min(end, victim.t_start_s + after_s)
    if end <= start:
        return None
    times = np.linspace(start, end, max(2, int((end - start) / 0.001)))
    places = mover.at(times)
    apart = np.hypot(*(places - np.array(victim.xy_mm)).T) - mover.radius_mm - victim.radius_mm
    i = int(np.flatnonzero(apart <= max(float(apart.min()), 0.0) + 0.5)[0])
    push = np.array(victim.xy_mm) - places[i]
    return Contact(
        by=mover.player,
        t_s=float(times[i]),
        apart_mm=max(float(apart[i]), 0.0),
        aslant=1.0 - cosine(push, np.array(victim.way_mm)),
    )


def cosine(a: Array, b: Array) -> float:
    """Take the cosine between two ways (2,); 0 when either has no length."""
    lengths = float(np.hypot(*a) * np.hypot(*b))
    return float(a @ b) / lengths if lengths > 0 else 0.0
