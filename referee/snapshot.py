"""The story as JSON, for the page: all that a phone needs to draw the game, and nothing that it may not know."""

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET

from linesies import rules
from linesies.referee.agreement import Motion
from linesies.referee.appeals import appeals_left
from linesies.referee.calling import newest_call
from linesies.referee.entries import Entry, EntryReading, Held
from linesies.referee.house import house_of
from linesies.referee.rights import concerned, needed
from linesies.referee.saying import WHO, for_phones
from linesies.referee.secrets import is_secret, secret_rows, told_to
from linesies.referee.story import Story
from linesies.rules import Json

MOST_ENTRIES = 200


def story_json(story: Story, seats: Collection[str] = ()) -> dict[str, Any]:
    """Write the story with its newest entries last, for a phone that plays for these players."""
    secret = secret_rows(story)
    return {
        "row": story.row,
        "game": story.start,
        "start_row": story.start_row,  # a game that is played again has an equal start
        "set_up": story.set_up and _set_up(story.set_up),
        "state": _state(story, seats),
        "pending": [_pending_json(held, story) for held in story.pending],
        "motions": [_motion_json(motion, story, seats) for motion in story.motions],
        "appeals": _appeals_json(story),
        "calls": dict(story.calls),
        "entries": [
            _entry_json(entry, story, seats if entry.row in secret else None) for entry in story.entries[-MOST_ENTRIES:]
        ],
        "camera": dict(story.camera),
        "troubles": {who: {"who": WHO.get(who, who), **for_phones(told)} for who, told in story.faults.items()},
        "refusal": story.refusal and for_phones(story.refusal),
        "call": newest_call(story),
        "match": None if story.match is None else msgspec.to_builtins(story.match),
    }


def _set_up(set_up: Json) -> Json:
    return {**set_up, "advice": [for_phones(told) for told in set_up["advice"]]} if "advice" in set_up else set_up


def _state(story: Story, seats: Collection[str]) -> dict[str, Any] | None:
    """Write the public state, and of each own player what is his alone."""
    public = story.public
    if public is None or not seats:
        return public
    game = rules.GAMES[story.game_name]
    own = {seat: _own(game.view(story.state, seat), seat) for seat in seats if seat in story.players}
    return {**public, "players": [own.get(player["name"], player) for player in public["players"]]}


def _own(view: Mapping[str, Any], seat: str) -> Json:
    return next(player for player in view["players"] if player["name"] == seat)


def _pending_json(held: Held, story: Story) -> Json:
    """Write a question; of a blind one neither where the cap was measured to lie, nor pictures, which say that too."""
    proposal, asked = held.question, concerned(held, story)
    return {
        "row": proposal.row,
        "about": held.row,
        "at": held.at_s,
        "event": told_to(held.event, ()) if held.is_blind else held.event,
        "blind": held.is_blind,
        "why": proposal.why,
        "answers": [_unmeasured(answer) for answer in proposal.answers] if held.is_blind else list(proposal.answers),
        "asked": list(asked),
        "needed": needed(held.row, asked, story),
        "evidence": {} if held.is_blind else story.evidence.get(held.row, {}),
    }


def _unmeasured(answer: Json) -> Json:
    event = {key: value for key, value in answer["event"].items() if key != "calls"}
    return {**answer, "event": event}


def _motion_json(motion: Motion, story: Story, seats: Collection[str]) -> Json:
    event = None if motion.order.event is UNSET else motion.order.event
    if is_secret(event, story):
        event = told_to(event, seats)
    return {
        "row": motion.row,
        "at": motion.at_s,
        "order": motion.order.order,
        "about": motion.order.about if motion.order.settles is None else motion.order.settles,
        "event": event,
        "why": motion.order.why,
        "asked": list(motion.asked),
        "agreed": list(motion.agreed),
        "declined": list(motion.declined),
    }


def _appeals_json(story: Story) -> Json:
    """Write what the house has agreed on, and how many appeals each player has left."""
    house = house_of(story)
    return {**msgspec.to_builtins(house), "left": appeals_left(story)}


def _correction_json(reading: EntryReading, before: EntryReading) -> Json:
    """Write who read an entry otherwise, why, and as what: struck out, put back, or amended."""
    kind = "struck_out" if reading.event is None else "put_back" if before.event is None else "amended"
    return {"row": reading.row, "by": reading.by, "why": reading.why, "as": kind}


def _entry_json(entry: Entry, story: Story, only_for: Collection[str] | None) -> Json:
    """Write an entry; one that is secret is whole `only_for` the seats of its own player."""
    first, *corrections = entry.readings
    last = entry.readings[-1]
    told = (lambda event: event) if only_for is None else (lambda event: told_to(event, only_for))
    missed = {} if entry.before is None else {"before": entry.before}
    return {
        **missed,
        "row": entry.row,
        "about": entry.about,
        "at": entry.at_s,
        "origin": entry.origin,
        "event": told(last.event),
        "seen_as": told(first.event),
        "rulings": list(entry.rulings),
        "refused": entry.refused,
        "settled_by": first.by,
        "measured": next((one.measured for one in story.compared if one.row == entry.row), None),
        "corrected_by": last.row if corrections else None,
        "corrections": [_correction_json(reading, before) for before, reading in pairwise(entry.readings)],
        "appeals": [dict(appeal) for appeal in story.appeals if appeal["about"] == entry.row],
        "evidence": story.evidence.get(entry.about, {}),
    }
