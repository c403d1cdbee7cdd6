"""What an umpire calls: a few short sentences about the newest shot or question, for voices.

What is called of a game's rulings stands in the game's own value, what is called of any game here. English; other
languages are in the page's catalogues. What each means is told at length elsewhere.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from linesies.games import GAMES, UmpireCall
from linesies.referee.story import Story
from linesies.rules import Catalogue, Json

DO_OVER = UmpireCall("do_over", "Do-over for {player}.")
UNDONE = UmpireCall("undone", "That one is crossed out.")
CORRECTED = UmpireCall("corrected", "Correction!")
ASKED = UmpireCall("asked", "Too close for me! You decide.")
ASKED_FIRST = UmpireCall("first", "Your call first!")
OF_ANY_GAME = (DO_OVER, UNDONE, CORRECTED, ASKED, ASKED_FIRST)
NUMBER = re.compile(r"\d*")


def newest_call(story: Story) -> dict[str, Any] | None:
    """Write what is called now: its key, and its sentences as the page tells what the device says; None before any."""
    if story.pending:
        asked = ASKED_FIRST if story.pending[0].is_blind else ASKED
        return {"key": f"pending-{story.pending[0].row}", "sayings": [_said(asked, {})]}
    entry = next((one for one in reversed(story.entries) if one.refused is None), None)
    if entry is None:
        return None
    first, last = entry.readings[0], entry.readings[-1]
    if last.event is None:
        sayings = [_said(UNDONE, {})]
    else:
        correction = [_said(CORRECTED, {})] if last is not first else []
        called = _calls_of(story.game_name, last.event, entry.rulings)
        sayings = correction + [_said(call, details) for call, details in called]
    return {"key": f"{entry.row}-{last.row}", "sayings": sayings}


def _calls_of(game_name: str, event: Json, rulings: Sequence[Json]) -> Iterator[tuple[UmpireCall, Json]]:
    """Give the calls of one event, the headline first, each with what fills it; who acted unless a ruling says who."""
    if event.get("event") == "do_over":
        yield DO_OVER, {"player": next((one["player"] for one in rulings if "player" in one), "")}
    else:
        for call, details in GAMES[game_name].calls.of(event, rulings):
            yield call, {"player": event.get("player"), **details}


def _said(call: UmpireCall, ruling: Json) -> dict[str, Any]:
    people = ruling.get("players", [ruling.get("player")])
    names = {"player": [name for name in people if name], "victim": ruling.get("victim") or ""}
    details = {**names, "box": _number(ruling.get("box", "")), "bid": ruling.get("bid", "")}
    english = Catalogue(title="", sentences={call.code: call.say}, refusals={}, options={})
    return {
        "message": english.sentence(call.code, details),
        "said": {"code": call.code, "say": call.say, "details": details},
    }


def _number(box: Any) -> str:
    """Give a target's number: which way round it is need not be called."""
    found = NUMBER.match(str(box))
    return found[0] if found else ""
