"""Orders from people: checked against the story, and completed so that the journal says all that is meant.

An order is {"order": "event" | "settle" | "amend" | "undo" | "redo", "about": row, "event": {...}, "why": text}.
Without `about`, settle means the oldest question, undo the last entry that counts, redo the last one undone;
a settle without `event` takes the likeliest answer, as the confirm button does.

What a player may not do alone is completed with who is `asked` and who has `agreed`; {"order": "agree" | "decline",
"about": row} answers it, and the order by which the last one agrees is the order itself. A player's appeal {"order":
"appeal", "about": row, "event": {...}} is answered the same way; once it is decided, the order is the correction
itself, or {"order": "deny"}: see `appeals`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from linesies.referee.agreement import Motion, player_of
from linesies.referee.appeals import APPEAL, STANDS, UPHELD, decided, is_appeal, new_appeal, outcome_of, voices
from linesies.referee.doubt import DO_OVER
from linesies.referee.owner_orders import CHECKS as HOUSEKEEPING
from linesies.referee.owner_orders import NotNow, check_housekeeping
from linesies.referee.rights import asked_for, needed
from linesies.referee.saying import Saying, Unheeded
from linesies.referee.story import Entry, Held, Story

LONGEST_WHY = 300
ANSWERS = ("agree", "decline")


class BadOrder(Unheeded):
    """An order that makes no sense now; `saying` says why."""


def check_order(order: Any, story: Story, origin: str = "") -> dict[str, Any]:
    """Complete an order with the rows that it acts on and, from a player, with whose agreement it has; raises BadOrder.

    Without `asked` it acts at once.
    """
    kind = order.get("order") if isinstance(order, dict) else None
    known = (*_CHECKS, *ANSWERS, APPEAL, *HOUSEKEEPING)
    if not isinstance(kind, str) or kind not in known:
        raise BadOrder(Saying("not_understood", why=f'"order" must be one of {", ".join(known)}'))
    player = player_of(origin)
    if kind in HOUSEKEEPING:
        return _housekeeping(order, story, player)
    if story.start is None:
        raise BadOrder(Saying("no_game"))
    if kind in ANSWERS:
        return _answer(order, story, player)
    if kind == APPEAL:
        return {**_fair(new_appeal(order, story, player)), **_why(order)}
    told = {**_completed(order, story), **_why(order)}
    return told if player is None else _moved(told, story, player)


def _housekeeping(order: Mapping[str, Any], story: Story, player: str | None) -> dict[str, Any]:
    if player is not None:
        raise BadOrder(Saying("referee_only"))
    try:
        return check_housekeeping(order, story)
    except NotNow as fault:
        raise BadOrder(fault.saying) from None


def _completed(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    return {"order": order["order"], **_CHECKS[order["order"]](order, story)}


def _why(order: Mapping[str, Any]) -> dict[str, str]:
    why = order.get("why")
    return {"why": why[:LONGEST_WHY]} if isinstance(why, str) and why else {}


def _moved(order: dict[str, Any], story: Story, player: str) -> dict[str, Any]:
    """Let a player's order act if it is his own; else see who has agreed to it, himself included."""
    asked = asked_for(order, player, story)
    if not asked:
        return order
    new = Motion(row=0, at_s=0.0, order=order, asked=asked, agreed=())
    same = next((motion for motion in story.motions if motion.essence == new.essence), new)
    return _agreed(same, player, story)


def _agreed(motion: Motion, player: str, story: Story) -> dict[str, Any]:
    after = motion.with_consent(player)
    known = {"motion": motion.row} if motion.row else {}
    if len(after.agreed) < needed(after.order, after.asked, story):
        return {**after.order, **known, "asked": list(after.asked), "agreed": list(after.agreed)}
    return {**after.order, **known, "agreed": list(after.agreed)}


