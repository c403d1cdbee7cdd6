"""Several tellings of one picture joined: what more of them tell is surer, and each card is told once.

Votes may be gathered in more than one way, and each way errs elsewhere: that others tell a card in the same place says
more of it than all that speaks for it in one telling.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linesies.vision.cards.find.candidate import CANDIDATES, CardCandidate, ProposedCards
from linesies.vision.cards.find.overlap import overlap

Telling = list[CardCandidate]


def join_tellings(tellings: Sequence[ProposedCards]) -> ProposedCards:
    """Join two or more tellings: the surest outline of each card, and the table of that which tells most."""
    told = [[one for one in telling.candidates if one.is_another] for telling in tellings]
    weighed = [_confirmed(one, told[:i] + told[i + 1 :]) for i, telling in enumerate(told) for one in telling]
    kept: Telling = []
    for one in sorted(weighed, key=lambda one: -one.sureness):
        if not any(_are_same(one, other, told) for other in kept):
            kept.append(one)
    return replace(max(tellings, key=lambda telling: telling.sureness), candidates=kept)


def _confirmed(one: CardCandidate, others: Sequence[Telling]) -> CardCandidate:
    """Tell how surely each of the other tellings has an outline in the same place."""
    return replace(one, confirmed=sum(max((_confirms(other, one) for other in some), default=0.0) for some in others))


def _confirms(other: CardCandidate, one: CardCandidate) -> float:
    low, high = CANDIDATES.retold_from, CANDIDATES.retold_surely
    return other.sureness * min(max((_overlap(one, other) - low) / (high - low), 0.0), 1.0)


def _are_same(one: CardCandidate, other: CardCandidate, told: Sequence[Telling]) -> bool:
    """Tell whether two outlines are one card: they overlap much, and few tellings have both."""
    if _overlap(one, other) <= CANDIDATES.same_retold:
        return False
    return sum(_has_both(one, other, telling) for telling in told) <= len(told) / 2


def _has_both(one: CardCandidate, other: CardCandidate, telling: Telling) -> bool:
    likely = [which for which in telling if which.sureness >= CANDIDATES.sure_enough]
    nearest = [max(likely, key=lambda which: _overlap(which, meant), default=None) for meant in (one, other)]
    if nearest[0] is nearest[1]:
        return False
    pairs = zip(nearest, (one, other), strict=True)
    return all(which is not None and _overlap(which, meant) >= CANDIDATES.retold_surely for which, meant in pairs)


def _overlap(one: CardCandidate, other: CardCandidate) -> float:
    return overlap(np.array(one.corners_px), np.array(other.corners_px))
