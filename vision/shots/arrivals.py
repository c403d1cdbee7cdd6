"""Which caps have come to rest somewhere new, where all known caps lie, and who is still on the way."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import dist

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, ON_FILMS, Tuning, tuned
from linesies.vision.caps.assignment import pair_up
from linesies.vision.picture.background import Background
from linesies.vision.picture.frame import Image
from linesies.vision.shots.arrival import Arrival
from linesies.vision.shots.blobs import BLOB, is_clear_as, unlikeness
from linesies.vision.shots.cap_state import CapState, StillSince
from linesies.vision.shots.looking import Lit
from linesies.vision.shots.nudging import Nudged
from linesies.vision.shots.place import PLACE, Place, has_lain
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery
from linesies.vision.shots.still_blobs import Still, Stills
from linesies.vision.shots.track import TRACK
from linesies.vision.shots.tracks import FOLLOW

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ArrivalTuning(Tuning):
    """What keeps still, and as which cap."""

    likely_misfit: float = tuned(
        0.5,
        title="misfit up to which a still blob may be a cap",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("cd19fdd"),
    )
    least_fill: float = tuned(
        0.3, title="of the cap's area, what its blob covers at least", unit="1", low=0.05, high=0.9, source=ON_FILMS
    )
    most_fill: float = tuned(
        2.5, title="likewise at most, with a shadow beside it", unit="1", low=1, high=10, source=ON_FILMS
    )
    flying_misfit: float = tuned(
        0.55, title="misfit up to which a blob under way may be this cap", unit="1", low=0.1, high=1, source=ON_FILMS
    )
    home_mm: float = tuned(
        4.0, title="from its old place, where a cap has come back", unit="mm", low=0.5, high=20, source=ON_FILMS
    )
    timing_s: float = tuned(0.02, title="by which first frames err", unit="s", low=0.002, high=0.2, source=ON_FILMS)
    restless_s: float = tuned(
        2.0,
        title="for which a cap that lay nowhere must keep still while anything else moves, or one that a hand touches",
        unit="s",
        low=0.3,
        high=10,
        source=by_hand_in("dc68af3"),
    )
    plain_s: float = tuned(
        1.0,
        title="the same, for what looks just like that cap and has nothing large beside it",
        unit="s",
        low=0.3,
        high=10,
        source="by hand: a cap put down while others walk about lay for 1.85 s before it was shot (world=varied 3430), "
        "2026-11-30",
    )
    sudden_cost: float = tuned(
        0.15,
        title="cost of a blob that no cap was seen to come to",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("9720bc1"),
    )
    early_s: float = tuned(
        0.15, title="before a cap counts as settled, it is measured", unit="s", low=0, high=0.5, source=BY_HAND
    )
    at_rest_radii: float = tuned(
        0.5,
        title="about where a cap came to rest, what is seen is that cap, in radii",
        unit="1",
        low=0.1,
        high=2,
        source="geometry: two caps lie two radii apart, so that within half of one there is no other's middle",
    )
    unseen_s: float = tuned(
        0.4,
        title="for which a flying cap must be out of sight to have left the view",
        unit="s",
        low=0.1,
        high=3,
        source="twice the longest gap within one flight (FollowTuning.longest_gap_s)",
    )
    coming_s: float = tuned(
        0.1,
        title="so shortly before it comes to rest, and so near, a cap is seen",
        unit="s",
        low=0.02,
        high=1,
        source=by_hand_in("9720bc1"),
    )
    coming_radii: float = tuned(2.5, title="likewise, in radii", unit="1", low=1, high=8, source=by_hand_in("9720bc1"))
    hides_radii: float = tuned(
        2.4,
        title="nearer than this to its old place, a cap hides whether another still lies there",
        unit="1",
        low=1,
        high=4,
        source=BY_HAND,
    )


ARRIVAL = ArrivalTuning()

UNLIKELY = 10.0  # a cost that no likely pair comes to
LEAST_SIGHTINGS = 3  # from which a cap is known to go on: here, a step further, and one more where those two lead
LONGEST_FRAMES = 1.5  # from one sighting to the next, where a camera is slow: not one is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """For how long a cap must keep still to have come to rest."""

    settled_s: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arrived:
    """The caps that have come to rest, those that seem to, where they keep still, and whose places they cover."""

    arrivals: tuple[Arrival, ...] = ()
    coming: tuple[Arrival, ...] = ()
    stills: Mapping[str, StillSince]
    covered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Whereabouts:
    """Where known caps lie (centres (2,) and radii in the small picture), and who is still on the way.

    `free` is what keeps still elsewhere, `settled` what of it has done so for long enough to be at rest; `small` is the
    picture and `ground` what it is seen beside.
    """

    taken: tuple[tuple[Array, float], ...]
    free: tuple[Still, ...]
    settled: tuple[Still, ...]
    on_their_way: frozenset[str]
    small: Image
    ground: Background

    def has_lain(self, place: Place) -> bool:
        """Tell whether what is seen in a place lay there already when all caps were in theirs."""
        return has_lain(place, self.ground, self.small)

    def is_taken(self, xy_small: Array) -> bool:
        """Tell whether a known cap lies at a point (2,)."""
        return _is_within(xy_small, self.taken)


def arrive(state: SceneState, nudged: Nudged, stills: Stills, patience: Patience) -> Arrived:
    """Find the caps that came to rest elsewhere; where none is missed, those that were nudged."""
    if nudged.arrivals or not stills.now or state.t_s < state.hold_s:
        return Arrived(arrivals=nudged.arrivals, stills={})
    coming = arrivals_of(stills.now, state, settled_s=patience.settled_s - ARRIVAL.early_s)
    arrivals = arrivals_of(stills.now, state, settled_s=patience.settled_s) if coming else []
    reach_small = ARRIVAL.at_rest_radii * stills.radius_small
    return Arrived(
        arrivals=tuple(arrivals),
        coming=tuple(coming),
        stills={
            arrival.player: StillSince.of(arrival.xy_small, reach_small=reach_small, since_s=arrival.since_s)
            for arrival in arrivals
        },
        covered=tuple(covered_by(arrivals, state)),
    )


def whereabouts(
    state: SceneState, arrived: Arrived, stills: Stills, patience: Patience, lit: Lit, scenery: Scenery
) -> Whereabouts:
    """Tell where no cap needs to be looked for, and which need not be, for they are seen on their way."""
    resting = [(place.centre_small, place.radius_small) for place in state.lain_in.values()]
    taken = (*resting, *((arrival.xy_small, stills.radius_small) for arrival in arrived.arrivals))
    free = [still for still in stills.now if not _is_within(still.anchor_small, taken)]
    settled = settled_of(stills.now, state.t_s, patience.settled_s)
    since_s = state.t_s - max(patience.settled_s, ARRIVAL.unseen_s)
    left = (cap for cap in state.caps.values() if cap.has_left)
    return Whereabouts(
        taken=taken,
        free=tuple(free),
        settled=tuple(settled_of(free, state.t_s, patience.settled_s)),
        on_their_way=frozenset(cap.player for cap in left if is_seen_on_its_way(cap, state, since_s, settled)),
        small=lit.small,
        ground=scenery.background,
    )


def _is_within(xy_small: Array | tuple[float, float], discs: Iterable[tuple[Array, float]]) -> bool:
    """Tell whether a point (2,) lies in one of these discs."""
    return any(dist(xy_small, centre) < radius for centre, radius in discs)


def arrivals_of(stills: list[Still], state: SceneState, *, settled_s: float) -> list[Arrival]:
    """Name the caps that have settled elsewhere; none while any other still moves.

    One that lay nowhere before has no way to be known by: unless all is calm, it must keep still for longer.
    """
    t_s = state.t_s
    if all(t_s - still.since_s < settled_s for still in stills):
        return []  # whichever is whose; in most frames it is so
    found = assign(stills, state.sought, state)
    found = {p: s for p, s in found.items() if _has_settled(state.caps[p], s, state, settled_s)}
    if not found or any(t_s - still.since_s < settled_s for still in found.values()):
        return []
    if any(not _may_have_left(state.caps[player], found, state) for player in found):
        return []
    settled = settled_of(stills, t_s, settled_s)
    unsettled = [cap for cap in state.sought if cap.player not in found and cap.left_s is not None]
    swapped = [state.caps[p] for p, still in found.items() if any(_may_be(still, cap) for cap in unsettled)]
    if any(is_seen_on_its_way(cap, state, t_s - settled_s, settled) for cap in (*unsettled, *swapped)):
        return []  # what keeps still may be the one cap, and what still moves the other
    return [_arrival(state.caps[p], still) for p, still in found.items()]


def _may_have_left(cap: CapState, found: dict[str, Still], state: SceneState) -> bool:
    """Tell whether a cap that has settled is known to have left its place, or that can't be seen.

    Another may lie there, or glare, in which no ground is seen bare: what then looks just like the cap elsewhere is it,
    once no hand is about.
    """
    if cap.place is None or cap.left_s is not None or _is_taken(cap.place, found, state.t_s):
        return True
    still = found[cap.player]
    return state.is_calm and is_clear_as(cap.column, still.misfit, still.fill)


def _has_settled(cap: CapState, still: Still, state: SceneState, settled_s: float) -> bool:
    """Tell whether what may be a cap that lay nowhere has kept still for long enough; of others that is asked later."""
    if cap.place is not None:
        return True
    is_plain = is_clear_as(cap.column, still.misfit, still.fill) and not still.is_by_hand
    restless_s = ARRIVAL.plain_s if is_plain else ARRIVAL.restless_s
    return state.t_s - still.since_s >= (settled_s if state.is_calm else max(settled_s, restless_s))


def _may_be(still: Still, cap: CapState) -> bool:
    """Tell whether a still blob looks enough like a cap."""
    misfit, fill = still.misfit[cap.column], still.fill[cap.column]
    return bool(misfit < ARRIVAL.likely_misfit and ARRIVAL.least_fill < fill < ARRIVAL.most_fill)


def settled_of(stills: list[Still], t_s: float, settled_s: float) -> list[Still]:
    """List what has kept still for long enough to be on its way no more, whether a cap is known in it or not."""
    return [still for still in stills if t_s - still.since_s >= settled_s]


def _arrival(cap: CapState, still: Still) -> Arrival:
    is_clear = is_clear_as(cap.column, still.misfit, still.fill)
    xy_small = still.xy_small[cap.column].copy()
    return Arrival(player=cap.player, xy_small=xy_small, since_s=still.since_s, is_clear=is_clear)


def _ways_mm(stills: list[Still], caps: Sequence[CapState]) -> Array:
    """Measure how far each still blob (columns) lies from each cap's old place; nan where it had none."""
    ways = np.full((len(caps), len(stills)), np.nan)
    anchors = np.array([still.anchor_small for still in stills])
    for i, place in enumerate(cap.place for cap in caps):
        if place is not None:
            ways[i] = np.hypot(*(anchors - place.centre_small).T) * place.cap.diameter_mm / (2 * place.radius_small)
    return ways


