"""From the ways of the caps that moved to what is told: a shot with its hits, or a cap placed by hand."""

from dataclasses import dataclass, replace

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.flights import has_glided
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.shooting import find_shooter, of_a_later_shot, shot_of
from linesies.vision.shots.shot_odds import AIMED, LEAST_BACK, NOTHING, SURE, aim_at, odds_of_return, odds_of_shot
from linesies.vision.shots.touching import touchers_among, with_pushers
from linesies.vision.values import Expectation, Placed, Shot


@dataclass(frozen=True)
class TellTuning(Tuning):
    """What a hand has done to a cap that it moved."""

    touch_diameters: float = tuned(
        1.2,
        title="a hand that shifts a cap by less has touched it, a shot by the book",
        unit="1",
        low=0.2,
        high=5,
        source=BY_HAND,
    )
    least_touch_mm: float = tuned(
        2.5, title="least shift by a hand that is told", unit="mm", low=0.5, high=20, source=BY_HAND
    )
    put_back_mm: float = tuned(
        5.0, title="within which of where it lay people put a cap back", unit="mm", low=1, high=30, source=BY_HAND
    )


TELL = TellTuning()

NOTHING_EXPECTED = Expectation()


def tell(
    moved: list[Movement], *, frame_s: float, t_end_s: float, expected: Expectation = NOTHING_EXPECTED
) -> tuple[Shot | Placed, ...]:
    """Tell what happened to the caps that moved, in order of time; who is `expected` to shoot settles a tie."""
    moved = with_pushers([m.timed() for m in moved], frame_s)
    touchers = touchers_among(moved, frame_s)
    later = of_a_later_shot(moved, touchers)
    if later:
        parts = ([m for m in moved if m not in later], later)
        ends_s = (max(m.followed.t_end_s for m in parts[0] if m.is_flown), t_end_s)
        return tuple(
            event
            for part, end_s in zip(parts, ends_s, strict=True)
            for event in tell(part, frame_s=frame_s, t_end_s=end_s, expected=expected)
        )
    shooter, is_sure = find_shooter(moved, expected.shooter, frame_s)
    told: list[Shot | Placed] = []
    if shooter is not None and (shot := _shot(shooter, shot_of(shooter, moved, touchers, t_end_s), expected)):
        told.append(replace(shot, is_shooter_certain=is_sure and shot.is_shooter_certain))
    for m in moved:
        is_in_shot = bool(told) and (m is shooter or m.is_flown or bool(touchers[m.player]))
        if not is_in_shot and _is_news(m, expected):
            told.append(_placed(m, t_end_s) if m.is_flown else _by_hand(m, t_end_s, expected))
    return tuple(sorted(told, key=lambda event: event.t_start_s))


def _shot(shooter: Movement, shot: Shot, expected: Expectation) -> Shot | None:
    """Say how sure it is that somebody shot, and whether he was seen to aim; None where nobody did."""
    odds = odds_of_shot(shooter, is_in_turn=expected.shooter in (None, shooter.player))
    is_aimed = aim_at(shooter) == AIMED
    if odds <= NOTHING:
        return None
    return replace(shot, is_aimed=is_aimed, is_shooter_certain=odds >= SURE or not is_aimed)


def _is_news(m: Movement, expected: Expectation) -> bool:
    """Tell whether people need to hear of a cap that nobody shot: not of one put back, unless it was to be."""
    is_moved = m.is_handled or m.cause is MovementCause.FLOWN
    if not (is_moved and m.is_measured) or m.way_mm < TELL.least_touch_mm:
        return False
    is_back = m.way_mm < TELL.put_back_mm or odds_of_return(m) >= LEAST_BACK
    return not is_back or m.player in expected.placing or m.player in expected.put_back


def _by_hand(m: Movement, t_end_s: float, expected: Expectation) -> Shot | Placed:
    """Tell of a cap that a hand moved: touched or shot under it, where its owner may be shooting, else put back."""
    is_touch = m.way_mm < TELL.touch_diameters * m.call.diameter_mm and expected.may_shoot(m.player)
    if not (is_touch or (expected.awaits_shot_of(m.player) and m.track is not None and has_glided(m.track))):
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
