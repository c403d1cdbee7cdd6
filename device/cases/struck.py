"""Pictures of contacts: where each cap lies is kept without loss from frame to frame, until it was struck and told.

A contact happens where its victim lay, and is known only once all is at rest again. So a few centimetres round each cap
are copied out of the frames, few while all is at rest, each while anything moves, until a while after the cap set off.
"""

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from linesies.calibration import Calibration, View
from linesies.vision import CutOut, Frame, Hit, Scene, Shot, cut_out

ROUND_MM = 70.0  # the side of what is kept: a cap, and most of one beside it
KEPT_S = 2.0  # before a cap has set off
AFTER_S = 0.1  # it set off
AT_REST_S = 0.1  # between two pictures while nothing moves
ELSEWHERE_MM = 5.0  # a cap that is seen so far off lies there no more
PLACES = 2  # of a cap: where it lies, and where it lay when it was struck


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContactPictures:
    """What shows a hit where its victim lay: at rest before, just before, at, and just after the contact."""

    hit: Hit
    parts: tuple[CutOut, ...]


@dataclass(slots=True)
class _Place:
    """A place where a cap lies, or lay until it was first seen elsewhere; the square round it, in pixels."""

    xy_mm: tuple[float, float]
    middle_px: tuple[float, float]
    side_px: float
    parts: deque[CutOut] = field(default_factory=deque)
    left_s: float | None = None

    def keep(self, part: CutOut) -> None:
        self.parts.append(part)
        while part.t_s - self.parts[0].t_s > KEPT_S:
            self.parts.popleft()

    def shows(self, t_s: float) -> bool:
        return bool(self.parts) and self.parts[0].t_s <= t_s <= self.parts[-1].t_s

    def around(self, t_s: float) -> tuple[CutOut, ...]:
        """Choose the first of all, the nearest to a time, and one on each side of that."""
        at = int(np.argmin([abs(part.t_s - t_s) for part in self.parts]))
        chosen = sorted({0, max(at - 1, 0), at, min(at + 1, len(self.parts) - 1)})
        return tuple(self.parts[i] for i in chosen)


class StruckPlaces:
    """Remembers how the places looked where caps lie, and where they lay before."""

    def __init__(self) -> None:
        self._places: dict[str, deque[_Place]] = {}
        self._kept_s = -np.inf

    def see(self, frame: Frame, scene: Scene, calibration: Calibration) -> None:
        """Look at the next frame, in which things stand so."""
        if frame.t_s < self._kept_s:
            self._places.clear()  # another source, whose clock begins anew
        elif scene.is_at_rest and frame.t_s - self._kept_s < AT_REST_S:
            return
        self._kept_s = frame.t_s
        if scene.is_at_rest:
            self._settle(scene, calibration.view)
        for player, places in self._places.items():
            self._keep(places[-1], scene.caps_mm.get(player), frame)

    def of(self, shot: Shot) -> Mapping[str, ContactPictures]:
        """Give what shows each hit of a shot, where that was kept, by victim."""
        found = ((hit, self._place_at(hit)) for hit in shot.hits)
        return {
            hit.victim: ContactPictures(hit=hit, parts=place.around(hit.t_s))
            for hit, place in found
            if place is not None
        }

    def _settle(self, scene: Scene, view: View) -> None:
        """Begin anew where a cap has come to rest elsewhere."""
        for player, xy_mm in scene.caps_mm.items():
            places = self._places.setdefault(player, deque(maxlen=PLACES))
            if not places or places[-1].left_s is not None or _is_elsewhere(places[-1], xy_mm):
                places.append(_place(xy_mm, view))

    def _keep(self, place: _Place, now_mm: tuple[float, float] | None, frame: Frame) -> None:
        if place.left_s is None and _is_elsewhere(place, now_mm):
            place.left_s = frame.t_s
        if place.left_s is not None and frame.t_s > place.left_s + AFTER_S:
            return
        part = cut_out(frame, place.middle_px, place.side_px)
        if part is not None:
            place.keep(part)

    def _place_at(self, hit: Hit) -> _Place | None:
        """Find where a victim lay when it was struck."""
        return next((place for place in self._places.get(hit.victim, ()) if place.shows(hit.t_s)), None)


def _place(xy_mm: tuple[float, float], view: View) -> _Place:
    x, y = view.mm_to_px(np.array([xy_mm]))[0]
    return _Place(xy_mm, (float(x), float(y)), ROUND_MM * view.px_per_mm(np.array(xy_mm)))


def _is_elsewhere(place: _Place, now_mm: tuple[float, float] | None) -> bool:
    return now_mm is None or math.dist(now_mm, place.xy_mm) > ELSEWHERE_MM
