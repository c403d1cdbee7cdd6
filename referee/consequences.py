"""Consequences: what follows from an order beside the rulings on what it reports. Pure."""

from collections.abc import Mapping
from typing import Any

from linesies import rules
from linesies.games import GAMES, package_of
from linesies.referee.appeals import penalty
from linesies.referee.drafting import order_draft, refusal_draft, ruled_draft
from linesies.referee.orders import CalledMatch
from linesies.referee.retelling import correct, insert
from linesies.referee.rows import Draft, Ordered
from linesies.referee.story import Story, is_of_match


def consequences_of(story: Story, told: Ordered, by: str, first: int) -> list[Draft]:
    """Write what follows from an order, its own row being of that number, but for rulings on what it reports."""
    match told.order:
        case "new_game":
            return beginning(story, first + 1, {**(story.set_up or {}), **(told.house or {})}, told.start)
        case "deny":
            return _cost(story, told)
        case "amend" | "insert" | "undo" | "redo":
            return [_correction(story, told, by, first)]
        case _:
            return []


def beginning(story: Story, first: int, set_up: Mapping[str, Any], start: Mapping[str, Any]) -> list[Draft]:
    """Write the rows that begin a game, of which the first gets this number; raises rules.BadStart.

    Where it is the game of a match that was called here, whoever has a head start in that begins further on; so too
    where that game is begun again.
    """
    game, state, rulings = rules.start(start)
    told = [rules.ruling_json(game.name, ruling) for ruling in rulings]
    rows = [
        Draft(origin="referee", kind="set_up", body=_brought(set_up, game.name)),
        Draft(origin="referee", kind="start", body=start, rules=game.version, state=rules.write_state(game, state)),
    ]
    if told:
        rows.append(Draft(origin="referee", kind="ruled", about=first + 1, body={"rulings": told}))
    return [*rows, *_head_starts(story.match or story.playing, start)]


def _head_starts(match: CalledMatch | None, start: Mapping[str, Any]) -> list[Draft]:
    """Order what a match's head starts come to, in a game that knows any, for its players as they are named here."""
    head_start = GAMES[start["game"]].head_start
    if head_start is None or match is None or not is_of_match(start["players"], match.players):
        return []
    boxes = {name.casefold(): box for name, box in match.head_starts.items()}
    ahead = {name: boxes[name.casefold()] for name in start["players"] if name.casefold() in boxes}
    event = head_start(ahead) if ahead else None
    return [] if event is None else [order_draft("league", Ordered(order="event", event=event))]


def _brought(set_up: Mapping[str, Any], game: str) -> Mapping[str, Any]:
    """Say which package brings the game, so that whoever lacks it later can be told."""
    package = package_of(game)
    told = {key: value for key, value in set_up.items() if key != "package"}
    return told if package is None else {**told, "package": package}


def _cost(story: Story, denial: Ordered) -> list[Draft]:
    """Order what a wrong appeal costs beside itself."""
    appeal = denial.appeal or {}
    event = penalty(story, appeal["by"]) if appeal.get("costs_turn") else None
    order = Ordered(order="event", event=event, why="a wrong appeal")
    return [] if event is None else [order_draft("settings", order)]


def _correction(story: Story, order: Ordered, by: str, first: int) -> Draft:
    """Re-read an entry, or insert one, and say what becomes of those after it; refused if the rules refuse it."""
    entry = story.entry(order.about)
    assert entry is not None  # it was found when the order was completed
    is_missed = order.order == "insert"
    told = (insert if is_missed else correct)(story, entry, order.event, first + 1)
    read = told.entry
    if read.refused is not None:
        return refusal_draft(first, read.refused)
    body = {
        "event": order.event,
        "rulings": list(read.rulings),
        "inserts_before" if is_missed else "re_reads": entry.row,
        "by": by,
        "why": order.why,
        "changed": [{"row": one.row, "rulings": list(one.rulings), "refused": one.refused} for one in told.changed],
    }
    return ruled_draft(rules.GAMES[story.game_name], first, body, told.story.state)
