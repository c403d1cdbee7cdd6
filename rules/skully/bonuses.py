"""Game bonuses (3.3): what a shot earns beside the box that it was shot into."""

from linesies.rules.skully.board import BOX_OF, GOING_FOR_KILLER, PATH, STEP, TRAPEZOIDS
from linesies.rules.skully.hits import MovedVictim
from linesies.rules.skully.play import Play
from linesies.rules.skully.state import Player


def pipsies(play: Play, shooter: Player) -> int:
    """3.3.2, Pipsies: shot into the box from his current box in one shot; not for 1 forwards nor going for killer.

    Decision: his current box is where he stands, however he got there, by hand, by a hit or by an earlier miss;
    only the start line and the killer process are excluded.
    """
    boxes = play.options.pipsies
    if not boxes or shooter.made is None or shooter.going_for == GOING_FOR_KILLER:
        return 0
    if BOX_OF[shooter.made] not in (shooter.at, shooter.home):
        return 0
    play.say("pipsies", "3.3.2", player=shooter.name, boxes=boxes)
    return boxes


def hitting_bonus(play: Play, shooter: Player, hit: MovedVictim) -> int:
    """3.3.1: a victim earns the shooter the number of the trapezoid it left, two if hit into its box, else one.

    Decision: each award replaces the plain one; out of the skull and into its box, both add up.
    """
    boxes = skull_hit(play, shooter, hit) + hit_into_target(play, shooter, hit)
    return boxes or hit_bonus(play, shooter, hit)


def skull_hit(play: Play, shooter: Player, hit: MovedVictim) -> int:
    """3.3.1: out of the skull, or from one of its boxes to another, earns the number within the box it was in."""
    if not hit.has_left_trapezoid or hit.trapezoid is None:
        return 0
    boxes = play.options.skull_numbers[TRAPEZOIDS.index(hit.trapezoid)]
    play.say("skull_hit", "3.3.1", player=shooter.name, victim=hit.victim.name, boxes=boxes, **{"from": hit.trapezoid})
    return boxes


def hit_into_target(play: Play, shooter: Player, hit: MovedVictim) -> int:
    """3.3.1: a victim hit into the box that it goes for earns two."""
    if not hit.gains_target:
        return 0
    box = hit.victim.going_for
    play.say("hit_into_target", "3.3.1", player=shooter.name, victim=hit.victim.name, boxes=2, box=box)
    return 2


def hit_bonus(play: Play, shooter: Player, hit: MovedVictim) -> int:
    """3.3.1: any other hit earns one; decision: also one that moves its victim on within its own trapezoid."""
    play.say("hit_bonus", "3.3.1", player=shooter.name, victim=hit.victim.name, boxes=1)
    return 1


def additive(play: Play, shooter: Player, shot_in: int, bonuses: int) -> str:
    """3.3.3: bonuses add up; the name of the last target obtained. Decision: what goes beyond 13 for killer is lost."""
    last = STEP[shooter.going_for] + shot_in + bonuses - 1
    lost = max(0, last - STEP[GOING_FOR_KILLER])
    target = PATH[last - lost]
    if bonuses:
        play.say("box_awarded", "3.3.3", player=shooter.name, box=target, boxes=bonuses, lost=lost)
    return target
