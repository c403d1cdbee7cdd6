"""The organiser's door: whoever types the organiser's code arranges the evening from that phone; everybody looks.

Remembers whom it has let in, until the hub ends. A code that is guessed at ten times becomes another.
"""

import secrets
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import msgspec
from flask import Flask, Response, request

from linesies.league.admission import Admission
from linesies.league.calling import Calling, where_json
from linesies.league.errors import BadInput
from linesies.league.language import page
from linesies.league.schedule import Opening, Schedule, tournament_json
from linesies.league.tournament import Deed

COOKIE = "linesies_organiser"
TOKEN_BYTES = 24
ARRANGED = ("/tournaments", "/boards", "/people", "/webhooks")  # what only the organiser posts to
STRANGER = {"code": "stranger", "message": "only the organiser may do that; type the organiser's code first"}
WRONG_CODE = {"code": "wrong_code", "message": "this is not the organiser's code of now; the hub's console shows it"}
NO_TOURNAMENT = {"code": "no_tournament", "message": "no such tournament"}


class Organisers:
    """Knows by a cookie who is the organiser."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self._tokens: set[str] = set()

    @property
    def is_here(self) -> bool:
        """Tell whether the request is an organiser's."""
        return request.cookies.get(COOKIE, "") in self._tokens

    def enter(self, code: str) -> str | None:
        """Give a token to whoever knows the code, None to others."""
        if not self._admission.lets_in(code):
            return None
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._tokens.add(token)
        return token


class OrganiserCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an organiser types."""

    code: str


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the organiser takes what a board says after its match, or leaves the match as it is."""

    match: str
    is_taken: bool


class Recall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An organiser takes a match back from its board, to be called again."""

    match: str


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whoever is to be forgotten."""

    name: str


def arrange(app: Flask, schedule: Schedule, calling: Calling, organisers: Organisers) -> None:
    """Add what the organiser does and everybody sees of tournaments."""
    _show(app, schedule, calling, organisers)

    @app.before_request
    def guard() -> Any:
        is_arranging = request.method == "POST" and request.path.startswith(ARRANGED)
        return (STRANGER, 403) if is_arranging and not organisers.is_here else None

    @app.post("/organiser")
    def enter() -> Response:
        def let_in(given: OrganiserCode) -> Any:
            token = organisers.enter(given.code)
            return token or (WRONG_CODE, 403)

        answer = read(OrganiserCode, let_in)
        if not isinstance(answer, str):
            return app.make_response(answer)
        response = app.make_response(({"message": "You are the organiser."}, 200))
        response.set_cookie(COOKIE, answer, httponly=True, samesite="Strict")
        return response

    _arrange_tournaments(app, schedule, calling)


def _arrange_tournaments(app: Flask, schedule: Schedule, calling: Calling) -> None:
    @app.post("/tournaments")
    def open_one() -> Any:
        return read(Opening, lambda opening: {"tournament": schedule.open(opening)})

    @app.post("/tournaments/<int:number>/deeds")
    def say(number: int) -> Any:
        if "preview" in request.args:
            return read(Deed, lambda deed: msgspec.to_builtins(schedule.change(number, deed)))
        return read(Deed, lambda deed: _told(schedule, number, deed))

    @app.post("/tournaments/<int:number>/word")
    def answer_board(number: int) -> Any:
        return read(Word, lambda word: {"done": calling.heed(number, word.match, is_taken=word.is_taken)})

    @app.post("/tournaments/<int:number>/recall")
    def recall(number: int) -> Any:
        return read(Recall, lambda meant: {"done": calling.recall(number, meant.match)})

    @app.post("/tournaments/<int:number>/undo")
    def undo(number: int) -> Any:
        return read(dict, lambda _: {"undone": schedule.undo(number)})


def _show(app: Flask, schedule: Schedule, calling: Calling, organisers: Organisers) -> None:
    @app.get("/tournaments.json")
    def tournaments_told() -> Any:
        return [{"tournament": number, "name": one.name} for number, one in schedule.tournaments().items()]

    @app.get("/ratings.json")
    def ratings_told() -> Any:
        return [asdict(one) for one in schedule.ratings()]

    @app.get("/organiser.json")
    def organiser_told() -> Any:
        return {"is_organiser": organisers.is_here}

    @app.get("/tournaments/<int:number>.json")
    def tournament_told(number: int) -> Any:
        told = schedule.tournaments().get(number)
        if told is None:
            return NO_TOURNAMENT, 404
        where = {match: where_json(one) for match, one in calling.where(number).items()}
        return {**tournament_json(told.name, told.now), "where": where, "is_organiser": organisers.is_here}

    @app.get("/tournaments")
    @app.get("/tournaments/<int:number>")
    def tournament_page(number: int | None = None) -> Response:  # noqa: ARG001 - the page reads it from its own address
        return page("tournament.html")


def _told(schedule: Schedule, number: int, deed: Any) -> dict[str, Any]:
    now = schedule.say(number, deed)
    return {"void": sorted({one.match for one in now.void})}


def read(kind: Any, take: Callable[[Any], Any]) -> Any:
    """Read what was sent and take it; what makes no sense gets one line."""
    try:
        return take(msgspec.json.decode(request.get_data(), type=kind))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, BadInput) as fault:
        return {"message": str(fault)}, 400
    except KeyError:
        return NO_TOURNAMENT, 404
