"""Examine finding and reading on worlds apart: cards aslant, covered, of other sizes, under poor cameras, and no cards.

    python -m linesies.training.worlds --scenes 12                # every world
    python -m linesies.training.worlds slant_45 covered --seed 5  # some; `--draw FOLDER` keeps pictures of what failed

Each scene has a deck of its own, drawn by lot, and is read by the program as `linesies cards` does it. A world tells
how many cards were found (of those seen to 70 %), how many of the readable ones were named, how many of those that are
covered but for an index, wrong names, answers that are no cards, corner errors, and the processor's time a picture.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.arts import ART_PX_PER_MM
from linesies.training.decks import Deck, draw_deck, find_fonts
from linesies.training.decks.style import DeckStyle, draw_style
from linesies.training.finder_exam import CLEAR, LEAST_VISIBLE, match
from linesies.training.layouts import lay_fan, lay_one, lay_pair, lay_row, lay_trick
from linesies.training.learned_decks import draw_colours, draw_deck_of, learned, printed, seen_in
from linesies.training.reader.exam import INDEX_SEEN, QUALITY, seen_share
from linesies.training.scenes import Arts, CardScene, Staging, draw_scene
from linesies.vision import Card, CardJudge, Image, open_reader
from linesies.vision.cards.judge import Reader

Rng = np.random.Generator
APART = (lay_one, lay_one, lay_one, lay_pair)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWorld:
    """A kind of scene: how it is staged, the camera, how many cards, and what is told of the deck's style."""

    staging: Staging
    size_px: tuple[int, int] = (1920, 1080)
    px_per_mm: tuple[float, float] = (1.3, 2.2)
    cards: tuple[int, int] = (5, 11)
    common: float = 1.0
    framed: bool = False
    game: str = ""  # whose deck is learned first; none: an ordinary deck, by lot
    seen_by: Callable[[Rng, Image], Image] = lambda _, picture: picture


def dull(rng: Rng, picture: Image) -> Image:
    """See a picture as a cheap webcam does: soft, flat, noisy, squeezed."""
    grey = rng.uniform(70, 120)
    soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), rng.uniform(0.5, 1.2))
    flat = grey + rng.uniform(0.45, 0.75) * (soft - 128) + rng.normal(0, rng.uniform(2, 6), picture.shape)
    eight = np.clip(flat, 0, 255).astype(np.uint8)
    stored = cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 75))])[1]
    return cv2.imdecode(stored, cv2.IMREAD_COLOR)


def elsewhere(rng: Rng, picture: Image) -> Image:
    """See a picture with another camera than the deck was learned with."""
    return seen_in(picture, draw_colours(rng))


WORLDS = {
    "above": CardWorld(staging=Staging(tilt_deg=(0, 20), kinds=APART)),
    "slant_30": CardWorld(staging=Staging(tilt_deg=(25, 37), kinds=APART)),
    "slant_45": CardWorld(staging=Staging(tilt_deg=(40, 50), kinds=APART)),
    "slant_60": CardWorld(staging=Staging(tilt_deg=(53, 61), kinds=APART), px_per_mm=(1.6, 2.6)),
    "covered": CardWorld(staging=Staging(tilt_deg=(0, 25), kinds=(lay_pair, lay_fan, lay_row, lay_trick), down=0.1)),
    "bridge": CardWorld(staging=Staging(tilt_deg=(0, 30), kinds=APART, card_mm=(57, 88))),
    "tall": CardWorld(staging=Staging(tilt_deg=(0, 30), kinds=APART, card_mm=(63, 100))),
    "uno": CardWorld(staging=Staging(tilt_deg=(0, 30), kinds=APART, card_mm=(56, 87))),
    "framed": CardWorld(staging=Staging(tilt_deg=(0, 25), kinds=APART), framed=True),
    "odd_decks": CardWorld(staging=Staging(tilt_deg=(0, 25), kinds=APART), common=0.0),
    "near": CardWorld(staging=Staging(tilt_deg=(0, 30), kinds=(lay_one, lay_pair)), px_per_mm=(4, 8), cards=(1, 4)),
    "webcam": CardWorld(
        staging=Staging(tilt_deg=(0, 35), kinds=APART),
        size_px=(640, 480),
        px_per_mm=(1.0, 2.4),
        cards=(1, 4),
        seen_by=dull,
    ),
    "skull_king": CardWorld(staging=Staging(tilt_deg=(0, 25), kinds=APART, down=0.2), game="skull_king"),
    "skipbo": CardWorld(staging=Staging(tilt_deg=(0, 25), kinds=APART, down=0.2), game="skipbo"),
    "skull_king_elsewhere": CardWorld(
        staging=Staging(tilt_deg=(0, 25), kinds=APART, down=0.2), game="skull_king", seen_by=elsewhere
    ),
    "colours_elsewhere": CardWorld(
        staging=Staging(tilt_deg=(0, 25), kinds=APART, down=0.2), game="colours", seen_by=elsewhere
    ),
    "no_cards": CardWorld(staging=Staging(tilt_deg=(0, 45), things=4.0), cards=(0, 1)),
}


