"""After a game: what each player did, the shots that decided it, and where caps came to rest."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from linesies.games import GAMES, Game, is_among
from linesies.referee.entries import Compared, Entry
from linesies.referee.story import Story

MOST_DECISIVE = 5
GAME_WON = 20.0  # how much that decides, beside what the game's own rulings weigh and the boxes that they bring


def summary_json(story: Story) -> dict[str, Any]:
    """Sum a game up; what is undone or refused does not count."""
    entries = [entry for entry in story.entries if entry.is_effective]
    public = story.public or {}
    players = public.get("players", ())
    blind = {one.row for one in story.compared}
    return {
        "game": story.start,
        "set_up": story.set_up,
        "state": public,
        "begun": entries[0].at_s if entries else None,
        "ended": entries[-1].at_s if entries else None,
        "winners": list(winners_of(story)),
        "players": [_player_json(one["name"], entries, GAMES[story.game_name]) for one in players],
        "decisive": [_moment_json(entry, story) for entry in _decisive(entries, _weights(story))],
        "rests": [[call["x"], call["y"], player] for player, call in _rests(entries)],
        "asked": sum(1 for entry in entries if entry.readings[0].by is not None and entry.row not in blind),
        "compared": {
            "calls": len(story.compared),
            "alike": sum(one.is_alike for one in story.compared),
            "unlike": [_unlike_json(one, story) for one in story.compared if not one.is_alike],
        },
        "corrected": sum(1 for entry in story.entries if len(entry.readings) > 1),
    }


def winners_of(story: Story) -> Iterable[str]:
    """Name who has won, nobody while a game is on."""
    public = story.public or {}
    return public.get("winners") or ([public["winner"]] if public.get("winner") else ())


def _player_json(name: str, entries: list[Entry], game: Game) -> dict[str, Any]:
    shots = [entry for entry in entries if entry.acts["event"] == "shot" and entry.acts.get("player") == name]
    made = [entry for entry in shots if _is_told(entry, name, game.made)]
    told = [(entry.acts, entry.rulings) for entry in entries]
    return {
        "name": name,
        "shots": len(shots),
        **{tally.code: tally.count(name, told) for tally in game.tallies},
        "longest": {tally.code: tally.largest(name, told) for tally in game.tallies if tally.longest},
        "best_gap": _best_gap(name, made),
    }


def _is_told(entry: Entry, name: str, of: frozenset[str]) -> bool:
    """Tell whether one of these rulings was made on a player at an entry."""
    return any(ruling.get("player") == name and is_among(ruling, of) for ruling in entry.rulings)


def _best_gap(name: str, made: list[Entry]) -> float | None:
    """Find by how few millimetres he was ever in."""
    calls = (entry.acts.get("calls", {}).get(name) for entry in made)
    return min((call["gap"] for call in calls if call and call["gap"] > 0), default=None)


def _weights(story: Story) -> Mapping[str, float]:
    return {"game_won": GAME_WON, **(GAMES[story.game_name].decisive if story.start else {})}


def _decisive(entries: list[Entry], weights: Mapping[str, float]) -> list[Entry]:
    weighed = sorted(entries, key=lambda entry: (-_weight(entry, weights), entry.row))[:MOST_DECISIVE]
    return sorted((entry for entry in weighed if _weight(entry, weights) > 1), key=lambda entry: entry.row)


def _weight(entry: Entry, weights: Mapping[str, float]) -> float:
    boxes = sum(ruling.get("boxes", 0) for ruling in entry.rulings if ruling["code"] != "box_awarded")
    return boxes + sum(weights.get(ruling["code"], 0.0) for ruling in entry.rulings)


def _moment_json(entry: Entry, story: Story) -> dict[str, Any]:
    return {
        "row": entry.row,
        "at": entry.at_s,
        "player": entry.acts.get("player"),
        "rulings": list(entry.rulings),
        "refused": None,
        "evidence": story.evidence.get(entry.about, {}),
    }


def _unlike_json(one: Compared, story: Story) -> dict[str, Any]:
    """Write a shot that people called otherwise than it was measured, with its pictures."""
    entry = story.entry(one.row)
    return {
        "row": one.row,
        "at": None if entry is None else entry.at_s,
        "player": one.player,
        "said": one.said,
        "measured": one.measured,
        "evidence": story.evidence.get(one.about, {}),
    }


def _rests(entries: list[Entry]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for entry in entries:
        calls = entry.acts.get("calls") if entry.acts["event"] == "shot" else None
        if isinstance(calls, Mapping):
            yield from ((player, call) for player, call in calls.items() if "x" in call and "y" in call)
