"""Completing orders: each is checked against the story, and told as fully as the journal is to have it.

What a player may not do alone is completed with who is `asked` and who has `agreed`; somebody's *agree* or *decline*
answers it, and the order by which the last one agrees is the order itself. A player's appeal is answered the same way;
once it is decided, the order is the correction itself, or *deny*: see `appeals`.
"""

from collections.abc import Sequence

from msgspec import UNSET, structs

from linesies.referee.agreement import Motion, agreed, moved
from linesies.referee.appeals import STANDS, UPHELD, decided, is_appeal, new_appeal, outcome_of, voices
from linesies.referee.doubt import DO_OVER
from linesies.referee.entries import Entry
from linesies.referee.orders import (
    LONGEST_WHY,
    Acting,
    Agree,
    Amend,
    AnyOrder,
    Appeal,
    Correction,
    Decline,
    Happened,
    OwnersOrder,
    Redo,
    Settle,
    Undo,
)
from linesies.referee.owner_orders import complete_owners
from linesies.referee.rights import asked_for, needed
from linesies.referee.rows import Ordered
from linesies.referee.saying import Saying
from linesies.referee.story import Story


def complete(order: AnyOrder, story: Story, player: str | None) -> Ordered | Saying:
    """Complete an order given by a player, or by somebody who needs no agreement (None); or say why it makes no sense.

    Without `asked` it acts at once.
    """
    if isinstance(order, OwnersOrder):
        return complete_owners(order, story) if player is None else Saying("referee_only")
    if story.start is None:
        return Saying("no_game")
    if isinstance(order, Agree | Decline):
        return _answered(order, story, player)
    if isinstance(order, Appeal):
        return new_appeal(order, story, player)
    told = _acting(order, story)
    if isinstance(told, Saying) or player is None:
        return told
    return _moved(told, story, player)


def _moved(order: Ordered, story: Story, player: str) -> Ordered:
    """Let a player's order act if it is his own; else see who has agreed to it, himself included."""
    asked = asked_for(order, player, story)
    if not asked:
        return order
    return moved(order, story.motions, player, asked=asked, needed=needed(order.settles, asked, story))


def _acting(order: Acting, story: Story) -> Ordered | Saying:
    """Complete an order on the game with the rows that it is about."""
    told: Ordered | Saying
    match order:
        case Happened():
            told = _happened(order, story)
        case Settle():
            told = _settled(order, story)
        case _:
            told = _corrected(order, story)
    return told if isinstance(told, Saying) else structs.replace(told, why=order.why[:LONGEST_WHY])


def _happened(order: Happened, story: Story) -> Ordered:
    """Take what people report; a do-over while a question waits answers it: the shot was taken, and is done over."""
    if order.event.get("event") == "do_over" and story.pending:
        held = story.pending[0]
        return Ordered(order="settle", about=held.question.row, settles=held.row, event=DO_OVER)
    return Ordered(order="event", event=order.event)


def _settled(order: Settle, story: Story) -> Ordered | Saying:
    found = [held for held in story.pending if order.about in (None, held.row, held.question.row)]
    if not found:
        return Saying("settled_already")
    proposal = found[0].question
    event = proposal.answers[0]["event"] if order.event is None else order.event
    return Ordered(order="settle", about=proposal.row, settles=found[0].row, event=event)


def _corrected(order: Correction, story: Story) -> Ordered | Saying:
    entry = _meant(order, story)
    if isinstance(entry, Saying):
        return entry
    match order:
        case Amend():
            return Ordered(order="amend", about=entry.row, event=order.event)
        case Undo():
            undone = Saying("undone_already", why=f"row {entry.row}")
            return undone if entry.event is None else Ordered(order="undo", about=entry.row, event=None)
        case Redo():
            is_undone = entry.event is None
            kept = Saying("not_undone", why=f"row {entry.row}")
            return Ordered(order="redo", about=entry.row, event=entry.readings[-2].event) if is_undone else kept


def _meant(order: Correction, story: Story) -> Entry | Saying:
    """Find the entry that a correction is about: the one that it names, or the newest that it can be about."""
    if order.about is None:
        likely = _likely(order, story)
        return likely[-1] if likely else Saying("nothing_there")
    return story.entry(order.about) or Saying("nothing_there", why=f"at row {order.about}")


def _likely(order: Correction, story: Story) -> Sequence[Entry]:
    if isinstance(order, Amend):
        return story.entries
    if isinstance(order, Undo):
        return [entry for entry in story.entries if entry.is_effective]
    return sorted((e for e in story.entries if e.event is None), key=lambda entry: entry.readings[-1].row)


def _answered(order: Agree | Decline, story: Story, player: str | None) -> Ordered | Saying:
    """Agree to what somebody moved, or decline it; the referee agrees for all."""
    motion = next((one for one in story.motions if one.row == order.about), None)
    if motion is None:
        return Saying("nobody_waits")
    if player is not None and player not in motion.asked:
        return Saying("not_asked", {"player": player, "asked": list(motion.asked)})
    is_for = isinstance(order, Agree)
    if is_appeal(motion) and player != motion.agreed[0]:
        return _judged(motion, story, player, is_for=is_for)
    if isinstance(order, Decline):
        return Ordered(order="decline", about=motion.row, why=order.why[:LONGEST_WHY])
    return Saying("others_decide") if is_appeal(motion) else _agreed(motion, story, player)


def _agreed(motion: Motion, story: Story, player: str | None) -> Ordered | Saying:
    """Agree to what was moved, if it still makes sense."""
    fits = _acting(_as_order(motion.order), story)
    if isinstance(fits, Saying):
        return fits
    if player is None:
        return structs.replace(fits, motion=motion.row)
    return agreed(motion, player, needed(motion.order.settles, motion.asked, story))


def _judged(motion: Motion, story: Story, player: str | None, *, is_for: bool) -> Ordered | Saying:
    """Take somebody's word on an appeal: the referee's decides, a player's is one among the others'."""
    yes, no = ((), ()) if player is None else voices(motion, player, is_for=is_for)
    outcome = (UPHELD if is_for else STANDS) if player is None else outcome_of(motion, yes, no)
    said = structs.replace(motion.order, motion=motion.row, agreed=yes, declined=no)
    if outcome is None:
        return structs.replace(said, asked=motion.asked)
    ended = {"motion": motion.row, "agreed": yes, "declined": no, "appeal": decided(motion, outcome, story)}
    if outcome != UPHELD:
        return structs.replace(Ordered(order="deny", about=said.about, why=said.why), **ended)
    event = None if said.event is UNSET else said.event
    right = (
        Undo(about=said.about, why=said.why) if event is None else Amend(about=said.about, event=event, why=said.why)
    )
    told = _acting(right, story)
    return told if isinstance(told, Saying) else structs.replace(told, **ended)


def _as_order(told: Ordered) -> Acting:
    """Give a motion's order as it was before it was completed, to be completed anew."""
    match told.order:
        case "settle":
            return Settle(about=told.about, event=told.event, why=told.why)
        case "amend":
            return Amend(about=told.about, event=told.event, why=told.why)
        case "undo":
            return Undo(about=told.about, why=told.why)
        case "redo":
            return Redo(about=told.about, why=told.why)
        case _:
            return Happened(event=told.event, why=told.why)
