"""Eyes over a crokinole board: discs by their colour, and what one shot changed once all lies still again."""

import cv2
import numpy as np

from linesies.calibration import Calibration, locate
from linesies.device.loop.gaze import Gaze
from linesies.vision import Scene, TableEvent

DISC_MM = 31.75
COLOURS = ((174, 95, 31), (30, 194, 232))  # blue, green, red of each player's discs, in the order of the game
STILL_FRAMES = 3
MOVED_MM = 2.0
Disc = tuple[int, float, float]  # whose, and its middle


class Eyes(Gaze):
    """Remembers where the discs lay when last all was still, and who plays."""

    def __init__(self, calibration: Calibration, players: tuple[str, ...]) -> None:
        super().__init__(calibration)
        self.players = players
        self._known: list[Disc] = []
        self._seen: list[Disc] = []
        self._still = 0
        self._t_s = self._moved_s = 0.0

    @property
    def scene(self) -> Scene:
        """Tell whether all lies still."""
        return Scene(t_s=self._t_s, is_at_rest=self._still >= STILL_FRAMES)

    def see(self, frame) -> tuple[TableEvent, ...]:
        """Look at the next frame; once all is still, a disc more is a shot."""
        self._t_s = frame.t_s
        discs = self._discs(frame.bgr)
        is_same = len(discs) == len(self._seen) and all(_twin(disc, self._seen) for disc in discs)
        self._still = self._still + 1 if is_same else 0
        self._moved_s = self._moved_s if is_same else frame.t_s
        self._seen = discs
        if self._still != STILL_FRAMES:
            return ()
        before, self._known = self._known, discs
        return self._shots(before, discs)

    def _shots(self, before: list[Disc], after: list[Disc]) -> tuple[TableEvent, ...]:
        """Tell the shot by which there is a disc more of a colour, on the board or gone into the ditch again."""
        new = [disc for disc in after if not _twin(disc, before)]
        gone = [disc for disc in before if not _twin(disc, after)]
        for seat in (0, 1):
            own_new = [disc for disc in new if disc[0] == seat]
            own_gone = [disc for disc in gone if disc[0] == seat]
            if len(own_new) > len(own_gone):
                return (self._shot(seat, own_new, own_gone, gone, after),)
        return ()

    def _shot(
        self, seat: int, new: list[Disc], own_gone: list[Disc], gone: list[Disc], after: list[Disc]
    ) -> TableEvent:
        shot, *own = sorted(new, key=lambda disc: min((_apart(disc, old) for old in own_gone), default=0), reverse=True)
        lie = {name: [self._place(disc) for disc in after if disc[0] == i] for i, name in enumerate(self.players)}
        keys = {
            "player": self.players[seat],
            "at": self._place(shot),
            "touched": sorted({self.players[disc[0]] for disc in gone}),
            "own_touched": [self._place(disc) for disc in own],
            "lie": lie,
            "xy": {
                name: [[round(x), round(y)] for i, x, y in after if self.players[i] == name] for name in self.players
            },
        }
        return TableEvent(kind="shot", zone="board", keys=keys, t_start_s=self._moved_s, t_end_s=self._t_s)

    def _place(self, disc: Disc) -> str:
        return locate(self.calibration, np.array(disc[1:]), DISC_MM).location

    def _discs(self, bgr) -> list[Disc]:
        """Find the middles of all discs, by colour."""
        found = []
        for seat, colour in enumerate(COLOURS):
            mask = (np.abs(bgr.astype(int) - colour).sum(axis=2) < 90).astype(np.uint8)
            _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
            for (*_, area), middle in list(zip(stats, middles, strict=True))[1:]:
                if area > 100:
                    found.append((seat, *self.calibration.view.px_to_mm(middle[None])[0]))
        return found

    def forget(self) -> None:
        """Look afresh."""
        self._known = []


def _apart(a: Disc, b: Disc) -> float:
    return float(np.hypot(a[1] - b[1], a[2] - b[2]))


def _twin(disc: Disc, others: list[Disc]) -> bool:
    return any(other[0] == disc[0] and _apart(disc, other) < MOVED_MM for other in others)
