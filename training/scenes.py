"""Scenes for the finder's training: a table, cards and other things under a camera, with exact truth."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.arts import ART_PX_PER_MM, Art, draw_back, draw_face
from linesies.training.decks import draw_deck
from linesies.training.eye import Eye, Sheet, draw_eye, lay_sheet
from linesies.training.layouts import Kind, draw_layout
from linesies.training.light import draw_glare, draw_light, expose
from linesies.training.noise import Floats
from linesies.training.surfaces import draw_surface
from linesies.training.things import lay_flat_thing, stand_thing
from linesies.vision import CARD_MM

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardScene:
    """A picture (H, W, 3), which card each pixel shows (H, W; 0 none, else its number from 1), and the truth.

    `corners_px` (N, 4, 2) run clockwise from the print's top left; `visible` (N,) is the share of a card that is seen;
    `sides_px` (N, 4, 9, 2) are points along the sides, which bow where a card is curled; `shows` has each card's place
    among the faces, below 0 for one that lies face down.
    """

    picture: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    corners_px: NDArray[np.float64]
    visible: NDArray[np.float64]
    sides_px: NDArray[np.float64]
    shows: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arts:
    """The faces and backs from which scenes are made."""

    faces: Sequence[Art]
    backs: Sequence[Art]


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """What a scene is staged with: the camera's tilt, the cards' size and their groups (none: any), who lies face down.

    `things` is how many flat things that are no cards lie below them, on the average; `alike` is the share of tables
    whose top has the tone of a card's edge: white on white, dark on dark.
    """

    tilt_deg: tuple[float, float] = (0.0, 50.0)
    card_mm: tuple[float, float] = CARD_MM
    kinds: tuple[Kind, ...] = ()
    down: float = 0.4
    things: float = 1.5
    alike: float = 0.0


ANY = Staging()


def draw_arts(rng: Rng, count: int) -> Arts:
    """Draw `count` crude faces and as many backs, and a whole deck beside them."""
    deck = draw_deck(rng, px_per_mm=ART_PX_PER_MM)
    whole = [np.dstack([face, deck.alpha]) for face in (*deck.faces.values(), deck.back)]
    faces = [draw_face(rng) for _ in range(count)]
    backs = [draw_back(rng) for _ in range(count)]
    return Arts(faces=[*faces, *whole[:-1]], backs=[*backs, *whole[-1:] * (count // 3)])


def draw_scene(
    rng: Rng, arts: Arts, size_px: tuple[int, int], px_per_mm: float, cards: int, staging: Staging = ANY
) -> CardScene:
    """Draw a table with about `cards` cards; a millimetre spans `px_per_mm` pixels in the middle."""
    eye = draw_eye(rng, size_px, px_per_mm, staging.tilt_deg)
    canvas = _Canvas(rng, eye)
    reach = (0.5 * size_px[0] / px_per_mm, 0.5 * size_px[1] / px_per_mm)
    if staging.alike and rng.random() < staging.alike:
        canvas.tone(_draw_edge_tone(rng, arts, staging))
    for _ in range(rng.poisson(staging.things)):
        sheet, art = lay_flat_thing(rng, tuple(rng.uniform(-1, 1, 2) * reach))
        canvas.lay(sheet, art, number=0)
    back = arts.backs[int(rng.integers(len(arts.backs)))]
    sheets: list[Sheet] = []
    shows: list[int] = []
    groups = draw_layout(rng, reach, cards, kinds=staging.kinds, card_mm=staging.card_mm) if cards else []
    for group in groups:
        is_down = rng.random() < staging.down
        for sheet in group:
            if len(sheets) == 254:
                break
            is_own = rng.random() < 0.15
            choice = arts.backs if is_down else arts.faces
            place = 0 if is_down and not is_own else int(rng.integers(len(choice)))
            sheets.append(sheet)
            shows.append(-1 if is_down else place)
            canvas.lay(sheet, back if is_down and not is_own else choice[place], number=len(sheets))
    for _ in range(rng.poisson(0.4)):
        sheet, art = lay_flat_thing(rng, tuple(rng.uniform(-1, 1, 2) * reach))
        canvas.lay(sheet, art, number=0)
    for _ in range(rng.poisson(0.9)):
        canvas.stand(tuple(rng.uniform(-1, 1, 2) * reach))
    return _truth(canvas, eye, (sheets, shows), rng)


def _draw_edge_tone(rng: Rng, arts: Arts, staging: Staging) -> Floats:
    """Draw the colour that a table has where it is nearly that of some card's edge."""
    shown = arts.backs if rng.random() < staging.down else arts.faces
    card = shown[int(rng.integers(len(shown)))]
    left = card[:, : card.shape[1] // 16]
    return np.array(left[left[..., 3] > 0, :3].mean(axis=0) * rng.uniform(0.85, 1.1), np.float32)


def _truth(canvas: "_Canvas", eye: Eye, laid: tuple[list[Sheet], list[int]], rng: Rng) -> CardScene:
    """Gather a scene's truth; `laid`: the cards, lowest first, and what each shows."""
    sheets, shows = laid
    corners = np.array([eye.project(s.corners_mm()) for s in sheets]).reshape(-1, 4, 2)
    areas = np.array([cv2.contourArea(c.astype(np.float32)) for c in corners])
    seen = np.bincount(canvas.owners.ravel(), minlength=len(sheets) + 1)[1 : len(sheets) + 1]
    visible = np.clip(seen / np.maximum(areas, 1.0), 0, 1) if len(sheets) else np.zeros(0)
    picture = expose(rng, canvas.picture * draw_light(rng, canvas.picture.shape[:2]) + draw_glare(rng, canvas.glossy))
    sides = np.array([eye.project(s.sides_mm()) for s in sheets]).reshape(-1, 4, 9, 2)
    return CardScene(
        picture=picture,
        owners=canvas.owners,
        corners_px=corners,
        visible=visible,
        sides_px=sides,
        shows=tuple(shows),
    )


class _Canvas:
    """A picture in the making; remembers which card owns each pixel and where it is glossy."""

    def __init__(self, rng: Rng, eye: Eye) -> None:
        width, height = eye.size_px
        self._rng, self._eye = rng, eye
        self.picture = _see_table(rng, eye)
        self.owners = np.zeros((height, width), np.uint8)
        self.glossy = np.full((height, width), rng.uniform(0, 0.6) if rng.random() < 0.4 else 0.0, np.float32)
        self._gloss = rng.uniform(0.2, 1.0)
        self._shade = (rng.uniform(0, 0.6), rng.uniform(0.3, 5.0), rng.normal(0, 2.5, 2))

    def lay(self, sheet: Sheet, art: Art, *, number: int) -> None:
        """Lay a sheet on what is there; `number` is a card's, or 0."""
        seen = lay_sheet(self._eye, sheet, art)
        if seen is None:
            return
        where, bgr, share = seen
        strength, soft_mm, shift_mm = self._shade
        high = 1 + sheet.lift_mm * 0.3 + abs(sheet.curl_mm) * 0.4
        x, y = shift_mm * high * self._eye.px_per_mm
        move = np.array([[1, 0, x], [0, 1, y]], np.float32)
        shadow = cv2.GaussianBlur(
            cv2.warpAffine(share, move, share.shape[::-1]), (0, 0), max(0.4, soft_mm * self._eye.px_per_mm)
        )
        below = self.picture[where] * (1 - strength * shadow)[..., None]
        tone = self._rng.uniform(0.9, 1.05) + _slope(self._rng, share.shape)
        self.picture[where] = below * (1 - share)[..., None] + bgr * tone[..., None]
        self.owners[where][share > 0.5] = number
        self.glossy[where] = np.where(share > 0.5, self._gloss * bool(number), self.glossy[where])

    def tone(self, colour: Floats) -> None:
        """Give the table's top this colour in the mean."""
        self.picture = np.clip(self.picture + colour - self.picture.mean(axis=(0, 1)), 0, 255)

    def stand(self, at_mm: tuple[float, float]) -> None:
        """Stand a tall thing on the table."""
        for points, colour in stand_thing(self._rng, self._eye, at_mm):
            cv2.fillPoly(self.picture, [points], colour.tolist(), cv2.LINE_AA)
            cv2.fillPoly(self.owners, [points], 0)
            cv2.fillPoly(self.glossy, [points], 0.2)


def _slope(rng: Rng, shape: tuple[int, int]) -> Floats:
    """Draw a gentle slope of light over a sheet that is not quite flat."""
    ys, xs = np.linspace(-1, 1, shape[0]), np.linspace(-1, 1, shape[1])
    a, b = rng.normal(0, 0.04, 2)
    return (a * ys[:, None] + b * xs[None]).astype(np.float32)


def _see_table(rng: Rng, eye: Eye) -> Floats:
    """See the table's top, often with another surface beyond an edge or a mat upon it, and printed zones."""
    width, height = eye.size_px
    side = int(np.clip(max(width, height) * 1.2, 256, 1400))
    fit_mm = rng.uniform(1.4, 2.2) * max(width, height) / eye.px_per_mm
    to_px = eye.table @ np.array([[fit_mm / side, 0, -fit_mm / 2], [0, fit_mm / side, -fit_mm / 2], [0, 0, 1]])
    top = draw_surface(rng, side)
    if rng.random() < 0.35:
        other = draw_surface(rng, side)
        low, high = rng.uniform(-0.1, 0.45, 2) * side, rng.uniform(0.55, 1.1, 2) * side
        corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])]) + rng.normal(0, side / 40, (4, 2))
        mat = np.zeros((side, side), np.uint8)
        cv2.fillPoly(mat, [corners.astype(np.int32)], 1)
        top = np.where(mat[..., None] > 0, other, top)
    if rng.random() < 0.25:
        _print_zones(rng, top)
    border = cv2.BORDER_REFLECT_101
    return cv2.warpPerspective(top, to_px, (width, height), flags=cv2.INTER_LINEAR, borderMode=border)


def _print_zones(rng: Rng, top: Floats) -> None:
    side = top.shape[0]
    colour, thick = rng.uniform(0, 255, 3).tolist(), max(1, int(rng.uniform(0.002, 0.008) * side))
    for _ in range(int(rng.integers(1, 7))):
        low = rng.integers(0, side, 2)
        size = rng.uniform(0.06, 0.35, 2) * side
        cv2.rectangle(top, low.tolist(), (low + size).astype(int).tolist(), colour, thick, cv2.LINE_AA)
