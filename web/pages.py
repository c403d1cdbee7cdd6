"""The page itself, the story as JSON, the feed, and the pictures behind the calls."""

import os
import re
from pathlib import Path

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request, send_from_directory

from linesies.games import GAMES
from linesies.web.bundle import Bundle
from linesies.web.feed import Feed
from linesies.web.language import language_of, translator, turning
from linesies.web.listeners import Listeners
from linesies.web.ports import Journal
from linesies.web.roles import Doorkeeper, Role
from linesies.web.safety import give_token, refusal, sign_of, token
from linesies.web.squeezing import streamed
from linesies.web.tries import place_of
from linesies.web.views import View, story_for

SLOW_S = 20.0  # a phone that takes nothing for so long is dropped; it comes back and catches up
RETRY_S = 5
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"
PICTURE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\.(?:jpg|jpeg|png|webp|mp4)")


def face_pages(
    journal: Journal, doorkeeper: Doorkeeper, bundle: Bundle, *, evidence_dir: str | os.PathLike[str] | None
) -> Blueprint:
    """Make what is looked at: the page, the story, the evidence."""
    pages = Blueprint("face", __name__)
    folder = None if evidence_dir is None else Path(evidence_dir).absolute()

    @pages.get("/", defaults={"mode": "phone"})
    @pages.get("/<any(screen, overlay):mode>")
    def page(mode: str) -> Response:
        value = token()
        role = doorkeeper.role(value)
        told = {"is_open": doorkeeper.is_open, **role.as_json()}
        language = language_of(request)
        words = {"say": translator(language), "language": language, "mode": mode}
        words |= {"bundle": bundle, "pages": outside_pages(), **turning(language)}
        return give_token(make_response(render_template("page.html", sign=sign_of(value), role=told, **words)), value)

    @pages.get("/story")
    def story() -> Response:
        return jsonify(story_for(journal, view_of(doorkeeper.role(token()))))

    @pages.get("/game/<game>/<file>")
    def of_game(game: str, file: str) -> Response:
        known = GAMES.get(game)
        if known is None or not isinstance(known.page, Path):
            abort(404)
        return send_from_directory(known.page, file)

    @pages.get("/evidence/<name>")
    def evidence(name: str) -> Response:
        if folder is None or not PICTURE.fullmatch(name):
            abort(404)
        answer = send_from_directory(folder, name, conditional=True)
        answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
        return answer

    return pages


def bundle_pages(bundle: Bundle) -> Blueprint:
    """Make the files of the page, kept by phones for good under names of their content."""
    pages = Blueprint("bundle", __name__)
    files = bundle.files

    @pages.get("/page/<name>")
    def file(name: str) -> Response:
        if name not in files:
            abort(404)
        answer = Response(files[name].content, mimetype=files[name].kind)
        answer.headers["Cache-Control"] = KEPT_FOR_GOOD
        return answer

    return pages


def feed_pages(feed: Feed, doorkeeper: Doorkeeper, *, max_streams: int) -> Blueprint:
    """Make the live feed, for so many phones at a time."""
    pages = Blueprint("feed", __name__)
    listeners = Listeners(max_streams)

    @pages.get("/feed")
    def live() -> Response:
        last_row = _row(request.headers.get("Last-Event-ID") or request.args.get("after"))
        who, role = token(), doorkeeper.role(token())
        listener = listeners.admit(place_of(request.remote_addr or ""), is_paired=bool(role.phone))
        if listener is None:
            answer = refusal(503)
            answer.headers["Retry-After"] = str(RETRY_S)
            return answer
        _drop_when_slow()

        def is_valid() -> bool:
            return not listener.is_over and (not role.seats or doorkeeper.role(who) == role)

        answer = streamed(feed.stream(last_row, view_of(role), is_valid))
        answer.call_on_close(lambda: listeners.leave(listener))
        return answer

    return pages


def house_pages() -> dict[str, str]:
    """Name the page module of each game of the house, in the order in which games are offered."""
    return {name: game.page for name, game in GAMES.items() if isinstance(game.page, str)}


def outside_pages() -> list[tuple[str, str]]:
    """Tell where the page finds the module of each game from outside that brings one."""
    return [(name, f"/game/{name}/game.js") for name, game in GAMES.items() if isinstance(game.page, Path)]


def view_of(role: Role) -> View:
    """Tell what a phone may see, and the language that it asks for."""
    return View(seats=role.seats, language=language_of(request))


def _row(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None


def _drop_when_slow() -> None:
    for server in ("gunicorn", "werkzeug"):
        connection = request.environ.get(f"{server}.socket")
        if connection is not None:
            connection.settimeout(SLOW_S)
