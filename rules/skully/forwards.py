"""From 2 forwards to going for killer (3.2.2): boxes by shooting and by bonuses, then another shot."""

from linesies.rules.skully.board import BOX_OF, TRAPEZOIDS, target_after
from linesies.rules.skully.bonuses import additive, hitting_bonus, pipsies
from linesies.rules.skully.hits import MovedVictim, box_made, effects
from linesies.rules.skully.play import Play
from linesies.rules.skully.skull import stuck_in_skull
from linesies.rules.skully.state import PlacingDue, Player
from linesies.rules.skully.turns import end_turn, shoot_again


def shot_for_a_box(play: Play, shooter: Player, hits: list[MovedVictim], rest: str) -> None:
    """3.2.2, 3.2.0, Forwards, Backwards: a box is obtained by shooting into it, entirely, or by bonuses.

    Decision: a cap that another one threw into its box in the same shot was shot in, too.
    """
    shot_in, bonuses = 0, 0
    if rest == BOX_OF[shooter.going_for]:
        box_made(play, shooter.name, shooter.going_for, by="shot")
        shot_in, bonuses = 1, pipsies(play, shooter)
    for hit in hits:
        bonuses += hitting_bonus(play, shooter, hit)
        effects(play, shooter.name, hit)
    if shot_in or bonuses:
        box_obtained(play, shooter, additive(play, shooter, shot_in, bonuses), rest)
        shoot_again(play, shooter.name)
    elif rest in TRAPEZOIDS:
        stuck_in_skull(play, shooter.name)
        end_turn(play, "stuck")
    else:
        end_turn(play, "miss")


def box_obtained(play: Play, shooter: Player, target: str, rest: str) -> None:
    """3.2.2: he moves up; a cap that does not lie entirely in the box obtained is picked up and placed there.

    Decision: so a bonus lifts him out of the skull, too.
    """
    box = BOX_OF[target]
    lies_there = rest == box
    play.change(
        shooter.name,
        made=target,
        going_for=target_after(target),
        at=rest if lies_there else "hand",
        home=box if lies_there else None,
    )
    if not lies_there:
        play.awaiting.append(PlacingDue(shooter.name, box))
