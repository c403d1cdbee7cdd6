"""What is told of a cap that no shot moved: a hand has put it down or touched it, or nothing at all."""

from dataclasses import dataclass

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.flights import has_glided
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.shot_odds import ODDS, odds_of_return
from linesies.vision.values import Expectation, Placed, Shot


@dataclass(frozen=True)
class HandlingTuning(Tuning):
    """What a hand has done to a cap that it moved."""

    touch_diameters: float = tuned(
        1.2,
        title="a hand that shifts a cap by less has touched it, a shot by the book",
        unit="1",
        low=0.2,
        high=5,
        source=by_hand_in("9d3b1db"),
    )
    hidden_diameters: float = tuned(
        2.5,
        title="a hand that shifts the cap of whoever can but shoot by less may have shot it, all the way hidden",
        unit="1",
        low=0.5,
        high=6,
        source="by hand: a shot by 33 mm of a crown of 26 mm was told as put down (simulated street 988081); beyond the"
        " breadth of a hand a cap comes to light",
    )
    least_touch_mm: float = tuned(
        2.5, title="least shift by a hand that is told", unit="mm", low=0.5, high=20, source=by_hand_in("9d3b1db")
    )
    put_back_mm: float = tuned(
        5.0,
        title="within which of where it lay people put a cap back",
        unit="mm",
        low=1,
        high=30,
        source=by_hand_in("741de18"),
    )


HANDLING = HandlingTuning()


def told_of(m: Movement, t_end_s: float, expected: Expectation) -> Shot | Placed | None:
    """Tell of a cap that no shot moved; None where people need not hear of it."""
    if not _is_news(m, expected):
        return None
    return _placed(m, t_end_s) if m.is_seen_flying else _by_hand(m, t_end_s, expected)


def _is_news(m: Movement, expected: Expectation) -> bool:
    """Tell whether people need to hear of a cap that nobody shot: not of one put back, unless it was to be."""
    is_moved = m.is_handled or (m.is_flown and not m.has_left_view)
    if not (is_moved and m.is_measured) or m.way_mm < HANDLING.least_touch_mm:
        return False
    is_back = m.way_mm < HANDLING.put_back_mm or odds_of_return(m) >= ODDS.least_back
    return not is_back or m.player in expected.placing or m.player in expected.put_back


def _by_hand(m: Movement, t_end_s: float, expected: Expectation) -> Shot | Placed:
    """Tell of a cap that a hand moved, or nobody saw go: touched or shot, where its owner may be, else put back."""
    way_diameters = m.way_mm / m.call.diameter_mm
    is_touch = way_diameters < HANDLING.touch_diameters and expected.may_shoot(m.player)
    has_flown = m.is_flown or (m.track is not None and has_glided(m.track))
    may_have_flown = has_flown or way_diameters < HANDLING.hidden_diameters
    if not (is_touch or (expected.awaits_shot_of(m.player) and may_have_flown)):
        return _placed(m, t_end_s)
    start_s, end_s = _times_s(m, t_end_s)
    return Shot(
        player=m.player,
        hits=(),
        calls=(m.call,),
        t_start_s=start_s,
        t_end_s=end_s,
        is_shooter_certain=False,
        from_mm=m.from_mm,
    )


def _placed(m: Movement, t_end_s: float) -> Placed:
    start_s, end_s = _times_s(m, t_end_s)
    return Placed(player=m.player, call=m.call, t_start_s=start_s, t_end_s=end_s)


def _times_s(m: Movement, t_end_s: float) -> tuple[float, float]:
    """Tell when it was moved; of a cap that was not followed, only when all was at rest again."""
    return (t_end_s, t_end_s) if m.track is None else (m.track.t_start_s, m.track.t_end_s)
