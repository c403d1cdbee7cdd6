"""A cap that went by itself is told from one in a hand by where nothing touched it, however often it was lost."""

import numpy as np

from linesies.vision.shots.flights import has_flown, is_carried
from linesies.vision.shots.track import Track

FRAME_S = 1 / 60


def rolled(seen):
    """A cap that rolls 1.5 m round a bend in three seconds, seen in some of its frames."""
    t_s = np.arange(180) * FRAME_S
    turned = 1.2 * (2 * t_s / 3 - (t_s / 3) ** 2)
    xy_mm = 1100 * np.stack([np.sin(turned), 1 - np.cos(turned)], axis=1)
    keep = np.array([True, *seen[1:-1], True])
    is_free = keep.copy()
    is_free[[0, -1]] = False
    return Track(player="bo", radius_mm=16.0, t_s=t_s[keep], xy_mm=xy_mm[keep], is_free=is_free[keep])


def test_a_cap_that_litter_hides_again_and_again_has_flown_all_the_same():
    frame = np.arange(180)
    assert has_flown(rolled((frame > 20) & (frame % 24 < 12)))


def test_a_cap_that_is_seen_only_as_a_hand_takes_it_and_lays_it_down_has_not():
    frame = np.arange(180)
    assert not has_flown(rolled((frame < 3) | (frame > 177)))


def test_what_is_seen_for_single_frames_far_apart_has_not():
    assert not has_flown(rolled(np.arange(180) % 24 == 0))


def gone(share_of_way, *, took_s=2.0, hidden_s=0.6):
    """A cap that goes 2 m in so long, at first beneath a hand; the rest of its way is seen with nothing beside it."""
    t_s = np.arange(0.0, took_s, FRAME_S)
    xy_mm = np.stack([2000 * share_of_way(t_s / t_s[-1]), np.zeros(len(t_s))], axis=1)
    keep = (t_s == 0) | (t_s >= hidden_s)
    is_free = keep & (t_s > 0) & (t_s < t_s[-1])
    return Track(player="bo", radius_mm=16.0, t_s=t_s[keep], xy_mm=xy_mm[keep], is_free=is_free[keep])


def in_a_hand(t):
    return t**3 * (10 - 15 * t + 6 * t**2)  # of least jerk


def sliding(t):
    return t * (2 - t)


def evenly(t):
    return t


def test_what_sets_off_slowly_and_takes_long_goes_as_in_a_hand():
    assert is_carried(gone(in_a_hand))
    assert not is_carried(gone(sliding))
    assert not is_carried(gone(lambda t: t * (1.5 - 0.5 * t)))  # a roll


def test_a_roll_at_an_even_speed_has_flown():
    assert has_flown(gone(evenly))
