"""The hub's face: takes what boards push, and shows people how things stand.

A board may write its own rows and nothing else, and only with its key; people only look.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, request
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.exc import TimeoutError as NoneFree

from linesies.league.admission import Admission
from linesies.league.bell import Bell
from linesies.league.broker import Broker
from linesies.league.calling import EVERY_S, Calling
from linesies.league.calls import MatchCalls, call_json
from linesies.league.exports import export_pages
from linesies.league.fanout import FanOut
from linesies.league.file_place import FilesAway
from linesies.league.files import Files, Room
from linesies.league.forgetting import forget
from linesies.league.language import page
from linesies.league.news import QUIET_S, News
from linesies.league.openapi import api_page
from linesies.league.organising import STRANGER, Organisers, Person, arrange, read
from linesies.league.schedule import Schedule
from linesies.league.showing import show_files, take_files
from linesies.league.signed import answered
from linesies.league.standings import Standings
from linesies.league.store import Store
from linesies.league.telling import hook_pages, league_json, tell_hooks_on
from linesies.league.watching import Watching
from linesies.league.webhooks import Webhooks
from linesies.league.wire import MOST_BYTES, HubAnswer, Joining, Leaving, Pushed, Refusal
from linesies.referee.known_types import know_types
from linesies.web import Listeners, elsewhere_pages, listening, touch_pages

log = logging.getLogger(__name__)

MOST_PAGES = 200  # that are told live; of the threads that serve the hub the others are for boards and for taps
TOLD_AGAIN_S = 60.0  # each cause for which the database or the files' place fails, however many ask meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """What stands beside a hub: a broker, by its address, an engine for thousands of pages, and room for files."""

    broker: str | None = None
    fan_out: FanOut | None = None
    room: Room = field(default_factory=Room)


def create_hub(
    store: Store, admission: Admission, bell: Bell, organisers: Organisers, others: Others | None = None
) -> Flask:
    """Make the hub's application."""
    know_types()  # for boards and pages are served by many threads
    others = others or Others()
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    standings, schedule = Standings(store), Schedule(store)
    calling = Calling(standings, schedule, MatchCalls(store))
    bell.follow(calling.look, name="calling", at_least_every_s=EVERY_S)
    _take_boards(app, store, admission)
    files = Files(store, others.room)
    take_files(app, files)
    show_files(app, files, standings)
    bell.follow(files.tidy, name="files", at_least_every_s=QUIET_S)
    _show_code(app, admission, organisers)
    listeners = Listeners(MOST_PAGES)
    news = News(lambda: now_json(standings, schedule, calling), bell, others.fan_out)
    _show_people(app, standings, lambda: listening(listeners, news.stream, is_paired=organisers.is_here))
    app.register_blueprint(elsewhere_pages(Watching(standings, bell, others.fan_out), listeners))
    app.register_blueprint(touch_pages())
    _let_organisers_take_out(app, store)
    _let_organisers_forget(app, store, files, schedule, standings)
    arrange(app, schedule, calling, organisers)
    export_pages(app, schedule, standings)
    hooks = Webhooks(store.engine)
    hook_pages(app, hooks, organisers)
    tell_hooks_on(bell, hooks, schedule)
    api_page(app)
    if others.broker is not None:
        told = Broker(others.broker, lambda: league_json(standings, schedule, calling))
        bell.follow(told.look, name="mqtt", at_least_every_s=QUIET_S)

    _answer_faults(app)

    @app.after_request
    def _guarded(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = "default-src 'self'"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    return app


def _answer_faults(app: Flask) -> None:
    @app.errorhandler(DataError)
    def _impossible(_: DataError) -> tuple[dict[str, str], int]:
        return {"code": "not_understood", "message": "a number or a letter in it is none that can be kept"}, 400

    told_until_s: dict[str, float] = {}

    def warn(what: str, cause: str) -> None:
        if time.monotonic() > told_until_s.get(cause, 0.0):
            log.warning("%s, for %s and what else is asked: %s", what, request.path, cause)
            told_until_s[cause] = time.monotonic() + TOLD_AGAIN_S

    @app.errorhandler(OperationalError)
    @app.errorhandler(NoneFree)
    def _database_fails(fault: Exception) -> tuple[dict[str, str], int]:
        warn("the database fails", str(fault).partition("\n")[0])
        return {"code": "no_database", "message": "the hub's database fails; the hub's console says why"}, 503

    @app.errorhandler(FilesAway)
    def _files_away(fault: FilesAway) -> tuple[dict[str, str], int]:
        warn("the files' place fails", str(fault).partition("\n")[0])
        return {"code": "no_files", "message": "the place of the hub's files fails; the hub's console says why"}, 503

    @app.errorhandler(BlockingIOError)
    def _gone_away(_: BlockingIOError) -> tuple[dict[str, str], int]:
        return {"code": "not_understood", "message": "it was waited long enough for the rest of the message"}, 408


def _take_boards(app: Flask, store: Store, admission: Admission) -> None:
    @app.post("/league/boards")
    def join() -> Response:
        def admit(board: str, joining: Joining) -> HubAnswer | Refusal:
            if not admission.lets_in(joining.code):
                return Refusal(code="wrong_code", message="this is not the hub's code of now; ask whoever runs the hub")
            store.admit(board, joining)
            return HubAnswer(held=0)

        return answered(Joining, admit)

    @app.post("/league/leave")
    def leave() -> Response:
        return answered(Leaving, store.take_leave)

    @app.post("/league/rows")
    def push() -> Response:
        return answered(Pushed, store.push)


def _show_code(app: Flask, admission: Admission, organisers: Organisers) -> None:
    @app.get("/joining.json")
    def joining() -> Any:
        return {"code": admission.code} if organisers.is_here else (STRANGER, 403)


def _let_organisers_take_out(app: Flask, store: Store) -> None:
    @app.post("/boards/<board>/leave")
    def take_out(board: str) -> dict[str, bool]:
        return {"done": store.let_go(board)}


def _let_organisers_forget(app: Flask, store: Store, files: Files, schedule: Schedule, standings: Standings) -> None:
    @app.post("/people/forget")
    def forget_one() -> Any:
        def done(person: Person) -> dict[str, bool]:
            return {"done": forget(person.name, store=store, files=files, schedule=schedule, standings=standings)}

        return read(Person, done)


def now_json(standings: Standings, schedule: Schedule, calling: Calling) -> dict[str, Any]:
    """Write what all pages are told: boards, calls, and how often anything was said of tournaments, for their pages."""
    calls = [call_json(call) for call in calling.awaited()]
    return {**standings.told_json(), "calls": calls, "said": schedule.said_count()}


def _show_people(app: Flask, standings: Standings, tell_live: Callable[[], Response]) -> None:
    @app.get("/")
    def boards_page() -> Response:
        return page("hub.html")

    @app.get("/boards.json")
    def boards() -> list[dict[str, Any]]:
        return standings.boards_json()

    @app.get("/boards/<board>/story.json")
    def story(board: str) -> dict[str, Any] | tuple[dict[str, Any], int]:
        told = standings.story_json(board)
        return (told, 200) if told is not None else ({"message": "no such board"}, 404)

    @app.get("/feed")
    def feed() -> Response:
        return tell_live()
