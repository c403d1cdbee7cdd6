"""Across games: what one player has done on this board, and the board's records; from summaries of games. Pure."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Summary = dict[str, Any]
Value = Callable[[dict[str, Any], Summary], float | None]  # of a player's part in a game
HOUR_S = 3600.0
LEAST_S = 120.0  # of play: nobody sets a record of speed in less
COUNTED = ("shots", "made", "hits", "was_hit", "pipsies")


def career_json(name: str, summaries: Sequence[Summary]) -> dict[str, Any]:
    """Sum up what a player did: games, counts, boxes an hour, closest call, where his cap came to rest (mm)."""
    played = [(summary, own) for summary in summaries if (own := _of(name, summary)) is not None]
    seconds = sum(_seconds(summary) for summary, _ in played)
    counts = {key: sum(own[key] for _, own in played) for key in COUNTED}
    gaps = [own["best_gap"] for _, own in played if own["best_gap"] is not None]
    return {
        "name": name,
        "games": len(played),
        "won": sum(name in summary["winners"] for summary, _ in played),
        **counts,
        "boxes_an_hour": _an_hour(counts["made"], seconds),
        "best_gap": min(gaps, default=None),
        "rests": [[x, y] for summary, _ in played for x, y, player in summary["rests"] if player == name],
        "set_up": played[-1][0]["set_up"] if played else None,
    }


def records_json(summaries: Iterable[Summary]) -> dict[str, Any]:
    """Name the best of all who have played here, each by {player, value}; None where nobody has one yet."""
    all_of = [(own, summary) for summary in summaries for own in summary["players"]]

    def best(value: Value, *, is_least: bool = False) -> dict[str, Any] | None:
        found = [(value(own, summary), own["name"]) for own, summary in all_of]
        known = [(one, name) for one, name in found if one]
        if not known:
            return None
        one, name = (min if is_least else max)(known, key=lambda pair: pair[0])
        return {"player": name, "value": one}

    return {
        "closest": best(lambda own, _: own["best_gap"], is_least=True),
        "most_hits": best(lambda own, _: own["hits"]),
        "longest_pipsies": best(lambda own, _: own["longest_pipsies"]),
        "fastest": best(lambda own, summary: _an_hour(own["made"], _seconds(summary))),
    }


def _of(name: str, summary: Summary) -> dict[str, Any] | None:
    return next((player for player in summary["players"] if player["name"] == name), None)


def _seconds(summary: Summary) -> float:
    return float(summary["ended"] - summary["begun"]) if summary["begun"] else 0.0


def _an_hour(boxes: int, seconds: float) -> float | None:
    return round(boxes * HOUR_S / seconds, 1) if seconds >= LEAST_S else None
