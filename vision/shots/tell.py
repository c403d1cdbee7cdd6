"""From the ways of the caps that moved to what is told: a shot with its hits, or a cap placed by hand."""

from dataclasses import replace

from linesies.vision.shots.flights import has_glided
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.shooting import find_shooter, of_a_later_shot, shot_of
from linesies.vision.shots.touching import touchers_among, with_pushers
from linesies.vision.values import Expectation, Placed, Shot

TOUCH_DIAMETERS = 1.2  # a hand that shifts a cap by less has touched it: a shot by the book
LEAST_TOUCH_MM = 2.5
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
    if shooter is not None:
        told.append(replace(shot_of(shooter, moved, touchers, t_end_s), is_shooter_certain=is_sure))
    for m in moved:
        is_in_shot = shooter is not None and (m is shooter or m.is_flown or touchers[m.player])
        if m.is_handled and not is_in_shot and m.way_mm >= LEAST_TOUCH_MM and m.is_measured:
            told.append(_by_hand(m, t_end_s, expected))
    return tuple(sorted(told, key=lambda event: event.t_start_s))


def _by_hand(m: Movement, t_end_s: float, expected: Expectation) -> Shot | Placed:
    """Tell of a cap that a hand moved: touched or shot under it, where its owner may be shooting, else put back."""
    start_s = m.followed.t_start_s if m.track is not None else t_end_s
    end_s = m.followed.t_end_s if m.track is not None else t_end_s
    is_touch = m.way_mm < TOUCH_DIAMETERS * m.call.diameter_mm and expected.may_shoot(m.player)
    if is_touch or (expected.awaits_shot_of(m.player) and m.track is not None and has_glided(m.track)):
        return Shot(
            player=m.player, hits=(), calls=(m.call,), t_start_s=start_s, t_end_s=end_s, is_shooter_certain=False
        )
    return Placed(player=m.player, call=m.call, t_start_s=start_s, t_end_s=end_s)
