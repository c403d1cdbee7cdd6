"""The page itself, the story as JSON, the feed, and the pictures behind the calls."""

import os
import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request, send_from_directory

from linesies.games import GAMES
from linesies.web.bundle import STATIC, Bundle
from linesies.web.feed import Feed
from linesies.web.language import language_of, translator, turning
from linesies.web.listeners import Listeners
from linesies.web.ports import JournalReader
from linesies.web.roles import Doorkeeper, Role
from linesies.web.safety import give_token, refusal, sign_of, token
from linesies.web.squeezing import streamed
from linesies.web.tries import place_of
from linesies.web.views import PhoneView, story_for

SLOW_S = 20.0  # a phone that takes nothing for so long is dropped; it comes back and catches up
RETRY_S = 5
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"
IsSo = Callable[[], bool]
PICTURE = re.compile(r"(?:(?P<row>\d{1,15})-)?[A-Za-z0-9][A-Za-z0-9_.-]*\.(?:jpg|jpeg|png|webp|mp4)")


def face_pages(
    journal: JournalReader, doorkeeper: Doorkeeper, bundle: Bundle, *, evidence_dir: str | os.PathLike[str] | None
) -> Blueprint:
    """Make what is looked at: the page, the story, the evidence."""
    pages = Blueprint("face", __name__)
    folder = None if evidence_dir is None else Path(evidence_dir).absolute()

    @pages.get("/", defaults={"mode": "phone"})
    @pages.get("/<any(screen, overlay):mode>")
    def page(mode: str) -> Response:
        value = token()
        told = {"is_open": doorkeeper.is_open, **doorkeeper.role(value).as_json()}
        return give_token(make_response(drawn(bundle, mode=mode, sign=sign_of(value), role=told)), value)

    @pages.get("/story")
    def story() -> Response:
        return jsonify(story_for(journal, view_of(doorkeeper.role(token()))))

    @pages.get("/evidence/<name>")
    def evidence(name: str) -> Response:
        shown = PICTURE.fullmatch(name)
        if folder is None or shown is None or int(shown["row"] or 0) in journal.uncalled():
            abort(404)
        answer = send_from_directory(folder, name, conditional=True)
        answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
        return answer

    return pages


def drawn(bundle: Bundle, *, mode: str, role: dict[str, Any], home: str = "", whole: str = "", sign: str = "") -> str:
    """Write the page in the phone's language, for a phone of this role; its feed is told below `home`.

    `whole` is where it asks for the whole story, if its feed tells only what is new.
    """
    language = language_of(request)
    words = {"say": translator(language), "language": language, "mode": mode, "home": home, "whole": whole}
    words |= {"sign": sign, "role": role, "bundle": bundle, "pages": outside_pages(), **turning(language)}
    return render_template("page.html", **words)


def bundle_pages(bundle: Bundle) -> Blueprint:
    """Make the files of the page, kept by phones for good under names of their content, and those of games' own."""
    pages = Blueprint("bundle", __name__)
    files = bundle.files

    @pages.get("/page/<name>")
    def file(name: str) -> Response:
        if name not in files:
            abort(404)
        answer = Response(files[name].content, mimetype=files[name].kind)
        answer.headers["Cache-Control"] = KEPT_FOR_GOOD
        return answer

    @pages.get("/game/<game>/<file>")
    def of_game(game: str, file: str) -> Response:
        known = GAMES.get(game)
        if known is None or not isinstance(known.page, Path):
            abort(404)
        return send_from_directory(known.page, file)

    return pages


def feed_pages(feed: Feed, doorkeeper: Doorkeeper, *, max_streams: int) -> Blueprint:
    """Make the live feed, for so many phones at a time."""
    pages = Blueprint("feed", __name__)
    listeners = Listeners(max_streams)

    @pages.get("/feed")
    def live() -> Response:
        who, role = token(), doorkeeper.role(token())
        return told_live(feed, listeners, role, lambda: not role.seats or doorkeeper.role(who) == role)

    return pages


def told_live(feed: Feed, listeners: Listeners, role: Role, is_still: IsSo) -> Response:
    """Answer with what a phone of this role has not heard and all that comes, as long as that is still so."""
    last_row, view = _row(request.headers.get("Last-Event-ID") or request.args.get("after")), view_of(role)

    def tell(is_there: IsSo) -> Generator[str]:
        return feed.stream(last_row, view, lambda: is_there() and is_still())

    return listening(listeners, tell, is_paired=bool(role.phone))


def listening(listeners: Listeners, tell: Callable[[IsSo], Generator[str]], *, is_paired: bool = False) -> Response:
    """Answer with a stream for as long as there is a place for it, which others may need more; 503 without one."""
    listener = listeners.admit(place_of(request.remote_addr or ""), is_paired=is_paired)
    if listener is None:
        answer = refusal(503)
        answer.headers["Retry-After"] = str(RETRY_S)
        return answer
    _drop_when_slow()
    answer = streamed(tell(lambda: not listener.is_over))
    answer.call_on_close(lambda: listeners.leave(listener))
    return answer


def touch_pages() -> Blueprint:
    """Make the modules by which other pages of ours hear a finger as this one does, beside the scripts of those."""
    pages = Blueprint("touch", __name__)

    @pages.get("/static/<any('finger.js', 'focus.js'):name>")
    def module(name: str) -> Response:
        return send_from_directory(STATIC, name)

    return pages


def house_pages() -> dict[str, str]:
    """Name the page module of each game of the house, in the order in which games are offered."""
    return {name: game.page for name, game in GAMES.items() if isinstance(game.page, str)}


def outside_pages() -> list[tuple[str, str]]:
    """Tell where the page finds the module of each game from outside that brings one."""
    return [(name, f"/game/{name}/game.js") for name, game in GAMES.items() if isinstance(game.page, Path)]


def view_of(role: Role) -> PhoneView:
    """Tell what a phone may see, and the language that it asks for."""
    return PhoneView(seats=role.seats, language=language_of(request))


def _row(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None


def _drop_when_slow() -> None:
    for server in ("gunicorn", "werkzeug"):
        connection = request.environ.get(f"{server}.socket")
        if connection is not None:
            connection.settimeout(SLOW_S)
