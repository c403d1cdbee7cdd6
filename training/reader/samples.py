"""Samples without end: crops of drawn cards in drawn pictures, with what each shows."""

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from linesies.training.decks import IndexBox, draw_deck
from linesies.training.layouts import lay_fan, lay_pair, lay_row, lay_trick
from linesies.training.reader.labels import (
    IGNORED,
    SIDES,
    corner_label,
    moved_box,
    name_label,
    seen_share,
    turned_box,
)
from linesies.training.reader.views import CardView, Layer, Print, draw_camera, draw_view, place, printed, strayed
from linesies.training.surfaces import draw_surface
from linesies.training.things import draw_paper
from linesies.vision import CARD_MM, Image
from linesies.vision.cards.read import glyphs, indices

DECK_PX_PER_MM = 6.0
FACES = 12  # of a deck that are drawn: more decks teach more than more of their cards
FLAT_MM = (CARD_MM[0] + 2 * indices.RIM_MM, CARD_MM[1] + 2 * indices.RIM_MM)
LANGUAGES = (*("english",) * 17, "french", "german", "dutch")
GROUPS = (lay_fan, lay_fan, lay_row, lay_pair, lay_trick)
IN_GROUP = 0.45  # share of the cards that lie in such a group: of most of those a strip is seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A card's two index crops and its whole, with labels: (glyph, suit) a corner, (glyph, suit, side) for the whole.

    `truth` is (glyph, suit) of a face that can be read, None of one that can't.
    """

    corners: tuple[Image, Image]
    corner_labels: tuple[tuple[int, int], tuple[int, int]]
    whole: Image
    whole_label: tuple[int, int, int]
    truth: tuple[int, int] | None


class Samples:
    """Draw samples from a stock of decks, one of which is replaced every so often."""

    def __init__(
        self, rng: Generator, *, stock: int, fonts: tuple[Path, ...] = (), languages: tuple[str, ...] = LANGUAGES
    ) -> None:
        self._rng = rng
        self._fonts = fonts
        self._languages = languages
        self._stock = stock
        self._prints: list[Print] = []
        self._grounds: list[Image] = []
        self.renew()

    def renew(self) -> None:
        """Draw one more deck and table; the oldest go once the stock is full."""
        letters = self._languages[self._rng.integers(len(self._languages))]
        deck = draw_deck(self._rng, px_per_mm=DECK_PX_PER_MM, letters=letters, fonts=self._fonts, count=FACES)
        self._prints = [*self._prints, printed(deck, letters)][-self._stock :]
        self._grounds = [*self._grounds, draw_surface(self._rng, 256).astype(np.uint8)][-self._stock :]

    def draw(self) -> Sample:
        """Draw one sample."""
        rng = self._rng
        deck = self._prints[rng.integers(len(self._prints))]
        camera = draw_camera(rng)
        lot = rng.random()
        name = "back" if lot < 0.13 else f"joker{rng.integers(2)}" if lot < 0.15 else _any_card(deck, rng)
        kind = "empty" if lot > 0.98 else "astray" if lot > 0.94 else "down" if name == "back" else "up"
        art = self._sheet(deck.at(name, camera[1])) if kind == "empty" else deck.at(name, camera[1])
        others = self._others(deck, camera[1])
        view = draw_view(rng, art, others, self._ground(), camera, around_mm=30.0 if kind == "astray" else 3.5)
        if kind == "astray":
            view = replace(view, quad_px=strayed(view.true_quad_px, rng))
        is_turned = bool(rng.random() < 0.5)
        if is_turned:
            view = replace(view, quad_px=np.roll(view.quad_px, 2, 0), true_quad_px=np.roll(view.true_quad_px, 2, 0))
        return _sample(view, deck, name, "neither" if kind in ("empty", "astray") else kind, is_turned=is_turned)

    def _sheet(self, art: Image) -> Image:
        """Draw what is no card in a card's place: a paper, or the mere table."""
        rng = self._rng
        sheet = draw_paper(rng)[1][..., :3] if rng.random() < 0.5 else self._ground()
        solid = np.uint8(rng.random() < 0.7)
        return np.dstack([cv2.resize(sheet, art.shape[1::-1]), art[..., 3] * solid])

    def _ground(self) -> Image:
        ground = self._grounds[self._rng.integers(len(self._grounds))]
        x, y = self._rng.integers(0, 128, 2)
        return ground[y : y + 128, x : x + 128]

    def _others(self, deck: Print, px_per_mm: float) -> tuple[Layer, Layer]:
        """Draw what lies over the card to read, and under it."""
        if self._rng.random() < IN_GROUP:
            return self._group(deck, px_per_mm)
        return self._above(deck, px_per_mm), self._below(deck, px_per_mm)

    def _group(self, deck: Print, px_per_mm: float) -> tuple[Layer, Layer]:
        """Lay the card to read in a fan, a row, a pair or a trick: what lies over it there, and under it."""
        rng = self._rng
        places = GROUPS[rng.integers(len(GROUPS))](rng)
        own = int(rng.integers(len(places)))
        to_own = np.linalg.inv(_pose(places[own]))
        laid = [(deck.at(_any_card(deck, rng), px_per_mm), to_own @ _pose(at)) for at in places]
        return laid[own + 1 :], laid[:own]

    def _below(self, deck: Print, px_per_mm: float) -> Layer:
        if self._rng.random() < 0.65:
            return []
        return [self._neighbour(deck, px_per_mm)]

    def _above(self, deck: Print, px_per_mm: float) -> Layer:
        if self._rng.random() < 0.68:
            return []
        return [self._neighbour(deck, px_per_mm) for _ in range(1 + (self._rng.random() < 0.2))]

    def _neighbour(self, deck: Print, px_per_mm: float) -> tuple[Image, NDArray[np.float64]]:
        """Draw a card near the one to read: piled on it, fanned beside it, or across it."""
        rng = self._rng
        name = "back" if rng.random() < 0.2 else _any_card(deck, rng)
        lot, half_turn = rng.random(), np.pi * (rng.random() < 0.5)
        if lot < 0.3:
            away, angle = rng.uniform(6, 18), rng.uniform(0, 2 * np.pi)  # any nearer, and it is the card one means
            pose = place((away * np.cos(angle), away * np.sin(angle)), rng.normal(0, 0.08) + half_turn)
        elif lot < 0.6:
            pose = place(
                (float(rng.choice([-1, 1]) * rng.uniform(8, 30)), rng.normal(0, 4)), rng.normal(0, 0.15) + half_turn
            )
        else:
            angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(15, 70)
            pose = place((reach * np.cos(angle), reach * np.sin(angle)), rng.uniform(0, 2 * np.pi))
        return deck.at(name, px_per_mm), pose


