"""Tables to take along: results, standings, ratings and rulings, as CSV or as JSON Lines."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from flask import Flask, Response

from linesies.league.schedule import Schedule
from linesies.league.standings import Standings
from linesies.web import csv_text, json_lines, to_keep

Told = Iterator[dict[str, Any]]
COLUMNS = {
    "results": ("tournament", "title", "match", "stage", "round", "place", "player", "is_walkover", "is_bye"),
    "standings": ("tournament", "title", "place", "player", "has_left", "is_final"),
    "ratings": ("place", "name", "level", "games", "won"),
    "rulings": ("board", "name", "row", "at", "player", "code", "rule", "text"),
}


def export_pages(app: Flask, schedule: Schedule, standings: Standings) -> None:
    """Add a door for each table, in each way of writing."""
    tables: dict[str, Callable[[], Told]] = {
        "results": lambda: results(schedule),
        "standings": lambda: places(schedule),
        "ratings": lambda: ({"place": at, **asdict(one)} for at, one in enumerate(schedule.ratings(), start=1)),
        "rulings": lambda: rulings(standings),
    }

    @app.get("/export/<table>.csv")
    def as_csv(table: str) -> Any:
        if table not in tables:
            return {"message": "no such table"}, 404
        return to_keep(csv_text(COLUMNS[table], tables[table]()), "text/csv", f"{table}.csv")

    @app.get("/export/<table>.jsonl")
    def as_lines(table: str) -> Response | tuple[dict[str, str], int]:
        if table not in tables:
            return {"message": "no such table"}, 404
        return to_keep(json_lines(tables[table]()), "application/jsonl", f"{table}.jsonl")


def results(schedule: Schedule) -> Told:
    """List who came in where in each match that is over."""
    for number, titled in sorted(schedule.tournaments().items()):
        for match in titled.now.matches:
            for place, player in enumerate(match.ranking or (), start=1):
                yield {
                    "tournament": number,
                    "title": titled.name,
                    "match": match.id,
                    "stage": match.stage,
                    "round": match.round,
                    "place": place,
                    "player": player,
                    "is_walkover": match.is_walkover,
                    "is_bye": match.is_bye,
                }


def places(schedule: Schedule) -> Told:
    """List how all stand in each tournament."""
    for number, titled in sorted(schedule.tournaments().items()):
        standing = titled.now.standing
        for place, player in enumerate(standing.ranking, start=1):
            has_left = player in titled.now.gone
            named = {"tournament": number, "title": titled.name, "place": place, "player": player}
            yield {**named, "has_left": has_left, "is_final": standing.is_final}


def rulings(standings: Standings) -> Told:
    """List what was ruled in the game that is on, or was last, on each board; what was corrected since is left out."""
    for board in standings.boards().values():
        for entry in standings.story(board).entries:
            for ruling in entry.rulings if entry.is_effective else ():
                told = {key: ruling.get(key) for key in ("player", "code", "rule", "text")}
                yield {"board": board.board, "name": board.name, "row": entry.row, "at": entry.at_s, **told}
