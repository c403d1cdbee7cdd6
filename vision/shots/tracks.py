"""One cap through time: from the place that it left to the place where it came to rest.

Told afterwards, when both ends are known: of all chains of blobs between them the one that looks most like this cap
and makes the fewest detours.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.vision.shots.blobs import Blob

Array = NDArray[np.float64]

FASTEST_MM_S = 4500.0  # of a cap that a finger flicks; set on the public films
FRICTION_MM_S2 = 2000.0  # takes about so much from what slides
REACH_MM = 25.0  # what a blob's centre may be off beside a hand or another cap
LONGEST_GAP_S = 0.2  # for which a cap may be out of sight within one flight
LIKELY_MISFIT = 0.75  # above it, a blob is not this cap
ANY_COLOUR_DOUBT = 0.5  # at most, of a blob that may be a cap on its edge
FILL_DOUBT = 0.25  # of a blob e times as large as the cap
DETOUR_COST = 0.25  # for each cap's diameter travelled
HIDDEN_COST = 4.0  # for a way between hand and sight: bridges any time
FLYING_MM_S = 60.0
AT_REST_MM = 2.5  # from its last place, a cap has come to rest
AT_REST_RADII = 0.15
LEAST_ROLLING_STEPS = 5
LEAST_ROLLING_S = 0.16  # of even speed, to be rolling; set on the public films
SHARP_TURN = 0.35  # radians from step to step
SPIKE_RADII = 0.8
SPIKE_COSINE = (
    -0.7
)  # between the ways to a sighting and from it: there and back, so it was another's; set on the public films
LEAST_SLIDING_STEPS = 6
GLIMPSE_S = 0.12  # at most, between two sightings of one slide,
UNSEEN_SHARE = 0.2  # but for so much of its time
LATE_S = (0.0, 0.015, 0.03)  # by which a slide may begin after its track does
SLIDING_RADII = 4.0  # what slides less may as well be shifted
SLIDING_SHARE = 0.09  # of its whole way, by which it may be off at any time
LEAST_TIMED, LEAST_TIMED_S = 8, 0.2  # sightings, and how long they last, that show whether a cap slows down
MOST_DRAWN = 24  # points of a way that is watched: ten a second of the longest shots
LONGEST_STEP_S = 0.08  # between two sightings of one flight


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """One cap's way: times (N,), places on the board (N, 2), and whether nothing touched it there (N,).

    The first point is where it rested before, the last where it came to rest.
    """

    player: str
    radius_mm: float
    t_s: Array
    xy_mm: Array
    is_free: NDArray[np.bool_]

    @property
    def t_start_s(self) -> float:
        """When it was set in motion."""
        return float(self.t_s[0])

    @property
    def t_end_s(self) -> float:
        """When it came to rest."""
        return float(self.t_s[-1])

    def at(self, t_s: Array) -> Array:
        """Where the cap was at some times (N,), straight between sightings: (N, 2)."""
        return np.stack([np.interp(t_s, self.t_s, self.xy_mm[:, i]) for i in (0, 1)], axis=1)

    def way(self, since_s: float) -> tuple[tuple[float, float, float], ...]:
        """Write it down for people to watch: at most MOST_DRAWN points of seconds since a time, x and y (mm)."""
        shown = np.unique(np.linspace(0, len(self.t_s) - 1, min(len(self.t_s), MOST_DRAWN)).round().astype(int))
        return tuple(
            (
                round(float(self.t_s[i]) - since_s, 3),
                round(float(self.xy_mm[i, 0]), 1),
                round(float(self.xy_mm[i, 1]), 1),
            )
            for i in shown
        )

    @property
    def first_way_mm(self) -> Array:
        """Which way it set off (2,)."""
        step = np.hypot(*(self.xy_mm - self.xy_mm[0]).T)
        far = np.flatnonzero(step > 0.5 * self.radius_mm)
        return self.xy_mm[far[0] if len(far) else -1] - self.xy_mm[0]

    @property
    def flight(self) -> tuple[int, float]:
        """The longest stretch on which it was seen moving, touched by nothing: its steps, and how far it led (mm)."""
        steps = np.diff(self.xy_mm, axis=0)
        took = np.maximum(np.diff(self.t_s), 1e-6)
        is_seen = (np.hypot(*steps.T) / took > FLYING_MM_S) & (took < LONGEST_STEP_S)
        is_seen &= self.is_free[:-1] & self.is_free[1:]  # not the ends, which are places of rest
        best = (0, 0.0)
        ends = np.flatnonzero(np.diff(np.concatenate([[False], is_seen, [False]])))
        for first, after in ends.reshape(-1, 2):
            led_mm = float(np.hypot(*(self.xy_mm[after] - self.xy_mm[first])))
            best = max(best, (int(after - first), led_mm), key=lambda stretch: stretch[1])
        return best

    @property
    def slowing_mm_s2(self) -> float | None:
        """By how much it slowed down while it was seen moving; None when that was too short to tell."""
        t_s, xy_mm = self.t_s[1:], self.xy_mm[1:]
        if len(t_s) < LEAST_TIMED or t_s[-1] - t_s[0] < LEAST_TIMED_S:
            return None
        way_mm = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy_mm, axis=0).T))])
        return float(-2 * np.polyfit(t_s - t_s[0], way_mm, 2)[0])

    def set_off_at(self, t_s: float) -> "Track":
        """Put its start right, where that is known better than from its sightings."""
        return self.started(t_s, self.t_s > t_s)

    def started(self, t_s: float, keep: NDArray[np.bool_]) -> "Track":
        """Begin at a time in its first place, and leave out the sightings that are not to be kept (N,)."""
        return replace(
            self,
            t_s=np.concatenate([[t_s], self.t_s[keep]]),
            xy_mm=np.vstack([self.xy_mm[:1], self.xy_mm[keep]]),
            is_free=np.concatenate([[False], self.is_free[keep]]),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sightings:
    """Blobs taken for one cap, in order of time: times (N,), places (N, 2), doubts (N,) from 0 to 1, touch or none."""

    t_s: Array
    xy_mm: Array
    doubt: Array
    is_free: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a way: where a cap rested, and the last or first time at which it was seen there."""

    t_s: float
    xy_mm: tuple[float, float]


