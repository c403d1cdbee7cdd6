"""The page of a board that stands elsewhere, as a league's hub shows it: whoever looks sees all, and orders nothing."""

from typing import Any, Protocol

from flask import Blueprint, Response, abort, make_response, request

from linesies.web.bundle import make_bundle
from linesies.web.feed import Feed
from linesies.web.language import language_of
from linesies.web.listeners import Listeners
from linesies.web.pages import bundle_pages, drawn, house_pages, told_live
from linesies.web.roles import Role
from linesies.web.telling import book_pages

WATCHER = Role()


class Boards(Protocol):
    """The boards whose pages are asked for."""

    def feed(self, board: str) -> Feed | None:
        """Give a board's feed, None where no board has that key."""
        ...

    @property
    def is_relayed(self) -> bool:
        """Tell whether an engine tells pages what is new, beside which they ask for the whole."""
        ...

    def whole(self, board: str, language: str) -> dict[str, Any] | None:
        """Write all of a board's story and its moment, None where no engine tells what follows, or no such board."""
        ...

    def is_told_by(self, feed: Feed) -> bool:
        """Tell whether a feed is still its board's; pages of another one come back and begin anew."""
        ...


def elsewhere_pages(boards: Boards, listeners: Listeners) -> Blueprint:
    """Make the pages of boards by their keys: on a television, and laid over a stream."""
    pages = Blueprint("elsewhere", __name__, template_folder="templates")
    bundle = make_bundle(house=house_pages())
    pages.register_blueprint(bundle_pages(bundle))
    pages.register_blueprint(book_pages())

    def feed_of(board: str) -> Feed:
        return boards.feed(board) or abort(404)

    @pages.get("/boards/<board>/<any(screen, overlay):mode>")
    def page(board: str, mode: str) -> Response:
        feed_of(board)
        told = {"is_open": False, **WATCHER.as_json()}
        whole = f"/boards/{board}/whole.json" if boards.is_relayed else ""
        answer = make_response(drawn(bundle, mode=mode, home=f"/boards/{board}", whole=whole, role=told))
        answer.vary.update(["Accept-Language", "Cookie"])
        return answer

    @pages.get("/boards/<board>/feed")
    def live(board: str) -> Response:
        feed = feed_of(board)
        return told_live(feed, listeners, WATCHER, lambda: boards.is_told_by(feed))

    @pages.get("/boards/<board>/whole.json")
    def whole(board: str) -> dict[str, Any]:
        return boards.whole(board, language_of(request)) or abort(404)

    return pages
