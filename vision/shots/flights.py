"""Did a cap go by itself, or in a hand? What flies is quick, slows down, and is seen with nothing touching it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, ON_FILMS, Tuning, tuned
from linesies.vision.caps.cap import Cap
from linesies.vision.shots.place import PLACE
from linesies.vision.shots.track import TRACK, Track
from linesies.vision.shots.tracks import FOLLOW

GLIDING = (
    "of 68 ways of caps laid by hand on 33 films, public, in weathers and of world=varied, none was longer than 0.17 s "
    "or more than 0.55; of three caps that rolled or slid and were not known by their colour 0.75 s and 0.72 at least"
)
CARRIED = (
    "of 99 shots of simulated street 988149 and four public films those that took longer had gone 0.36 to 0.44 of "
    "their way at a quarter of the time; two caps that were carried off in a hand, and seen in it, 0.21 and 0.25, "
    "in 1.5 and 2.3 s; 2026-11-30"
)
ROLLING = (
    "by hand, of 2 to 6 radii and 0.05 and 0.1 s: of ten caps that rolled out of the picture on 80 films nine of ten "
    "turns are less than 0.16 between pieces of 4 radii, up to 0.38 between those of 2; nothing else seemed to "
    "leave it so; 2026-11-29"
)


@dataclass(frozen=True)
class FlightTuning(Tuning):
    """What tells a cap that went by itself from one in a hand."""

    least_steps: int = tuned(
        2,
        title="fewest steps seen flying",
        unit="1",
        low=1,
        high=20,
        source="a first trial on the public films: two frames of free flight told shots from what was put down",
    )
    least_flown_s: float = tuned(
        0.03,
        title="for which what leaves the picture is seen flying: two frames of 60 a second, one of 25",
        unit="s",
        low=0.01,
        high=0.3,
        source="by what its title says; seen on sim:street?play=drill&seed=3104 with 25 of each 60 frames kept",
    )
    least_share: float = tuned(
        0.2,
        title="least share of its way that a cap was seen going by itself",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("9d3b1db"),
    )
    least_radii: float = tuned(
        1.2,
        title="least way seen flying, in radii: in a hand that takes hold it trembles by less",
        unit="1",
        low=0.2,
        high=6,
        source=by_hand_in("2d4b5cf"),
    )
    quickest_hand_s: float = tuned(
        0.3,
        title="in which no hand takes a cap up and puts it down",
        unit="s",
        low=0.1,
        high=1,
        source=by_hand_in("9d3b1db"),
    )
    friction_mm_s2: float = tuned(
        2000.0,
        title="what friction takes from the speed of what slides",
        unit="mm/s2",
        low=300,
        high=8000,
        source="physics: a coefficient of friction of 0.2",
    )
    rolling_steps: int = tuned(
        5, title="fewest steps of what rolls", unit="1", low=2, high=40, source=by_hand_in("8ca4dea")
    )
    rolling_s: float = tuned(
        0.16, title="shortest time of even speed of what rolls", unit="s", low=0.03, high=1, source=ON_FILMS
    )
    sharp_turn_rad: float = tuned(
        0.35,
        title="sharpest turn of what rolls, from one straight piece of its way to the next",
        unit="rad",
        low=0.05,
        high=1.5,
        source=by_hand_in("87175e9"),
    )
    straight_radii: float = tuned(
        4.0,
        title="length of such a piece, in radii: what is seen of a cap on its edge wanders by a third of a radius",
        unit="1",
        low=1,
        high=20,
        source=ROLLING,
    )
    sliding_steps: int = tuned(
        6, title="fewest steps of what slides", unit="1", low=2, high=40, source=by_hand_in("fa0bfdd")
    )
    glimpse_s: float = tuned(
        0.12,
        title="longest pause between two sightings of one slide",
        unit="s",
        low=0.02,
        high=0.5,
        source=by_hand_in("5775861"),
    )
    gliding_s: float = tuned(
        0.4,
        title="for which a thing whose colour says little was seen going by itself that is no cap in a hand",
        unit="s",
        low=0.1,
        high=2,
        source=GLIDING,
    )
    gliding_share: float = tuned(
        0.6, title="likewise, least share of its way", unit="1", low=0.2, high=1, source=GLIDING
    )
    early: float = tuned(
        0.25,
        title="of the time, after which a hand that sets off has not come far",
        unit="1",
        low=0.1,
        high=0.5,
        source=BY_HAND,
    )
    early_share: float = tuned(
        0.2,
        title="of its way, what a thing that nobody holds has gone by then",
        unit="1",
        low=0.1,
        high=0.5,
        source="geometry: 0.25 at an even speed, 0.44 of what slides to a stop, 0.10 of a hand (least jerk)",
    )
    long_s: float = tuned(
        1.0,
        title="from when on what a hand that sets off slowly has carried is told by that",
        unit="s",
        low=0.3,
        high=3,
        source=CARRIED,
    )
    long_early_share: float = tuned(
        0.3,
        title="of its way, what a cap that nobody holds has gone early of so long a way",
        unit="1",
        low=0.1,
        high=0.4,
        source=CARRIED,
    )
    unseen_share: float = tuned(
        0.2,
        title="largest share of a slide's time in longer pauses",
        unit="1",
        low=0,
        high=0.8,
        source=by_hand_in("5775861"),
    )
    sliding_radii: float = tuned(
        4.0,
        title="least way of what slides, in radii: what goes less may as well be shifted",
        unit="1",
        low=0.5,
        high=20,
        source=by_hand_in("fa0bfdd"),
    )
    sliding_share: float = tuned(
        0.09,
        title="by how much of its whole way what slides may be off at any time",
        unit="1",
        low=0.01,
        high=0.4,
        source=by_hand_in("fa0bfdd"),
    )
    out_of_sight_radii: float = tuned(
        3.0,
        title="how near the border a cap was last seen that has left the view, in radii",
        unit="1",
        low=0.5,
        high=10,
        source=by_hand_in("9d3b1db"),
    )
    most_gain_mm_s2: float = tuned(
        300.0,
        title="what flies or rolls may seem to gain in speed by error",
        unit="mm/s2",
        low=20,
        high=3000,
        source=by_hand_in("55f849e"),
    )
    smoothed_s: float = tuned(
        0.1,
        title="over which the speed of what rolls is reckoned: what is seen of it is small, and so unsteady",
        unit="s",
        low=0.02,
        high=0.5,
        source=ROLLING,
    )
    rolling_near_radii: float = tuned(
        6.0, title="how near to where it lay what rolls is seen first", unit="1", low=1, high=20, source=BY_HAND
    )
    rolling_steady: float = tuned(
        0.9, title="share of its turns that are not sharp", unit="1", low=0.5, high=1, source=BY_HAND
    )


FLIGHT = FlightTuning()

LATE_S = (0.0, 0.015, 0.03)  # by which a slide may begin after its track does


def stopping_s(way_mm: float) -> float:
    """Reckon how long what slides takes for the way on which friction stops it."""
    return float((2 * way_mm / FLIGHT.friction_mm_s2) ** 0.5)


def has_flown(track: Track) -> bool:
    """Tell whether a cap went by itself for a part of its way, rather than in a hand."""
    way_mm = float(((track.xy_mm[-1] - track.xy_mm[0]) ** 2).sum() ** 0.5)
    if (is_quick(track) and way_mm > track.radius_mm) or is_sliding(track):
        return True
    return has_glided(track) and track.flown_mm >= FLIGHT.least_share * way_mm


def is_carried(track: Track) -> bool:
    """Tell whether a cap set off as in a hand, slowly, on a way that took long; what rolls may go so too."""
    is_long = track.t_s[-1] - track.t_s[0] >= FLIGHT.long_s
    return bool(is_long) and _share_at(track, FLIGHT.early) < FLIGHT.long_early_share


def has_glided(track: Track) -> bool:
    """Tell whether a cap was seen going by itself, though most of its way may have lain under an arm."""
    steps, seen_mm = track.flight
    return steps >= FLIGHT.least_steps and seen_mm >= FLIGHT.least_radii * track.radius_mm


def is_mostly_free(track: Track) -> bool:
    """Tell whether a cap was seen going by itself on most of its way."""
    way_mm = float(np.hypot(*(track.xy_mm[-1] - track.xy_mm[0])))
    return has_glided(track) and track.flown_mm >= FLIGHT.gliding_share * way_mm


def is_gliding(track: Track) -> bool:
    """Tell whether a thing whose colour says little went by itself for most of a cap's way, far, and for long."""
    is_far = np.hypot(*(track.xy_mm[-1] - track.xy_mm[0])) >= FLIGHT.sliding_radii * track.radius_mm
    is_seen = is_mostly_free(track) and track.flown_s >= FLIGHT.gliding_s
    return bool(is_far) and is_seen and _share_at(track, FLIGHT.early) >= FLIGHT.early_share


