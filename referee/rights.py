"""Rights: what a player may order alone, and whose agreement the rest needs.

The referee's own phone, the buttons at the board and the device itself need nobody's agreement; a player acts alone in
what is his own (his bid, his choice), and otherwise moves that something be done, which those concerned agree to.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from linesies.games import GAMES
from linesies.referee.entries import Held
from linesies.referee.house import house_of
from linesies.referee.rows import Ordered
from linesies.referee.story import Story

ANYBODYS = frozenset({"pause", "resume", "next_game"})  # a car comes for everyone
GONE = ("eliminated", "left", "waiting")  # waiting: for the next round
OWN_CALL = 2  # so many players settle it: the shooter and an opponent, or two opponents


def asked_for(order: Ordered, player: str, story: Story) -> tuple[str, ...]:
    """Name the players whose agreement an order by `player` needs, none when he may give it alone."""
    if order.order == "event":
        return () if _is_his_own(order.event, player, story) else still_in(story)
    if order.order == "settle":
        held = next(held for held in story.held if held.row == order.settles)
        return concerned(held, story)
    return still_in(story)


def needed(settles: int | None, asked: tuple[str, ...], story: Story) -> int:
    """Tell how many of those asked have to agree: all; but two to the question of that row, if about one's own cap.

    So nobody decides alone what is his own gain, and nobody who is away holds a call up, unless the house wants all.
    """
    held = next((held for held in story.held if held.row == settles), None)
    is_own = held is not None and len(_in_question(held, story)) == 1
    return min(OWN_CALL, len(asked)) if is_own and house_of(story).settled_by == "two" else len(asked)


def is_for_referee(held: Held, story: Story) -> bool:
    """Tell whether the house leaves a question to the referee's phone alone: one about a cap that was measured."""
    return house_of(story).settled_by == "referee" and "calls" in held.event


def still_in(story: Story) -> tuple[str, ...]:
    """Name everyone who is still playing."""
    players = (story.public or {}).get("players", ())
    return tuple(p["name"] for p in players if p.get("status") not in GONE and not p.get("out"))


def concerned(held: Held, story: Story) -> tuple[str, ...]:
    """Name the players who are asked: whom a question is about, and all where that is one alone with his own cap.

    Nobody is where it is for the referee's phone alone.
    """
    if is_for_referee(held, story):
        return ()
    about = _in_question(held, story)
    is_own_call = len(about) == 1 and "calls" in held.event  # a cap that was measured on the board
    return about if about and not is_own_call else still_in(story)


def _in_question(held: Held, story: Story) -> tuple[str, ...]:
    """Name the players whom a question is about: who shot or played, or is named in only some answers."""
    events = [held.event, *(answer["event"] for answer in held.question.answers)]
    named = [set(_named(event)) for event in events if event.get("event") == held.event.get("event")]
    in_doubt = {name for names in named for name in names if not all(name in other for other in named)}
    meant = in_doubt | {event.get("player") or event.get("owner") for event in events}
    return tuple(name for name in still_in(story) if name in meant)


def _named(event: Mapping[str, Any]) -> Iterable[str]:
    yield from (name for hit in event.get("hits", ()) for name in hit)
    yield from (name for name in (event.get("player"), event.get("owner")) if name)


def _is_his_own(event: Mapping[str, Any], player: str, story: Story) -> bool:
    kind = event.get("event")
    if kind in ANYBODYS:
        return True
    whose = event.get("by") if kind == "card_lost" else event.get("player")
    return whose == player and kind in GAMES[story.game_name].own_events
