"""Which caps have come to rest somewhere new, and whether anything is still on its way."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.assignment import pair_up
from linesies.vision.shots.episode import Episode, Rest
from linesies.vision.shots.place import Place
from linesies.vision.shots.still_blobs import Still
from linesies.vision.shots.tracks import FASTEST_MM_S, REACH_MM
from linesies.vision.values import Call

Array = NDArray[np.float64]

LIKELY_MISFIT = 0.5
LEAST_FILL = 0.3
MOST_FILL = 2.5
FLYING_MISFIT = 0.55
CLEAR_MISFIT = 0.25  # of a blob that looks just like a cap,
CLEAR_FILL = (0.6, 1.6)  # in colour and size
FILL_WEIGHT = 0.3
SAME_SMALL = 0.5
HOME_MM = 4.0
TIMING_S = 0.02
RESTLESS_S = 2.0  # for which a cap that lay nowhere must keep still while a hand or shadows move
UNLIKELY = 10.0
SUDDEN_COST = 0.15  # of a blob that no cap was seen to come to: shadows fall into shapes at once
COMING_S, COMING_RADII = 0.1, 2.5  # so shortly before, and so near, a cap that comes to rest is seen
AT_REST_RADII = 0.5  # about where a cap came to rest, what is seen is that cap
SAME_RADII = 1.0  # of a cap; two that touch, seen aslant, lie farther apart


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrival:
    """A cap at rest in a new place (small picture), since when; `is_clear` when it looks just like that cap."""

    player: str
    xy_small: Array
    since_s: float
    is_clear: bool = False


class Measured:
    """Remembers the calls made while it was waited for whether caps stay where they came to rest."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[Array, Call]] = {}

    def add(self, arrival: Arrival, call: Call) -> None:
        """Keep a call."""
        self._calls[arrival.player] = (arrival.xy_small, call)

    def call_of(self, arrival: Arrival) -> Call | None:
        """Return the call on this cap, unless it was made in another place."""
        if arrival.player not in self._calls:
            return None
        xy_small, call = self._calls[arrival.player]
        return call if np.hypot(*(xy_small - arrival.xy_small)) < SAME_SMALL else None

    def forget(self) -> None:
        """Forget all."""
        self._calls = {}


def arrivals_of(
    *,
    stills: list[Still],
    episode: Episode,
    players: list[str],
    stands: dict[str, Place],
    settled_s: float,
    is_calm: bool,
) -> list[Arrival]:
    """Name the caps that have settled elsewhere; none while any other still moves.

    One that lay nowhere before has no way to be known by: unless all is calm, it must keep still for longer.
    """
    t_s = episode.t_s
    missing = [p for p in players if p in episode.missing_s or p not in stands]
    found = assign(stills, missing, players, stands, episode)
    nowhere_s = settled_s if is_calm else max(settled_s, RESTLESS_S)
    found = {p: still for p, still in found.items() if p in stands or t_s - still.since_s >= nowhere_s}
    if not found or any(t_s - still.since_s < settled_s for still in found.values()):
        return []
    for player in found:
        if player in stands and player not in episode.bare_s and not _is_taken(stands[player], found):
            return []
    unsettled = [p for p in missing if p not in found and p in episode.bare_s]
    settled = settled_of(stills, t_s, settled_s)
    if any(is_waiting_for(episode, players, p, t_s - settled_s, settled) for p in unsettled):
        return []
    return [_arrival(p, still, players.index(p)) for p, still in found.items()]


def settled_of(stills: list[Still], t_s: float, settled_s: float) -> list[Still]:
    """List what has kept still for long enough to be on its way no more, whether a cap is known in it or not."""
    return [still for still in stills if t_s - still.since_s >= settled_s]


def note_rests(episode: Episode, arrivals: list[Arrival], radius_small: float) -> None:
    """Note where caps have come to rest, so that they are taken for no other on its way."""
    for arrival in arrivals:
        x, y = map(float, arrival.xy_small)
        rest = Rest(xy_small=(x, y), reach_small=AT_REST_RADII * radius_small, since_s=arrival.since_s)
        episode.see_rest(arrival.player, rest)


def _arrival(player: str, still: Still, k: int) -> Arrival:
    is_clear = is_clear_as(k, still.misfit, still.fill)
    return Arrival(player=player, xy_small=still.xy_small[k].copy(), since_s=still.since_s, is_clear=is_clear)


def is_clear_as(k: int, misfit: Array, fill: Array) -> bool:
    """Tell whether what misfits and fills caps (K,) so looks just like cap `k`."""
    return bool(misfit[k] < CLEAR_MISFIT and CLEAR_FILL[0] < fill[k] < CLEAR_FILL[1])


