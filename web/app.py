"""The application: `create_app` joins the pages to what they are handed."""

import os
from collections.abc import Collection

from flask import Flask

from web.feed import Feed
from web.orders import order_pages
from web.pages import face_pages, feed_pages
from web.ports import Journal, Now, Submit
from web.safety import guard

MAX_STREAMS = 300
OWN_NAMES = ("localhost",)


def create_app(  # noqa: PLR0913 - three ports and four plain settings, each named by its caller
    journal: Journal,
    submit: Submit,
    now: Now,
    *,
    evidence_dir: str | os.PathLike[str] | None = None,
    allowed_hosts: Collection[str] = OWN_NAMES,
    may_order: bool = True,
    max_streams: int = MAX_STREAMS,
) -> Flask:
    """Make the page's application.

    `allowed_hosts` are the names by which phones may call (literal addresses always may); `may_order` False makes
    it a page for watching only. The server needs `max_streams` threads for streams and some more for the rest.
    """
    app = Flask(__name__)
    guard(app, allowed_hosts)
    app.register_blueprint(face_pages(journal, may_order=may_order, evidence_dir=evidence_dir))
    app.register_blueprint(feed_pages(Feed(journal, now), max_streams=max_streams))
    app.register_blueprint(order_pages(submit, may_order=may_order))
    return app
