"""Caps that cannot be followed to where they lie: out of the view, on paint of their own colour, or lost from sight."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.cap import Cap
from linesies.vision.picture.background import MOVED_LEVELS
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.small_picture import look_at, mean_bgr
from linesies.vision.shots.arrivals import Arrival, Measured, assign, is_waiting_for, settled_of
from linesies.vision.shots.episode import TOGETHER_S, Episode
from linesies.vision.shots.movement import MovementFinder
from linesies.vision.shots.place import Place
from linesies.vision.shots.resting import RestingCaps
from linesies.vision.shots.search import Search
from linesies.vision.shots.still_blobs import Stills
from linesies.vision.shots.tell import Movement

Array = NDArray[np.float64]
Disc = tuple[Array, float]

SEARCH_EVERY = 6  # frames between two searches for caps that have left the view
FADED_S = 0.9  # for which a cap must be missing to be sought on paint of its own colour
TAKEN_S = 5.0  # for which its place must be bare before a cap that lies nowhere counts as taken from the board
STRUCK_S = 0.5  # in which a cap slides on from where it struck another
LOST_S = 0.4  # for which a flying cap must be out of sight to have left the view


class MissingCaps:
    """Looks for missing caps; remembers which have never been found, and where one was seen once."""

    def __init__(
        self,
        reckoner: MovementFinder,
        caps: dict[str, Cap],
        standing: RestingCaps,
        episode: Episode,
        stills: Stills,
        settled_s: float,
    ) -> None:
        self._finder = reckoner
        self._caps = caps
        self._order = list(caps)
        self._resting_caps = standing
        self._episode = episode
        self._stills = stills
        self._settled_s = settled_s
        self._search = Search()
        self.unfound: set[str] = set()
        self.is_calm = False  # whether only caps are to be seen

    def left_view(self, recent: Sequence[Frame], arrivals: list[Arrival]) -> list[Movement]:
        """Find the caps that have flown out of the picture, or onto paint of their own colour."""
        t_s = recent[-1].t_s
        arrived = {arrival.player for arrival in arrivals}
        gone = [p for p in self._episode.missing_s if p in self._episode.bare_s and p not in arrived]
        if not gone or (recent[-1].number % SEARCH_EVERY and not arrivals):
            return []
        found = []
        places = self._taken(arrivals)
        free = [s for s in self._stills.now if not any(_is_near(np.array(s.anchor_small), place) for place in places)]
        coming = assign(free, gone, self._order, self._resting_caps.stands, self._episode)
        for player in gone:
            if player in coming or self._is_on_its_way(player, t_s):
                continue
            cap, stand = self._caps[player], self._resting_caps.stands[player]
            moved = self._finder.left_view(cap, self._episode, stand)
            if moved is None and not coming and t_s - self._episode.missing_s[player] > FADED_S:
                settled = settled_of(free, t_s, self._settled_s)
                moved = self._finder.faded(cap, settled, self._episode, stand, mean_bgr(recent))
                moved = None if moved is not None and self._is_taken(moved, places) else moved
            if moved is not None and t_s - moved.track.t_end_s >= LOST_S:
                found.append(moved)
        return found

    def found(
        self, recent: Sequence[Frame], arrivals: list[Arrival], left_view: list[Movement], measured: Measured
    ) -> list[Arrival]:
        """Find the caps that were lost from sight and lie at rest somewhere, and note their calls."""
        t_s = recent[-1].t_s
        known = {arrival.player for arrival in arrivals} | {moved.player for moved in left_view}
        missing = [p for p in self._episode.missing_s if p in self._episode.bare_s and not self._is_on_its_way(p, t_s)]
        unfound = self.unfound - set(self._resting_caps.stands)
        lost = [p for p in (*missing, *unfound) if p not in known]
        is_due = self._search.is_due(lost, t_s)
        if arrivals and lost:
            is_due |= self._search.hurry(t_s)
        if not (is_due and self.is_calm):
            return []
        taken = self._taken(arrivals)
        calls = {
            player: call
            for player, call in self._finder.judged(mean_bgr(recent)).items()
            if (stand := self._resting_caps.stand_at(player, call.xy_mm)) is not None
            and _is_still(recent, stand)
            and not any(_is_near(stand.centre_small, place) for place in taken)
        }
        found = []
        for call in self._search.see(calls, t_s):
            arrival = self._finder.arrival_of(call, self._episode, self._resting_caps.stands.get(call.player), t_s)
            measured.add(arrival, call)
            found.append(arrival)
        return found

    def over_border(self, recent: Sequence[Frame], arrivals: list[Arrival], moved: list[Movement]) -> list[Movement]:
        """Find the caps that lay by the picture's border and were knocked out of it by those that are to be told of.

        These have arrived just now, or are known to have `moved`.
        """
        t_s, missing_s = recent[-1].t_s, self._episode.missing_s
        starts_s = [missing_s.get(arrival.player, 0.0) for arrival in arrivals]
        starts_s += [m.track.t_start_s for m in moved if m.is_flown and m.track is not None]
        if not starts_s:  # alone, a cap was rather taken up by a hand, as one that was gone before
            return []
        known = {one.player for one in (*arrivals, *moved)}
        gone = [p for p, s in missing_s.items() if p in self._episode.bare_s and s > min(starts_s) - TOGETHER_S]
        places = [self._finder.to_mm(self._caps[a.player], np.array([a.xy_small])) for a in arrivals]
        places += [np.array([m.call.xy_mm]) for m in moved if not m.has_left_view]
        taken_mm = np.vstack([np.empty((0, 2)), *places])
        found = [
            self._finder.over_border(
                self._caps[player],
                self._episode,
                self._resting_caps.stands[player],
                is_struck=self._is_struck(player, arrivals),
                taken_mm=taken_mm,
            )
            for player in gone
            if player not in known and not self._is_on_its_way(player, t_s)
        ]
        return [one for one in found if one is not None]

    def taken_up(self, t_s: float) -> list[str]:
        """Find the caps that have long left their places and lie nowhere: people have taken them from the board."""
        gone = self._episode.clear_since(t_s - TAKEN_S)
        if not (gone and self.is_calm):
            return []
        coming = assign(
            self._stills.now, list(self._episode.missing_s), self._order, self._resting_caps.stands, self._episode
        )
        return [
            player
            for player in gone
            if player not in coming and not self._search.is_on_to(player, t_s) and not self._is_on_its_way(player, t_s)
        ]

    def is_on_to_one(self, t_s: float) -> bool:
        """Tell whether a missing cap was seen just now and should be waited for."""
        return any(self._search.is_on_to(player, t_s) for player in self._episode.missing_s)

    def _taken(self, arrivals: list[Arrival]) -> list[Disc]:
        """List where known caps lie: centre and radius in the small picture."""
        resting = [(s.centre_small, s.radius_small) for p, s in self._resting_caps.stands.items() if self._is_there(p)]
        return resting + [(arrival.xy_small, self._stills.radius_small) for arrival in arrivals]

    def _is_taken(self, moved: Movement, places: list[Disc]) -> bool:
        """Tell whether what was found is a cap that is known already, or its shadow."""
        stand = self._resting_caps.stand_at(moved.player, moved.call.xy_mm)
        return stand is None or any(_is_near(stand.centre_small, place) for place in places)

    def _is_there(self, player: str) -> bool:
        return player not in self._episode.missing_s

    def _is_struck(self, player: str, arrivals: list[Arrival]) -> bool:
        """Tell whether another cap came to rest where this one lay just before."""
        left_s = self._episode.missing_s[player]
        return player in self._resting_caps.covered_by([a for a in arrivals if a.since_s - left_s < STRUCK_S])

    def _is_on_its_way(self, player: str, t_s: float) -> bool:
        settled = settled_of(self._stills.now, t_s, self._settled_s)
        since_s = t_s - max(self._settled_s, LOST_S)
        return is_waiting_for(self._episode, self._order, player, since_s, settled)


def _is_near(xy_small: Array, place: Disc) -> bool:
    return bool(np.hypot(*(xy_small - place[0])) < place[1])


def _is_still(recent: Sequence[Frame], stand: Place) -> bool:
    """Tell whether nothing has moved at a place in the latest frames."""
    before, now = (
        look_at(frame)[stand.rows, stand.columns][stand.disc].astype(np.int16) for frame in (recent[0], recent[-1])
    )
    return bool(np.mean(np.abs(now - before).max(axis=1) > MOVED_LEVELS) < 0.1)
