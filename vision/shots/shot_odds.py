"""How likely it is that somebody shot a cap: all that speaks for it and against it, weighed together.

A finger that shoots has waited beside the cap, which then glides on free of it; a foot that kicks came just then, and a
hand that puts a cap back where it lay has carried it. Each sign adds the natural logarithm of how much oftener it is
seen at a shot than otherwise.
"""

from dataclasses import replace

import numpy as np

from linesies.vision.shots.flights import has_glided
from linesies.vision.shots.moved import Movement
from linesies.vision.values import Expectation, Shot

# as seen at 132 shots and 78 things that did not count, in three simulated games of people who fidget
AIMED = 4.0  # something waited beside it: at every shot whose beginning was seen, at three of the others
NOT_AIMED = -4.0  # nothing did
HARDLY_AIMED = -1.0
GLIDED = 2.0
IN_TURN = 1.0
OUT_OF_TURN = -2.0
SURE = 3.5  # from which on it was a shot
NOTHING = -2.5  # up to which nobody shot; between the two people are asked
LEAST_AIM_S = 0.25  # a hand that takes a cap up was seen beside it for 0.2 s, a finger that shoots it for 0.4
MOST_CAME_S = 0.1  # for which a foot that kicks was seen there
LEAST_COVER_S = 0.3  # of its place's history, to say that nothing waited there
LEAST_BACK = 2.5  # from which on a cap that a hand moved was put back
BACK_MM = 2.5  # by which a cap that is put back misses where it lay, one way or another
SPREAD_MM = 150.0  # of shots at one target


def weighed(shooter: Movement, shot: Shot, expected: Expectation) -> Shot | None:
    """Say how sure it is that somebody shot, and whether he was seen to aim; None where nobody did."""
    odds = odds_of_shot(shooter, is_in_turn=expected.shooter in (None, shooter.player))
    is_aimed = aim_at(shooter) == AIMED
    if odds <= NOTHING:
        return None
    return replace(shot, is_aimed=is_aimed, is_shooter_certain=odds >= SURE or not is_aimed)


def odds_of_shot(m: Movement, *, is_in_turn: bool) -> float:
    """Weigh whether somebody shot a cap that went by itself."""
    glided = GLIDED if has_glided(m.followed) else 0.0
    turn = IN_TURN if is_in_turn else OUT_OF_TURN
    return aim_at(m) + glided + turn - odds_of_return(m)


def aim_at(m: Movement) -> float:
    """Weigh how long something waited beside the cap before it set off; 0 where that was not seen."""
    if m.history is None:
        return AIMED
    waited_s = m.history.waited_s(m.followed.t_start_s)
    if waited_s >= LEAST_AIM_S:
        return AIMED
    if m.history.cover_s(m.followed.t_start_s) < LEAST_COVER_S:
        return 0.0
    return HARDLY_AIMED if waited_s > MOST_CAME_S else NOT_AIMED


def odds_of_return(m: Movement) -> float:
    """Weigh whether a cap was put back where it lay before it was moved to where this way began.

    A shot ends anywhere within twice its way, or where all shots at that target do, and so near by chance only.
    """
    if not (m.is_measured and m.past_mm):
        return 0.0
    apart_mm = float(np.hypot(*(np.array(m.past_mm) - m.call.xy_mm).T).min())
    within_mm = 2 * min(m.way_mm, SPREAD_MM)
    return max(2 * float(np.log(within_mm / (2 * BACK_MM))) - (apart_mm / BACK_MM) ** 2 / 2, 0.0)
