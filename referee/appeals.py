"""Appeals: a player has a call looked at again, on his own account.

The referee's own phone decides, or else more than half of the others. Who was right keeps the appeal; a wrong one is
used up, and may cost the next turn, as the house has it. Where the others are split, the call stands and nothing is
lost. Each appeal, each voice and the outcome is an order in the journal; the rules hear only of what follows from it.
"""

from typing import Any

from msgspec import UNSET, structs

from linesies.games import GAMES
from linesies.referee.agreement import APPEAL, Motion
from linesies.referee.game_orders import complete_on_game
from linesies.referee.house import house_of
from linesies.referee.orders import LONGEST_WHY, Amend, Appeal, Undo
from linesies.referee.rights import still_in
from linesies.referee.rows import Ordered
from linesies.referee.saying import Saying
from linesies.referee.story import Story
from linesies.rules import Json

NOTHING, TURN = "nothing", "turn"  # what a wrong one costs, at least and at most
UPHELD, STANDS, SPLIT = "upheld", "stands", "split"


def appeals_left(story: Story) -> dict[str, int]:
    """Tell how many appeals each player has left."""
    house = house_of(story)
    lost = [appeal["by"] for appeal in story.appeals if appeal["is_lost"]]
    return {player: max(0, house.each - lost.count(player)) for player in story.players}


def new_appeal(order: Appeal, story: Story, player: str | None) -> Ordered | Saying:
    """Complete an appeal with who is asked, or say why there is none."""
    if player is None:
        return Saying("player_appeals")
    entry = None if order.about is None else story.entry(order.about)
    if entry is None or entry.event is None:
        return Saying("no_call")
    if not appeals_left(story).get(player):
        return Saying("no_appeal_left", {"player": player})
    before = [appeal["by"] for appeal in story.appeals if appeal["about"] == entry.row]
    if player in before or any(motion.is_appeal and motion.order.about == entry.row for motion in story.motions):
        return Saying("appealed_already")
    return Ordered(
        order=APPEAL,
        about=entry.row,
        event=order.event,
        asked=still_in(story),
        agreed=(player,),
        why=order.why[:LONGEST_WHY],
    )


def judge_appeal(motion: Motion, story: Story, player: str | None, *, is_for: bool) -> Ordered | Saying:
    """Take somebody's word on an appeal: the referee's decides, a player's is one among the others'."""
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    outcome: str | None = UPHELD if is_for else STANDS
    if player is not None:
        yes, no = _voices(motion, player, is_for=is_for)
        outcome = _outcome_of(motion, yes, no)
    said = structs.replace(motion.order, motion=motion.row, agreed=yes, declined=no)
    if outcome is None:
        return structs.replace(said, asked=motion.asked)
    ended = {"motion": motion.row, "agreed": yes, "declined": no, "appeal": _decided(motion, outcome, story)}
    if outcome != UPHELD:
        return structs.replace(Ordered(order="deny", about=said.about, why=said.why), **ended)
    event = None if said.event is UNSET else said.event
    right = (
        Undo(about=said.about, why=said.why) if event is None else Amend(about=said.about, event=event, why=said.why)
    )
    told = complete_on_game(right, story)
    return told if isinstance(told, Saying) else structs.replace(told, **ended)


def _voices(motion: Motion, player: str, *, is_for: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """List who is for an appeal and who against it, once this player has said so; he may change his mind."""
    yes = tuple(name for name in motion.agreed if name != player) + ((player,) if is_for else ())
    no = tuple(name for name in motion.declined if name != player) + (() if is_for else (player,))
    return yes, no


def _outcome_of(motion: Motion, yes: tuple[str, ...], no: tuple[str, ...]) -> str | None:
    """Tell how the others have decided, None while that is open; who appeals has no voice."""
    others = [name for name in motion.asked if name != motion.agreed[0]]
    if 2 * (len(yes) - 1) > len(others):
        return UPHELD
    if 2 * len(no) > len(others):
        return STANDS
    return SPLIT if len(yes) - 1 + len(no) >= len(others) else None


def _decided(motion: Motion, outcome: str, story: Story) -> dict[str, Any]:
    """Write what an outcome means for who appealed."""
    by, wrong = motion.agreed[0], house_of(story).wrong
    is_wrong = outcome == STANDS
    has_cost = is_wrong and wrong == TURN and penalty(story, by) is not None
    return {"by": by, "outcome": outcome, "is_lost": is_wrong and wrong != NOTHING, "costs_turn": has_cost}


def penalty(story: Story, player: str) -> Json | None:
    """Give the event by which a player loses his next turn, None where the game knows no such thing."""
    costs = GAMES[story.game_name].penalty if story.start is not None else None
    if costs is None or player not in still_in(story):
        return None
    event = costs(next(one for one in story.standing["players"] if one["name"] == player))
    return None if event is None else dict(event)
