"""The application: `create_app` joins the pages to what they are handed."""

import os
from collections.abc import Collection

from flask import Flask

from linesies.web.captive import welcome
from linesies.web.feed import Feed
from linesies.web.hosting import hosting_pages
from linesies.web.invitation import Addresses, invitation_pages
from linesies.web.joining import joining_pages
from linesies.web.openapi import api_pages
from linesies.web.orders import order_pages
from linesies.web.pages import face_pages, feed_pages
from linesies.web.past import past_pages
from linesies.web.phones import phone_pages
from linesies.web.ports import Device, Journal, Now, Submit
from linesies.web.roles import Anyone, Doorkeeper
from linesies.web.safety import guard
from linesies.web.seated import Seated
from linesies.web.squeezing import squeeze

MAX_STREAMS = 300
OWN_NAMES = ("localhost",)


def create_app(  # noqa: PLR0913 - five ports and three plain settings, each named by its caller
    journal: Journal,
    submit: Submit,
    now: Now,
    *,
    doorkeeper: Doorkeeper | None = None,
    addresses: Addresses = tuple,
    device: Device | None = None,
    evidence_dir: str | os.PathLike[str] | None = None,
    allowed_hosts: Collection[str] = OWN_NAMES,
    max_streams: int = MAX_STREAMS,
) -> Flask:
    """Make the page's application.

    `allowed_hosts` are the names by which phones may call (literal addresses always may); without a `doorkeeper` every
    phone may order. The server must be able to hold `max_streams` streams open and still answer.
    """
    door = doorkeeper or Anyone(may_order=True)
    app = Flask(__name__)
    welcome(app, addresses)
    guard(app, allowed_hosts)
    squeeze(app)
    app.register_blueprint(face_pages(journal, door, evidence_dir=evidence_dir))
    app.register_blueprint(feed_pages(Feed(journal, Seated(now, door)), door, max_streams=max_streams))
    app.register_blueprint(order_pages(submit, journal, door))
    app.register_blueprint(joining_pages(journal, door))
    app.register_blueprint(phone_pages(journal, door))
    app.register_blueprint(past_pages(journal, door))
    app.register_blueprint(api_pages(app))
    app.register_blueprint(hosting_pages(door, device))
    app.register_blueprint(invitation_pages(journal, door, addresses))
    return app
