"""How likely it is that somebody shot a cap: all that speaks for it and against it, weighed together.

A finger that shoots has waited beside the cap, which then glides on free of it; a foot that kicks came just then, and a
hand that puts a cap back where it lay has carried it. Each sign adds the natural logarithm of how much oftener it is
seen at a shot than otherwise.
"""

from dataclasses import dataclass, replace

import numpy as np

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.flights import has_glided
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.values import Expectation, Shot

SEEN = "as seen at 132 shots and 78 things that did not count, in three simulated games of people who fidget"


@dataclass(frozen=True)
class OddsTuning(Tuning):
    """What each sign of a shot counts, as a natural logarithm of odds, and from where on it is one."""

    aimed: float = tuned(
        4.0,
        title="what it counts that something waited beside it: so at every shot whose start was seen, and three others",
        unit="nat",
        low=0,
        high=10,
        source=SEEN,
    )
    not_aimed: float = tuned(
        -4.0, title="what it counts that nothing waited there", unit="nat", low=-10, high=0, source=SEEN
    )
    hardly_aimed: float = tuned(
        -1.0, title="what it counts that something was there for a moment", unit="nat", low=-5, high=2, source=SEEN
    )
    glided: float = tuned(
        2.0, title="what it counts that the cap was seen gliding by itself", unit="nat", low=0, high=6, source=SEEN
    )
    in_turn: float = tuned(
        1.0, title="what it counts that its owner is to shoot", unit="nat", low=0, high=4, source=SEEN
    )
    out_of_turn: float = tuned(-2.0, title="what it counts that another is", unit="nat", low=-6, high=0, source=SEEN)
    sure: float = tuned(3.5, title="odds from which on it was a shot", unit="nat", low=0, high=8, source=SEEN)
    nothing: float = tuned(
        -2.5,
        title="odds up to which nobody shot; between the two people are asked",
        unit="nat",
        low=-8,
        high=1,
        source=SEEN,
    )
    least_aim_s: float = tuned(
        0.3,
        title="shortest wait of a finger that shoots",
        unit="s",
        low=0.05,
        high=1,
        source="at 53 shots of eight public films 0.33 s at least, in simulated games 0.4; of hands that take a cap up"
        " and put it down elsewhere 0.2 s, once 0.25 (street 988057)",
    )
    most_came_s: float = tuned(
        0.1, title="for which a foot that kicks was seen there", unit="s", low=0.01, high=0.5, source=SEEN
    )
    least_cover_s: float = tuned(
        0.3, title="of its place's history, to say that nothing waited there", unit="s", low=0.05, high=2, source=SEEN
    )
    least_back: float = tuned(
        2.5, title="odds from which on a cap that a hand moved was put back", unit="nat", low=0, high=8, source=SEEN
    )
    back_mm: float = tuned(
        2.5,
        title="by which a cap that is put back misses where it lay, one way or another",
        unit="mm",
        low=0.5,
        high=10,
        source=SEEN,
    )
    spread_mm: float = tuned(150.0, title="spread of shots at one target", unit="mm", low=30, high=600, source=SEEN)


ODDS = OddsTuning()


def weighed(shooter: Movement, shot: Shot, expected: Expectation) -> Shot | None:
    """Say how sure it is that somebody shot, and whether he was seen to aim; None where nobody did.

    It never is of a cap of which nobody knows where it lay: nor is it then known how it was set off.
    """
    odds = odds_of_shot(shooter, is_in_turn=expected.shooter in (None, shooter.player))
    is_aimed = aim_at(shooter) == ODDS.aimed
    if odds <= ODDS.nothing:
        return None
    is_sure = shooter.from_mm is not None and odds >= ODDS.sure
    return replace(shot, is_aimed=is_aimed, is_shooter_certain=is_sure or not is_aimed)


def odds_of_shot(m: Movement, *, is_in_turn: bool) -> float:
    """Weigh whether somebody shot a cap that went by itself."""
    glided = ODDS.glided if m.cause is MovementCause.UNSEEN or has_glided(m.followed) else 0.0
    turn = ODDS.in_turn if is_in_turn else ODDS.out_of_turn
    return aim_at(m) + glided + turn - odds_of_return(m)


def aim_at(m: Movement) -> float:
    """Weigh how long something waited beside the cap before it set off; 0 where that was not seen."""
    if m.history is None:
        return ODDS.aimed
    waited_s = m.history.waited_s(m.followed.t_start_s)
    if waited_s >= ODDS.least_aim_s:
        return ODDS.aimed
    if m.history.cover_s(m.followed.t_start_s) < ODDS.least_cover_s:
        return 0.0
    return ODDS.hardly_aimed if waited_s > ODDS.most_came_s else ODDS.not_aimed


def odds_of_return(m: Movement) -> float:
    """Weigh whether a cap was put back where it lay before it was moved to where this way began.

    A shot ends anywhere within twice its way, or where all shots at that target do, and so near by chance only.
    """
    if not (m.is_measured and m.past_mm):
        return 0.0
    apart_mm = float(np.hypot(*(np.array(m.past_mm) - m.call.xy_mm).T).min())
    within_mm = 2 * min(m.way_mm, ODDS.spread_mm)
    return max(2 * float(np.log(within_mm / (2 * ODDS.back_mm))) - (apart_mm / ODDS.back_mm) ** 2 / 2, 0.0)