def _share_at(track: Track, time_share: float) -> float:
    """Tell what share of its whole way a thing has gone at a share of the time."""
    way = _gone_mm(track)
    at_s = track.t_s[0] + time_share * (track.t_s[-1] - track.t_s[0])
    return float(np.interp(at_s, track.t_s, way) / way[-1])


def _gone_mm(track: Track) -> NDArray[np.float64]:
    """Measure how far a cap had gone by each sighting (N,), along its way."""
    return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(track.xy_mm, axis=0).T))])


def is_quick(track: Track) -> bool:
    """Tell whether a cap came to rest sooner than a hand could have put it down, yet not sooner than one can fly."""
    took_s = track.t_end_s - track.t_start_s
    way_mm = float(np.hypot(*(track.xy_mm[-1] - track.xy_mm[0])))
    return took_s < FLIGHT.quickest_hand_s and way_mm <= FOLLOW.fastest_mm_s * took_s + FOLLOW.reach_mm


def is_leaving(track: Track, cap: Cap, view: View) -> bool:
    """Tell whether a cap was last seen flying or rolling out of the picture."""
    if track.flown_s < FLIGHT.least_flown_s or not has_flown(track):  # a hand is quick at the border
        return False
    if (slowing_mm_s2 := track.slowing_mm_s2) is not None and slowing_mm_s2 < -FLIGHT.most_gain_mm_s2:
        return False
    px = view.mm_to_px(track.xy_mm[-3:], PLACE.seen_height * cap.height_mm)
    radius_px = cap.diameter_mm / 2 * view.px_per_mm(track.xy_mm[-1])
    width, height = view.lens.size_px
    to_border = min(px[-1, 0], px[-1, 1], width - 1 - px[-1, 0], height - 1 - px[-1, 1])
    step_px = float(np.hypot(*(px[-1] - px[-2])))
    return bool(to_border < FLIGHT.out_of_sight_radii * radius_px + 2 * step_px)


