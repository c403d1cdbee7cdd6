"""Reading ordinary cards: what the witnesses say is joined to one name, or to none where they leave room for doubt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import CARD_SHARE, Outline, Reading
from linesies.vision.cards.judge import Reader
from linesies.vision.cards.learn.deck import LearnedDeck
from linesies.vision.cards.read.beside import name_beside
from linesies.vision.cards.read.glyphs import RANKS, SUITS, glyph_of_rank
from linesies.vision.cards.read.indices import lay_flat_twice
from linesies.vision.cards.read.witnesses import Hearing, Witnesses
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]


FITTED = "training/reader/calibrate.py, on drawn decks in fonts that training never saw"
LEAST_SET = "by hand, on six worlds of training/worlds.py (seeds 88000, 88100): one or two in a hundred names are wrong"


@dataclass(frozen=True, kw_only=True)
class Trust(Tuning):
    """How far the witnesses are believed: `index`, `whole`, `doubt`, `alike` for names, `side`, `none`, `up` for sides.

    The log odds that a card lies face up are the whole's word times `side`, the share of witnesses who see no rank
    times `none`, and `up`.
    """

    index: float = tuned(1.034, title="a corner's logits times this", unit="1", low=0.1, high=10, source=FITTED)
    whole: float = tuned(0.989, title="the whole's logits times this", unit="1", low=0.1, high=10, source=FITTED)
    doubt: float = tuned(0.0044, title="part of each word that is chance", unit="1", low=0, high=1, source=FITTED)
    alike: float = tuned(
        0.6,
        title="of what one corner says, what the other only says again: both are printed alike",
        unit="1",
        low=0,
        high=1,
        source="by hand, likeliest for the names of 600 cards in six worlds of training/worlds.py (seeds 88000, 88100)",
    )
    side: float = tuned(
        1.35, title="worth of the whole's word on its side", unit="nat", low=-30, high=30, source=FITTED
    )
    none: float = tuned(-2.34, title="worth of seeing no rank", unit="nat", low=-30, high=30, source=FITTED)
    up: float = tuned(1.65, title="log odds of face up without a word", unit="nat", low=-30, high=30, source=FITTED)
    least: float = tuned(
        0.85, title="confidence below which no name is told", unit="1", low=0, high=1, source=LEAST_SET
    )


TRUST = Trust()


@dataclass(frozen=True)
class ReadingTuning(Tuning):
    """When an outline is asked about again, and which corner is heard."""

    asked_again: float = tuned(
        0.95,
        title="confidence below which the witnesses are asked once more",
        unit="1",
        low=0.5,
        high=1,
        source=by_hand_in("ee21da1"),
    )
    end_seen: float = tuned(
        0.5,
        title="share of where an index may be: what is read of less, beside one in sight, is of the card above",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("59534d5"),
    )


READING = ReadingTuning()


def open_reader(deck: str, letters: str = "english", *, beside: bool = False) -> Reader:
    """Open what reads a deck: `standard` with a language's letters, or a file that `linesies learn` wrote.

    With `beside` an ordinary card that is not read in its place is read from beside it: films have no time for that.
    """
    return StandardReader(letters, beside=beside) if deck == "standard" else LearnedDeck.open(deck)


class StandardReader:
    """Reads rank and suit of any ordinary deck with corner indices in one language's letters; holds the networks."""

    def __init__(self, letters: str = "english", *, beside: bool = False) -> None:
        self._glyphs = list(glyph_of_rank(letters))
        self._beside = beside
        self._witnesses = Witnesses()

    def read(self, picture_bgr: Image, outlines: Sequence[Outline]) -> tuple[Reading, ...]:
        """Read each outlined card, in their order."""
        if not outlines:
            return ()
        heard = hear_out(self._witnesses, picture_bgr, [outline.quad_px for outline in outlines], self._glyphs)
        readings = judge_hearing(heard.of_corners(have_a_say(outlines)), self._glyphs)

        def read_quads(quads_px: Sequence[NDArray[np.float64]]) -> tuple[Reading, ...]:
            return judge_hearing(hear_out(self._witnesses, picture_bgr, quads_px, self._glyphs), self._glyphs)

        return name_beside(read_quads, outlines, readings) if self._beside else readings


