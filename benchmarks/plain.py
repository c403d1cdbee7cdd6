"""What the referee's eyes are held against: a plain approach, and a general tracker on the same differences.

Both see motion by frame differencing and name caps by their colour. The plain one finds caps at rest by Hough circles
and calls everything that lies elsewhere afterwards moved. The other follows each moving blob with norfair.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision import Cap, Frame, Hit, Image, Shot

Array = NDArray[np.float64]

CHANGED_LEVELS = 25
LEAST_CHANGED = 2e-4  # of the picture: something moves
SETTLED_S = 0.4
MOVED_MM = 10.0
FARTHEST_LAB = 60.0  # from a listed colour, a thing is nobody's cap


@dataclass(slots=True, kw_only=True)
class ToldShots:
    """Shots told so far, and the stretch of motion that is open."""

    shots: list[Shot] = field(default_factory=list)
    since_s: float | None = None
    last_s: float = 0.0


class Plain:
    """Frame differencing for when, Hough circles and colours for where: remembers the last picture and places."""

    def __init__(self, calibration: Calibration, caps: Sequence[Cap]) -> None:
        self._view, self._caps = calibration.view, caps
        self._before: Image | None = None
        self._lay_mm: dict[str, Array] = {}
        self.told = ToldShots()

    def see(self, frame: Frame) -> None:
        """Look at the next frame."""
        grey = cv2.resize(frame.luma, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        before, self._before = self._before, grey
        if before is None:
            self._lay_mm = self._circles(frame)
        elif np.count_nonzero(cv2.absdiff(before, grey) > CHANGED_LEVELS) > LEAST_CHANGED * grey.size:
            self.told.since_s = frame.t_s if self.told.since_s is None else self.told.since_s
            self.told.last_s = frame.t_s
        elif self.told.since_s is not None and frame.t_s - self.told.last_s > SETTLED_S:
            lies_mm = self._circles(frame)
            _tell(self.told, ways_mm(self._lay_mm, lies_mm))
            self._lay_mm |= lies_mm

    def _circles(self, frame: Frame) -> dict[str, Array]:
        middle = self._view.px_to_mm(np.array(self._view.lens.size_px)[None] / 2)[0]
        radii = [cap.diameter_mm / 2 * self._view.px_per_mm(middle) for cap in self._caps]
        low, high = int(0.8 * min(radii)), int(1.3 * max(radii)) + 1
        found = cv2.HoughCircles(
            cv2.medianBlur(frame.luma, 5), cv2.HOUGH_GRADIENT, 1.5, low, param1=120, param2=22, minRadius=low,
            maxRadius=high,
        )  # fmt: skip
        places = np.zeros((0, 2)) if found is None else found.reshape(-1, 3)[:, :2].astype(float)
        named = name_by_colour(frame.bgr, places, low // 2, self._caps)
        return {player: self._view.px_to_mm(places[i][None])[0] for player, i in named.items()}


class Tracked:
    """Differences from the empty board, followed by norfair: remembers each track's player and places."""

    def __init__(
        self, calibration: Calibration, caps: Sequence[Cap], tracker: Any, detection: Callable[..., Any]
    ) -> None:
        self._view, self._caps = calibration.view, caps
        self._tracker, self._detection = tracker, detection
        self._empty = cv2.resize(
            cv2.cvtColor(calibration.empty_bgr, cv2.COLOR_BGR2GRAY), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
        )
        self._lay_mm: dict[str, Array] = {}
        self._first_s: dict[str, float] = {}
        self._last_mm: dict[str, Array] = {}
        self.told = ToldShots()

    def see(self, frame: Frame) -> None:
        """Look at the next frame."""
        grey = cv2.resize(frame.luma, self._empty.shape[::-1], interpolation=cv2.INTER_AREA)
        changed = (cv2.absdiff(grey, self._empty) > CHANGED_LEVELS).astype(np.uint8)
        _, _, stats, middles = cv2.connectedComponentsWithStats(changed)
        fits = np.flatnonzero((stats[:, 4] > 15) & (stats[:, 4] < 700))
        places = middles[fits] * 2 + 0.5
        tracks = self._tracker.update([self._detection(points=place[None]) for place in places])
        seen = np.array([track.estimate[0] for track in tracks]).reshape(-1, 2)
        named = name_by_colour(frame.bgr, seen, 3, self._caps)
        for player, i in named.items():
            self._follow(player, self._view.px_to_mm(seen[i][None])[0], frame.t_s)
        if self.told.since_s is not None and frame.t_s - self.told.last_s > SETTLED_S:
            order = sorted(self._first_s, key=self._first_s.__getitem__)
            ways = ways_mm(self._lay_mm, self._last_mm)
            _tell(self.told, {player: ways[player] for player in order if player in ways}, is_ordered=True)
            self._lay_mm, self._first_s = dict(self._last_mm), {}

    def _follow(self, player: str, xy_mm: Array, t_s: float) -> None:
        lay_mm = self._lay_mm.setdefault(player, xy_mm)
        last_mm = self._last_mm.get(player, xy_mm)
        self._last_mm[player] = xy_mm
        if np.hypot(*(xy_mm - last_mm)) > 2 and np.hypot(*(xy_mm - lay_mm)) > MOVED_MM:
            self._first_s.setdefault(player, t_s)
            self.told.since_s = t_s if self.told.since_s is None else self.told.since_s
            self.told.last_s = t_s


def ways_mm(lay: dict[str, Array], lies: dict[str, Array]) -> dict[str, float]:
    """Measure how far each cap lies from where it lay, those that moved alone."""
    ways = {p: float(np.hypot(*(lies[p] - lay[p]))) for p in lies if p in lay}
    return {player: way for player, way in ways.items() if way > MOVED_MM}


def name_by_colour(bgr: Image, places_px: Array, reach_px: int, caps: Sequence[Cap]) -> dict[str, int]:
    """Give each cap the place whose colour is nearest to its own, none twice."""
    if not len(places_px):
        return {}
    height, width = bgr.shape[:2]
    xs, ys = (np.clip(places_px[:, i].astype(int), reach_px, s - 1 - reach_px) for i, s in ((0, width), (1, height)))
    patches = [
        bgr[y - reach_px : y + reach_px + 1, x - reach_px : x + reach_px + 1] for x, y in zip(xs, ys, strict=True)
    ]
    seen = _lab(np.array([patch.reshape(-1, 3).mean(axis=0) for patch in patches]))
    listed = _lab(np.array([cap.colour_rgb[::-1] for cap in caps], float))
    away = np.linalg.norm(seen[None] - listed[:, None], axis=2)
    named: dict[str, int] = {}
    for k, i in sorted(np.ndindex(away.shape), key=lambda pair: away[pair]):
        if away[k, i] < FARTHEST_LAB and caps[k].player not in named and i not in named.values():
            named[caps[k].player] = int(i)
    return named


def _lab(bgr: Array) -> Array:
    return cv2.cvtColor(np.clip(bgr, 0, 255).astype(np.uint8)[None], cv2.COLOR_BGR2LAB)[0].astype(float)


def _tell(told: ToldShots, ways: dict[str, float], *, is_ordered: bool = False) -> None:
    """Call the cap that went farthest (or first) the shooter, and all others that moved its victims."""
    if ways and told.since_s is not None:
        order = list(ways) if is_ordered else sorted(ways, key=lambda player: -ways[player])
        hits = tuple(Hit(by=order[0], victim=victim, t_s=told.last_s) for victim in order[1:])
        told.shots.append(Shot(player=order[0], hits=hits, calls=(), t_start_s=told.since_s, t_end_s=told.last_s))
    told.since_s = None
