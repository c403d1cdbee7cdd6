"""Whose arm: what has come into the small picture from its border, and from which seat it points."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Calibration, Tuning, tuned
from linesies.vision.cards.find.overlap import are_within
from linesies.vision.cards.spots import SMALL, TableSpot
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.picture.colouring import most_of_colours
from linesies.vision.picture.frame import Frame, Image

Array = NDArray[np.float64]

BORDER_PX = 2
LEAST_CUT = 0.34  # of the widest cut of an arm: what is narrower is no second arm that meets it, but a fold of a sleeve
TAILS = 4  # degrees of freedom of Student's law: of 157 arms, one reached across 3.8 spreads off, two by 3


@dataclass(frozen=True)
class ArmTuning(Tuning):
    """What an arm is, and how far it points from where its owner is thought to sit."""

    strange_levels: int = tuned(
        14,
        title="least change of a small pixel where an arm is",
        unit="levels",
        low=3,
        high=60,
        source=BY_HAND,
    )
    least_px: int = tuned(
        40,
        title="small pixels of an arm",
        unit="px",
        low=5,
        high=400,
        source=BY_HAND,
    )
    most_share: float = tuned(
        0.6,
        title="share of the picture that arms may cover: more is a change of light",
        unit="1",
        low=0.1,
        high=1.0,
        source=BY_HAND,
    )
    arm_mm: float = tuned(
        45.0,
        title="how high an arm is held at the picture's border",
        unit="mm",
        low=0.0,
        high=200.0,
        source=BY_HAND,
    )
    shoulder_mm: float = tuned(
        320.0,
        title="how far people sit behind their zone's outer side",
        unit="mm",
        low=50.0,
        high=800.0,
        source=BY_HAND,
    )
    spread_deg: float = tuned(
        5.0,
        title="how far one arm strays from its owner's usual line",
        unit="deg",
        low=1.0,
        high=20.0,
        source=BY_HAND,
    )
    seat_deg: float = tuned(
        12.0,
        title="how far people sit from the middle of their zone, as seen from a card",
        unit="deg",
        low=2.0,
        high=45.0,
        source=BY_HAND,
    )
    throw_s: float = tuned(
        1.2,
        title="how long before a thrown thing comes to lie somewhere its thrower's arm may have been seen last",
        unit="s",
        low=0.1,
        high=5.0,
        source="ten throws of Skip-Bo 982001 whose hand never reached the die's place, all named rightly so",
    )
    most_hid: float = tuned(
        0.5,
        title="share of the most that any arm hid of a card's place, from which on an arm may have laid it",
        unit="1",
        low=0.1,
        high=1.0,
        source=BY_HAND,
    )
    one_arm_share: float = tuned(
        0.9,
        title="of what hid as much of a card's place, what must be one arm's: two that meet there are seen as one, too",
        unit="1",
        low=0.5,
        high=1,
        source=BY_HAND,
    )
    one_arm_mm: float = tuned(
        160.0,
        title="how far one arm's places at the border lie from their middle within that time",
        unit="mm",
        low=20.0,
        high=600.0,
        source="as wide as a forearm and a hand that goes a hand's width aside; people sit farther apart",
    )


ARMS = ArmTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """An arm over a place at one moment: where it came in (N, 2), in mm on the table, and what it hid of the place.

    Two arms that meet over the table are seen as one, which comes in at two places.
    """

    crossings_mm: Array
    hid: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reached:
    """All arms that reached into a place during one visit; `at_mm` (P, 2) is where its small pixels lie."""

    at_mm: Array
    reaches: tuple[Reach, ...] = ()

    def crossing_mm(self, quad_mm: Array | None = None) -> Array | None:
        """Tell where the arm came in that hid most of a card's place (4, 2), in mm on the table; None: none, or two.

        Without a card, and where none hid any of its place as a hand held it by its end, that of the whole place.
        """
        if not self.reaches:
            return None
        hid = np.stack([one.hid for one in self.reaches])
        here = hid if quad_mm is None else hid[:, are_within(self.at_mm, [quad_mm])]
        much = (here if here.any() else hid).sum(axis=1)
        may_have = np.flatnonzero(much > ARMS.most_hid * much.max())
        crossings_mm = np.concatenate([self.reaches[i].crossings_mm for i in may_have])
        return of_one_arm(crossings_mm, least_share=ARMS.one_arm_share)


class Arms:
    """Remembers the frame at rest, the arms that reached into each place, and where any came in lately.

    An arm that rests on the table for long is taken for a part of it, but the frame before is remembered too: where it
    is as in that one again, the arm has gone. Compared in colour: a brown arm over a dark table differs in little else.
    """

    def __init__(self, calibration: Calibration) -> None:
        self._view = calibration.view
        self._rest: _Rest | None = None
        self._before: _Rest | None = None
        self._reached: dict[str, list[Reach]] = {}
        self._over: set[str] = set()
        self._lately: deque[tuple[float, Array]] = deque()

    def settle(self, frame: Frame, *, may_show_arm: bool = False) -> None:
        """Take over the picture: everything is at rest, though perhaps an arm rests there too."""
        without = self._before or (self._rest if may_show_arm else None)
        self._before = without if without is not None and without.has_arm(frame) else None
        self._rest = _Rest(frame)

    def see(self, frame: Frame, spots: tuple[TableSpot, ...]) -> None:
        """Note where the arms that now reach into these places come in."""
        self._over.clear()
        while self._lately and frame.t_s - self._lately[0][0] > 2 * ARMS.throw_s:
            self._lately.popleft()
        if self._rest is None:
            return
        strange = self._rest.strange_in(frame)
        if self._before is not None:
            strange &= self._before.strange_in(frame)
        if np.count_nonzero(strange) > ARMS.most_share * strange.size:
            return  # the light has changed
        for arm, crossings_small in _arms_in(strange):
            crossings_mm = self._on_table_mm(crossings_small, ARMS.arm_mm)
            self._lately.append((frame.t_s, crossings_mm))
            for spot in spots:
                hid = arm[spot.small_mask]
                if hid.any():
                    self._over.add(spot.name)
                    self._reached.setdefault(spot.name, []).append(Reach(crossings_mm, hid))

    def is_over(self, spot: TableSpot) -> bool:
        """Tell whether an arm reaches into a place in the picture seen last."""
        return spot.name in self._over

    def forget(self, spot: str) -> None:
        """Let a place's arms go: what they did has been told."""
        self._reached.pop(spot, None)

    def has_reached(self, spot: str) -> bool:
        """Tell whether any arm has reached into a place since it was let go."""
        return bool(self._reached.get(spot))

    def reached(self, spot: TableSpot) -> Reached:
        """Tell which arms have reached into a place since its arms were let go."""
        rows, columns = np.nonzero(spot.small_mask)
        at_mm = self._on_table_mm(np.stack([columns, rows], axis=1).astype(float), 0.0)
        return Reached(at_mm=at_mm, reaches=tuple(self._reached.get(spot.name, ())))

    def thrower_mm(self, t_s: float) -> Array | None:
        """Tell where the arm came in, in mm on the table, that threw what stirs from a time on; None: none, or two."""
        lately = [at_mm for seen_s, at_mm in self._lately if -ARMS.throw_s <= seen_s - t_s <= 0]
        return of_one_arm(np.concatenate(lately)) if lately else None

    def _on_table_mm(self, small_px: Array, height_mm: float) -> Array:
        """Find the table's points (N, 2) under points (N, 2) of the small picture at a height."""
        return self._view.px_to_mm((small_px + 0.5) * SMALL - 0.5, height_mm)


