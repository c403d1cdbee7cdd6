"""After a game: what each player did, the shots that decided it, and where caps came to rest."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from linesies.games import GAMES
from linesies.referee.entries import Compared, Entry
from linesies.referee.story import Story

MOST_DECISIVE = 5
GAME_WON = 20.0  # how much that decides, beside what the game's own rulings weigh and the boxes that they bring
HITS = ("hit_bonus", "hit_into_target", "skull_hit", "hit_no_bonus", "killer_hit")


def summary_json(story: Story) -> dict[str, Any]:
    """Sum a game up; what is undone or refused does not count."""
    entries = [entry for entry in story.entries if entry.is_effective]
    public = story.public or {}
    blind = {one.row for one in story.compared}
    return {
        "game": story.start,
        "set_up": story.set_up,
        "state": public,
        "begun": entries[0].at_s if entries else None,
        "ended": entries[-1].at_s if entries else None,
        "winners": list(_winners(public)),
        "players": [_player_json(player["name"], entries) for player in public.get("players", ())],
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


def _winners(public: Mapping[str, Any]) -> Iterable[str]:
    return public.get("winners") or ([public["winner"]] if public.get("winner") else ())


def _player_json(name: str, entries: list[Entry]) -> dict[str, Any]:
    shots = [entry for entry in entries if entry.acts["event"] == "shot" and entry.acts["player"] == name]
    makes = sum(any(_is_made_by(ruling, name) for ruling in entry.rulings) for entry in shots)
    told = [ruling for entry in shots for ruling in entry.rulings if ruling.get("player") == name]
    own = Counter(ruling["code"] for ruling in told)
    pipsies = [ruling.get("boxes", 0) for ruling in told if ruling["code"] == "pipsies"]
    return {
        "name": name,
        "shots": len(shots),
        "made": makes,
        "hits": sum(own[code] for code in HITS),
        "was_hit": sum(hit[1] == name for e in entries if e.acts["event"] == "shot" for hit in e.acts["hits"]),
        "pipsies": len(pipsies),
        "longest_pipsies": max(pipsies, default=0),
        "best_gap": _best_gap(name, shots),
    }


def _is_made_by(ruling: Mapping[str, Any], name: str) -> bool:
    is_own = ruling.get("player") == name
    return is_own and (ruling["code"] == "word_made" or (ruling["code"] == "box_made" and ruling.get("by") == "shot"))


def _best_gap(name: str, shots: list[Entry]) -> float | None:
    """Find by how few millimetres he was ever in."""
    gaps = (
        call["gap"]
        for entry in shots
        if (call := entry.acts.get("calls", {}).get(name)) and any(_is_made_by(r, name) for r in entry.rulings)
    )
    return min((gap for gap in gaps if gap > 0), default=None)


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
