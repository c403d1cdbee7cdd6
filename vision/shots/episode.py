"""What has been seen since all was last at rest: blobs, and for each cap when it was there, gone, or on its way."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot

from linesies.vision.shots.blobs import Blob
from linesies.vision.shots.place import Presence

LONGEST_S = 12.0  # of blobs are kept; the flight of a shot is shorter, what a hand does before it matters little
MOST_BLOBS = 6000
BACK_S = 0.12  # for which a place that was bare must look as before: a shadow or an arm does so for a moment
TOGETHER_S = 0.1  # within which caps leave their places that were struck together
ABRUPT_S = 0.1  # from when a cap was last in its place until that is bare: no hand takes it up so quickly


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Where in the small picture a cap has come to rest, and since when."""

    xy_small: tuple[float, float]
    reach_small: float
    since_s: float

    def explains(self, blob: Blob) -> bool:
        """Tell whether a blob is that cap."""
        x, y = blob.middle_small
        return blob.t_s >= self.since_s and hypot(x - self.xy_small[0], y - self.xy_small[1]) < self.reach_small


class Episode:
    """Remembers one stretch of play, from the first cap that is not in its place until all is told."""

    def __init__(self) -> None:
        self.last_there_s: dict[str, float] = {}
        self.missing_s: dict[str, float] = {}
        self._back_s: dict[str, float] = {}
        self._clear_s: dict[str, float] = {}
        self.t_start_s = 0.0
        self.t_s = 0.0
        self.forget()

    def forget(self) -> None:
        """Start a new stretch; when each cap was last in its place stays known."""
        self.blobs: deque[Blob] = deque(maxlen=MOST_BLOBS)
        self.bare_s: dict[str, float] = {}
        self.away_s: dict[str, float] = {}
        self.rests: dict[str, Rest] = {}
        self.t_start_s = self.t_s

    def see_presences(self, presences: dict[str, Presence], t_s: float) -> None:
        """Note where each cap's place stands now: when it was last there, and how long it has been away in all."""
        took_s, self.t_s = t_s - self.t_s, t_s
        for player in list(self.missing_s):
            if player not in presences:
                del self.missing_s[player]
        for player in [p for p in self._clear_s if presences.get(p) is not Presence.BARE]:
            del self._clear_s[player]
        for player, presence in presences.items():
            if presence is Presence.THERE and self._is_back(player, t_s):
                self.last_there_s[player] = t_s
                self.missing_s.pop(player, None)
                self.bare_s.pop(player, None)
                continue
            if presence is not Presence.THERE:
                self._back_s.pop(player, None)
            self.missing_s.setdefault(player, t_s)
            self.away_s[player] = self.away_s.get(player, 0.0) + took_s
            if presence is Presence.BARE:
                self.bare_s.setdefault(player, t_s)
                self._clear_s.setdefault(player, t_s)

    def clear_since(self, t_s: float) -> list[str]:
        """Tell whose places have been bare since a time without a break."""
        return [player for player, clear_s in self._clear_s.items() if clear_s <= t_s]

    def left_at_once(self, player: str) -> bool:
        """Tell whether a cap was gone too quickly for a hand, or with others."""
        left_s, bare_s = self.missing_s[player], self.bare_s[player]
        others_s = [s for other, s in self.missing_s.items() if other in self.bare_s and other != player]
        is_abrupt = bare_s - self.last_there_s.get(player, 0.0) <= ABRUPT_S
        return is_abrupt or any(abs(other_s - left_s) < TOGETHER_S for other_s in others_s)

    def _is_back(self, player: str, t_s: float) -> bool:
        """Tell whether what looks like a cap in its place is that cap: at once, unless its place was bare."""
        return player not in self.bare_s or t_s - self._back_s.setdefault(player, t_s) >= BACK_S

    def see_bare(self, players: Iterable[str], t_s: float) -> None:
        """Note that missing caps can't be where they were."""
        for player in players:
            if player in self.missing_s:
                self.bare_s.setdefault(player, t_s)

    def see_rest(self, player: str, rest: Rest) -> None:
        """Note where a cap has come to rest: what is seen there is no other."""
        self.rests[player] = rest

    def settle(self, players: Iterable[str]) -> None:
        """Note that caps have come to rest, or out of view: their new places count from now on."""
        for player in players:
            for times_s in (self.missing_s, self.bare_s, self.away_s, self._back_s, self._clear_s):
                times_s.pop(player, None)

    def see_blobs(self, blobs: tuple[Blob, ...], t_s: float) -> None:
        """Note one picture's blobs; the oldest are dropped."""
        self.blobs.extend(blobs)
        while self.blobs and t_s - self.blobs[0].t_s > LONGEST_S:
            self.blobs.popleft()

    def since(self, t_s: float) -> list[Blob]:
        """Return the blobs seen from a time on, in order."""
        return [blob for blob in self.blobs if blob.t_s >= t_s]

    def since_not_at_rest(self, t_s: float, player: str) -> list[Blob]:
        """Return the blobs seen from a time on that may be this cap: none where another has come to rest."""
        others = [rest for other, rest in self.rests.items() if other != player]
        return [blob for blob in self.since(t_s) if not any(rest.explains(blob) for rest in others)]
