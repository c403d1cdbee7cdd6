"""The page itself, the story as JSON, the feed, and the pictures behind the calls."""

import os
import re
import threading
from pathlib import Path

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request, send_from_directory

from web.feed import Feed
from web.ports import Journal
from web.safety import give_token, refusal, token

SLOW_S = 20.0  # a phone that takes nothing for so long is dropped; it comes back and catches up
RETRY_S = 5
PICTURE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\.(?:jpg|jpeg|png|webp|mp4)")


def face_pages(journal: Journal, *, may_order: bool, evidence_dir: str | os.PathLike[str] | None) -> Blueprint:
    """Make what is looked at: the page, the story, the evidence."""
    pages = Blueprint("face", __name__)
    folder = None if evidence_dir is None else Path(evidence_dir).absolute()

    @pages.get("/")
    def page() -> Response:
        value = token()
        return give_token(make_response(render_template("page.html", token=value, may_order=may_order)), value)

    @pages.get("/story")
    def story() -> Response:
        return jsonify(journal.story_json())

    @pages.get("/evidence/<name>")
    def evidence(name: str) -> Response:
        if folder is None or not PICTURE.fullmatch(name):
            abort(404)
        answer = send_from_directory(folder, name)
        answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
        return answer

    return pages


def feed_pages(feed: Feed, *, max_streams: int) -> Blueprint:
    """Make the live feed, for so many phones at a time."""
    pages = Blueprint("feed", __name__)
    seats = threading.BoundedSemaphore(max_streams)

    @pages.get("/feed")
    def live() -> Response:
        last_row = _row(request.headers.get("Last-Event-ID") or request.args.get("after"))
        if not seats.acquire(blocking=False):
            answer = refusal(503)
            answer.headers["Retry-After"] = str(RETRY_S)
            return answer
        _drop_when_slow()
        answer = Response(feed.stream(last_row), mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
        answer.call_on_close(seats.release)
        return answer

    return pages


def _row(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None


def _drop_when_slow() -> None:
    for server in ("gunicorn", "werkzeug"):
        connection = request.environ.get(f"{server}.socket")
        if connection is not None:
            connection.settimeout(SLOW_S)
