"""What is new in a story since a row: so a phone that comes back gets what it missed, and no more."""

from dataclasses import dataclass
from typing import Any

Story = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A story with the row at which each part and each entry last changed; nothing is known up to `since`."""

    row: int
    since: int
    parts: dict[str, tuple[int, Any]]
    entries: dict[int, tuple[int, Any]]


def dated(story: Story) -> Dated:
    """Date a story when no earlier one is known: all of it is as new as its last row."""
    return _dated(story, since=story["row"], known=None)


def updated(known: Dated, story: Story) -> Dated:
    """Date what differs from the known story by the new one's row; begin anew if it is another game's or journal's."""
    is_another = "start_row" in known.parts and known.parts["start_row"][1] != story.get("start_row")
    rows = {entry["row"] for entry in story["entries"]}
    first = min(rows, default=0)
    has_lost_entries = any(row not in rows for row in known.entries if row >= first)
    if is_another or story["row"] < known.row or has_lost_entries:
        return dated(story)
    return _dated(story, since=known.since, known=known)


def news(story: Dated, after: int | None) -> Story:
    """Write what changed after that row, marked `whole` where it replaces all that the reader has."""
    is_whole = after is None or not story.since <= after <= story.row
    floor = -1 if is_whole or after is None else after
    parts = {name: value for name, (row, value) in story.parts.items() if row > floor}
    entries = [entry for row, entry in story.entries.values() if row > floor]
    return {"row": story.row, "whole": is_whole, **parts, "entries": entries}


def _dated(story: Story, *, since: int, known: Dated | None) -> Dated:
    row = story["row"]
    old_parts = {} if known is None else known.parts
    old_entries = {} if known is None else known.entries
    parts = {name: value for name, value in story.items() if name not in {"row", "entries"}}
    return Dated(
        row=row,
        since=since,
        parts={name: _date(old_parts.get(name), value, row) for name, value in parts.items()},
        entries={entry["row"]: _date(old_entries.get(entry["row"]), entry, row) for entry in story["entries"]},
    )


def _date(old: tuple[int, Any] | None, value: Any, row: int) -> tuple[int, Any]:
    return old if old is not None and old[1] == value else (row, value)
