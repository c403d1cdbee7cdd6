"""Correcting: what becomes of a story once an entry is read as something else, or one that was missed is put in.

Pure; orders and previews ask it.
"""

from dataclasses import dataclass

from linesies.referee.entries import Entry, Json, Reading
from linesies.referee.story import Story, inserted, reread


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A story told again: how the corrected entry is ruled on now, and which others are ruled on otherwise."""

    story: Story
    entry: Entry
    changed: tuple[Entry, ...]


def correct(story: Story, entry: Entry, event: Json | None, row: int) -> Corrected:
    """Read an entry as another event, or as none, as the row of that number says."""
    return _compared(story, reread(story, entry, Reading(row=row, event=event)), entry.row)


def insert(story: Story, before: Entry, event: Json, row: int) -> Corrected:
    """Put an event that was missed before an entry, as the row of that number says."""
    missed = Entry(row=row, at_s=before.at_s, origin="", about=row, readings=(Reading(row=row, event=event),))
    return _compared(story, inserted(story, missed, before), row)


def _compared(story: Story, told: Story, row: int) -> Corrected:
    before = {one.row: (one.rulings, one.refused) for one in story.entries}
    others = [one for one in told.entries if one.row != row]
    return Corrected(
        story=told,
        entry=next(one for one in told.entries if one.row == row),
        changed=tuple(one for one in others if (one.rulings, one.refused) != before[one.row]),
    )
