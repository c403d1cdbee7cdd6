"""A die whose faces were learned: found as a small thing on the table, and read in any turn.

A camera that looks aslant sees a cube's sides beside its upper face, so its outline is no square. Every face is
therefore tried in every turn, place and size on what is about as large as a die.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.change import Mask, changed
from linesies.vision.cards.learn.photo import WantedShape, find_alone
from linesies.vision.errors import BadInput
from linesies.vision.picture.frame import Image

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class DieTuning(Tuning):
    """When a thing is a learned die, and which face lies up."""

    longest: float = tuned(
        1.9,
        title="of its outline's breadth, how long it is at most",
        unit="1",
        low=1,
        high=4,
        source="geometry: a cube shows at most 1.41 times as long as broad; the rest is for its shadow",
    )
    known: float = tuned(
        0.8,
        title="agreement from which on something is taken for this die",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("39e7ee6"),
    )
    ahead: float = tuned(
        1.5,
        title="times as much the next face must leave unexplained",
        unit="1",
        low=1,
        high=5,
        source=by_hand_in("39e7ee6"),
    )
    certain: float = tuned(
        0.95,
        title="confidence from which on no other thing is looked at",
        unit="1",
        low=0.5,
        high=1,
        source=by_hand_in("eec0253"),
    )
    apart_mm: float = tuned(
        14.0,
        title="between two points of what is new that are looked at",
        unit="mm",
        low=4,
        high=40,
        source="less than the edge of a usual die (16 mm), so that none falls between two points",
    )
    soft_px: float = tuned(
        0.75, title="by which learned faces are blurred", unit="px", low=0, high=4, source=by_hand_in("39e7ee6")
    )
    fit_steep: float = tuned(
        30.0, title="how steeply trust rises with agreement", unit="1", low=5, high=200, source=BY_HAND
    )
    lead_steep: float = tuned(6.0, title="how steeply it rises with the lead", unit="1", low=1, high=50, source=BY_HAND)
    least_area: float = tuned(
        0.7,
        title="of the smallest die's face, the least area of what may be one",
        unit="1",
        low=0.1,
        high=1,
        source=BY_HAND,
    )
    apart: float = tuned(
        0.4, title="of the smallest die's side, within which two are one", unit="1", low=0.1, high=1, source=BY_HAND
    )
    least_side: float = tuned(
        0.8, title="of the smallest die's side, likewise of what is new", unit="1", low=0.1, high=1, source=BY_HAND
    )
    blur_px: float = tuned(
        0.7, title="blur before it is told what stands out", unit="px", low=0.2, high=3, source=BY_HAND
    )


DIE = DieTuning()

SIDE_PX = 24  # of a face laid flat
SQUARE = WantedShape(aspect=(0.75, 1.0), least_share=0.01)
SIDES_MM = (12.0, 14.5, 17.0, 19.5)  # dice are 11 to 21 mm wide
WORK_PX_PER_MM = 3.0  # at which dice are sought
STEP_DEG = 12.0
FINER = (-0.5, -0.25, 0.0, 0.25, 0.5)  # of a step, at a second look
MOST, MOST_POINTS = 5, 9  # things, or points of what is new, looked at closely in one picture
ROUND_PX = 2  # a face's edges are rounded, and what lies beyond is table
REACH_PX = 22  # from a thing's middle to the outermost place of a face's


@dataclass(frozen=True, eq=False)
class LearnedDie:
    """The faces of a die by name: (N, SIDE_PX, SIDE_PX, 3)."""

    names: tuple[str, ...]
    faces: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class DieReading:
    """What a die shows: `face` is null where none lies there or it can't be told for sure; where it lies, if seen."""

    face: str | None
    confidence: float
    centre_px: tuple[float, float] | None = None


NO_DIE = DieReading(face=None, confidence=0.0)


