"""Rights: what a player may order alone, and whose agreement the rest needs.

The referee's own phone, the buttons at the board and the device itself need nobody's agreement; a player acts alone in
what is his own (his bid, his choice), and otherwise moves that something be done, which those concerned agree to.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from linesies.games import GAMES
from linesies.referee.entries import Held
from linesies.referee.rows import Ordered
from linesies.referee.story import Story

ANYBODYS = frozenset({"pause", "resume", "next_game"})  # a car comes for everyone
GONE = ("eliminated", "left")


def asked_for(order: Ordered, player: str, story: Story) -> tuple[str, ...]:
    """Name the players whose agreement an order by `player` needs, none when he may give it alone."""
    if order.order == "event":
        return () if _is_his_own(order.event, player, story) else still_in(story)
    if order.order == "settle":
        held = next(held for held in story.held if held.row == order.settles)
        return concerned(held, story)
    return still_in(story)


def still_in(story: Story) -> tuple[str, ...]:
    """Name everyone who is still playing."""
    players = (story.public or {}).get("players", ())
    return tuple(p["name"] for p in players if p.get("status") not in GONE and not p.get("out"))


def concerned(held: Held, story: Story) -> tuple[str, ...]:
    """Name the players whom a question is about: who shot or played, or is named in only some answers; or else all."""
    events = [held.event, *(answer["event"] for answer in held.proposal.answers)]
    named = [set(_named(event)) for event in events if event.get("event") == held.event.get("event")]
    in_doubt = {name for names in named for name in names if not all(name in other for other in named)}
    meant = in_doubt | {event.get("player") or event.get("owner") for event in events}
    everyone = still_in(story)
    return tuple(name for name in everyone if name in meant) or everyone


def _named(event: Mapping[str, Any]) -> Iterable[str]:
    yield from (name for hit in event.get("hits", ()) for name in hit)
    yield from (name for name in (event.get("player"), event.get("owner")) if name)


def _is_his_own(event: Mapping[str, Any], player: str, story: Story) -> bool:
    kind = event.get("event")
    if kind in ANYBODYS:
        return True
    whose = event.get("by") if kind == "card_lost" else event.get("player")
    return whose == player and kind in GAMES[story.start["game"]].own_events
