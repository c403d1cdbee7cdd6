"""Did a cap go by itself, or in a hand? What flies is quick, slows down, and is seen with nothing touching it."""

import numpy as np

from linesies.vision.shots.track import FLYING_MM_S, LONGEST_STEP_S, Track
from linesies.vision.shots.tracks import FASTEST_MM_S, REACH_MM

LEAST_STEPS = 2
LEAST_SHARE = 0.2  # of its whole way that a cap was seen going by itself; a hand carries it all the way
LEAST_FLIGHT_RADII = 1.2  # in a hand that takes hold, a cap trembles by less
QUICKEST_HAND_S = 0.3  # in which no hand takes a cap up and puts it down
FRICTION_MM_S2 = 2000.0  # takes about so much from what slides
LEAST_ROLLING_STEPS = 5
LEAST_ROLLING_S = 0.16  # of even speed, to be rolling; set on the public films
SHARP_TURN = 0.35  # radians from step to step
LEAST_SLIDING_STEPS = 6
GLIMPSE_S = 0.12  # at most, between two sightings of one slide,
UNSEEN_SHARE = 0.2  # but for so much of its time
LATE_S = (0.0, 0.015, 0.03)  # by which a slide may begin after its track does
SLIDING_RADII = 4.0  # what slides less may as well be shifted
SLIDING_SHARE = 0.09  # of its whole way, by which it may be off at any time


def has_flown(track: Track) -> bool:
    """Tell whether a cap went by itself for a part of its way, rather than in a hand."""
    way_mm = float(((track.xy_mm[-1] - track.xy_mm[0]) ** 2).sum() ** 0.5)
    if (is_quick(track) and way_mm > track.radius_mm) or is_sliding(track):
        return True
    return has_glided(track) and track.flight[1] >= LEAST_SHARE * way_mm


def has_glided(track: Track) -> bool:
    """Tell whether a cap was seen going by itself, though most of its way may have lain under an arm."""
    steps, seen_mm = track.flight
    return steps >= LEAST_STEPS and seen_mm >= LEAST_FLIGHT_RADII * track.radius_mm


def is_quick(track: Track) -> bool:
    """Tell whether a cap came to rest sooner than a hand could have put it down, yet not sooner than one can fly."""
    took_s = track.t_end_s - track.t_start_s
    way_mm = float(np.hypot(*(track.xy_mm[-1] - track.xy_mm[0])))
    return took_s < QUICKEST_HAND_S and way_mm <= FASTEST_MM_S * took_s + REACH_MM


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
