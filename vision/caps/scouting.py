"""Where may caps lie that are no peaks of change? A small net scouts all of the ground, a piece at a time.

In the shade of leaves so much changes that a cap in it stands out no more than the rest, and a cap of the ground's own
colour hardly changes anything. The net knows both when it is shown them; so it is shown the whole ground, coarsely, and
what it may take for a cap is looked at as a peak is.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cuts import MM_PER_PX, Cuts, Places, Shrunken, cut_wide
from linesies.vision.caps.find import Peaks
from linesies.vision.caps.net import OFFSET_MM, ask
from linesies.vision.pieces import Pieces

Array = NDArray[np.float64]

NET = "scout"
PIECE_PX = 200  # a side, as the net takes it
STEP_MM = 8 * MM_PER_PX  # from one place that it tells of to the next
ROW = 21  # such places in each row of a piece
PIECE_MM = ROW * STEP_MM
BEYOND_MM = 300.0  # the board's edge: as far as caps lie that anybody asks about
CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
EVENED_PX = 3  # of the shrunk picture, over which change is evened out
LOOKED_AT = (
    "by hand, of 67 caps that were no peaks or far from one among 2,986 on 135 streets of world=varied (17500 to 17744)"
)


@dataclass(frozen=True)
class ScoutTuning(Tuning):
    """Which pieces are scouted, and which of the places that the net tells of are looked at."""

    least_change: float = tuned(
        0.3,
        title="how surely something has changed, evened out, below which a piece is bare ground as it was",
        unit="1",
        low=0.0,
        high=1.0,
        source="by hand: of 173 caps (third world, public scenes, world=varied 17400 to 17407, 17410 to 17413) none "
        "has less, of 33 on six streets with such as are no peaks one, of pieces without caps half do, 2026-11-29",
    )
    worth: float = tuned(
        -1.0,
        title="log odds of a cap from which a scouted place is looked at",
        unit="nat",
        low=-10,
        high=10,
        source=f"{LOOKED_AT}: 55 have more, 2026-11-29",
    )
    most: int = tuned(
        60,
        title="scouted places at most that are looked at",
        unit="1",
        low=0,
        high=500,
        source=f"{LOOKED_AT}: 43 are among so many, 35 among the first ten, 2026-11-29",
    )


SCOUT = ScoutTuning()


def scout(places: Places, peaks: Peaks, shrunken: Shrunken, calibration: Calibration) -> Pieces[Places]:
    """Add places where a cap may lie, the likeliest first, to those where the picture has changed the most."""
    odds, seen_mm = [np.zeros(0)], [np.zeros((0, 2))]
    for middle_mm in _middles_mm(calibration):
        if _has_changed(middle_mm, peaks, calibration):
            told, xy_mm = _scouted(cut_wide(shrunken, Places(xy_mm=middle_mm[None]), calibration, PIECE_PX))
            is_worth = told > SCOUT.worth
            odds.append(told[is_worth])
            seen_mm.append(xy_mm[is_worth])
            yield
    found = _apart(np.concatenate(odds), np.concatenate(seen_mm), places.xy_mm)
    return Places(xy_mm=np.array([*places.xy_mm, *found], float).reshape(-1, 2))


def _middles_mm(calibration: Calibration) -> Array:
    """Lay pieces over the board and round it: the middles (N, 2) of those that the picture shows."""
    size = np.array(calibration.board.size_mm)
    counts = np.ceil((size + 2 * BEYOND_MM) / PIECE_MM).astype(int)
    firsts = (size - (counts - 1) * PIECE_MM) / 2
    across, down = (first + PIECE_MM * np.arange(count) for first, count in zip(firsts, counts, strict=True))
    middles = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    return np.array([one for one in middles if calibration.view.is_in_picture(one)], float).reshape(-1, 2)


def _has_changed(middle_mm: Array, peaks: Peaks, calibration: Calibration) -> bool:
    """Tell whether anything in a piece may differ from the ground of the empty board."""
    corners_px = calibration.view.mm_to_px(middle_mm + CORNERS * PIECE_MM / 2) * peaks.shrink
    (left, top), (right, bottom) = np.floor(corners_px.min(axis=0)), np.ceil(corners_px.max(axis=0)) + 1
    part = peaks.changed[max(int(top), 0) : max(int(bottom), 0), max(int(left), 0) : max(int(right), 0)]
    return bool(part.size and cv2.blur(part, (EVENED_PX, EVENED_PX)).max() > SCOUT.least_change)


def _scouted(piece: Cuts) -> tuple[Array, Array]:
    """Tell of the places of one piece the log odds of a cap (N,), and where on the board it would be (N, 2)."""
    told = ask(NET, piece.planes, leans=piece.leans)[0]
    steps = (np.arange(ROW) - (ROW - 1) / 2) * STEP_MM
    within_mm = np.stack(np.meshgrid(steps, steps)) + OFFSET_MM * told[1:]
    return told[0].ravel(), piece.xy_mm[0] + within_mm.reshape(2, -1).T @ piece.turns[0].T


def _apart(odds: Array, xy_mm: Array, others_mm: Array) -> list[Array]:
    """Keep the likeliest places (N, 2) that are none of others, nor one another: the net tells of each from around."""
    kept: list[Array] = []
    for i in np.argsort(-odds, kind="stable"):
        taken = np.array([*others_mm, *kept]).reshape(-1, 2)
        if len(kept) < SCOUT.most and (np.hypot(*(taken - xy_mm[i]).T) > STEP_MM).all():
            kept.append(xy_mm[i])
    return kept