def _lay_another_there(stills: list[Still], caps: Sequence[CapState], state: SceneState) -> NDArray[np.bool_]:
    """Tell of each cap (rows) and still blob (columns) whether another cap was seen there while the blob kept still."""
    placed = ((one.player, one.place, one.last_there_s) for one in state.placed)
    others = [(player, place, seen_s) for player, place, seen_s in placed if place is not None and seen_s is not None]
    centres = np.array([place.centre_small for _, place, _ in others]).reshape(-1, 1, 2)
    radii = np.array([place.radius_small for _, place, _ in others])[:, None]
    there_s = np.array([seen_s for *_, seen_s in others])[:, None]
    is_there = np.hypot(*(np.array([still.anchor_small for still in stills]) - centres).transpose(2, 0, 1)) < radii
    is_there &= np.array([still.since_s for still in stills]) < there_s
    is_another = np.array([[cap.player != player for player, *_ in others] for cap in caps], bool)
    return np.asarray(is_another.reshape(len(caps), len(others)) @ is_there, bool)


def assign(stills: list[Still], caps: Sequence[CapState], state: SceneState) -> dict[str, Still]:
    """Give the still blobs to the caps that they look most like and that can have come there in time.

    What lies in a cap's own place may have changed its looks: the light does. What was in another's place while that
    one was seen there is the shadow of a hand beside it.
    """
    if not stills or not caps:
        return {}
    misfit = np.array([[still.misfit[cap.column] for still in stills] for cap in caps])
    fill = np.array([[still.fill[cap.column] for still in stills] for cap in caps])
    reach = BLOB.same_radii * _usual_radius_small(state)
    since_s = np.array([still.since_s for still in stills])
    left_s = np.array([-np.inf if cap.last_there_s is None else cap.last_there_s for cap in caps])[:, None]
    ways_mm = _ways_mm(stills, caps)
    soonest_s = left_s + np.maximum(np.nan_to_num(ways_mm) - FOLLOW.reach_mm, 0.0) / FOLLOW.fastest_mm_s
    is_at_home = ways_mm < ARRIVAL.home_mm
    is_likely = (
        ((misfit < ARRIVAL.likely_misfit) | is_at_home) & (fill > ARRIVAL.least_fill) & (fill < ARRIVAL.most_fill)
    )
    is_likely &= since_s >= soonest_s - ARRIVAL.timing_s
    is_likely &= ~_lay_another_there(stills, caps, state)
    cost = unlikeness(misfit, fill)
    for i, j in zip(*np.nonzero(is_likely & (is_likely.sum(axis=1, keepdims=True) > 1)), strict=True):
        cost[i, j] += ARRIVAL.sudden_cost * (not _was_coming(stills[j], caps[i].column, state, reach))
    cost[~is_likely] = UNLIKELY
    anchors = np.array([still.anchor_small for still in stills])
    while True:
        rows, columns = pair_up(cost)
        named = sorted(((i, j) for i, j in zip(rows, columns, strict=True) if cost[i, j] < UNLIKELY), key=cost.item)
        twice = next((pair for n, pair in enumerate(named) if _is_beside(anchors, pair, named[:n], reach)), None)
        if twice is None:
            return {caps[i].player: stills[j] for i, j in named}
        cost[twice] = UNLIKELY


