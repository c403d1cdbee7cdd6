"""What an umpire calls: a few short sentences about the newest shot or question, for voices.

English here, other languages in the page's catalogues; what each means is told at length elsewhere.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from linesies.referee.entries import Json
from linesies.referee.locations import is_on_line
from linesies.referee.story import Story
from linesies.referee.summary import HITS
from linesies.rules import Catalogue

CALLS: Mapping[str, str] = {
    "in": "In! {player} makes {box}.",
    "word": "In! {player} goes on round the skull.",
    "line": "On the line! No box for {player}.",
    "miss": "No box for {player}.",
    "stuck": "{player} is stuck in the skull!",
    "hit": "{player} hits {victim}!",
    "early": "Too early! {player} starts over.",
    "foul": "Foul by {player}!",
    "turn": "Not your turn, {player}!",
    "killer": "{player} is a killer!",
    "out": "{player} is out of the game!",
    "won": "{player} wins!",
    "trick": "{player} takes the trick.",
    "challenge": "{player} must flip {bid}.",
    "skull_up": "A skull!",
    "twelve": "Twelve! That pile is done.",
    "do_over": "Do-over for {player}.",
    "undone": "That one is struck out.",
    "corrected": "Correction!",
    "next": "{player} is up.",
    "asked": "Too close for me! You decide.",
    "first": "Your call first!",
}
# the first of these that a ruling has is the headline; after it everything that SAID_TOO names
HEADLINES = {
    "game_won": "won",
    "match_won": "won",
    "foul": "foul",
    "out_of_turn": "turn",
    "early_hit": "early",
    "killer_made": "killer",
    "word_made": "word",
    "box_made": "in",
    "challenge": "challenge",
    "skull_shown": "skull_up",
    "trick_won": "trick",
    "pile_completed": "twelve",
    "stuck_in_skull": "stuck",
}
SAID_TOO = {**dict.fromkeys(HITS, "hit"), "eliminated": "out", "next_turn": "next"}
NUMBER = re.compile(r"\d*")
ENGLISH = Catalogue(title="", sentences=CALLS, refusals={}, options={})


def newest_call(story: Story) -> dict[str, Any] | None:
    """Write what is called now: its key, and its sentences as the page tells what the device says; None before any."""
    if story.pending:
        asked = "first" if story.pending[0].is_blind else "asked"
        return {"key": f"pending-{story.pending[0].row}", "sayings": [_said(asked, {})]}
    if not story.entries:
        return None
    entry = story.entries[-1]
    first, last = entry.readings[0], entry.readings[-1]
    if last.event is None:
        sayings = [_said("undone", {})]
    else:
        correction = [_said("corrected", {})] if last is not first else []
        sayings = correction + [_said(code, ruling) for code, ruling in calls_of(last.event, entry.rulings)]
    return {"key": f"{entry.row}-{last.row}", "sayings": sayings}


def calls_of(event: Json, rulings: tuple[Json, ...] | list[Json]) -> Iterator[tuple[str, Json]]:
    """Give the calls of one event, the headline first: code and what fills it."""
    if event.get("event") == "do_over":
        yield "do_over", {"player": next((one["player"] for one in rulings if "player" in one), "")}
        return
    found = {code: ruling for ruling in reversed(rulings) if (code := HEADLINES.get(_code(ruling)))}
    headline = next((code for code in HEADLINES.values() if code in found), None)
    if headline is not None:
        yield headline, found[headline]
    elif event.get("event") == "shot" and not any(ruling["code"] in HITS for ruling in rulings):
        location = (event.get("rest") or {}).get(event.get("player"))
        yield "line" if location is not None and is_on_line(location) else "miss", event
    for ruling in rulings:
        if ruling["code"] in SAID_TOO:
            yield SAID_TOO[ruling["code"]], {"player": event.get("player"), **ruling}


def _code(ruling: Json) -> str:
    """Give a ruling's code; a box that somebody else's shot or a bonus brought is no headline."""
    code: str = ruling["code"]
    return "" if code == "box_made" and ruling.get("by") != "shot" else code


def _said(code: str, ruling: Json) -> dict[str, Any]:
    people = [ruling["player"]] if "player" in ruling else ruling.get("players", ())
    names = {"player": list(people), "victim": ruling.get("victim") or ""}
    details = {**names, "box": _number(ruling.get("box", "")), "bid": ruling.get("bid", "")}
    return {
        "message": ENGLISH.sentence(code, details),
        "said": {"code": code, "say": CALLS[code], "details": details},
    }


def _number(box: Any) -> str:
    """Give a target's number: which way round it is need not be called."""
    found = NUMBER.match(str(box))
    return found[0] if found else ""