def follow(sightings: Sightings, start: End, end: End | None, *, player: str, diameter_mm: float) -> Track:
    """Find the cap's way between its two ends (None: to where it was last seen); unseen, it went straight."""
    last = [] if end is None else [end]
    times = np.concatenate([[start.t_s], sightings.t_s, [e.t_s for e in last]])
    places = np.vstack([start.xy_mm, sightings.xy_mm.reshape(-1, 2), *(e.xy_mm for e in last)])
    gain = np.concatenate([[0.0], 1.0 - sightings.doubt, [0.0] * len(last)])
    best = np.zeros(len(times))
    came_from = np.zeros(len(times), int)
    for i in range(1, len(times)):
        took = times[i] - times[:i]
        way = np.hypot(*(places[:i] - places[i]).T)
        cost = DETOUR_COST * way / diameter_mm
        is_feasible = (took > 1e-6) & (way <= FASTEST_MM_S * took + REACH_MM)
        is_hidden = took > LONGEST_GAP_S
        worth = best[:i] - cost - np.where(is_hidden, HIDDEN_COST, 0.0)
        worth = np.where(is_feasible, worth, -1e9)
        worth[0] = max(worth[0], best[0] - cost[0] - 2 * HIDDEN_COST)
        came_from[i] = int(worth.argmax())
        best[i] = worth[came_from[i]] + gain[i]
    chain = [len(times) - 1 if last else int(best.argmax())]
    while chain[-1] > 0:
        chain.append(int(came_from[chain[-1]]))
    chain.reverse()
    is_free = np.array([False, *sightings.is_free, *(False for _ in last)])[chain]
    track = Track(player=player, radius_mm=diameter_mm / 2, t_s=times[chain], xy_mm=places[chain], is_free=is_free)
    return _until_rest(_without_spikes(track))


def _without_spikes(track: Track) -> Track:
    """Leave out sightings from which the way turns back at once: those of another cap."""
    keep = np.ones(len(track.t_s), bool)
    for i in range(1, len(keep) - 1):
        before = int(np.flatnonzero(keep[:i])[-1])
        there, back = track.xy_mm[i] - track.xy_mm[before], track.xy_mm[i + 1] - track.xy_mm[i]
        lengths = np.hypot(*there), np.hypot(*back)
        is_brief = track.t_s[i + 1] - track.t_s[before] < LONGEST_STEP_S
        if is_brief and min(lengths) > SPIKE_RADII * track.radius_mm and there @ back < SPIKE_COSINE * np.prod(lengths):
            keep[i] = False
    return replace(track, t_s=track.t_s[keep], xy_mm=track.xy_mm[keep], is_free=track.is_free[keep])


