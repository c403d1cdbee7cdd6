"""What may be cards in a picture: outlines with what speaks for each, and the table that they lie on."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.card import Outline, Point
from linesies.vision.cards.find.evidence import SHOWN
from linesies.vision.cards.find.overhead import Overhead
from linesies.vision.cards.find.plane import Table
from linesies.vision.cards.find.trust import JOINT, TRUST, log_odds

Array = NDArray[np.float64]
LEVEL_SET = "by hand, on the world `covered` of training/worlds.py (seeds 32000, 36000)"
RETOLD = "by hand, on seven worlds of training/worlds.py (seed 71000; `covered` also 71001)"


@dataclass(frozen=True)
class CandidateTuning(Tuning):
    """Which outlines are cards, and which are one and the same."""

    same_card: float = tuned(
        0.82,
        title="overlap from which on two outlines are one card",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("2e89f4b"),
    )
    sure_enough: float = tuned(
        0.4,
        title="sureness of a card, since readers refuse what turns out to be none",
        unit="1",
        low=0.05,
        high=0.95,
        source=by_hand_in("5435eea"),
    )
    least_own: float = tuned(
        0.1,
        title="of an outline, what must show its own card",
        unit="1",
        low=0.01,
        high=0.6,
        source=by_hand_in("5435eea"),
    )
    explains: float = tuned(
        0.75,
        title="sureness of a card whose cells need no other",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("eaedd13"),
    )
    possible: float = tuned(
        0.1,
        title="sureness of an outline that counts where tables are weighed",
        unit="1",
        low=0.01,
        high=0.9,
        source=LEVEL_SET,
    )
    hinted: float = tuned(
        0.2, title="sureness of a mere hint before it is read", unit="1", low=0.01, high=0.9, source=BY_HAND
    )
    same_unless_shown: float = tuned(
        0.42,
        title="overlap from which two are one card, unless both show edges",
        unit="1",
        low=0.1,
        high=0.9,
        source=BY_HAND,
    )
    shown_worth: float = tuned(
        4.0,
        title="by how much more they may overlap for what is seen of edges",
        unit="1",
        low=0,
        high=20,
        source=BY_HAND,
    )
    grown: float = tuned(
        1.08, title="by how much outlines may fall short of a card", unit="1", low=1, high=1.5, source=BY_HAND
    )
    retold_from: float = tuned(
        0.5,
        title="overlap from which on an outline of another telling may confirm one",
        unit="1",
        low=0.1,
        high=0.95,
        source=RETOLD,
    )
    retold_surely: float = tuned(
        0.8, title="the same, from which on it surely does", unit="1", low=0.1, high=0.95, source=RETOLD
    )
    same_retold: float = tuned(
        0.5,
        title="overlap from which on outlines of several tellings are one card",
        unit="1",
        low=0.1,
        high=0.95,
        source=RETOLD,
    )


CANDIDATES = CandidateTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCandidate:
    """What may be a card: its corners, what speaks for it (as `OutlineTrust` weighs it), and how much of it is seen.

    `ends_seen` tells the same of where its two indices may be. `told` is how surely all tellings of the picture have
    it, in the mean; None where there is one alone.
    """

    corners_px: tuple[Point, Point, Point, Point]
    evidence: tuple[float, ...]
    visible: float
    ends_seen: tuple[float, float] = (1.0, 1.0)
    told: float | None = None

    @property
    def alike(self) -> float:
        """How much of it, and no more, a stronger candidate covers too."""
        return self.evidence[-1]

    @property
    def is_another(self) -> bool:
        """Tell whether it is another card than the stronger ones: it must show edges of its own where one covers it."""
        return self.alike < min(
            CANDIDATES.same_card, CANDIDATES.same_unless_shown + CANDIDATES.shown_worth * self.evidence[SHOWN]
        )

    @property
    def sureness(self) -> float:
        """How surely it is a card."""
        if self.told is None:
            weights = TRUST.weights
            odds = float(weights[0] + np.dot(weights[1:], self.evidence))
        else:
            odds = JOINT.constant + JOINT.mean * log_odds(self.told)
        return float(1 / (1 + np.exp(-odds)))

    def outlined(self, score: float) -> Outline:
        """Outline it as a card that is so sure (0 to 1)."""
        return Outline(corners_px=self.corners_px, score=score, visible=self.visible, ends_seen=self.ends_seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCards:
    """What may be cards in a picture, strongest first; the table they lie on, where that is known; and mere hints.

    A hint is an outline of what may be a covered card: only if its index is read is it one.
    """

    candidates: list[CardCandidate]
    table: Table | None
    hints: tuple[Outline, ...] = ()

    @property
    def sureness(self) -> float:
        """How much speaks for those that are likely to be cards."""
        return sum(one.sureness for one in self.candidates if one.is_another and one.sureness >= CANDIDATES.sure_enough)

    @property
    def likely(self) -> int:
        """How many may be cards: those that would be read."""
        return sum(one.is_another and one.sureness >= CANDIDATES.possible for one in self.candidates)

    @property
    def sure(self) -> list[CardCandidate]:
        """Those that need no other explanation."""
        return [one for one in self.candidates if one.is_another and one.sureness >= CANDIDATES.explains]

    @property
    def firm(self) -> float:
        """How much speaks for the sure ones alone: doubtful ones may be laid anywhere, on any table."""
        return sum(one.sureness for one in self.sure)

    @property
    def sure_quads(self) -> list[Array]:
        """Outline the sure ones a little larger: outlines may fall short."""
        quads = (np.array(one.corners_px) for one in self.sure)
        return [quad.mean(0) + CANDIDATES.grown * (quad - quad.mean(0)) for quad in quads]

    def seen_through(self, above: Overhead) -> "ProposedCards":
        """Give what was proposed in a picture from above as it lies in the picture as taken."""
        return replace(
            self,
            candidates=[replace(one, corners_px=_taken(above, one.corners_px)) for one in self.candidates],
            hints=tuple(replace(one, corners_px=_taken(above, one.corners_px)) for one in self.hints),
        )


def _taken(above: Overhead, corners_px: tuple[Point, ...]) -> tuple[Point, Point, Point, Point]:
    return as_corners(above.to_picture(np.array(corners_px)))


def as_corners(quad: Array) -> tuple[Point, Point, Point, Point]:
    """Take an outline (4, 2) as plain numbers."""
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