def _answer(order: Mapping[str, Any], story: Story, player: str | None) -> dict[str, Any]:
    """Agree to what somebody moved, or decline it; the referee agrees for all."""
    motion = next((one for one in story.motions if one.row == order.get("about")), None)
    if motion is None:
        raise BadOrder(Saying("nobody_waits"))
    if player is not None and player not in motion.asked:
        raise BadOrder(Saying("not_asked", {"player": player, "asked": list(motion.asked)}))
    is_for = order["order"] == "agree"
    if is_appeal(motion) and player != motion.agreed[0]:
        return _judged(motion, story, player, is_for=is_for)
    if is_appeal(motion) and is_for:
        raise BadOrder(Saying("others_decide"))
    if order["order"] == "decline":
        return {"order": "decline", "about": motion.row, **_why(order)}
    fits = {**_completed(motion.order, story), **_why(motion.order)}
    if player is None:
        return {**fits, "motion": motion.row}
    return _agreed(motion, player, story)


def _judged(motion: Motion, story: Story, player: str | None, *, is_for: bool) -> dict[str, Any]:
    """Take somebody's word on an appeal: the referee's decides, a player's is one among the others'."""
    if player is None:
        outcome, said = (UPHELD if is_for else STANDS), {}
    else:
        yes, no = voices(motion, player, is_for=is_for)
        outcome, said = outcome_of(motion, yes, no), {"agreed": list(yes), "declined": list(no)}
    if outcome is None:
        return {**motion.order, "motion": motion.row, "asked": list(motion.asked), **said}
    told = {**_why(motion.order), "motion": motion.row, **said, APPEAL: decided(motion, outcome, story)}
    about = motion.order["about"]
    if outcome != UPHELD:
        return {"order": "deny", "about": about, **told}
    event = motion.order["event"]
    corrected = (
        {"order": "undo", "about": about} if event is None else {"order": "amend", "about": about, "event": event}
    )
    return {**_completed(corrected, story), **told}


def _fair(told: dict[str, Any] | Saying) -> dict[str, Any]:
    if isinstance(told, Saying):
        raise BadOrder(told)
    return told


def _event(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    event = _needed_event(order)
    if event.get("event") == "do_over" and story.pending:
        held = story.pending[0]
        return {"order": "settle", "about": held.proposal.row, "settles": held.row, "event": DO_OVER}
    return {"event": event}


def _settle(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    held = _asked(order.get("about"), story)
    event = _needed_event(order) if "event" in order else held.proposal.answers[0]["event"]
    return {"about": held.proposal.row, "settles": held.row, "event": event}


def _amend(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    entry = _meant(order.get("about"), story.entries[-1:], story, "amend")
    return {"about": entry.row, "event": _needed_event(order)}


def _undo(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    entry = _meant(order.get("about"), [e for e in story.entries if e.is_effective], story, "undo")
    if entry.event is None:
        raise BadOrder(Saying("undone_already", why=f"row {entry.row}"))
    return {"about": entry.row, "event": None}


def _redo(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    undone = sorted((e for e in story.entries if e.event is None), key=lambda e: e.readings[-1].row)
    entry = _meant(order.get("about"), undone, story, "redo")
    if entry.event is not None:
        raise BadOrder(Saying("not_undone", why=f"row {entry.row}"))
    return {"about": entry.row, "event": entry.readings[-2].event}


def _needed_event(order: Mapping[str, Any]) -> dict[str, Any]:
    event = order.get("event")
    if not isinstance(event, dict):
        raise BadOrder(Saying("not_understood", why='"event" must be an event of the game, like {"event": "do_over"}'))
    return event


def _asked(about: Any, story: Story) -> Held:
    found = [held for held in story.pending if about is None or about in (held.row, held.proposal.row)]
    if not found:
        raise BadOrder(Saying("settled_already"))
    return found[0]


def _meant(about: Any, likely: list[Entry] | tuple[Entry, ...], story: Story, verb: str) -> Entry:
    if about is None and likely:
        return likely[-1]
    entry = story.entry(about) if isinstance(about, int) else None
    if entry is None:
        raise BadOrder(Saying("nothing_there", why=f"{verb}{'' if about is None else f' at row {about}'}"))
    return entry


_CHECKS: Mapping[str, Callable[[Mapping[str, Any], Story], dict[str, Any]]] = {
    "event": _event,
    "settle": _settle,
    "amend": _amend,
    "undo": _undo,
    "redo": _redo,
}
