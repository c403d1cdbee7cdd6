"""Doubt at a card table: what could not be read, whose hand it was, what only people know, a mere touch."""

from linesies.games import GAMES
from linesies.referee.doubt import Question
from linesies.referee.entries import NOTHING
from linesies.rules import Json
from linesies.vision import TableEvent

READ_OF = {"card": "card", "face": "die"}  # what an event tells, null where it could not be read, and of what
NOTHING_AT_ALL: Json = {"label": "Nothing", "event": NOTHING}


def table_question(seen: TableEvent, public: Json) -> Question | None:
    """Ask people what a table event leaves open, or None where it is settled."""
    event, game = seen.as_json(), GAMES[public["game"]]
    for key, what in READ_OF.items():
        if event.get(key, "") is None:
            readings = [{"label": label, "event": {**event, key: name}} for label, name in game.unread(event, public)]
            return Question(kind=what, why=f"the {what} could not be read", answers=(*readings, NOTHING_AT_ALL))
    touched = () if seen.doubt is None else (NOTHING_AT_ALL,)
    if "player" in event and event["player"] is None:
        people = [{"label": name, "event": {**event, "player": name}} for name in _in_turn(public)]
        return Question(kind="player", why="it could not be seen whose hand that was", answers=(*people, *touched))
    own = game.doubt(event, public)
    if own is not None:
        answers = [{"label": label, "event": meant} for label, meant in own.answers]
        return Question(kind="card", why=own.why, answers=(*answers, *touched))
    if seen.doubt is not None:
        laid = {"label": f"{event['player']} laid it", "event": event}
        return Question(kind="card", why=seen.doubt, answers=(laid, *touched))
    return None


def _in_turn(public: Json) -> list[str]:
    """Name the players, the one in turn first."""
    names = [one["name"] for one in public["players"] if not one.get("out") and "status" not in one]
    turn = public.get("turn")
    return sorted(names, key=lambda name: name != turn)
