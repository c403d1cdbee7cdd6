"""What a correction would change, before it counts: the story is told with and without it, and standings compared."""

from collections.abc import Mapping
from typing import Any

from linesies.referee.entries import Entry, Reading
from linesies.referee.orders import Amend, AnyOrder, Redo, Undo, read_order
from linesies.referee.story import Story, reread

# of a player's public standing
SHOWN = ("at", "made", "going_for", "status", "skip", "score", "points", "hand", "tricks", "bid")


def preview(story: Story, order: Mapping[str, Any]) -> dict[str, Any] | None:
    """Tell whose standing a correction by the referee would change; pure, and only of what everybody may know.

    `players`: each with `before` and `after`, the fields that differ; `turn`: whose it was and would be; `entries`: how
    many later entries would be ruled on otherwise, and `out_of_turn`: how many of those become shots out of turn;
    `refused`: why the rules wouldn't have it, else None. Of any other order, and of one that makes no sense, None.
    """
    meant = _meant(story, read_order(dict(order)))
    if meant is None:
        return None
    entry, event = meant
    after = reread(story, entry, Reading(row=story.row + 1, event=event))
    read = next(one for one in after.entries if one.row == entry.row)
    late = [(was, now) for was, now in zip(story.entries, after.entries, strict=True) if now.row > entry.row]
    changed = [now for was, now in late if (was.rulings, was.refused) != (now.rulings, now.refused)]
    return {
        "players": _changes(story.standing, after.standing),
        "turn": [story.standing.get("turn"), after.standing.get("turn")],
        "entries": len(changed),
        "out_of_turn": sum(_is_out_of_turn(now) for now in changed),
        "refused": None if read.refused is None else read.refused["message"],
    }


def _meant(story: Story, order: AnyOrder | str) -> tuple[Entry, Any] | None:
    """Name the entry that a correction is about, and how it would be read."""
    if not isinstance(order, Amend | Undo | Redo) or order.about is None:
        return None
    entry = story.entry(order.about)
    if entry is None or isinstance(order, Redo) == (entry.event is not None):
        return None
    if isinstance(order, Amend):
        return entry, order.event
    return entry, None if isinstance(order, Undo) else entry.readings[-2].event


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    were = {player["name"]: player for player in before.get("players", ())}
    found = []
    for player in after.get("players", ()):
        was = were.get(player["name"], {})
        other = [key for key in SHOWN if was.get(key) != player.get(key)]
        if other:
            now = {key: player.get(key) for key in other}
            found.append({"name": player["name"], "before": {key: was.get(key) for key in other}, "after": now})
    return found


def _is_out_of_turn(entry: Entry) -> bool:
    return any(ruling.get("code") == "out_of_turn" for ruling in entry.rulings)
