"""Who touched whom: from the caps' ways before and after, and from when each was set in motion."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from linesies.vision.shots.tracks import Track

Array = NDArray[np.float64]

NEAR_MM = 9.0  # how far apart two caps' rims may seem at contact: places are good to a few millimetres in flight
DOUBTFUL_MM = 22.0  # nearer than this, the contact is likely but people should see it
ASLANT = 1.2
ASLANT_MM = 8.0  # that a way missed aslant counts like; set on the public films
BEFORE_S = 0.045  # the contact may seem this much earlier than the victim's first motion
AFTER_S = 0.02
ORDER_S = 0.02  # by which a touch may seem earlier than the one that set its toucher in motion
RIVAL_MM = 5.0  # of doubt between two touchers, below which it is for people to say which
MOST_TOUCHERS = 4  # of one victim are tried
TIMED_FRAMES = (0.7, 0.3)  # likewise, where the start is known to a part of a frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Victim:
    """A cap that moved: where it rested, when it set off (None: too little to see when), and which ways it went.

    `ways_mm` are its first steps and its whole way: a mixed sighting spoils the one, a second push the other.
    `is_timed`: it set off within half a frame of `t_start_s`.
    """

    player: str
    radius_mm: float
    xy_mm: tuple[float, float]
    t_start_s: float | None
    ways_mm: tuple[tuple[float, float], ...]
    is_timed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """One likely toucher of one victim: when, and how far apart the rims seemed."""

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


def touchers_of(victim: Victim, movers: list[Track], *, frame_s: float) -> tuple[Contact, ...]:
    """Find which of the moving caps may have set the victim in motion, the likeliest first."""
    found = [_nearest(victim, mover, frame_s) for mover in movers if mover.player != victim.player]
    near = [contact for contact in found if contact is not None and contact.apart_mm <= DOUBTFUL_MM]
    return tuple(sorted(near, key=lambda contact: contact.doubt))


def chain_of(shooter: str, touchers: dict[str, tuple[Contact, ...]]) -> dict[str, Contact]:
    """Choose one toucher a victim, so that the hits run from the shooter to as many victims as possible.

    Nobody touches before being touched; of several such chains the likeliest.
    """
    victims = [player for player in touchers if player != shooter and touchers[player]]
    best: tuple[tuple[float, float], dict[str, Contact]] = ((0.0, 0.0), {})
    for choice in product(*([*touchers[victim][:MOST_TOUCHERS], None] for victim in victims)):
        chain = {victim: contact for victim, contact in zip(victims, choice, strict=True) if contact is not None}
        worth = (len(chain), -sum(contact.doubt for contact in chain.values()))
        if worth > best[0] and all(_is_reached(victim, shooter, chain) for victim in chain):
            best = (worth, chain)
    return best[1]


def has_rival(victim: str, shooter: str, chain: dict[str, Contact], touchers: dict[str, tuple[Contact, ...]]) -> bool:
    """Tell whether another cap of the chain may as well have touched a victim first."""
    others = [contact for contact in touchers[victim] if contact.by != chain[victim].by]
    return any(
        contact.doubt < chain[victim].doubt + RIVAL_MM and _is_reached(victim, shooter, {**chain, victim: contact})
        for contact in others
    )


def _is_reached(victim: str, shooter: str, chain: dict[str, Contact]) -> bool:
    """Follow a victim's touchers back in time to the shooter."""
    seen = {victim}
    while (by := chain[victim].by) != shooter:
        if by in seen or by not in chain or chain[by].t_s > chain[victim].t_s + ORDER_S:
            return False
        seen.add(by)
        victim = by
    return True


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
        aslant=1.0 - max(cosine(push, np.array(way_mm)) for way_mm in victim.ways_mm),
    )


def cosine(a: Array, b: Array) -> float:
    """Take the cosine between two ways (2,); 0 when either has no length."""
    lengths = float(np.hypot(*a) * np.hypot(*b))
    return float(a @ b) / lengths if lengths > 0 else 0.0
