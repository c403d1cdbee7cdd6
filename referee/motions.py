"""Motions: a player moves what he may not do alone; those asked agree or are against it. The referee agrees for all."""

from msgspec import structs

from linesies.referee.agreement import Motion
from linesies.referee.appeals import judge_appeal
from linesies.referee.game_orders import complete_on_game
from linesies.referee.orders import LONGEST_WHY, Acting, Agree, Amend, Decline, Happened, Insert, Redo, Settle, Undo
from linesies.referee.rights import asked_for, is_for_referee, needed
from linesies.referee.rows import Ordered
from linesies.referee.saying import Saying
from linesies.referee.story import Story


def move(order: Ordered, story: Story, player: str) -> Ordered | Saying:
    """Let a player's order act if it is his own; else see who agrees to it: he, and whoever moved the same."""
    if any(held.row == order.settles and is_for_referee(held, story) for held in story.held):
        return Saying("referee_settles")
    asked = asked_for(order, player, story)
    if not asked:
        return order
    new = Motion(row=0, at_s=0.0, order=order, asked=asked, agreed=())
    same = next((motion for motion in story.motions if motion.essence == new.essence), new)
    return same.with_consent(player, needed(order.settles, same.asked, story))


def answer(order: Agree | Decline, story: Story, player: str | None) -> Ordered | Saying:
    """Complete what a player, or the referee (None), says to a motion; or say why it makes no sense."""
    motion = next((one for one in story.motions if one.row == order.about), None)
    if motion is None:
        return Saying("nobody_waits")
    if player is not None and player not in motion.asked:
        return Saying("not_asked", {"player": player, "asked": list(motion.asked)})
    is_for = isinstance(order, Agree)
    if motion.is_appeal and player != motion.agreed[0]:
        return judge_appeal(motion, story, player, is_for=is_for)
    if isinstance(order, Decline):
        return Ordered(order="decline", about=motion.row, why=order.why[:LONGEST_WHY])
    return Saying("others_decide") if motion.is_appeal else _agreed(motion, story, player)


def _agreed(motion: Motion, story: Story, player: str | None) -> Ordered | Saying:
    """Agree to what was moved, if it still makes sense."""
    fits = complete_on_game(_as_order(motion.order), story)
    if isinstance(fits, Saying):
        return fits
    if player is None:
        return structs.replace(fits, motion=motion.row)
    return motion.with_consent(player, needed(motion.order.settles, motion.asked, story))


def _as_order(told: Ordered) -> Acting:
    """Give a motion's order as it was before it was completed, to be completed anew."""
    match told.order:
        case "settle":
            return Settle(about=told.about, event=told.event, why=told.why)
        case "amend":
            return Amend(about=told.about, event=told.event, why=told.why)
        case "insert":
            return Insert(about=told.about, event=told.event, why=told.why)
        case "undo":
            return Undo(about=told.about, why=told.why)
        case "redo":
            return Redo(about=told.about, why=told.why)
        case _:
            return Happened(event=told.event, why=told.why)
