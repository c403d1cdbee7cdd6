"""The story as JSON, for the page: all that a phone needs to draw the game, in one piece."""

from typing import Any

from device.story import Entry, Held, Json, Story

MOST_ENTRIES = 200


def story_json(story: Story) -> dict[str, Any]:
    """Write the story with its newest entries last."""
    return {
        "row": story.row,
        "game": story.start,
        "set_up": story.set_up,
        "state": story.public,
        "pending": [_pending_json(held) for held in story.pending],
        "calls": dict(story.calls),
        "entries": [_entry_json(entry, story) for entry in story.entries[-MOST_ENTRIES:]],
        "camera": dict(story.camera),
    }


def _pending_json(held: Held) -> Json:
    proposal = held.proposal
    return {
        "row": proposal.row,
        "at": held.at_s,
        "event": held.event,
        "why": proposal.why,
        "answers": list(proposal.answers),
    }


def _entry_json(entry: Entry, story: Story) -> Json:
    last = entry.readings[-1]
    return {
        "row": entry.row,
        "about": entry.about,
        "at": entry.at_s,
        "origin": entry.origin,
        "event": last.event,
        "seen_as": entry.readings[0].event,
        "rulings": list(entry.rulings),
        "refused": entry.refused,
        "corrected_by": last.row if len(entry.readings) > 1 else None,
        "evidence": story.evidence.get(entry.about, {}),
    }
