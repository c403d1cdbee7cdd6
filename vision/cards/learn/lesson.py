"""Learn a deck from photographs: find the card in each, join those of one card, and compare the cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.learn.deck import BACK, LearnedDeck
from linesies.vision.cards.learn.die import LearnedDie
from linesies.vision.cards.learn.faces import Faces
from linesies.vision.cards.learn.families import lay_onto, lay_together
from linesies.vision.cards.learn.flat import FINE, MARGIN_MM, Floats, lay_flat
from linesies.vision.cards.learn.photo import cut_out, find_alone
from linesies.vision.cards.learn.tell_apart import difference
from linesies.vision.errors import BadInput
from linesies.vision.picture.frame import Image


@dataclass(frozen=True)
class LessonTuning(Tuning):
    """Whether photographs show one card, and cards can be told apart."""

    same_card: float = tuned(
        0.7,
        title="agreement from which on two photographs show one card",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("3954535"),
    )
    told_apart: float = tuned(
        150.0,
        title="squared sigmas of difference from which on two cards are told apart",
        unit="1",
        low=10,
        high=2000,
        source=by_hand_in("3954535"),
    )


LESSON = LessonTuning()

LEAST_PX_PER_MM = 1.0
_EDGE = MARGIN_MM * FINE


@dataclass(frozen=True, eq=False)
class CardPhoto:
    """One card as photographed, laid flat with a margin, and how clearly its sides were seen."""

    flat: NDArray[np.uint8]
    support: float

    @property
    def face(self) -> Floats:
        """The card alone, at FINE."""
        return self.flat[_EDGE:-_EDGE, _EDGE:-_EDGE].astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A deck as learned, the pairs of its cards that look alike, and cards whose photographs don't."""

    deck: LearnedDeck
    alike: tuple[tuple[str, str], ...]
    unlike: tuple[str, ...]


def photograph(picture_bgr: Image) -> CardPhoto:
    """Find the one card in a photograph; raises BadInput that says what to do better where there is not just one."""
    found = find_alone(picture_bgr)
    if not found and (whole := cut_out(picture_bgr)) is not None:
        found = (whole,)
    if not found:
        raise BadInput("no card found; photograph one whole card from above, on a table of another colour")
    if len(found) > 1:
        raise BadInput(f"{len(found)} cards found; photograph each card alone")
    sides = np.linalg.norm(np.roll(found[0].quad_px, -1, 0) - found[0].quad_px, axis=1)
    if sides.sum() < LEAST_PX_PER_MM * 302:
        raise BadInput("the card is too small to be learned; photograph it from nearer")
    return CardPhoto(lay_flat(picture_bgr, found[0].quad_px), found[0].support)


def learn(photos: Mapping[str, Sequence[CardPhoto]], die: LearnedDie | None = None) -> Lesson:
    """Learn a deck from one photograph or more of each card, by the cards' names; `back` is the back."""
    if not set(photos) - {BACK} or not all(photos.values()):
        raise BadInput("a deck takes at least one card, and each card a photograph")
    joined = {name: _joined(several) for name, several in photos.items()}
    faces = lay_together(Faces(tuple(joined), np.stack([face for face, _ in joined.values()])))
    alike = [
        (faces.names[i], faces.names[j])
        for i, j in combinations(range(len(faces.names)), 2)
        if difference(faces.fine[i], faces.fine[j]) < LESSON.told_apart
    ]
    unlike = tuple(name for name, (_, are_one) in joined.items() if not are_one)
    return Lesson(deck=LearnedDeck(faces, die), alike=tuple(alike), unlike=unlike)


def _joined(photos: Sequence[CardPhoto]) -> tuple[Floats, bool]:
    """Join a card's photographs into one face, on the one whose sides were clearest; tells also whether they agree."""
    first, *others = sorted(photos, key=lambda photo: -photo.support)
    faces = [first.face]
    for other in others:
        laid = lay_onto(first.face, other.flat.astype(np.float32), LESSON.same_card)
        if laid is not None:
            faces.append(laid)
    return np.mean(faces, 0), len(faces) == len(photos)
