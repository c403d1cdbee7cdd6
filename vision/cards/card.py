"""A card as it is seen: where its outline lies, what it shows, and its picture laid flat."""

import math
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.errors import BadInput
from linesies.vision.picture.frame import Image

CARD_MM = (63.0, 88.0)  # poker size, the most usual

Point = tuple[float, float]


@dataclass(frozen=True)
class CardShareTuning(Tuning):
    """What a reader takes for no card."""

    least: float = tuned(
        0.4,
        title="chance up to which an outline by itself is taken for no card: some are lost, more papers and pips go",
        unit="1",
        low=0.0,
        high=0.9,
        source=by_hand_in("4d1dfcc"),
    )


CARD_SHARE = CardShareTuning()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A whole card in a picture, also where another covers it: four sharp corners, as if they were not rounded.

    The corners run clockwise as seen, and the first side is a short one (63 mm); which of the two is not known.
    (0, 0) is the centre of the top-left pixel. `score` says how surely it is a card, `visible` how much of it is
    seen; both 0 to 1. `ends_seen` says how much is seen of where an index may be: at the left of the first side, and of
    the one across. A mere hint is a card only if its face is surely read.
    """

    corners_px: tuple[Point, Point, Point, Point]
    score: float
    visible: float
    ends_seen: tuple[float, float] = (1.0, 1.0)
    is_hint: bool = False

    def __post_init__(self) -> None:
        if len(self.corners_px) != 4 or not all(math.isfinite(v) for corner in self.corners_px for v in corner):
            raise BadInput(f"an outline takes four finite corners, not {self.corners_px}")
        for name in ("score", "visible"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise BadInput(f"an outline's {name} is between 0 and 1, not {getattr(self, name)}")
        if len(self.ends_seen) != 2 or not all(0.0 <= share <= 1.0 for share in self.ends_seen):
            raise BadInput(f"an outline has two ends, each seen from 0 to 1, not {self.ends_seen}")

    @property
    def quad_px(self) -> NDArray[np.float64]:
        """The corners as an array (4, 2)."""
        return np.array(self.corners_px, float)

    @property
    def centre_px(self) -> Point:
        """Where the diagonals cross: the card's middle, also at a slant."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners_px
        p, q = ax * cy - ay * cx, bx * dy - by * dx
        across = (ax - cx) * (by - dy) - (ay - cy) * (bx - dx)
        if across == 0.0:
            return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
        return (p * (bx - dx) - (ax - cx) * q) / across, (p * (by - dy) - (ay - cy) * q) / across


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a card shows: `name` is null when it lies face down or can't be read for sure; `confidence` is 0 to 1.

    `card_share` is how likely the outline holds a card at all, and no paper, pip or table, by what is seen in it, 0 to
    1; None where the reader can't tell.
    """

    face: Literal["up", "down"]
    name: str | None
    confidence: float
    card_share: float | None = None

    def __post_init__(self) -> None:
        if self.face not in ("up", "down"):
            raise BadInput(f"a card lies face up or down, not {self.face!r}")
        if self.face == "down" and self.name is not None:
            raise BadInput(f"a card that lies face down has no name to read, not {self.name!r}")
        if not 0.0 <= self.confidence <= 1.0:
            raise BadInput(f"a reading's confidence is between 0 and 1, not {self.confidence}")
        if self.card_share is not None and not 0.0 <= self.card_share <= 1.0:
            raise BadInput(f"a reading's card_share is between 0 and 1, not {self.card_share}")

    @property
    def is_card(self) -> bool:
        """Tell whether the outline by itself holds a card, as far as the reader can tell."""
        return self.card_share is None or self.card_share > CARD_SHARE.least


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """An outline, what it shows, and the zone that it lies in, if any."""

    outline: Outline
    reading: Reading
    zone: str | None = None

    def as_json(self) -> dict[str, object]:
        """Write it with the keys of the `cards` command."""
        return {
            "corners": [[round(x, 2), round(y, 2)] for x, y in self.outline.corners_px],
            "face": self.reading.face,
            "card": self.reading.name,
            "confidence": round(self.reading.confidence, 3),
            "zone": self.zone,
        }


def rectify(picture_bgr: Image, outline: Outline, px_per_mm: float) -> Image:
    """Lay a card's picture flat: 63 x 88 mm at `px_per_mm`, upright or upside down, edge replicated outside."""
    seen_px = outline.quad_px
    seen_px_per_mm = float(np.linalg.norm(np.roll(seen_px, -1, 0) - seen_px, axis=1).sum()) / (2 * sum(CARD_MM))
    finer = max(1, round(seen_px_per_mm / px_per_mm))  # a warp takes single pixels: shrink afterwards, by areas
    width, height = (round(side * px_per_mm) for side in CARD_MM)
    flat_px = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) * finer - 0.5
    matrix = cv2.getPerspectiveTransform(seen_px.astype(np.float32), flat_px.astype(np.float32))
    size = (width * finer, height * finer)
    flat = cv2.warpPerspective(picture_bgr, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return flat if finer == 1 else cv2.resize(flat, (width, height), interpolation=cv2.INTER_AREA)