def _was_coming(still: Still, column: int, state: SceneState, reach: float) -> bool:
    """Tell whether the cap of that column was seen just before and close to where a blob keeps still since then."""
    return any(
        blob.t_s < still.since_s
        and blob.misfit[column] < ARRIVAL.likely_misfit
        and blob.fill[column] > ARRIVAL.least_fill
        and dist(blob.middle_small, still.anchor_small) < ARRIVAL.coming_radii * reach
        for blob in state.since(still.since_s - ARRIVAL.coming_s)
    )


def _is_beside(anchors: Array, pair: tuple[int, int], others: list[tuple[int, int]], reach: float) -> bool:
    """Tell whether a blob is a part of another that is named already: no two caps lie in one place."""
    return any(np.hypot(*(anchors[pair[1]] - anchors[j])) < reach for _, j in others)


def _is_taken(place: Place, found: dict[str, Still], t_s: float) -> bool:
    """Tell whether a cap that has settled hides another's old place, rather than a hand that touches what is seen."""
    return any(
        dist(still.anchor_small, place.centre_small) < ARRIVAL.hides_radii * place.radius_small
        and not (still.is_by_hand and t_s - still.since_s < ARRIVAL.restless_s)
        for still in found.values()
    )


def is_seen_on_its_way(cap: CapState, state: SceneState, since_s: float, settled: list[Still]) -> bool:
    """Tell whether a cap has been seen going on since a time, untouched and away from all that has settled.

    A cap is seen again a step further; what looks like one here for a moment, and then there, is rain.
    """
    k = cap.column
    step_s = max(TRACK.longest_step_s, LONGEST_FRAMES * state.frame_s)
    seen = [
        blob
        for blob in state.maybe(cap, since_s - 2 * step_s)
        if blob.is_free
        and blob.misfit[k] < ARRIVAL.flying_misfit
        and ARRIVAL.least_fill < blob.fill[k] < ARRIVAL.most_fill
    ]
    if len(seen) < LEAST_SIGHTINGS:
        return False
    seen.sort(key=lambda blob: blob.t_s)  # a source's clock may have been set back
    t_s, middles = np.array([blob.t_s for blob in seen]), np.array([blob.middle_small for blob in seen])
    places = np.array([still.anchor_small for still in settled]).reshape(-1, 2)
    is_away = (np.hypot(*(middles[:, None] - places).transpose(2, 0, 1)) > 2).all(axis=1)
    radius_small = _usual_radius_small(state)
    return int(np.count_nonzero(is_away)) >= LEAST_SIGHTINGS and _goes_on(
        t_s[is_away],
        middles[is_away],
        since_s=since_s,
        step_s=step_s,
        reach_small=BLOB.same_radii * radius_small,
        fastest_small_s=FOLLOW.fastest_mm_s * 2 * radius_small / cap.cap.diameter_mm,
    )


