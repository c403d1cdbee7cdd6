"""Who may have set whom in motion: among the caps that flew, and those that a hand hid while they did."""

from dataclasses import dataclass, replace

import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.contacts import CONTACT, Contact, is_pushed, likely_touchers
from linesies.vision.shots.flights import FLIGHT, has_glided
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.track import Track, cosine


@dataclass(frozen=True)
class HiddenTuning(Tuning):
    """Caps whose flight a hand hid."""

    stray_diameters: float = tuned(
        2.0,
        title="how much farther than where it ends a sliding cap never is, in diameters",
        unit="1",
        low=0.2,
        high=10,
        source=by_hand_in("5598218"),
    )
    least_along: float = tuned(
        0.5,
        title="cosine between a little way and the way to the cap that was struck at its end",
        unit="1",
        low=-1,
        high=1,
        source="geometry: within 60 degrees",
    )


HIDDEN = HiddenTuning()

LEAST_SEEN = 2  # points of a track that are but its ends


def with_pushers(moved: list[Movement], frame_s: float) -> list[Movement]:
    """Take a cap for flown, though a hand hid its flight, where a cap that flew can have been pushed by it alone.

    Likewise one of which nobody knows where it lay, that was seen gliding. One that was seen gliding has flown, too,
    where a cap was stirred that nothing else can have pushed.
    """
    flown = [m for m in moved if m.is_flown and m.track is not None and m.from_mm is not None]
    seen = [m for m in flown if m.is_seen_flying]
    pushed = [*flown, *(m for m in moved if m.cause is MovementCause.STIRRED)]
    others = [m for m in moved if (m.from_mm is not None or _has_glided(m)) and not (m.is_seen_flying or m.is_slight)]
    pushers: dict[str, Movement] = {}
    for m in pushed:
        if is_pushed(likely_touchers(m, [other.followed for other in seen], frame_s)):
            continue
        slid = {other.player: way for other in others if other is not m and (way := _pushing(m, other)) is not None}
        found = likely_touchers(m, [other.followed for other in slid.values()], frame_s)
        if found and _has_pushed(slid[found[0].by], found[0]):
            pushers[found[0].by] = _flown_by(slid[found[0].by], found[0].t_s)
    if not pushers:
        return moved
    return with_pushers([pushers.get(m.player, m) for m in moved], frame_s)


def _pushing(victim: Movement, m: Movement) -> Movement | None:
    """Let a cap have gone so that it pushed the victim; None where it cannot have."""
    if victim.track is None:
        return m if _has_glided(m) else None
    if m.track is None:
        return _shoved_into(victim, m) if _ends_at(m, victim) else None
    return _slid_into(victim, m)


def _has_pushed(m: Movement, contact: Contact) -> bool:
    """Tell whether a cap that a hand hid pushed another; one seen free of the hand at last need not be seen to touch.

    Whoever pushes so is told as likely, for people to see.
    """
    was_free = m.followed.flight[0] >= FLIGHT.least_steps
    return contact.aslant < CONTACT.aslant and contact.doubt < (CONTACT.doubtful_mm if was_free else CONTACT.near_mm)


def _has_glided(m: Movement) -> bool:
    return m.track is not None and has_glided(m.track)


def _slid_into(victim: Movement, m: Movement) -> Movement:
    """Let a cap that nobody saw on its way have slid it, as fast as friction lets it, when the victim set off."""
    is_unseen = m.cause is MovementCause.UNSEEN  # and what was taken for it was a hand, which says nothing of when
    is_followed = len(m.followed.t_s) > LEAST_SEEN and not (is_unseen or _has_strayed(m))
    if is_followed or not m.is_clear:
        return m
    took_s = min((2 * m.way_mm / FLIGHT.friction_mm_s2) ** 0.5, m.followed.t_end_s - m.followed.t_start_s)
    ends = m.followed.xy_mm[[0, -1]]
    shares = np.linspace(0, 1, 33)
    apart_mm = np.hypot(*(ends[0] + shares[:, None] * (ends[1] - ends[0]) - victim.from_mm).T)
    touch_mm = max(apart_mm.min(), (m.call.diameter_mm + victim.call.diameter_mm) / 2)
    meet = shares[np.flatnonzero(apart_mm <= touch_mm)[0]]
    start_s = victim.followed.t_start_s - took_s * meet
    first_s = -np.inf if is_unseen else m.followed.t_start_s
    start_s = float(np.clip(start_s, first_s, m.followed.t_end_s - took_s))
    times_s = np.array([start_s, start_s + took_s])
    return replace(m, track=replace(m.followed, t_s=times_s, xy_mm=ends, is_free=np.zeros(2, bool)))


def _ends_at(m: Movement, victim: Movement) -> bool:
    """Tell whether a cap that moved too little to be followed went towards another, and as far as its rim."""
    if m.from_mm is None or victim.from_mm is None:
        return False
    before_mm, after_mm, victim_mm = np.array(m.from_mm), np.array(m.call.xy_mm), np.array(victim.from_mm)
    left_mm = np.hypot(*(victim_mm - after_mm)) - (m.call.diameter_mm + victim.call.diameter_mm) / 2
    is_along = cosine(after_mm - before_mm, victim_mm - before_mm) > HIDDEN.least_along
    return bool(is_along and left_mm < CONTACT.nudged_mm)


def _shoved_into(victim: Movement, m: Movement) -> Movement:
    """Let a cap that moved too little to be followed have come to rest when the victim, which it struck, set off."""
    end_s = victim.followed.t_start_s
    track = Track(
        player=m.player,
        radius_mm=m.call.diameter_mm / 2,
        t_s=np.array([end_s - (2 * m.way_mm / FLIGHT.friction_mm_s2) ** 0.5, end_s]),
        xy_mm=np.array([m.from_mm, m.call.xy_mm]),
        is_free=np.zeros(2, bool),
    )
    return replace(m, track=track)


def _has_strayed(m: Movement) -> bool:
    """Tell whether what was taken for a cap on its way was a hand: farther off than a cap slides that ends there."""
    farthest_mm = float(np.hypot(*(m.followed.xy_mm - m.followed.xy_mm[0]).T).max())
    return farthest_mm > m.way_mm + HIDDEN.stray_diameters * m.call.diameter_mm


def _flown_by(m: Movement, touched_s: float) -> Movement:
    """Take a cap for flown that touched another at a time; what it did long before, it did in a hand."""
    start_s = max(m.followed.t_start_s, touched_s - FLIGHT.quickest_hand_s)
    return replace(m, cause=MovementCause.FLOWN, track=m.followed.set_off_at(start_s))
