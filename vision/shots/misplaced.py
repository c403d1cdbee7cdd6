"""Caps that were thought to lie where they don't: what looks just like one, lies unexplained and nobody missed it.

A shadow or a hand may once have been taken for a cap that was put down. Nothing is missing then, so nothing would be
looked for; now and then the calm scene is looked over.
"""

from collections.abc import Sequence

import numpy as np

from linesies.vision.picture.background import Background
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.small_picture import mean_bgr
from linesies.vision.shots.arrivals import is_clear_as
from linesies.vision.shots.blobs import Paint, find_blobs
from linesies.vision.shots.movement import MovementFinder
from linesies.vision.shots.resting import RestingCaps
from linesies.vision.shots.search import Search
from linesies.vision.values import Call


class Misplaced:
    """Remembers which caps seem to lie unexplained, and when to look for them more closely."""

    def __init__(self, reckoner: MovementFinder, order: list[str], standing: RestingCaps) -> None:
        self._finder = reckoner
        self._order = order
        self._resting_caps = standing
        self._search = Search()
        self._seen: list[str] = []

    def look_over(self, small: Image, ground: Background, paint: Paint) -> None:
        """Note which caps the unexplained blobs of a calm scene look just like."""
        blobs = find_blobs(small, ground.bare, ground.leftover(small)[0], paint, 0.0)
        self._seen = [
            player
            for k, player in enumerate(self._order)
            if player in self._resting_caps.stands
            and any(blob.is_free and is_clear_as(k, blob.misfit, blob.fill) for blob in blobs)
        ]

    def found(self, recent: Sequence[Frame]) -> list[Call]:
        """Find the caps that the judge, twice asked, sees elsewhere than where they stand."""
        t_s = recent[-1].t_s
        if not self._search.is_due(self._seen, t_s):
            return []
        judged = self._finder.judged(mean_bgr(recent))
        astray = {player: call for player, call in judged.items() if player in self._seen and self._is_astray(call)}
        return self._search.see(astray, t_s)

    def _is_astray(self, call: Call) -> bool:
        stand = self._resting_caps.stands[str(call.player)]
        away_mm = np.hypot(call.xy_mm[0] - stand.xy_mm[0], call.xy_mm[1] - stand.xy_mm[1])
        return bool(away_mm > call.diameter_mm)