def _ways_mm(stills: list[Still], missing: list[str], stands: dict[str, Place]) -> Array:
    """Measure how far each still blob (columns) lies from each missing cap's old place; nan where it had none."""
    ways = np.full((len(missing), len(stills)), np.nan)
    for i, stand in enumerate(map(stands.get, missing)):
        if stand is not None:
            anchors = np.array([still.anchor_small for still in stills])
            ways[i] = np.hypot(*(anchors - stand.centre_small).T) * stand.cap.diameter_mm / (2 * stand.radius_small)
    return ways


def assign(
    stills: list[Still], missing: list[str], players: list[str], stands: dict[str, Place], episode: Episode
) -> dict[str, Still]:
    """Give the still blobs to the missing caps that they look most like and that can have come there in time.

    What lies in a cap's own place may have changed its looks: the light does.
    """
    if not stills or not missing:
        return {}
    ks = [players.index(p) for p in missing]
    misfit = np.array([[still.misfit[k] for still in stills] for k in ks])
    fill = np.array([[still.fill[k] for still in stills] for k in ks])
    reach = SAME_RADII * float(np.mean([stand.radius_small for stand in stands.values()] or [0.0]))
    since_s = np.array([still.since_s for still in stills])
    left_s = np.array([episode.last_there_s.get(p, -np.inf) for p in missing])[:, None]
    ways_mm = _ways_mm(stills, missing, stands)
    soonest_s = left_s + np.maximum(np.nan_to_num(ways_mm) - REACH_MM, 0.0) / FASTEST_MM_S
    is_at_home = ways_mm < HOME_MM
    is_likely = ((misfit < LIKELY_MISFIT) | is_at_home) & (fill > LEAST_FILL) & (fill < MOST_FILL)
    is_likely &= since_s >= soonest_s - TIMING_S
    cost = misfit + FILL_WEIGHT * np.abs(np.log(np.clip(fill, 0.05, 20)))
    for i, j in zip(*np.nonzero(is_likely & (is_likely.sum(axis=1, keepdims=True) > 1)), strict=True):
        cost[i, j] += SUDDEN_COST * (not _was_coming(stills[j], ks[i], episode, reach))
    cost[~is_likely] = UNLIKELY
    anchors = np.array([still.anchor_small for still in stills])
    while True:
        rows, columns = pair_up(cost)
        named = sorted(((i, j) for i, j in zip(rows, columns, strict=True) if cost[i, j] < UNLIKELY), key=cost.item)
        twice = next((pair for n, pair in enumerate(named) if _is_beside(anchors, pair, named[:n], reach)), None)
        if twice is None:
            return {missing[i]: stills[j] for i, j in named}
        cost[twice] = UNLIKELY


def _was_coming(still: Still, k: int, episode: Episode, reach: float) -> bool:
    """Tell whether cap `k` was seen just before and close to where a blob keeps still since then."""
    x, y = still.anchor_small
    return any(
        blob.t_s < still.since_s
        and blob.misfit[k] < LIKELY_MISFIT
        and blob.fill[k] > LEAST_FILL
        and np.hypot(blob.middle_small[0] - x, blob.middle_small[1] - y) < COMING_RADII * reach
        for blob in episode.since(still.since_s - COMING_S)
    )


def _is_beside(anchors: Array, pair: tuple[int, int], others: list[tuple[int, int]], reach: float) -> bool:
    """Tell whether a blob is a part of another that is named already: no two caps lie in one place."""
    return any(np.hypot(*(anchors[pair[1]] - anchors[j])) < reach for _, j in others)


def _is_taken(stand: Place, found: dict[str, Still]) -> bool:
    """Tell whether a cap that has settled hides another's old place."""
    return any(
        float(np.hypot(*(np.array(still.anchor_small) - stand.centre_small))) < 2.4 * stand.radius_small
        for still in found.values()
    )


def is_waiting_for(episode: Episode, players: list[str], player: str, since_s: float, settled: list[Still]) -> bool:
    """Tell whether a cap has been seen since a time, untouched and away from all that has settled."""
    k = players.index(player)
    places = [np.array(still.anchor_small) for still in settled]
    return any(
        blob.is_free
        and blob.misfit[k] < FLYING_MISFIT
        and LEAST_FILL < blob.fill[k] < MOST_FILL
        and all(np.hypot(*(blob.middle_small - place)) > 2 for place in places)
        for blob in episode.since_not_at_rest(since_s, player)
    )