def is_rolling(track: Track) -> bool:
    """Tell whether a thing whose colour says little went on and on without a stop or a sharp turn, as a rolling cap."""
    took = np.diff(track.t_s)[1:]
    if len(took) < FLIGHT.rolling_steps or took.sum() < FLIGHT.rolling_s or took.max() > TRACK.longest_step_s:
        return False
    near_start = np.hypot(*(track.xy_mm[1] - track.xy_mm[0])) < FLIGHT.rolling_near_radii * track.radius_mm
    speeds_mm_s = _speeds_mm_s(track.t_s[1:], track.xy_mm[1:])
    return bool(near_start and speeds_mm_s.min() > TRACK.flying_mm_s and _is_steady(track.xy_mm[1:], track.radius_mm))


def _speeds_mm_s(t_s: NDArray[np.float64], xy_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Reckon the speeds of a way (N, 2), each over the same while."""
    after = np.searchsorted(t_s, t_s + FLIGHT.smoothed_s - 1e-6)
    first = np.flatnonzero(after < len(t_s))
    after = after[first]
    return np.asarray(np.hypot(*(xy_mm[after] - xy_mm[first]).T) / (t_s[after] - t_s[first]), float)


def _is_steady(xy_mm: NDArray[np.float64], radius_mm: float) -> bool:
    """Tell whether a way (N, 2) of a cap of that radius has hardly a sharp turn, in three straight pieces at least."""
    led_mm = float(np.hypot(*(xy_mm[-1] - xy_mm[0])))
    pieces = _straights(xy_mm, min(FLIGHT.straight_radii * radius_mm, led_mm / 3))
    turns = np.abs(np.diff(np.unwrap(np.arctan2(pieces[:, 1], pieces[:, 0]))))
    return len(turns) > 0 and bool(np.quantile(turns, FLIGHT.rolling_steady) < FLIGHT.sharp_turn_rad)


def _straights(xy_mm: NDArray[np.float64], length_mm: float) -> NDArray[np.float64]:
    """Lay a way (N, 2) out in straight pieces (M, 2), each from one sighting to the next at least so far from it."""
    knots = [xy_mm[0]]
    for place in xy_mm[1:]:
        if np.hypot(*(place - knots[-1])) >= length_mm:
            knots.append(place)
    return np.diff(np.array(knots), axis=0)


def is_sliding(track: Track) -> bool:
    """Tell whether a cap went as what slides does, and no hand: fastest at first, and ever slower until it rests."""
    took = np.diff(track.t_s)
    way = _gone_mm(track)
    if len(took) < FLIGHT.sliding_steps or way[-1] < FLIGHT.sliding_radii * track.radius_mm:
        return False
    if took[took > FLIGHT.glimpse_s].sum() > FLIGHT.unseen_share * took.sum():
        return False
    seen = track.t_s - track.t_s[0]
    shares = (np.maximum(seen - late_s, 0.0) / (seen[-1] - late_s) for late_s in LATE_S)
    return any(np.abs(way / way[-1] - share * (2.0 - share)).max() < FLIGHT.sliding_share for share in shares)
