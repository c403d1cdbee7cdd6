"""The hub's pages in the phone's language: a catalogue each, from which the page's own program takes its words too."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, make_response, render_template, request

from linesies.web import language_of, turning

FOLDER = Path(__file__).parent / "words"


@cache
def words_of(language: str) -> dict[str, Any]:
    """Read a language's words by their keys."""
    known: dict[str, Any] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return known


def page(template: str) -> Response:
    """Write a page in the language that the phone asks for or has chosen; caches keep one for each."""
    language = language_of(request)
    response = make_response(render_template(template, words=words_of(language), **turning(language)))
    response.vary.update(["Accept-Language", "Cookie"])
    return response