def _pose(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lay a card at a group's place (x, y, turn)."""
    x, y, turn = at.tolist()
    return place((x, y), turn)


def _any_card(deck: Print, rng: Generator) -> str:
    names = list(deck.indices)
    return names[rng.integers(len(names))]


def _sample(view: CardView, deck: Print, name: str, kind: str, *, is_turned: bool) -> Sample:
    """Cut a view's crops and label them by what is seen of the card."""
    flat, seen = indices.lay_flat(view.picture, view.quad_px), indices.lay_flat(view.seen, view.quad_px)
    share = _share_seen(view)
    nothing = (glyphs.NONE_GLYPH, glyphs.NONE_SUIT)
    corners, card = indices.cut_indices(flat), indices.shrink_whole(flat)
    if kind != "up" or name.startswith("joker"):
        side = SIDES.index(kind) if share > 0.25 else IGNORED
        labels = (nothing, nothing)
        return Sample(corners=corners, whole=card, corner_labels=labels, whole_label=(*nothing, side), truth=None)
    rank, suit = name[:-1], name[-1]
    letter = rank if rank not in ("J", "Q", "K") else glyphs.COURTS[deck.words]["JQK".index(rank)]
    label = name_label(letter, suit)
    printed_boxes = [turned_box(box, CARD_MM) if is_turned else box for box in deck.indices[name]]
    to_flat = _card_to_flat(view)
    boxes = [moved_box(box, to_flat) for box in printed_boxes]
    turned_boxes = [turned_box(box, FLAT_MM) for box in boxes]
    labels = (_label_corner(boxes, seen, label), _label_corner(turned_boxes, seen[::-1, ::-1], label))
    best = max(seen_share(seen, box.rank_mm, indices.PX_PER_MM) for box in boxes)
    readable = share > 0.7 or best > 0.95
    whole = label if readable else nothing if best < 0.3 and share < 0.45 else (IGNORED, IGNORED)
    side = SIDES.index("up") if share > 0.2 else IGNORED
    truth = label if readable else None
    return Sample(corners=corners, whole=card, corner_labels=labels, whole_label=(*whole, side), truth=truth)


def _card_to_flat(view: CardView) -> NDArray[np.float64]:
    """Map a card's own millimetres to those of the flat picture that its outline, wrong as it is, gives."""
    corners = np.array([(0, 0), (CARD_MM[0], 0), CARD_MM, (0, CARD_MM[1])], np.float32)
    to_px = cv2.getPerspectiveTransform(corners, view.true_quad_px.astype(np.float32))
    return cv2.getPerspectiveTransform(view.quad_px.astype(np.float32), corners + np.float32(indices.RIM_MM)) @ to_px


def _share_seen(view: CardView) -> float:
    """Tell how much of the card is seen."""
    rim = round(indices.RIM_MM * indices.PX_PER_MM)
    return float(indices.lay_flat(view.seen, view.true_quad_px)[rim:-rim, rim:-rim].mean())


def _label_corner(boxes: list[IndexBox], seen: NDArray[np.float32], label: tuple[int, int]) -> tuple[int, int]:
    """Label the upper left corner's crop by the index that stands upright there."""
    crop = seen[: indices.INDEX_PX[1], : indices.INDEX_PX[0]]
    own = [box for box in boxes if not box.is_turned and box.rank_mm[0] < 24 and box.rank_mm[1] < 36]
    if not own:
        other = any(box.rank_mm[0] < 24 and box.rank_mm[1] < 36 for box in boxes)
        return (IGNORED, IGNORED) if other else (glyphs.NONE_GLYPH, IGNORED)
    rank = seen_share(crop, own[0].rank_mm, indices.PX_PER_MM)
    suit = seen_share(crop, own[0].suit_mm or own[0].rank_mm, indices.PX_PER_MM)
    if own[0].suit_mm is None:
        return corner_label(label, rank, suit)[0], IGNORED
    return corner_label(label, rank, suit)


def batch_of(
    samples: list[Sample],
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]:
    """Stack samples: corners (2n, h, w, 3) with labels (2n, 2), wholes (n, h, w, 3) with labels (n, 3)."""
    corners = np.stack([crop for sample in samples for crop in sample.corners])
    corner_labels = np.array([label for sample in samples for label in sample.corner_labels])
    return corners, corner_labels, np.stack([s.whole for s in samples]), np.array([s.whole_label for s in samples])
