"""From the ways of the caps that moved to what is told: a shot with its hits, or a cap placed by hand."""

from dataclasses import replace

from linesies.vision.shots.contacts import touchers_among
from linesies.vision.shots.handling import told_of
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.shooting import find_shooter, of_a_later_shot, shot_of
from linesies.vision.shots.shot_odds import weighed
from linesies.vision.shots.touching import with_pushers
from linesies.vision.values import Expectation, Placed, Shot

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
        ends_s = (max(m.followed.t_end_s for m in parts[0] if m.is_seen_flying), t_end_s)
        return tuple(
            event
            for part, end_s in zip(parts, ends_s, strict=True)
            for event in tell(part, frame_s=frame_s, t_end_s=end_s, expected=expected)
        )
    shooter, is_sure = find_shooter(moved, expected.shooter, frame_s)
    told: list[Shot | Placed] = []
    if shooter is not None and (shot := weighed(shooter, shot_of(shooter, moved, touchers, t_end_s), expected)):
        told.append(replace(shot, is_shooter_certain=is_sure and shooter.is_sure and shot.is_shooter_certain))
    has_shot = bool(told)
    for m in moved:
        is_in_shot = has_shot and (m is shooter or m.is_flown or bool(touchers[m.player]))
        if not is_in_shot and (event := told_of(m, t_end_s, expected)):
            told.append(event)
    return tuple(sorted(told, key=lambda event: event.t_start_s))
