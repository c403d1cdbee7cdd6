"""Doubt at a card table: what could not be read, whose hand it was, what a card is declared to be, a mere touch."""

from collections.abc import Iterator
from typing import Any

from linesies.referee.doubt import NOTHING, Question
from linesies.referee.story import Json
from linesies.vision import TableEvent

ROSES = tuple(f"{number}{suit}" for number in range(2, 11) for suit in "HD")
LAST = 12  # completes a building pile
SKULLS = tuple(f"{rank}{suit}" for rank in "KQJ" for suit in "CS")


def table_question(seen: TableEvent, public: Json) -> Question | None:
    """Ask people what a table event leaves open, or None where it is settled."""
    event = seen.as_json()
    if "card" in event and event["card"] is None:
        answers = [*_faces(event, public), {"label": "Nothing", "event": NOTHING}]
        return Question(kind="card", why="the card could not be read", answers=tuple(answers))
    if event.get("card") == "TIGRESS" and "as" not in event:
        ways = [{"label": f"As {way}", "event": {**event, "as": way}} for way in ("pirate", "escape")]
        return Question(kind="card", why="the tigress is played as pirate or as escape", answers=tuple(ways))
    if "player" in event and event["player"] is None:
        people = [{"label": name, "event": {**event, "player": name}} for name in _in_turn(public)]
        people += [] if seen.doubt is None else [{"label": "Nothing", "event": NOTHING}]
        return Question(kind="player", why="it could not be seen whose hand that was", answers=tuple(people))
    if seen.doubt is not None:
        ways = [{"label": f"{event['player']} laid it", "event": event}, {"label": "Nothing", "event": NOTHING}]
        return Question(kind="card", why=seen.doubt, answers=tuple(ways))
    return _of_the_die(event, public)


def _of_the_die(event: dict[str, Any], public: Json) -> Question | None:
    """Ask what only people know of Skip-Bo's die: whether a discard is one of its two, and what a wild card is on."""
    die = public.get("die", {})
    if event["event"] == "discard" and die.get("face") == "DISCARD2" and not die["used"]:
        extra = {"label": "One more, by the die", "event": {**event, "die": True}}
        return Question(
            kind="card",
            why="the die allows two more discards",
            answers=(extra, {"label": "It ends the turn", "event": event}),
        )
    wanted = _wanted(event, public)
    if event.get("card") == "SB" and wanted is not None and not die["used"] and _may_be(die.get("face"), wanted):
        on_it = {"label": f"As {wanted % LAST + 1}, on the die as {wanted}", "event": {**event, "die": wanted}}
        plain = {"label": f"As {wanted}", "event": event}
        return Question(kind="card", why="the wild card may lie on the die", answers=(plain, on_it))
    return None


def _wanted(event: dict[str, Any], public: Json) -> int | None:
    """Tell which number a building pile wants next, where a card was played to one in Skip-Bo."""
    if event["event"] != "play" or "building" not in public:
        return None
    top: int = public["building"][event["pile"] - 1]["top"]
    return top % LAST + 1


def _may_be(face: str | None, number: int) -> bool:
    """Tell whether a face of the die may stand for a number."""
    low, _, high = (face or "").partition("-")
    return face == "SB" or (high != "" and int(low) <= number <= int(high))


def _faces(event: dict[str, Any], public: Json) -> Iterator[Json]:
    """In Skull it only matters whether it was a rose or a skull; elsewhere people name the card."""
    if public["game"] != "skull":
        return
    known = [card for player in public["players"] for card in player["pile"] if card is not None]
    own = next(player for player in public["players"] if player["name"] == event["owner"])
    number = next((card[:-1] for card in own["pile"] if card and card[:-1].isdigit()), None)
    roses = [c for c in ROSES if c not in known and (number is None or c[:-1] == number)] or list(ROSES)
    skulls = [c for c in SKULLS if c not in known]
    yield {"label": "A rose", "event": {**event, "card": roses[0]}}
    yield {"label": "A skull", "event": {**event, "card": skulls[0]}}


def _in_turn(public: Json) -> list[str]:
    """Name the players, the one in turn first."""
    names = [player["name"] for player in public["players"] if not player.get("out")]
    turn = public.get("turn")
    return sorted(names, key=lambda name: name != turn)
