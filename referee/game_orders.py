"""Completing orders on the game: each with the rows that it is about."""

from collections.abc import Sequence

from msgspec import structs

from linesies.games import HOUSE
from linesies.referee.entries import DO_OVER, Entry
from linesies.referee.names import LONGEST, is_name
from linesies.referee.orders import LONGEST_WHY, Acting, Amend, Correction, Happened, Insert, Redo, Settle, Undo
from linesies.referee.rows import Ordered
from linesies.referee.saying import Saying
from linesies.referee.seating import sitting_of
from linesies.referee.story import Story
from linesies.rules import Json


def complete_on_game(order: Acting, story: Story) -> Ordered | Saying:
    """Complete an order on the game with the rows that it is about, or say why it makes no sense."""
    told: Ordered | Saying
    match order:
        case Happened():
            told = _happened(order, story)
        case Settle():
            told = _settled(order, story)
        case _:
            told = _corrected(order, story)
    return told if isinstance(told, Saying) else structs.replace(told, why=order.why[:LONGEST_WHY])


def _happened(order: Happened, story: Story) -> Ordered | Saying:
    """Take what people report; a do-over while a question waits answers it: the shot was taken, and is done over."""
    if order.event.get("event") == "join":
        return _joining(order.event, story)
    if order.event.get("event") == "do_over" and story.pending:
        held = story.pending[0]
        return Ordered(order="settle", about=held.question.row, settles=held.row, event=DO_OVER)
    return Ordered(order="event", event=order.event)


def _joining(event: Json, story: Story) -> Ordered | Saying:
    """Give who joins the free seat of the mat in view, if there is one; without a mat he sits where he likes."""
    name, sitting = event.get("player"), sitting_of(story)
    if not isinstance(name, str) or not is_name(name):
        return Saying("bad_name", {"most": LONGEST})
    if not sitting.seats:
        return Ordered(order="event", event=event)
    if sitting.seat_for(name) is None:
        return Saying("no_seat")
    # rules from outside have a join of their own, which need not know behind whom somebody sits
    return Ordered(order="event", event=sitting.placed(event) if story.game_name in HOUSE else event)


def _settled(order: Settle, story: Story) -> Ordered | Saying:
    found = [held for held in story.pending if order.about in (None, held.row, held.question.row)]
    if not found:
        return Saying("settled_already")
    if found[0].is_blind and order.event is None:
        return Saying("say_which")
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
        case Insert():
            return Ordered(order="insert", about=entry.row, event=order.event)
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
    if isinstance(order, Amend | Insert):
        return story.entries
    if isinstance(order, Undo):
        return [entry for entry in story.entries if entry.is_effective]
    return sorted((e for e in story.entries if e.event is None), key=lambda entry: entry.readings[-1].row)