def have_a_say(outlines: Sequence[Outline]) -> NDArray[np.bool_]:
    """Tell which corners (N, 2) of cards are heard: not one that is hidden while the other is in sight.

    Where neither seems to be, what shows is a strip in which a narrow index may stand.
    """
    seen = np.array([outline.ends_seen for outline in outlines])
    return (seen >= READING.end_seen) | (seen[:, ::-1] < READING.end_seen)


def hear_out(
    witnesses: Witnesses, picture_bgr: Image, quads_px: Sequence[NDArray[np.float64]], glyphs: Sequence[int]
) -> Hearing:
    """Ask the witnesses about outlined cards, and about doubtful ones once more from a place a little apart."""
    flats = [lay_flat_twice(picture_bgr, quad) for quad in quads_px]
    heard = witnesses.glance([first for first, _ in flats])
    ups = up_chances(heard, TRUST)
    sure = np.maximum(name_chances(heard, glyphs, TRUST).max(1) * ups, 1 - ups)
    doubtful = np.flatnonzero(sure < READING.asked_again)
    return heard.with_more(doubtful, witnesses.hear([flats[i][1] for i in doubtful])) if len(doubtful) else heard


def judge_hearing(heard: Hearing, glyphs: Sequence[int], trust: Trust = TRUST) -> tuple[Reading, ...]:
    """Join the witnesses on each card to a reading; `glyphs` are those printed for the thirteen ranks."""
    names = name_chances(heard, glyphs, trust)
    ups = up_chances(heard, trust)
    readings = []
    for chances, up, share in zip(names, ups, card_shares(heard).tolist(), strict=True):
        if up < 0.5 or share <= CARD_SHARE.least:  # of what seems to be no card nothing is read
            readings.append(Reading(face="down", name=None, confidence=float(1 - up) * share, card_share=share))
            continue
        best = int(chances.argmax())
        confidence = float(chances[best] * up)
        name = RANKS[best // len(SUITS)] + SUITS[best % len(SUITS)] if confidence >= trust.least else None
        readings.append(Reading(face="up", name=name, confidence=confidence, card_share=share))
    return tuple(readings)


def name_chances(heard: Hearing, glyphs: Sequence[int], trust: Trust) -> Array:
    """Weigh the 52 names (N, 52), ranks by four suits, of cards that are supposed to lie face up."""
    suit_classes = range(len(SUITS))
    ranks = np.log(_said(heard.whole_glyphs * trust.whole, glyphs, trust.doubt))
    suits = np.log(_said(heard.whole_suits * trust.whole, suit_classes, trust.doubt))
    ranks += _corners_say(heard.corner_glyphs, glyphs, trust)
    suits += _corners_say(heard.corner_suits, suit_classes, trust)
    joined = ranks[:, :, None] + suits[:, None, :]
    return softmax(joined.reshape(len(joined), -1))


def _corners_say(logits: Array, classes: Sequence[int], trust: Trust) -> Array:
    """Add up the log chances of some classes by both corners (N, 2, n): where both speak, each counts for less."""
    said = np.log([_said(logits[:, end] * trust.index, classes, trust.doubt) for end in (0, 1)])
    spoken = 1.0 - softmax(logits)[..., -1:]
    return said[0] / (1.0 + trust.alike * spoken[:, 1]) + said[1] / (1.0 + trust.alike * spoken[:, 0])


def up_chances(heard: Hearing, trust: Trust) -> Array:
    """Tell how surely each card lies face up (N,)."""
    odds = trust.side * (heard.sides[:, 0] - heard.sides[:, 1]) + trust.none * unread_share(heard) + trust.up
    return 1 / (1 + np.exp(-odds))


def unread_share(heard: Hearing) -> Array:
    """Tell what share of a card's three witnesses see no rank (N,)."""
    return (softmax(heard.corner_glyphs)[..., -1].sum(1) + softmax(heard.whole_glyphs)[:, -1]) / 3


def card_shares(heard: Hearing) -> Array:
    """Tell how likely each outline holds a card at all (N,)."""
    return np.asarray(1.0 - softmax(heard.sides)[:, 2], float)


def _said(logits: Array, classes: Sequence[int], doubt: float) -> Array:
    """Turn a witness's logits (N, n), the last "none", into chances of some classes; "none" speaks for all alike."""
    said = softmax(logits)
    known = said[:, list(classes)]
    none = 1.0 - known.sum(1, keepdims=True)
    blank = 1.0 / known.shape[1]
    return (1 - doubt) * (known + none * blank) + doubt * blank


def softmax(logits: Array) -> Array:
    """Turn logits into chances along the last axis."""
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)
