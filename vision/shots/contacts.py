"""Who touched whom: from the caps' ways before and after, and from when each was set in motion."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.shots.flights import is_quick
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.track import TRACK, Track, cosine

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactTuning(Tuning):
    """Where and when a cap must have been to have touched another."""

    hardly_diameters: float = tuned(
        0.5,
        title="a cap that moved less still lies on its old place, in diameters",
        unit="1",
        low=0.1,
        high=1,
        source="geometry: moved by less, a cap still covers the middle of its old place",
    )
    nudged_mm: float = tuned(
        5.0,
        title="how near the rim must have come of what nudged a cap that hardly moved",
        unit="mm",
        low=1,
        high=20,
        source=by_hand_in("e11ab75"),
    )
    near_mm: float = tuned(
        9.0,
        title="how far apart two rims may seem at contact",
        unit="mm",
        low=2,
        high=30,
        source="two places in flight, each good to some 3 mm: two deviations of their difference",
    )
    doubtful_mm: float = tuned(
        22.0,
        title="nearer than which a contact is likely, for people to see",
        unit="mm",
        low=5,
        high=80,
        source="two places in flight, each good to some 3 mm: five deviations of their difference",
    )
    aslant: float = tuned(
        1.2,
        title="how aslant a sure push may be: 0 straight away, 1 across, 2 towards",
        unit="1",
        low=0.2,
        high=2,
        source=by_hand_in("9d3b1db"),
    )
    aslant_mm: float = tuned(
        8.0, title="what a way missed aslant counts like", unit="mm", low=1, high=40, source=ON_FILMS
    )
    after_s: float = tuned(
        0.02,
        title="by which a contact may seem later than the victim's first motion",
        unit="s",
        low=0.002,
        high=0.2,
        source="a frame at 50 a second",
    )


CONTACT = ContactTuning()

STEP_S = 0.001  # between the moments at which two caps' distance is looked at: a fast cap goes 5 mm

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
        return self.apart_mm <= CONTACT.near_mm and self.aslant < CONTACT.aslant

    @property
    def doubt(self) -> float:
        """How unlikely this toucher is, in millimetres apart."""
        return self.apart_mm + CONTACT.aslant_mm * self.aslant


def touchers_among(moved: list[Movement], frame_s: float) -> dict[str, tuple[Contact, ...]]:
    """Find who may have touched whom; who was touched moved by itself, and may have touched others in turn."""
    movers = [m for m in moved if m.track is not None and (m.is_flown or is_quick(m.track))]
    while True:
        tracks = [m.followed for m in movers]
        touchers = {m.player: likely_touchers(m, tracks, frame_s) for m in moved}
        pushed = [m for m in moved if m not in movers and m.track is not None and is_pushed(touchers[m.player])]
        if not pushed:
            return touchers
        movers += pushed


def likely_touchers(m: Movement, tracks: list[Track], frame_s: float) -> tuple[Contact, ...]:
    """Find who may have touched a cap; one that hardly moved, only those that came close and pushed it that way."""
    found = _near(m, tracks, frame_s)
    if not m.is_slight:
        return found
    return tuple(contact for contact in found if contact.is_certain and contact.apart_mm <= CONTACT.nudged_mm)


def is_pushed(touchers: tuple[Contact, ...]) -> bool:
    """Tell whether the pictures show that one of these touched it."""
    return bool(touchers) and touchers[0].is_certain


def _near(m: Movement, tracks: list[Track], frame_s: float) -> tuple[Contact, ...]:
    if m.from_mm is None:
        return ()
    way_mm = (m.call.xy_mm[0] - m.from_mm[0], m.call.xy_mm[1] - m.from_mm[1])
    has_stayed = m.track is None or m.way_mm < CONTACT.hardly_diameters * m.call.diameter_mm
    victim = Victim(
        player=m.player,
        radius_mm=m.call.diameter_mm / 2,
        xy_mm=m.from_mm,
        t_start_s=None if has_stayed else m.followed.t_start_s,
        ways_mm=(way_mm,) if m.track is None else (tuple(m.followed.first_way_mm), way_mm),
        is_timed=m.is_timed and not has_stayed,
    )
    found = touchers_of(victim, tracks, frame_s=frame_s) or touchers_of(
        replace(victim, is_timed=False), tracks, frame_s=frame_s
    )
    if not found or not has_stayed or m.history is None:
        return found
    t_s = m.history.set_off_s(missed_s=found[0].t_s)
    timed = victim if t_s is None else replace(victim, t_start_s=t_s, is_timed=True)
    return touchers_of(timed, tracks, frame_s=frame_s) or found


def touchers_of(victim: Victim, movers: list[Track], *, frame_s: float) -> tuple[Contact, ...]:
    """Find which of the moving caps may have set the victim in motion, the likeliest first."""
    found = [_nearest(victim, mover, frame_s) for mover in movers if mover.player != victim.player]
    near = [contact for contact in found if contact is not None and contact.apart_mm <= CONTACT.doubtful_mm]
    return tuple(sorted(near, key=lambda contact: contact.doubt))


def _nearest(victim: Victim, mover: Track, frame_s: float) -> Contact | None:
    start, end = mover.t_start_s, mover.t_end_s
    if victim.t_start_s is not None:
        before_s, after_s = max(TRACK.late_s, 2 * frame_s), max(CONTACT.after_s, frame_s)
        if victim.is_timed:
            before_s, after_s = TIMED_FRAMES[0] * frame_s, TIMED_FRAMES[1] * frame_s
        start, end = max(start, victim.t_start_s - before_s), min(end, victim.t_start_s + after_s)
    if end <= start:
        return None
    times = np.linspace(start, end, max(2, int((end - start) / STEP_S)))
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
