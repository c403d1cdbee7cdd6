"""Across games: what one player has done on this board, and the board's records; from summaries of games. Pure.

What is counted, and of what there are records, each game says itself (`Game.tallies`): games are told one beside the
other, never added up.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from linesies.games import GAMES, Tally

Summary = dict[str, Any]
Value = Callable[[dict[str, Any], Summary], float | None]  # of a player's part in a game
HOUR_S = 3600.0
LEAST_S = 120.0  # of play: nobody sets a record of speed in less


def career_json(name: str, summaries: Sequence[Summary]) -> dict[str, Any]:
    """Sum up what a player did in each game: games, counts, closest call, where his cap came to rest (mm)."""
    played = [summary for summary in summaries if _of(name, summary) is not None]
    return {"name": name, "of": [_career(name, game, those) for game, those in _by_game(played)]}


def _career(name: str, game: str, played: Sequence[Summary]) -> dict[str, Any]:
    owns = [own for summary in played if (own := _of(name, summary)) is not None]
    seconds = sum(_seconds(summary) for summary in played)
    gaps = [own["best_gap"] for own in owns if own["best_gap"] is not None]
    return {
        "game": game,
        "games": len(played),
        "won": sum(name in summary["winners"] for summary in played),
        "shots": sum(own["shots"] for own in owns),
        "counts": [one for tally in GAMES[game].tallies for one in _counts(tally, owns, seconds)],
        "best_gap": min(gaps, default=None),
        "rests": [[x, y] for summary in played for x, y, player in summary["rests"] if player == name],
        "set_up": played[-1]["set_up"],
    }


def _counts(tally: Tally, owns: Sequence[dict[str, Any]], seconds: float) -> Iterator[dict[str, Any]]:
    count = sum(own[tally.code] for own in owns)
    yield {"title": tally.title, "value": count}
    if tally.an_hour:
        yield {"title": tally.an_hour, "value": _an_hour(count, seconds)}


def records_json(summaries: Sequence[Summary]) -> list[dict[str, Any]]:
    """Name the best of all who have played each game here, by {title, player, value}; where nobody has one, none."""
    return [{"game": game, **_records(game, those)} for game, those in _by_game(summaries)]


def _records(game: str, summaries: Sequence[Summary]) -> dict[str, Any]:
    all_of = [(own, summary) for summary in summaries for own in summary["players"]]

    def best(value: Value, *, is_least: bool = False) -> dict[str, Any] | None:
        found = [(value(own, summary), own["name"]) for own, summary in all_of]
        known = [(one, name) for one, name in found if one]
        if not known:
            return None
        one, name = (min if is_least else max)(known, key=lambda pair: pair[0])
        return {"player": name, "value": one}

    told = [(title, best(value)) for tally in GAMES[game].tallies for title, value in _records_of(tally)]
    return {
        "closest": best(lambda own, _: own["best_gap"], is_least=True),
        "records": [{"title": title, **one} for title, one in told if one is not None],
    }


def _records_of(tally: Tally) -> Iterator[tuple[str, Value]]:
    """Give the titles of a tally's records, each with what is compared."""
    code = tally.code
    if tally.most:
        yield tally.most, lambda own, _: own[code]
    if tally.longest:
        yield tally.longest, lambda own, _: own["longest"][code]
    if tally.fastest:
        yield tally.fastest, lambda own, summary: _an_hour(own[code], _seconds(summary))


def _by_game(summaries: Iterable[Summary]) -> list[tuple[str, list[Summary]]]:
    """Put the summaries of the same game together, in the order in which the games were first played."""
    found: dict[str, list[Summary]] = {}
    for summary in summaries:
        found.setdefault(summary["game"]["game"], []).append(summary)
    return list(found.items())


def _of(name: str, summary: Summary) -> dict[str, Any] | None:
    return next((player for player in summary["players"] if player["name"] == name), None)


def _seconds(summary: Summary) -> float:
    return float(summary["ended"] - summary["begun"]) if summary["begun"] else 0.0


def _an_hour(count: int, seconds: float) -> float | None:
    return round(count * HOUR_S / seconds, 1) if seconds >= LEAST_S else None
