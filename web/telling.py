"""What people may read and tell of a game: its rule book, its events' forms, and how things stood before an entry."""

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, jsonify, request

from linesies import rules
from linesies.rules import Catalogue, Field, Form
from linesies.web.language import language_of, words_of
from linesies.web.ports import JournalReader

DAY_S = 86_400


def book_pages() -> Blueprint:
    """Make what sheets are drawn from of a game's rules, in the phone's language."""
    pages = Blueprint("book", __name__)

    @pages.get("/forms/<game>")
    def forms(game: str) -> Response:
        if game not in rules.GAMES:
            abort(404)
        words = words_of(game, language_of(request))
        return _kept(jsonify(forms=[form_json(form, words) for form in rules.GAMES[game].forms]))

    @pages.get("/book/<game>")
    def book(game: str) -> Response:
        if game not in rules.GAMES:
            abort(404)
        words = words_of(game, language_of(request))
        return _kept(jsonify(paragraphs=[msgspec.to_builtins(one) for one in words.book]))

    return pages


def telling_pages(journal: JournalReader) -> Blueprint:
    """Make what sheets are drawn from of the game that is on."""
    pages = Blueprint("telling", __name__)

    @pages.get("/before/<int:row>")
    def before(row: int) -> Response:
        state = journal.standing_before(row)
        if state is None:
            abort(404)
        return jsonify(state=state)

    return pages


def _kept(answer: Response) -> Response:
    """Let a phone keep what stays so for as long as this program runs; it asks by the program's script."""
    answer.headers["Cache-Control"] = f"private, max-age={DAY_S}"
    return answer


def form_json(form: Form, words: Catalogue) -> dict[str, Any]:
    """Write an event's form with what its name, its fields and their values are called."""
    fields = [field_json(field, words, (form.event,)) for field in form.fields]
    return {"event": form.event, "label": words.tells.get(form.event, ""), "fields": fields}


def field_json(field: Field, words: Catalogue, path: tuple[str, ...]) -> dict[str, Any]:
    """Write a field with its label, and each of its values with its own."""
    name = field.name or path[-1]
    told: Mapping[str, Any] = msgspec.to_builtins(field)
    return {
        **told,
        "label": words.tells.get(f"{path[0]}.{name}") or words.tells.get(f".{name}", ""),
        "labels": [_value(words, path[0], name, value) for value in field.values],
        "of": [field_json(part, words, (*path, name)) for part in field.of],
    }


def _value(words: Catalogue, event: str, name: str, value: Any) -> str:
    return words.tells.get(f"{event}.{name}={value}") or words.tells.get(f".{name}={value}", "")