def photograph_die(picture_bgr: Image) -> Floats:
    """Lay the upper face of the one die in a photograph flat (SIDE_PX, SIDE_PX, 3); raises BadInput without one."""
    found = find_alone(picture_bgr, SQUARE)
    if not found:
        raise BadInput("no die found; photograph it alone from straight above, on a table of another colour")
    flat = np.array([(0, 0), (SIDE_PX, 0), (SIDE_PX, SIDE_PX), (0, SIDE_PX)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(found[0].quad_px.astype(np.float32), flat)
    picture = picture_bgr.astype(np.float32)
    return cv2.warpPerspective(picture, matrix, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)


def read_die(picture_bgr: Image, die: LearnedDie, px_per_mm: float, *, bare: Image | None = None) -> DieReading:
    """Find the die in a picture of a table from above, and say which face is up.

    `px_per_mm` is the picture's scale; `bare` the same place without the die, if that is known: then only what is
    new is looked at. Only a die at rest can be read: give it pictures in which nothing moves there.
    """
    if not px_per_mm > 0:
        raise BadInput(f"a picture's scale is positive, not {px_per_mm} px/mm")
    shrunk = min(1.0, WORK_PX_PER_MM / px_per_mm)
    size = (max(1, round(picture_bgr.shape[1] * shrunk)), max(1, round(picture_bgr.shape[0] * shrunk)))
    seen = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
    scale = px_per_mm * shrunk
    if bare is None:
        middles = _compact(seen, scale)
    else:
        middles = _new(changed(cv2.resize(bare, size, interpolation=cv2.INTER_AREA), seen), scale)
    best: _DieSearch | None = None
    for middle in middles:
        look = _DieSearch(seen, die, middle, scale)
        best = look if best is None or look.confidence > best.confidence else best
        if best.confidence >= DIE.certain:
            break
    return NO_DIE if best is None else best.reading(1 / shrunk)


@dataclass(slots=True)
class _Fit:
    """The best place of one face so far: how well it agrees, how it is turned, how large, and where."""

    agreement: float = -1.0
    turn_deg: float = 0.0
    side_mm: float = 0.0
    xy_px: tuple[float, float] = (0.0, 0.0)


class _DieSearch:
    """Holds every face against what lies about a point, in every turn, place and size; remembers the best of each."""

    def __init__(self, seen: Image, die: LearnedDie, middle_px: Floats, px_per_mm: float) -> None:
        self._seen, self._middle_px, self._px_per_mm = seen, middle_px, px_per_mm
        inner = slice(ROUND_PX, SIDE_PX - ROUND_PX)
        soft = [cv2.GaussianBlur(face, (0, 0), DIE.soft_px) for face in die.faces]
        faces = [np.ascontiguousarray(face[inner, inner], np.float32) for face in soft]
        fits = [_Fit() for _ in faces]
        for side_mm in SIDES_MM:
            for turn_deg in np.arange(0.0, 360.0, STEP_DEG):
                self._try(list(zip(faces, fits, strict=True)), float(turn_deg), side_mm)
        for i in sorted(range(len(fits)), key=lambda i: -fits[i].agreement)[:2]:
            turn_deg, side_mm = fits[i].turn_deg, fits[i].side_mm
            for turn in FINER:
                for side in FINER:
                    self._try(
                        [(faces[i], fits[i])], turn_deg + turn * STEP_DEG, side_mm + side * (SIDES_MM[1] - SIDES_MM[0])
                    )
        first, *others = sorted(range(len(fits)), key=lambda i: -fits[i].agreement)
        self._fit, self._name = fits[first], die.names[first]
        next_best = fits[others[0]].agreement if others else 0.0
        lead = float(np.log((1 - next_best) / max(1 - self._fit.agreement, 1e-6) / DIE.ahead))
        self._is_told = self._fit.agreement >= DIE.known and lead >= 0
        self.confidence = float(
            1
            / (1 + np.exp(-DIE.fit_steep * (self._fit.agreement - DIE.known) - 2))
            / (1 + np.exp(-DIE.lead_steep * lead - 1))
        )

    def reading(self, zoom: float) -> DieReading:
        """Say what it shows, and where in a picture `zoom` times as large."""
        x, y = ((at + 0.5) * zoom - 0.5 for at in self._fit.xy_px)
        face = self._name if self._is_told else None
        return DieReading(face=face, confidence=self.confidence, centre_px=(x, y))

    def _try(self, faces: list[tuple[Floats, _Fit]], turn_deg: float, side_mm: float) -> None:
        """Turn and zoom what is seen, and keep the places in which faces agree better than before."""
        to_flat = _flattened(self._middle_px, turn_deg, SIDE_PX / (side_mm * self._px_per_mm))
        side = 2 * REACH_PX + 1
        flat = cv2.warpAffine(self._seen, to_flat, (side, side), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        for face, fit in faces:
            _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(flat, face, cv2.TM_CCOEFF_NORMED))
            if best > fit.agreement:
                half = (len(face) - 1) / 2
                where = cv2.invertAffineTransform(to_flat) @ np.array([x + half, y + half, 1.0])
                fit.agreement, fit.turn_deg, fit.side_mm = best, turn_deg, side_mm
                fit.xy_px = (float(where[0]), float(where[1]))


def _flattened(middle_px: Floats, turn_deg: float, zoom: float) -> NDArray[np.float64]:
    """Turn and zoom about a point, which comes to lie in the middle (2, 3)."""
    turn = cv2.getRotationMatrix2D((float(middle_px[0]), float(middle_px[1])), turn_deg, zoom)
    turn[:, 2] += REACH_PX - middle_px
    return turn


def _compact(seen: Image, px_per_mm: float) -> list[Floats]:
    """Find the middles of what is as large as a die, in whichever channel it stands out, the most compact first."""
    lab = cv2.cvtColor(seen, cv2.COLOR_BGR2LAB)
    least, most = DIE.least_area * SIDES_MM[0] ** 2, DIE.longest * SIDES_MM[-1] ** 2
    found: list[tuple[float, Floats]] = []
    for mask in _standing_out(lab, px_per_mm):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            hull = cv2.contourArea(cv2.convexHull(contour))
            box = cv2.minAreaRect(contour)
            short, long = sorted(box[1])
            if least <= hull / px_per_mm**2 <= most and long <= DIE.longest * short:
                found.append((cv2.contourArea(contour) / hull, np.array(box[0], np.float32)))
    apart: list[Floats] = []
    for _, middle in sorted(found, key=lambda thing: -thing[0]):
        if all(np.linalg.norm(middle - other) > DIE.apart * SIDES_MM[0] * px_per_mm for other in apart):
            apart.append(middle)
    return apart[:MOST]


def _new(mask: Mask, px_per_mm: float) -> list[Floats]:
    """Lay points over whatever is new and not much larger than a die with its shadow, the largest first."""
    least, most = (side**2 * px_per_mm**2 for side in (DIE.least_side * SIDES_MM[0], 3 * SIDES_MM[-1]))
    points: list[Floats] = []
    for contour in sorted(cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0], key=cv2.contourArea)[
        ::-1
    ]:
        x, y, width, height = cv2.boundingRect(contour)
        if least <= width * height <= most:
            across, down = (max(1, round(side / px_per_mm / DIE.apart_mm)) for side in (width, height))
            points += [
                np.array([x + width * (i + 0.5) / across, y + height * (j + 0.5) / down], np.float32)
                for i in range(across)
                for j in range(down)
            ]
    return points[:MOST_POINTS]


def _standing_out(lab: Image, px_per_mm: float) -> Iterator[NDArray[np.uint8]]:
    """Mark, a channel and a sign at a time, what differs from what lies around it, near and farther off."""
    close = np.ones([max(3, round(3 * px_per_mm))] * 2, np.uint8)
    soft = cv2.GaussianBlur(lab.astype(np.float32), (0, 0), DIE.blur_px)
    for around_mm in (30, 60):
        reach = 2 * round(around_mm / 2 * px_per_mm) + 1
        off = soft - cv2.blur(soft, (reach, reach))
        for channel in cv2.split(off):
            for least in (10, 30):
                for mask in (channel > least, channel < -least):
                    marked = mask.astype(np.uint8)
                    yield marked
                    yield cv2.morphologyEx(marked, cv2.MORPH_CLOSE, close)