def draw_world(world: CardWorld, seed: int, number: int, fonts: tuple[Path, ...]) -> tuple[Image, CardScene, Deck]:
    """Draw one scene of a world: its picture, its truth, and the deck."""
    rng = np.random.default_rng((seed, number))
    if world.game:
        deck = printed(draw_deck_of(world.game, np.random.default_rng(seed)))
    else:
        deck = draw_deck(rng, px_per_mm=ART_PX_PER_MM, style=_style(rng, world, fonts))
    faces = [np.dstack([face, deck.alpha]) for face in deck.faces.values()]
    arts = Arts(faces=faces, backs=[np.dstack([deck.back, deck.alpha])])
    px_per_mm = float(np.exp(rng.uniform(*np.log(world.px_per_mm))))
    scene = draw_scene(rng, arts, world.size_px, px_per_mm, int(rng.integers(*world.cards)), world.staging)
    stored = cv2.imencode(".jpg", world.seen_by(rng, scene.picture), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return cv2.imdecode(stored, cv2.IMREAD_COLOR), scene, deck


def _style(rng: Rng, world: CardWorld, fonts: tuple[Path, ...]) -> DeckStyle:
    style = draw_style(rng, fonts, common=world.common)
    inset = float(rng.uniform(2.0, 6.0))
    return replace(style, frame="all", frame_mm=(inset, inset)) if world.framed else style


def _reader(game: str, seed: int) -> Reader:
    """Open the reader of ordinary decks, or learn a game's."""
    rng = np.random.default_rng(seed)
    return learned(draw_deck_of(game, rng), rng) if game else open_reader("standard", beside=True)


@dataclass(slots=True)
class Marks:
    """What was right and wrong over a world's scenes; each list has a truth value, or an error, a card."""

    found: list[bool] = field(default_factory=list)
    found_partly: list[bool] = field(default_factory=list)
    named: list[bool] = field(default_factory=list)
    named_covered: list[bool] = field(default_factory=list)
    face: list[bool] = field(default_factory=list)
    wrong: list[bool] = field(default_factory=list)
    strays: list[bool] = field(default_factory=list)
    corner_px: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)

    def mark(self, scene: CardScene, deck: Deck, cards: tuple[Card, ...]) -> bool:
        """Compare a scene with what was told of it; tells whether all was right."""
        before = self._faults()
        meant = match(scene, [card.outline.quad_px for card in cards])
        names = list(deck.faces)
        told = {i: card for i, card in zip(meant, cards, strict=True) if i is not None}
        for i, visible in enumerate(scene.visible):
            if visible < LEAST_VISIBLE:
                continue
            (self.found if visible >= CLEAR else self.found_partly).append(i in told)
            self._mark_card(scene, deck, i, told.get(i))
            if i in told and visible >= CLEAR:
                self.corner_px.append(corner_error_px(told[i].outline.quad_px, scene.corners_px[i]))
        for own, card in zip(meant, cards, strict=True):
            if own is None:
                self.strays.append(True)
                here = {names[k] for k, quad in _faces_at(scene, card)}
                self.wrong.append(card.reading.name is not None and card.reading.name not in here)
            elif scene.visible[own] >= LEAST_VISIBLE:
                self.strays.append(False)
        return self._faults() == before

    def _mark_card(self, scene: CardScene, deck: Deck, i: int, card: Card | None) -> None:
        """Mark what was read of a card."""
        name = None if scene.shows[i] < 0 else list(deck.faces)[scene.shows[i]]
        read = card.reading.name if card else None
        if card:
            self.wrong.append(read is not None and read != name)
            self.face.append((card.reading.face == "up") == (name is not None))
        if name is None:
            return
        is_clear = scene.visible[i] >= CLEAR
        shows_index = any(seen_share(scene, i, box) >= INDEX_SEEN for box in deck.indices[name])
        if is_clear or shows_index:
            self.named.append(read == name)
        if shows_index and not is_clear:
            self.named_covered.append(read == name)

    def _faults(self) -> int:
        good = (self.found, self.found_partly, self.named)
        return sum(not one for list_ in good for one in list_) + sum(self.wrong) + sum(self.strays)

    def report(self) -> str:
        """Tell it on one line."""
        off = self.corner_px or [float("nan")]
        return (
            f"found {_share(self.found)}, partly {_share(self.found_partly)}; named {_share(self.named)}, "
            f"covered {_share(self.named_covered)}; face {_share(self.face)}; "
            f"wrong {sum(self.wrong)} of {len(self.wrong)}; no cards {sum(self.strays)} of {len(self.strays)}; "
            f"corners {np.median(off):.2f}, {np.percentile(off, 90):.1f} px; {1000 * np.mean(self.cpu_s):.0f} ms"
        )