def _goes_on(
    t_s: Array, xy_small: Array, *, since_s: float, step_s: float, reach_small: float, fastest_small_s: float
) -> bool:
    """Tell whether a cap may have been seen three times, the last since a time, among sightings (N,), (N, 2) in order.

    It went no faster than any may go, and was the third time where the first two led.
    """
    first = int(np.searchsorted(t_s + step_s, since_s))  # the sightings before are too old for a third to follow
    for i, (seen_s, middle) in enumerate(zip(t_s[first:], xy_small[first:], strict=True), first):
        before = slice(np.searchsorted(t_s, seen_s - step_s), np.searchsorted(t_s, seen_s))
        after = slice(
            max(np.searchsorted(t_s, seen_s, "right"), np.searchsorted(t_s, since_s)),
            np.searchsorted(t_s, seen_s + step_s, "right"),
        )
        took_s, way = t_s[i] - t_s[before], middle - xy_small[before]
        may_be = np.hypot(*way.T) < fastest_small_s * took_s + reach_small
        a_second = way[may_be] / took_s[may_be, None]
        ahead = middle + a_second[:, None] * (t_s[after] - seen_s)[:, None]
        if (np.hypot(*(xy_small[after] - ahead).transpose(2, 0, 1)) < reach_small).any():
            return True
    return False


def _usual_radius_small(state: SceneState) -> float:
    """Tell the mean radius of the caps on the board in the small picture; where none lies, of one in its middle."""
    radii_small = [cap.place.radius_small for cap in state.placed if cap.place] or [state.radius_small]
    return sum(radii_small) / len(radii_small)


def covered_by(arrivals: Iterable[Arrival], state: SceneState) -> list[str]:
    """List whose old places others seem to have come to rest in: they are not there any more."""
    arrived = {arrival.player: arrival.xy_small for arrival in arrivals}
    return [
        cap.player
        for cap in state.placed
        if cap.place is not None
        and cap.player not in arrived
        and any(cap.place.is_within(xy, radii=2 * PLACE.overlap) for xy in arrived.values())
    ]
