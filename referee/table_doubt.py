"""Doubt at a card table: what could not be read, whose hand it was, what only people know, a mere touch."""

from linesies.games import GAMES
from linesies.referee.doubt import Question
from linesies.referee.entries import NOTHING
from linesies.rules import Json
from linesies.vision import TableEvent

NOTHING_AT_ALL: Json = {"label": "Nothing", "event": NOTHING}


def table_question(seen: TableEvent, public: Json) -> Question | None:
    """Ask people what a table event leaves open, or None where it is settled."""
    event, game = seen.as_json(), GAMES[public["game"]]
    if "card" in event and event["card"] is None:
        faces = [{"label": label, "event": {**event, "card": card}} for label, card in game.unread(event, public)]
        return Question(kind="card", why="the card could not be read", answers=(*faces, NOTHING_AT_ALL))
    if "face" in event and event["face"] is None:
        sides = [{"label": label, "event": {**event, "face": face}} for label, face in game.unread(event, public)]
        return Question(kind="die", why="the die could not be read", answers=(*sides, NOTHING_AT_ALL))
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
