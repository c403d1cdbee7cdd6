"""Several tellings of one picture joined: what more of them tell is surer, and each card is told once.

The net sees other cards from twice as close, and in a picture turned left to right: how surely all have a card in one
place, in the mean, says more of it than all that speaks for it in one telling.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.find.candidate import CANDIDATES, CardCandidate, ProposedCards
from linesies.vision.cards.find.overlap import overlaps
from linesies.vision.cards.find.plane import PLANE, Table, weighted_median

Array = NDArray[np.float64]


def join_tellings(tellings: Sequence[ProposedCards]) -> ProposedCards:
    """Join two or more tellings: the surest outline of each card, and the table of that which tells most.

    What one of them has for a card and the joined ones have not, two cards of a row taken for one, is a hint.
    """
    told = _told([[one for one in telling.candidates if one.is_another] for telling in tellings])
    means = told.mean_sureness.tolist()
    weighed = [replace(one, told=mean) for one, mean in zip(told.candidates, means, strict=True)]
    kept: list[int] = []
    for one in sorted(range(len(weighed)), key=lambda i: -weighed[i].sureness):
        if not told.are_same(one, kept).any():
            kept.append(one)
    kept = list(dict.fromkeys(told.surest_at(one) for one in kept))
    best = max(tellings, key=lambda telling: telling.sureness)
    are_alike = _are_of_one_size(weighed, kept, best.table)
    passed_over = told.passed_over([i for i in kept if weighed[i].sureness >= CANDIDATES.hinted])
    supposed = (told.candidates[i].outlined(CANDIDATES.hinted) for i in passed_over if are_alike[i])
    hints = tuple(replace(one, is_hint=True) for one in supposed)
    return replace(best, candidates=[weighed[i] for i in kept if are_alike[i]], hints=hints)


def _are_of_one_size(candidates: list[CardCandidate], kept: list[int], table: Table | None) -> NDArray[np.bool_]:
    """Tell which are as large on the table as most of the kept ones or as its cards, or sure: all if none is sure.

    Another telling may have laid a doubtful one, a printed zone or a mat, on quite another table.
    """
    sureness = np.array([one.sureness for one in candidates])
    if table is None or not (sureness[kept] >= CANDIDATES.explains).any():
        return np.ones(len(candidates), bool)
    quads_mm = table.to_mm(np.array([one.corners_px for one in candidates]).reshape(-1, 2)).reshape(-1, 4, 2)
    sizes = np.log([max(cv2.contourArea(quad.astype(np.float32)), 1.0) for quad in quads_mm])
    usual = weighted_median(sizes[kept], np.where(sureness >= CANDIDATES.sure_enough, sureness, 0.0)[kept])
    away = np.minimum(np.abs(sizes - usual), np.abs(sizes - np.log(np.prod(table.card_mm))))
    return np.asarray((away < PLANE.alike) | (sureness >= CANDIDATES.explains))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Told:
    """All N candidates of T tellings in a row, by their numbers: what any two share, who is nearest in each telling.

    `shared` is (N, N), `is_of` (N, T) says which telling each is of; `nearest` (N, T) is the likely candidate of a
    telling that shares most with each, and `near` (N, T) how much that is: below 0 where it has none.
    """

    candidates: list[CardCandidate]
    shared: Array
    is_of: NDArray[np.bool_]
    nearest: NDArray[np.intp]
    near: Array

    @property
    def mean_sureness(self) -> Array:
        """How surely the tellings have an outline in the same place, in the mean (N,)."""
        low, high = CANDIDATES.retold_from, CANDIDATES.retold_surely
        sureness = np.array([one.sureness for one in self.candidates])
        there = sureness * np.clip((self.shared - low) / (high - low), 0.0, 1.0)
        most = np.stack([there.max(1, where=own, initial=0.0) for own in self.is_of.T], 1)
        return np.where(self.is_of, sureness[:, None], most).mean(1)

    def are_same(self, one: int, others: list[int]) -> NDArray[np.bool_]:
        """Tell which others are the same card as one: they overlap much, and few tellings have both."""
        have_both = (self.nearest[others] != self.nearest[one]) & (
            np.minimum(self.near[others], self.near[one]) >= CANDIDATES.retold_surely
        )
        few = have_both.sum(1) <= self.is_of.shape[1] / 2
        return np.asarray((self.shared[one, others] > CANDIDATES.same_retold) & few)

    def surest_at(self, one: int) -> int:
        """Find, of the outlines in one's place, that of which its own telling is surest: its table is laid best."""
        there = np.flatnonzero(self.shared[one] >= CANDIDATES.retold_surely).tolist()
        return max((one, *there), key=lambda i: self.candidates[i].sureness)

    def passed_over(self, others: list[int]) -> list[int]:
        """List what may be a card by its own telling and lies in the place of none of the others, each place once."""
        passed: list[int] = []
        for one in sorted(range(len(self.candidates)), key=lambda i: -self.candidates[i].sureness):
            is_told = (self.shared[one, others + passed] >= CANDIDATES.retold_surely).any()
            if self.candidates[one].sureness >= CANDIDATES.possible and not is_told:
                passed.append(one)
        return passed


def _told(tellings: Sequence[Sequence[CardCandidate]]) -> _Told:
    """Put the candidates of all tellings in a row."""
    candidates = [one for telling in tellings for one in telling]
    telling_of = np.repeat(np.arange(len(tellings)), [len(telling) for telling in tellings])
    is_of = telling_of[:, None] == np.arange(len(tellings))
    shared = overlaps(np.array([one.corners_px for one in candidates]).reshape(-1, 4, 2))
    is_likely = np.array([one.sureness >= CANDIDATES.sure_enough for one in candidates], bool)
    nearest, near = np.zeros(is_of.shape, np.intp), np.full(is_of.shape, -1.0)
    for telling, own in enumerate(is_of.T):
        likely = np.flatnonzero(own & is_likely)
        if len(likely):
            nearest[:, telling] = likely[shared[:, likely].argmax(1)]
            near[:, telling] = shared[:, likely].max(1)
    return _Told(candidates=candidates, shared=shared, is_of=is_of, nearest=nearest, near=near)
