"""What an order would change, before it counts: the story is told with and without it, and standings compared.

Whatever a preview would bring to light that is still a secret is not told.
"""

from collections.abc import Mapping
from typing import Any

from linesies import rules
from linesies.games import GAMES
from linesies.referee.entries import Entry
from linesies.referee.orders import Amend, AnyOrder, Correction, Happened, Insert, Redo, Undo, read_order
from linesies.referee.outcomes import rule_on
from linesies.referee.retelling import correct, insert, state_before
from linesies.referee.secrets import secret_rows
from linesies.referee.story import Retold, Story
from linesies.rules import Json

# of a player's public standing
SHOWN = (
    *("at", "made", "going_for", "status", "skip", "score", "points", "cards", "stock", "hand"),
    *("tricks", "bonus", "bid"),
)
UNSEEN: Mapping[str, Any] = {
    "players": [],
    "turn": [None, None],
    "entries": 0,
    "out_of_turn": 0,
    "in_turn": 0,
    "keep": None,
}


def preview(story: Story, order: Mapping[str, Any]) -> dict[str, Any] | None:
    """Tell whose standing an order by the referee would change; pure, and only of what everybody may know.

    `players`: each with `before` and `after`, the fields that differ; `turn`: whose it was and would be; `entries`: how
    many later entries would be ruled on otherwise, and of those `out_of_turn`: how many would become shots out of turn,
    `in_turn`: how many no longer be such; `refused`: why the rules wouldn't have it, else None; `keep`: the event by
    which people have it right and yet keep all that came since, with the `players` and `turn` that it would change,
    where there is such an event. Of any other order, and of one that makes no sense, None.
    """
    read = read_order(dict(order))
    if story.start is None:
        return None
    if isinstance(read, Happened):
        return {**UNSEEN, **_of_now(story, read.event)}
    entry = story.entry(read.about) if isinstance(read, Correction) and read.about is not None else None
    told = None if entry is None else _retold(story, entry, read)
    return None if entry is None or told is None else _of_correction(story, entry, told)


def _retold(story: Story, entry: Entry, order: AnyOrder | str) -> Retold | None:
    is_undone, row = entry.event is None, story.row + 1
    match order:
        case Insert():
            return insert(story, entry, order.event, row)
        case Amend() if not is_undone:
            return correct(story, entry, order.event, row)
        case Undo() if not is_undone:
            return correct(story, entry, None, row)
        case Redo() if is_undone:
            return correct(story, entry, entry.readings[-2].event, row)
        case _:
            return None


def _of_now(story: Story, event: Json) -> dict[str, Any]:
    """Tell what an event would change if it happened now."""
    outcome = rule_on(story.game_name, story.state, event)
    if outcome.refused is not None:
        return {"refused": outcome.refused["message"]}
    after = rules.GAMES[story.game_name].public(outcome.state)
    shown = {} if _ends_secrecy(story, outcome.rulings) else _standings(story.standing, after)
    return {**shown, "refused": None}


def _of_correction(story: Story, entry: Entry, told: Retold) -> dict[str, Any]:
    rulings = [ruling for one in (told.entry, *told.changed) for ruling in one.rulings]
    if _ends_secrecy(story, rulings):
        return {**UNSEEN, "refused": None}
    were = {one.row: _is_out_of_turn(one) for one in story.entries}
    return {
        **_standings(story.standing, told.story.standing),
        "entries": len(told.changed),
        "out_of_turn": sum(_is_out_of_turn(one) and not were[one.row] for one in told.changed),
        "in_turn": sum(were[one.row] and not _is_out_of_turn(one) for one in told.changed),
        "refused": None if told.entry.refused is None else told.entry.refused["message"],
        "keep": _kept(story, entry, told.entry),
    }


def _ends_secrecy(story: Story, rulings: list[Json] | tuple[Json, ...]) -> bool:
    """Tell whether such rulings would say what is still a secret now."""
    until = GAMES[story.game_name].secrets.values()
    return bool(secret_rows(story)) and any(ruling["code"] in until for ruling in rulings)


def _kept(story: Story, entry: Entry, read: Entry) -> dict[str, Any] | None:
    """Find the event that sets standings right by what the entry itself has changed, and by nothing after it."""
    keep = GAMES[story.game_name].keep
    if keep is None or read.refused is not None:
        return None
    public = rules.GAMES[story.game_name].public
    before = state_before(story, entry)
    was = before
    if read.row == entry.row and entry.is_effective:
        was = rule_on(story.game_name, before, entry.event).state
    would = before if read.event is None else rule_on(story.game_name, before, read.event).state
    event = keep(public(was), public(would), story.standing)
    if event is None:
        return None
    told = _of_now(story, event)
    return None if told["refused"] else {"event": event, "players": told["players"], "turn": told["turn"]}


def _standings(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {"players": _changes(before, after), "turn": [before.get("turn"), after.get("turn")]}


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    were = {player["name"]: player for player in map(_counted, before.get("players", ()))}
    found = []
    for player in map(_counted, after.get("players", ())):
        was = were.get(player["name"], {})
        other = [key for key in SHOWN if was.get(key) != player.get(key)]
        if other:
            now = {key: player.get(key) for key in other}
            found.append({"name": player["name"], "before": {key: was.get(key) for key in other}, "after": now})
    return found


def _counted(player: Mapping[str, Any]) -> Mapping[str, Any]:
    """Tell of a pile how many cards it has."""
    stock = player.get("stock")
    return {**player, "stock": stock["cards"]} if isinstance(stock, Mapping) else player


def _is_out_of_turn(entry: Entry) -> bool:
    return any(ruling.get("code") == "out_of_turn" for ruling in entry.rulings)