def of_one_arm(crossings_mm: Array, *, least_share: float = 1.0) -> Array | None:
    """Tell the middle of where an arm was seen coming in (N, 2), unless fewer than that share of these are of one."""
    middle_mm = np.median(crossings_mm, axis=0)
    is_near = np.hypot(*(crossings_mm - middle_mm).T) < ARMS.one_arm_mm
    return np.asarray(middle_mm, float) if is_near.mean() >= least_share else None


class _Rest:
    """Remembers a frame at rest, and its small picture once it is asked for."""

    def __init__(self, frame: Frame) -> None:
        self._frame: Frame | None = frame
        self._small: Image | None = None

    def strange_in(self, frame: Frame) -> NDArray[np.uint8]:
        """Mark, in the small picture, what looks otherwise in another frame."""
        if self._frame is not None:
            self._small, self._frame = self._frame.small_bgr(SMALL), None
        assert self._small is not None
        change = most_of_colours(cv2.absdiff(frame.small_bgr(SMALL), self._small))
        return (change > ARMS.strange_levels).astype(np.uint8)

    def has_arm(self, frame: Frame) -> bool:
        """Tell whether an arm reaches into another frame."""
        return any(True for _ in _arms_in(self.strange_in(frame)))


def _arms_in(strange: NDArray[np.uint8]) -> Iterator[tuple[NDArray[np.bool_], Array]]:
    """Find the arms in a small picture, and the middles (N, 2) of their cuts along its border."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=8)
    for i in range(1, count):
        if stats[i, cv2.CC_STAT_AREA] < ARMS.least_px:
            continue
        arm = labels == i
        crossings_small = _crossings(arm)
        if len(crossings_small):
            yield arm, crossings_small


def _crossings(arm: NDArray[np.bool_]) -> Array:
    """Find the middles (N, 2) of an arm's cut along the picture's border: two, where two arms meet over the table."""
    along, places = _border(arm.shape)
    cut = arm.ravel()[along]
    if cut.all() or not cut.any():
        return np.empty((0, 2))
    first = int(np.flatnonzero(~cut)[0])  # so that no cut goes on at the other end
    steps = np.diff(np.concatenate([[0], np.roll(cut, -first).view(np.int8), [0]]))
    begins, ends = np.flatnonzero(steps > 0), np.flatnonzero(steps < 0)
    widest = (ends - begins).max()
    middles = [
        (begin + end - 1) // 2 for begin, end in zip(begins, ends, strict=True) if end - begin >= LEAST_CUT * widest
    ]
    return np.asarray(places[(np.array(middles) + first) % len(along)], float)


@cache
def _border(shape: tuple[int, int]) -> tuple[NDArray[np.intp], Array]:
    """List the pixels along a picture's border where arms are cut, once round; and their places on the very border."""
    height, width = shape
    left, top, right, bottom = BORDER_PX, BORDER_PX, width - 1 - BORDER_PX, height - 1 - BORDER_PX
    columns, rows = np.arange(left, right), np.arange(top, bottom)
    xs = np.concatenate([columns, np.full(len(rows), right), columns[::-1] + 1, np.full(len(rows), left)])
    ys = np.concatenate([np.full(len(columns), top), rows, np.full(len(columns), bottom), rows[::-1] + 1])
    places = np.stack([xs, ys], axis=1).astype(float)
    for axis, (low, high, end) in enumerate(((left, right, width - 1.0), (top, bottom, height - 1.0))):
        places[places[:, axis] == low, axis] = 0.0
        places[places[:, axis] == high, axis] = end
    return ys * width + xs, places


