"""Orders from people: checked against the story, and completed so that the journal says all that is meant.

An order is {"order": "event" | "settle" | "amend" | "undo" | "redo", "about": row, "event": {...}, "why": text}.
Without `about`, settle means the oldest question, undo the last entry that counts, redo the last one undone;
a settle without `event` takes the likeliest answer, as the confirm button does.
"""

from collections.abc import Callable, Mapping
from typing import Any

from device.errors import DeviceError
from device.journal.doubt import DO_OVER
from device.journal.story import Entry, Held, Story

LONGEST_WHY = 300


class BadOrder(DeviceError, ValueError):  # noqa: N818 - the name says whose fault it is
    """An order that makes no sense now; the text says why and what can be ordered instead."""


def check_order(order: Any, story: Story) -> dict[str, Any]:
    """Complete an order with the rows that it acts on; raises BadOrder."""
    check = _CHECKS.get(order.get("order")) if isinstance(order, dict) and isinstance(order.get("order"), str) else None
    if check is None:
        raise BadOrder(f'"order" must be one of {", ".join(_CHECKS)}')
    if story.start is None:
        raise BadOrder("no game has begun; orders are taken once one has")
    why = order.get("why")
    told = {"why": why[:LONGEST_WHY]} if isinstance(why, str) and why else {}
    return {"order": order["order"], **check(order, story), **told}


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
        raise BadOrder(f"row {entry.row} is undone already; redo takes that back")
    return {"about": entry.row, "event": None}


def _redo(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    undone = sorted((e for e in story.entries if e.event is None), key=lambda e: e.readings[-1].row)
    entry = _meant(order.get("about"), undone, story, "redo")
    if entry.event is not None:
        raise BadOrder(f"row {entry.row} is not undone; there is nothing to take back")
    return {"about": entry.row, "event": entry.readings[-2].event}


def _needed_event(order: Mapping[str, Any]) -> dict[str, Any]:
    event = order.get("event")
    if not isinstance(event, dict):
        raise BadOrder('"event" must be an event of the game, like {"event": "do_over"}')
    return event


def _asked(about: Any, story: Story) -> Held:
    found = [held for held in story.pending if about is None or about in (held.row, held.proposal.row)]
    if not found:
        raise BadOrder("nothing waits to be settled there; it may have been settled already")
    return found[0]


def _meant(about: Any, likely: list[Entry] | tuple[Entry, ...], story: Story, verb: str) -> Entry:
    if about is None and likely:
        return likely[-1]
    entry = story.entry(about) if isinstance(about, int) else None
    if entry is None:
        raise BadOrder(f"there is nothing to {verb}{'' if about is None else f' at row {about}'}")
    return entry


_CHECKS: Mapping[str, Callable[[Mapping[str, Any], Story], dict[str, Any]]] = {
    "event": _event,
    "settle": _settle,
    "amend": _amend,
    "undo": _undo,
    "redo": _redo,
}
