"""Which caps stand where: their discs in the small picture, and how each place looked in the last seconds."""

from collections.abc import Container, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.background import Background, Mask, discs
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.shots.arrivals import Arrival
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import OVERLAP, Place, Presence, own_part, presence_at, stand_at
from linesies.vision.shots.tell import Movement

Array = NDArray[np.float64]

NEAR_RADII = 0.6
SHADOW_RADII = 2.2  # about a cap, where its shadow may lie


class RestingCaps:
    """Remembers each resting cap's stand and glances at it."""

    def __init__(self, calibration: Calibration, caps: dict[str, Cap], *, shrink: int) -> None:
        self._calibration = calibration
        self._caps = caps
        self._shrink = shrink
        self._histories: dict[str, PlaceHistory] = {}
        self.stands: dict[str, Place] = {}
        self._own: dict[str, Place] = {}  # the same, less what their neighbours cover
        self._displaced: set[str] = set()  # missing caps in whose places others lie now

    def put(self, player: str, xy_mm: tuple[float, float]) -> None:
        """Note that a cap has come to rest; outside the picture it stands nowhere."""
        stand = self.stand_at(player, xy_mm)
        if stand is not None:
            self.stands[player] = stand
            self._histories[player] = PlaceHistory(stand, shrink=self._shrink)
            self._own = {}

    def stand_at(self, player: str, xy_mm: tuple[float, float]) -> Place | None:
        """Find where a cap would be seen; None outside the picture."""
        return stand_at(self._calibration, self._caps[player], xy_mm, shrink=self._shrink)

    def take(self, player: str) -> Place | None:
        """Note that a cap has left its place, and return that."""
        self._histories.pop(player, None)
        self._displaced.discard(player)
        self._own = {}
        return self.stands.pop(player, None)

    def is_near(self, arrival: Arrival) -> bool:
        """Tell whether a cap has come to rest where it stood: it may not have moved at all."""
        stand = self.stands.get(arrival.player)
        return stand is not None and bool(
            np.hypot(*(arrival.xy_small - stand.centre_small)) < NEAR_RADII * stand.radius_small
        )

    def beside(self, arrival: Arrival, arrivals: list[Arrival], missing: Container[str]) -> list[tuple[Cap, Array]]:
        """List all other caps with where they are in the small picture: those in their places, and who else arrived."""
        places = {p: stand.centre_small for p, stand in self.stands.items() if p not in missing}
        places |= {other.player: other.xy_small for other in arrivals}
        return [(self._caps[p], np.array(place)) for p, place in places.items() if p != arrival.player]

    def covered_by(self, arrivals: list[Arrival]) -> list[str]:
        """List whose old places others seem to have come to rest in: they are not there any more."""
        arrived = {arrival.player for arrival in arrivals}
        return [
            player
            for player, stand in self.stands.items()
            if player not in arrived
            and any(np.hypot(*(a.xy_small - stand.centre_small)) < 2 * OVERLAP * stand.radius_small for a in arrivals)
        ]

    def displace(self, players: Iterable[str]) -> None:
        """Note that what is seen in these caps' places are others."""
        self._displaced.update(players)

    def presences(self, ground: Background, small: Image) -> dict[str, Presence]:
        """Look at all places in the small picture."""
        if not self._own:
            self._own = {
                player: own_part(stand, [other for other in self.stands.values() if other is not stand])
                for player, stand in self.stands.items()
            }
        return {
            player: Presence.BARE if player in self._displaced else presence_at(stand, ground, small)
            for player, stand in self._own.items()
        }

    def mark_missing(self, leftover: Mask, is_bare: Mask, missing: Iterable[str]) -> None:
        """Mark as left over whatever lies in missing caps' places but bare ground, unless others lie there now."""
        for player in set(missing) - self._displaced:
            stand = self.stands[player]
            view = leftover[stand.rows, stand.columns]
            view[stand.disc & (is_bare[stand.rows, stand.columns] == 0)] = 255

    def displaced_by(self, moved: list[Movement]) -> list[str]:
        """Tell whose caps can't lie any more where they stood, for others lie there now."""
        known = {m.player for m in moved}
        return [
            player
            for player, stand in self.stands.items()
            if player not in known and any(_is_over(m, stand) for m in moved if m.is_measured and not m.has_left_view)
        ]

    def see(self, frame: Frame) -> None:
        """Glance at every place."""
        for glances in self._histories.values():
            glances.see(frame)

    def glances_of(self, player: str) -> PlaceHistory | None:
        """Return what a cap's place looked like lately."""
        return self._histories.get(player)

    def freed(self, left: Iterable[Place]) -> Mask:
        """Mask the ground that caps have left, but for where others stand."""
        return cv2.bitwise_and(self.near(left), cv2.bitwise_not(self.near()))

    def near(self, stands: Iterable[Place] | None = None) -> Mask:
        """Mask caps and their shadows in the small picture: all caps, or only those in these places."""
        chosen = list(self.stands.values() if stands is None else stands)
        width, height = self._calibration.view.lens.size_px
        centres = np.array([stand.centre_small for stand in chosen])
        radii = np.array([stand.radius_small * SHADOW_RADII for stand in chosen])
        return discs((height // self._shrink, width // self._shrink), centres, radii)


def _is_over(m: Movement, stand: Place) -> bool:
    reach_mm = OVERLAP * (m.call.diameter_mm + stand.cap.diameter_mm) / 2
    return float(np.hypot(m.call.xy_mm[0] - stand.xy_mm[0], m.call.xy_mm[1] - stand.xy_mm[1])) < reach_mm
