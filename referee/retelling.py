"""Retelling: what becomes of a story once an entry is read as something else, or one that was missed is put in.

The rules are asked anew on that entry and on all after it, so that what no longer fits shows itself as refused. Pure;
orders, previews and the folding of what they led to ask it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from linesies.referee.entries import Entry, EntryReading, calls_of
from linesies.referee.outcomes import Outcome, rule_on
from linesies.referee.story import Retold, Story
from linesies.rules import Json


def correct(story: Story, entry: Entry, event: Json | None, row: int) -> Retold:
    """Read an entry as another event, or as none, as the row of that number says."""
    number = story.number_of(entry)
    read = replace(entry, readings=(*entry.readings, EntryReading(row=row, event=event)))
    told = told_anew(story, number, (read, *story.entries[number + 1 :]))
    return Retold(before=story, story=told, row=entry.row)


def insert(story: Story, before: Entry, event: Json, row: int) -> Retold:
    """Put an event that was missed before an entry, as the row of that number says."""
    number = story.number_of(before)
    missed = Entry(row=row, at_s=before.at_s, origin="", about=row, readings=(EntryReading(row=row, event=event),))
    return Retold(before=story, story=told_anew(story, number, (missed, *story.entries[number:])), row=row)


def told_anew(story: Story, number: int, entries: Iterable[Entry]) -> Story:
    """Tell a story up to the entry of that number, and on with these."""
    state, told = _state_at(story, number), list(story.entries[:number])
    for one in entries:
        outcome = Outcome(state) if one.event is None else rule_on(story.game_name, state, one.event)
        state = outcome.state
        told.append(replace(one, rulings=outcome.rulings, refused=outcome.refused, state=None))
    return replace(story, state=state, entries=tuple(told), calls=calls_of(told))


def state_before(story: Story, entry: Entry) -> Any:
    """Give the state that an entry met."""
    return _state_at(story, story.number_of(entry))


def _state_at(story: Story, number: int) -> Any:
    """Give the state before the entry of that number: today's rules tell it from the last that others left."""
    known = next((n for n in range(number - 1, -1, -1) if story.entries[n].state is not None), None)
    state, first = (story.began, 0) if known is None else (story.entries[known].state, known + 1)
    for entry in story.entries[first:number]:
        if entry.is_effective:
            state = rule_on(story.game_name, state, entry.event).state
    return state