def _share(marks: list[bool]) -> str:
    return f"{100 * np.mean(marks):.1f} % of {len(marks)}" if marks else "-"


def _faces_at(scene: CardScene, card: Card) -> list[tuple[int, NDArray[np.float64]]]:
    """List the faces, and their corners, of the cards that lie under an answer's middle."""
    at = card.outline.centre_px
    return [
        (shown, quad)
        for shown, quad in zip(scene.shows, scene.corners_px, strict=True)
        if shown >= 0 and cv2.pointPolygonTest(quad.astype(np.float32), at, measureDist=False) >= 0
    ]


def corner_error_px(told: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """Tell how far a card's corners (4, 2) are off, on the average, whichever comes first."""
    return float(min(np.hypot(*(np.roll(told, turn, 0) - true).T).mean() for turn in range(4)))


def _draw_told(picture: Image, scene: CardScene, deck: Deck, cards: tuple[Card, ...]) -> Image:
    """Draw what lies there in green, what was told in red."""
    drawn, names = picture.copy(), list(deck.faces)
    for quad, shown, visible in zip(scene.corners_px, scene.shows, scene.visible, strict=True):
        cv2.polylines(drawn, [quad.astype(np.int32)], isClosed=True, color=(0, 220, 0), thickness=1)
        text = f"{names[shown] if shown >= 0 else '-'} {visible:.2f}"
        cv2.putText(drawn, text, quad.mean(0).astype(int).tolist(), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 150, 0), 2)
    for card in cards:
        quad = card.outline.quad_px
        cv2.polylines(drawn, [quad.astype(np.int32)], isClosed=True, color=(0, 0, 255), thickness=2)
        text = f"{card.reading.name or card.reading.face} {card.reading.confidence:.2f} {card.outline.score:.2f}"
        at = np.add(quad.mean(0), (0, 18)).astype(int).tolist()
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 255), 2)
    return drawn


def main() -> None:
    """Draw, judge, compare, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help=", ".join(WORLDS))
    parser.add_argument("--scenes", type=int, default=12)
    parser.add_argument("--seed", type=int, default=4000)
    parser.add_argument("--fonts", type=Path)
    parser.add_argument("--draw", type=Path)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = find_fonts(asked.fonts)
    for name in asked.worlds or WORLDS:
        marks, judge = Marks(), CardJudge(_reader(WORLDS[name].game, asked.seed))
        for number in range(asked.scenes):
            picture, scene, deck = draw_world(WORLDS[name], asked.seed, number, fonts)
            started = time.process_time()
            cards = judge.judge(picture)
            marks.cpu_s.append(time.process_time() - started)
            if not marks.mark(scene, deck, cards) and asked.draw:
                asked.draw.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(asked.draw / f"{name}_{number}.png"), _draw_told(picture, scene, deck, cards))
        sys.stdout.write(f"{name:10s} {marks.report()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