def shoulders_mm(board: Board) -> dict[str, Array]:
    """Tell where each player sits: behind the zone, beyond the nearest edge of the mat."""
    width, height = board.size_mm
    places = {}
    for region in board.regions:
        if not region.name.startswith("seat:"):
            continue
        (x0, y0), (x1, y1) = region.polygon_mm.min(axis=0), region.polygon_mm.max(axis=0)
        middle = (region.polygon_mm.min(axis=0) + region.polygon_mm.max(axis=0)) / 2
        rooms = [(y0, (0.0, -1.0)), (height - y1, (0.0, 1.0)), (x0, (-1.0, 0.0)), (width - x1, (1.0, 0.0))]
        room, outwards = min(rooms, key=lambda pair: pair[0])
        half = abs(np.array([x1 - x0, y1 - y0]) @ np.abs(outwards)) / 2
        places[region.name.removeprefix("seat:")] = middle + np.array(outwards) * (half + room + ARMS.shoulder_mm)
    return places


class Shoulders(Mapping[str, Array]):
    """Where each player sits, and how far each one's arms have strayed from that so far, in degrees."""

    def __init__(self, at_mm: Mapping[str, Array]) -> None:
        self._at_mm: dict[str, Array] = {}
        self._strayed_deg: dict[str, list[float]] = {}
        self.seat(at_mm)

    def seat(self, at_mm: Mapping[str, Array]) -> None:
        """Hear who sits where now; how the arms of those who stay have strayed is kept."""
        stay = [player for player in at_mm if player in self and np.array_equal(self[player], at_mm[player])]
        self._strayed_deg = {player: self._strayed_deg[player] if player in stay else [] for player in at_mm}
        self._at_mm = dict(at_mm)

    def __getitem__(self, player: str) -> Array:
        return self._at_mm[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._at_mm)

    def __len__(self) -> int:
        return len(self._at_mm)

    def chance(self, player: str, card_mm: Array, crossing_mm: Array) -> float:
        """Tell how well an arm fits a player, 0 to 1: people sit otherwise than drawn, but then they stay there."""
        seen_deg = self._strayed_deg[player]
        weight = len(seen_deg) + (ARMS.spread_deg / ARMS.seat_deg) ** 2
        usual_deg = sum(seen_deg) / weight
        spread_deg = np.hypot(ARMS.spread_deg, ARMS.spread_deg / np.sqrt(weight))
        strayed = (self._turn_deg(player, card_mm, crossing_mm) - usual_deg) / spread_deg
        return float((1 + strayed**2 / TAILS) ** (-(TAILS + 1) / 2) / spread_deg)

    def learn(self, player: str, card_mm: Array, crossing_mm: Array) -> None:
        """Remember whose arm that was."""
        self._strayed_deg[player].append(self._turn_deg(player, card_mm, crossing_mm))

    def _turn_deg(self, player: str, card_mm: Array, crossing_mm: Array) -> float:
        arm, line = crossing_mm - card_mm, self._at_mm[player] - card_mm
        return float(np.degrees(np.arctan2(arm[0] * line[1] - arm[1] * line[0], arm @ line)))


def whose(shoulders: Shoulders, card_mm: Array, crossing_mm: Array) -> dict[str, float]:
    """Tell how likely each player's arm laid a card there: shares that sum to 1."""
    chances = {player: shoulders.chance(player, card_mm, crossing_mm) for player in shoulders}
    total = sum(chances.values())
    return {player: chance / total for player, chance in chances.items()}
