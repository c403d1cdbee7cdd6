"""The story as JSON, for the page: all that a phone needs to draw the game, in one piece."""

from typing import Any

from device.journal.story import Entry, Held, Json, Story

MOST_ENTRIES = 200


def story_json(story: Story) -> dict[str, Any]:
    """Write the story with its newest entries last."""
    return {
        "row": story.row,
        "game": story.start,
        "set_up": story.set_up,
        "state": story.public,
        "pending": [_pending_json(held, story) for held in story.pending],
        "calls": dict(story.calls),
        "entries": [_entry_json(entry, story) for entry in story.entries[-MOST_ENTRIES:]],
        "camera": dict(story.camera),
        "refusal": story.refusal,
    }


def _pending_json(held: Held, story: Story) -> Json:
    proposal = held.proposal
    return {
        "row": proposal.row,
        "about": held.row,
        "at": held.at_s,
        "event": held.event,
        "why": proposal.why,
        "answers": list(proposal.answers),
        "evidence": story.evidence.get(held.row, {}),
    }


def _entry_json(entry: Entry, story: Story) -> Json:
    first, *corrections = entry.readings
    last = entry.readings[-1]
    return {
        "row": entry.row,
        "about": entry.about,
        "at": entry.at_s,
        "origin": entry.origin,
        "event": last.event,
        "seen_as": first.event,
        "rulings": list(entry.rulings),
        "refused": entry.refused,
        "settled_by": first.by,
        "corrected_by": last.row if corrections else None,
        "corrections": [{"row": reading.row, "by": reading.by, "why": reading.why} for reading in corrections],
        "evidence": story.evidence.get(entry.about, {}),
    }
