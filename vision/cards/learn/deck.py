"""A deck that was learned from photographs: it reads its cards in any position."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.card import Outline, Reading
from linesies.vision.cards.learn.deck_file import read_deck, write_deck
from linesies.vision.cards.learn.die import LearnedDie
from linesies.vision.cards.learn.faces import Faces
from linesies.vision.cards.learn.flat import FINE, MARGIN_MM, Floats, blurred, lay_flat, small
from linesies.vision.cards.learn.layers import visible_parts
from linesies.vision.cards.learn.tell_apart import FaceMatch, tell
from linesies.vision.cards.learn.white import untinted
from linesies.vision.picture.frame import Image


@dataclass(frozen=True)
class DeckTuning(Tuning):
    """When a learned face is said."""

    least_seen: float = tuned(
        0.1, title="of a card, to say anything", unit="1", low=0.01, high=0.8, source=by_hand_in("3954535")
    )
    face_up: float = tuned(
        0.6,
        title="agreement from which on one of the faces is seen, though perhaps not which",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("3954535"),
    )
    hardly_up: float = tuned(
        0.5,
        title="likewise where the back was learned too, and is less like it",
        unit="1",
        low=0.2,
        high=1,
        source="by hand, on two escapes of Skull King 988005 that agreed by 0.55 and 0.59 and were taken for backs",
    )
    sure: float = tuned(
        0.55, title="confidence from which on a name is said", unit="1", low=0.1, high=1, source=by_hand_in("02cafad")
    )
    fit_steep: float = tuned(
        40.0, title="how steeply trust rises with agreement", unit="1", low=5, high=200, source=BY_HAND
    )
    fit_even: float = tuned(
        0.8, title="agreement at which a face is as likely as not", unit="1", low=0.3, high=1, source=BY_HAND
    )
    lead_steep: float = tuned(
        10.0,
        title="how steeply it rises with the share that tells the two likeliest apart",
        unit="1",
        low=1,
        high=100,
        source=BY_HAND,
    )
    lead_even: float = tuned(
        0.45, title="share at which that is as likely as not", unit="1", low=0, high=1, source=BY_HAND
    )
    usual_lead: float = tuned(
        1000.0, title="lead at which the share alone tells", unit="1", low=1, high=100000, source=BY_HAND
    )


DECK = DeckTuning()

BACK = "back"  # the folder, and so the name, of a deck's back
_EDGE = MARGIN_MM * FINE


class LearnedDeck:
    """Reads the cards of one learned deck; keeps nothing from picture to picture."""

    def __init__(self, faces: Faces, die: LearnedDie | None = None) -> None:
        gains = untinted(faces.fine)
        self._faces = Faces(faces.names, np.stack([face * gain for face, gain in zip(faces.fine, gains, strict=True)]))
        self._as_learned = faces
        self.die = die

    @classmethod
    def open(cls, path: str | Path) -> "LearnedDeck":
        """Open what `linesies learn` wrote; raises BadInput for anything else."""
        return cls(*read_deck(path))

    def save(self, path: str | Path) -> None:
        """Write the deck to one file; raises BadInput where that fails."""
        write_deck(path, self._as_learned, self.die)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its cards, without the back."""
        return tuple(name for name in self._faces.names if name != BACK)

    @property
    def has_back(self) -> bool:
        """Whether its back was learned too."""
        return BACK in self._faces.names

    def read(self, picture_bgr: Image, outlines: Sequence[Outline]) -> tuple[Reading, ...]:
        """Read each outlined card, in their order; a card of another deck reads as face down."""
        quads = [outline.quad_px for outline in outlines]
        seen = [lay_flat(picture_bgr, quad).astype(np.float32) for quad in quads]
        gains = untinted([flat[_EDGE:-_EDGE, _EDGE:-_EDGE] for flat in seen])
        flats = [flat * gain for flat, gain in zip(seen, gains, strict=True)]
        tiny = [small(blurred(flat[_EDGE:-_EDGE, _EDGE:-_EDGE], 1.0, FINE)) for flat in flats]
        parts = visible_parts(tiny, quads, self._faces)
        return tuple(self._reading(*seen) for seen in zip(flats, tiny, parts, strict=True))

    def _reading(self, flat: Floats, tiny: Floats, part: Floats) -> Reading:
        if part.mean() < DECK.least_seen:
            return Reading(face="down", name=None, confidence=0.0)
        telling = tell(self._faces, flat, tiny, part)
        name = self._faces.names[telling.face]
        least = DECK.hardly_up if self.has_back and name != BACK else DECK.face_up
        if telling.agreement < least:
            return Reading(face="down", name=None, confidence=round(float(np.clip(1 - telling.agreement, 0, 1)), 3))
        if name == BACK:
            return Reading(face="down", name=None, confidence=round(min(telling.agreement, 1.0), 3))
        sure = confidence(telling)
        return Reading(face="up", name=name if sure >= DECK.sure else None, confidence=round(sure, 3))


def confidence(telling: FaceMatch) -> float:
    """Say how surely a telling names the right card, 0 to 1: both the face and its lead must be clear."""
    fits = 1 / (1 + np.exp(-DECK.fit_steep * (telling.agreement - DECK.fit_even)))
    lead = np.log(max(telling.lead, 1.0) / DECK.usual_lead)
    leads = 1 / (1 + np.exp(-DECK.lead_steep * (telling.share - DECK.lead_even) - lead))
    return float(fits * leads)
