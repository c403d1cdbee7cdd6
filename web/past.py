"""Past games: what there are, how each went, and everything to take along: JSON Lines, CSV, a picture."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from linesies.web.language import in_language, language_of, translator, words_of
from linesies.web.picture import summary_svg
from linesies.web.ports import JournalReader
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token
from linesies.web.tables import csv_text, json_lines, to_keep

COLUMNS = ("event", "player", "at", "of", "hits", "rest", "number", "bid", "card", "owner", "pile", "t_start", "t_end")


def past_pages(journal: JournalReader, doorkeeper: Doorkeeper) -> Blueprint:
    """Make what is left of games."""
    pages = Blueprint("past", __name__)

    @pages.get("/past")
    def games() -> Response:
        language = language_of(request)
        return jsonify(
            games=[{**game, "title": words_of(game["game"], language).short_title} for game in journal.games()]
        )

    @pages.get("/past/<int:number>")
    def summary(number: int) -> Response:
        told = journal.summary(number)
        return refusal(404) if told is None else jsonify(told_in(told, language_of(request)))

    @pages.get("/past/<int:number>.svg")
    def picture(number: int) -> Response:
        told = journal.summary(number)
        if told is None:
            return refusal(404)
        language = language_of(request)
        title = words_of(told["game"]["game"], language).short_title
        return Response(summary_svg(told, title, translator(language)), mimetype=SVG)

    @pages.get("/past/<int:number>.jsonl")
    def lines(number: int) -> Response:
        events = journal.events(number, doorkeeper.role(token()).seats)
        if events is None:
            return refusal(404)
        return to_keep(json_lines(events), "application/jsonl", f"linesies-{number}.jsonl")

    @pages.get("/past/<int:number>.csv")
    def table(number: int) -> Response:
        events = journal.events(number, doorkeeper.role(token()).seats)
        if events is None:
            return refusal(404)
        return to_keep(events_table(events), "text/csv", f"linesies-{number}.csv")

    return pages


SVG = "image/svg+xml"


def told_in(summary: dict[str, Any], language: str) -> dict[str, Any]:
    """Say the decisive moments in a language."""
    told = in_language({"game": summary["game"], "entries": summary["decisive"]}, language)
    return {**summary, "decisive": told["entries"]}


def events_table(events: list[dict[str, Any]]) -> str:
    """Write events as a table, but for the start."""
    return csv_text(COLUMNS, events[1:])
