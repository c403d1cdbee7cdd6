"""Whose arm: what has come into the small picture from its border, and from which seat it points."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Calibration, Tuning, tuned
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
    one_arm_share: float = tuned(
        0.9,
        title="of what reached as far into a place, what must be one arm's: arms that meet there are seen as one, too",
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


class Arms:
    """Remembers the frame at rest, where arms that reached each place crossed the picture's border, and any lately.

    Compared in colour: a brown arm over a dark table differs in little else.
    """

    def __init__(self, calibration: Calibration) -> None:
        self._view = calibration.view
        self._frame: Frame | None = None
        self._rest: Image | None = None
        self._reached: dict[str, list[tuple[float, tuple[float, float], float]]] = {}
        self._over: set[str] = set()
        self._lately: deque[tuple[float, tuple[float, float]]] = deque()

    def settle(self, frame: Frame) -> None:
        """Take over the picture: everything is at rest."""
        self._frame, self._rest = frame, None

    def see(self, frame: Frame, spots: tuple[TableSpot, ...]) -> None:
        """Note where the arms that now reach into these places come in."""
        self._over.clear()
        while self._lately and frame.t_s - self._lately[0][0] > 2 * ARMS.throw_s:
            self._lately.popleft()
        if self._frame is None:
            return
        if self._rest is None:
            self._rest = self._frame.small_bgr(SMALL)
        strange = (most_of_colours(cv2.absdiff(frame.small_bgr(SMALL), self._rest)) > ARMS.strange_levels).astype(
            np.uint8
        )
        if np.count_nonzero(strange) > ARMS.most_share * strange.size:
            return  # the light has changed
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=8)
        for i in range(1, count):
            if stats[i, cv2.CC_STAT_AREA] < ARMS.least_px:
                continue
            arm = labels == i
            crossings = _crossings(arm)
            self._lately += [(frame.t_s, crossing) for crossing in crossings]
            for spot in spots if crossings else ():
                reach = np.count_nonzero(arm & spot.small_mask)
                if reach:
                    self._over.add(spot.name)
                    self._reached.setdefault(spot.name, []).extend((frame.t_s, one, float(reach)) for one in crossings)

    def is_over(self, spot: TableSpot) -> bool:
        """Tell whether an arm reaches into a place in the picture seen last."""
        return spot.name in self._over

    def forget(self, spot: str) -> None:
        """Let a place's arms go: what they did has been told."""
        self._reached.pop(spot, None)

    def has_reached(self, spot: str) -> bool:
        """Tell whether any arm has reached into a place since it was let go."""
        return bool(self._reached.get(spot))

    def crossing_mm(self, spot: str, since_s: float = -inf) -> Array | None:
        """Tell where the arm came in, in mm on the table, that reached farthest into a place; None: none, or two."""
        seen = [(at, reach) for t_s, at, reach in self._reached.get(spot, ()) if t_s > since_s]
        if not seen:
            return None
        most = max(reach for _, reach in seen)
        return self._of_one_arm([at for at, reach in seen if reach > 0.5 * most], least_share=ARMS.one_arm_share)

    def thrower_mm(self, t_s: float) -> Array | None:
        """Tell where the arm came in, in mm on the table, that threw what stirs from a time on; None: none, or two."""
        return self._of_one_arm([at for seen_s, at in self._lately if -ARMS.throw_s <= seen_s - t_s <= 0])

    def _of_one_arm(self, crossings: Sequence[tuple[float, float]], *, least_share: float = 1.0) -> Array | None:
        """Tell the middle of where an arm was seen coming in, unless fewer than that share of these are of one arm."""
        if not crossings:
            return None
        all_mm = self._border_mm(np.array(crossings))
        middle_mm = np.median(all_mm, axis=0)
        is_near = np.hypot(*(all_mm - middle_mm).T) < ARMS.one_arm_mm
        return np.asarray(middle_mm, float) if is_near.mean() >= least_share else None

    def _border_mm(self, small_px: Array) -> Array:
        """Find the table's points (N, 2) under arms at points (N, 2) of the small picture's border."""
        return self._view.px_to_mm((small_px + 0.5) * SMALL - 0.5, ARMS.arm_mm)


def _crossings(arm: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Find the middles of an arm's cut along the picture's border: two, where two arms meet over the table."""
    along, places = _border(arm.shape)
    cut = arm.ravel()[along]
    if cut.all() or not cut.any():
        return []
    first = int(np.flatnonzero(~cut)[0])  # so that no cut goes on at the other end
    steps = np.diff(np.concatenate([[0], np.roll(cut, -first).view(np.int8), [0]]))
    begins, ends = np.flatnonzero(steps > 0), np.flatnonzero(steps < 0)
    widest = (ends - begins).max()
    middles = [
        (begin + end - 1) // 2 for begin, end in zip(begins, ends, strict=True) if end - begin >= LEAST_CUT * widest
    ]
    return [(float(x), float(y)) for x, y in places[(np.array(middles) + first) % len(along)]]


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
