"""Did a cap go by itself, or in a hand? What flies is quick, slows down, and is seen with nothing touching it."""

import numpy as np

from linesies.vision.shots.tracks import FASTEST_MM_S, REACH_MM, Track, is_sliding

LEAST_STEPS = 2
LEAST_SHARE = 0.2  # of its whole way that a cap was seen going by itself; a hand carries it all the way
LEAST_FLIGHT_RADII = 1.2  # in a hand that takes hold, a cap trembles by less
QUICKEST_HAND_S = 0.3  # in which no hand takes a cap up and puts it down


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