def _until_rest(track: Track) -> Track:
    """Leave out the sightings after the cap had come to rest."""
    from_end_mm = np.hypot(*(track.xy_mm - track.xy_mm[-1]).T)
    moving = np.flatnonzero(from_end_mm > max(AT_REST_MM, AT_REST_RADII * track.radius_mm))
    last = min(int(moving[-1]) + 1, len(from_end_mm) - 1) if len(moving) else 0
    if last in (0, len(from_end_mm) - 1):
        return track
    keep = [*range(last), len(from_end_mm) - 1]
    t_s = track.t_s[keep]
    t_s[-1] = track.t_s[last]
    return replace(track, t_s=t_s, xy_mm=track.xy_mm[keep], is_free=track.is_free[keep])


def departed(track: Track, *, bare_s: float | None) -> Track:
    """Move a track's first point to the moment of departure, told by its first steps and by when its place was bare."""
    step = np.hypot(*(track.xy_mm - track.xy_mm[0]).T)
    away = np.flatnonzero(step[:-1] > 0.35 * track.radius_mm)
    if not len(away):
        return track
    first = int(away[0])
    after = min(first + 1, len(step) - 1)
    took = track.t_s[after] - track.t_s[first]
    way = float(np.hypot(*(track.xy_mm[after] - track.xy_mm[first])))
    speed = way / took if took > 0 else 0.0
    t_s = track.t_s[first] - (step[first] / speed if speed > 1 else 0.0)
    latest = track.t_s[first] if bare_s is None else min(bare_s, track.t_s[first])
    t_s = min(max(t_s, track.t_s[0]), latest)
    return track.started(t_s, np.arange(len(step)) >= first)


def is_rolling(track: Track) -> bool:
    """Tell whether a thing whose colour says little went on and on without a stop or a sharp turn, as a rolling cap."""
    steps = np.diff(track.xy_mm, axis=0)[1:]
    took = np.diff(track.t_s)[1:]
    if len(steps) < LEAST_ROLLING_STEPS or took.sum() < LEAST_ROLLING_S or took.max() > LONGEST_STEP_S:
        return False
    near_start = np.hypot(*(track.xy_mm[1] - track.xy_mm[0])) < 6 * track.radius_mm
    speed = np.hypot(*steps.T) / took
    ways = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    turns = np.abs(np.diff(np.convolve(ways, np.ones(3) / 3, "valid")))
    return bool(near_start and speed.min() > FLYING_MM_S and np.quantile(turns, 0.9) < SHARP_TURN)


def is_sliding(track: Track) -> bool:
    """Tell whether a cap went as what slides does, and no hand: fastest at first, and ever slower until it rests."""
    took = np.diff(track.t_s)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(track.xy_mm, axis=0).T))])
    if len(took) < LEAST_SLIDING_STEPS or way[-1] < SLIDING_RADII * track.radius_mm:
        return False
    if took[took > GLIMPSE_S].sum() > UNSEEN_SHARE * took.sum():
        return False
    seen = track.t_s - track.t_s[0]
    shares = (np.maximum(seen - late_s, 0.0) / (seen[-1] - late_s) for late_s in LATE_S)
    return any(np.abs(way / way[-1] - share * (2.0 - share)).max() < SLIDING_SHARE for share in shares)


def sightings_of(blobs: list[Blob], k: int, xy_mm: Array, *, is_any_colour: bool = False) -> Sightings:
    """Take the blobs that may be cap `k`, seen at `xy_mm` (N, 2), in order of time.

    With `is_any_colour` none is left out for its looks: a cap on its edge is small, and shows little of its colour.
    """
    is_free = np.array([blob.is_free for blob in blobs], bool)
    misfit = np.array([blob.misfit[k] for blob in blobs])
    fill = np.array([blob.fill[k] for blob in blobs])
    is_likely = (misfit < LIKELY_MISFIT) & (fill > 0.25) & (fill < 3.0)
    if is_any_colour:
        is_likely = is_free
        misfit, fill = np.minimum(misfit, ANY_COLOUR_DOUBT), np.ones(len(blobs))
    t_s = np.array([blob.t_s for blob in blobs])
    order = [i for i in np.argsort(t_s, kind="stable") if is_likely[i]]
    doubt = np.clip(misfit + FILL_DOUBT * np.abs(np.log(np.clip(fill, 0.1, 10.0))), 0.0, 1.0)
    return Sightings(t_s=t_s[order], xy_mm=xy_mm[order], doubt=doubt[order], is_free=is_free[order])
