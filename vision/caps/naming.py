"""Whose cap is which: all candidates of a picture weighed together, for each listed cap lies there at most once.

By messages between candidates and caps, as in multi-target tracking (Williams and Lau 2014): on such tables they always
settle, close to the true probabilities, at a cost that does not explode with the number of caps.

Whether it is a cap is asked of two witnesses: what finds caps, and what names them. They err in different places. And
how sure a name is bears a cap out: litter looks a little like several of those listed, and like none in particular.

How much litter lies about tells as well: where hardly more places are worth a look than caps are listed, what lies
there is mostly caps; on a littered street it is mostly not. And where most listed caps were seen, the last is likelier
there too. (So answers are carried over to other shares than those they were taught on: Saerens, Latinne and
Decaestecker 2002.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.odds import times_likelier
from linesies.vision.caps.owners import Owners
from linesies.vision.caps.recognising import RECOGNISING, Recognised
from linesies.vision.pieces import Pieces

Array = NDArray[np.float64]

ROUNDS = 200  # of messages; a few settle most pictures
SETTLED = 1e-6
PRESENCE_ROUNDS = 4  # of telling how many listed caps lie there; the last changes hardly anything
QUIET = 1e-12  # keeps shares finite
SET_ON = (  # seen while these were set, so no proof of them
    "by hand, of few: world=varied 1720 to 1766 as drawn since 2026-11-25, the public scenes, the third world in sight"
)

BY_PICTURE = (
    "by hand, of 0.5 to 4 uncounted, 2 to 18 present, 0.25 to 2 absent, for the log loss of a cap on world=varied "
    "17300 to 17379, as they are and with seven caps of ten or all left out, and for caps found on the third world, "
    "where three listed caps of ten are absent; 2026-11-29"
)


@dataclass(frozen=True)
class Together(Tuning):
    """What is known of a game before a picture is looked at."""

    present: float = tuned(
        9.0,
        title="caps that count as lying there beside those seen, to tell how likely a listed one does",
        unit="1",
        low=0.1,
        high=100,
        source=BY_PICTURE,
    )
    absent: float = tuned(
        1.0,
        title="caps that count as absent beside those not seen, likewise",
        unit="1",
        low=0.1,
        high=100,
        source=BY_PICTURE,
    )
    followed: float = tuned(
        4000.0,
        title="odds that a cap lies where it was followed to, beside those of the lessons",
        unit="1",
        low=1,
        high=100000,
        source="by hand, of 6, 400, 4000: certain are all 46 calls of pc1 to pc3, 26 of a street at 0.3 px/mm, no blot",
    )
    names: float = tuned(
        0.5,
        title="weight of what names caps, beside what finds them, on whether it is one",
        unit="1",
        low=0,
        high=1,
        source=SET_ON,
    )
    strange: float = tuned(
        0.7,
        title="what a look that is surely nobody's tells of a cap, beside one that is surely a listed one's",
        unit="1",
        low=0,
        high=1,
        source="by hand, of 0.3, 0.5, 0.7 and 1: the least by which a plain stranger's cap is still told as nobody's "
        "(`tests/test_line_calls.py`); log loss of a cap is least at 0 on seven sets, 2026-11-27",
    )
    known: float = tuned(
        0.95,
        title="share of a name by its own look, of what surely is a cap, from which no other place may bear it",
        unit="1",
        low=0.5,
        high=1,
        source="by hand, of 0.9 to 0.99, on 135 streets of world=varied (17500 to 17744) and the third world: of 3,032 "
        "caps 1,569 calls are certain, 1,458 without it, two of either wrong; from 0.9 on one more is, 2026-11-29",
    )
    uncounted: float = tuned(
        1.0,
        title="caps, and as many other things, that count as looked at beside those that are",
        unit="1",
        low=0.1,
        high=20,
        source=BY_PICTURE,
    )


TOGETHER = Together()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighed:
    """What may lie at N board points (N, 2), no two of them one: how likely a cap (N,), and whose (N, C + 1).

    The last column is nobody's; `alone_shares` (N, C + 1) are whose each is by its own look, all others left out but
    for who surely lies elsewhere by his own.
    """

    xy_mm: Array
    cap_shares: Array
    owner_shares: Array
    alone_shares: Array


def weigh(recognised: Recognised, owners: Owners) -> Pieces[Weighed]:
    """Weigh together what may be caps, each place once: each listed cap lies there at most once."""
    shares = borne_out(cap_shares(recognised, owners), owners.shares)
    kept: list[int] = []
    for i in np.argsort(-shares, kind="stable"):
        if all(np.hypot(*(recognised.xy_mm[i] - recognised.xy_mm[j])) > RECOGNISING.same_mm for j in kept):
            kept.append(int(i))
    alone = owners.shares[kept]
    caps, whose = weigh_by_presence(shares[kept], alone)
    yield
    by_itself = but_for_known(caps, alone)
    return Weighed(xy_mm=recognised.xy_mm[kept], cap_shares=caps, owner_shares=whose, alone_shares=by_itself)


def but_for_known(cap_shares: Array, alone_shares: Array) -> Array:
    """Leave out, of whose each place is by its own look (N, C + 1), who surely lies elsewhere by his own look.

    One light deceives about caps that look alike, so that two of them may each bear the other's name; but then neither
    surely looks like it.

    >>> but_for_known(np.array([1.0, 1.0]), np.array([[0.6, 0.3, 0.1], [0.02, 0.98, 0.0]])).round(2).tolist()
    [[0.86, 0.0, 0.14], [0.02, 0.98, 0.0]]
    """
    likeliest = alone_shares[:, :-1].argmax(axis=1)
    rows = np.arange(len(alone_shares))
    is_known = (cap_shares > TOGETHER.known) & (alone_shares[rows, likeliest] > TOGETHER.known)
    bears = np.zeros(alone_shares.shape, np.intp)
    bears[rows[is_known], likeliest[is_known]] = 1
    left = np.where(bears.sum(axis=0) > bears, 0.0, alone_shares) + QUIET
    return np.asarray(left / left.sum(axis=1, keepdims=True), float)


def caps_to_others(*, places: int, caps: float) -> float:
    """Tell how many of so many places that are worth a look are caps for each that is none, where so many caps lie.

    >>> caps_to_others(places=6, caps=6), caps_to_others(places=20, caps=6)
    (7.0, 0.4666666666666667)
    """
    return (caps + TOGETHER.uncounted) / (max(places - caps, 0) + TOGETHER.uncounted)


def cap_shares(recognised: Recognised, owners: Owners) -> Array:
    """Tell how likely each place (N,) is a cap by itself, were half of all places caps: both witnesses, weighed."""
    log_odds = recognised.log_odds + TOGETHER.names * (owners.log_odds - recognised.log_odds)
    return np.asarray(1 / (1 + np.exp(-log_odds)), float)


def borne_out(cap_shares: Array, owner_shares: Array) -> Array:
    """Tell how likely places (N,) are caps that look like each listed cap, or nobody's, by such shares (N, C + 1).

    >>> borne_out(np.array([0.9, 0.9]), np.array([[0.98, 0.01, 0.01], [0.3, 0.3, 0.4]])).round(2).tolist()
    [0.9, 0.84]
    """
    surest = owner_shares[:, :-1].max(axis=1, initial=0) + TOGETHER.strange * owner_shares[:, -1]
    return times_likelier(cap_shares, surest)


def weigh_by_presence(cap_shares: Array, owner_shares: Array) -> tuple[Array, Array]:
    """Weigh together, as `weigh_together` does, how many of the listed caps lie there being told by the picture too.

    Before a game, or in another street, none may lie there, and then what looks a little like one is not it.
    """
    listed = owner_shares.shape[1] - 1
    present, absent = TOGETHER.present, TOGETHER.absent
    for _ in range(PRESENCE_ROUNDS):
        lying = listed * present / (present + absent)
        among = times_likelier(cap_shares, caps_to_others(places=len(cap_shares), caps=lying))
        caps, whose = weigh_together(among, owner_shares, present / absent)
        seen = float((caps[:, None] * whose[:, :-1]).sum())
        present, absent = TOGETHER.present + seen, TOGETHER.absent + listed - seen
    return caps, whose


def weigh_together(cap_shares: Array, owner_shares: Array, present: float) -> tuple[Array, Array]:
    """Tell how likely each candidate (S,) is a cap, and of each cap or nobody's (S, C + 1), given all the others.

    Takes the same of each candidate by itself, and the odds that a listed cap is among them.
    """
    listed = present * cap_shares[:, None] * owner_shares[:, :-1] + QUIET
    nobodys, no_cap = cap_shares * owner_shares[:, -1], 1 - cap_shares + QUIET
    else_shares = (nobodys + no_cap)[:, None]
    is_free = np.ones_like(listed)  # messages of the caps: how likely no other candidate is this one
    for _ in range(ROUNDS):
        wanted = listed * is_free
        claims = listed / (else_shares + wanted.sum(axis=1, keepdims=True) - wanted)
        before, is_free = is_free, 1 / (1 + claims.sum(axis=0, keepdims=True) - claims)
        if np.abs(is_free - before).max(initial=0) < SETTLED:
            break
    wanted = listed * is_free
    caps = np.column_stack([wanted, nobodys])
    whole = caps.sum(axis=1)
    return whole / (whole + no_cap), caps / (whole[:, None] + QUIET)
