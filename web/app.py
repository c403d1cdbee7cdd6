"""The application: `create_app` joins the pages to what they are handed."""

import os
from collections.abc import Collection

from flask import Flask

from linesies.web.bundle import make_bundle
from linesies.web.captive import welcome
from linesies.web.cases import case_pages
from linesies.web.decks import deck_pages
from linesies.web.feed import Feed
from linesies.web.hosting import hosting_pages
from linesies.web.invitation import Addresses, invitation_pages
from linesies.web.joining import joining_pages
from linesies.web.leaving import league_pages
from linesies.web.openapi import api_pages
from linesies.web.orders import order_pages
from linesies.web.pages import bundle_pages, face_pages, feed_pages, house_pages
from linesies.web.past import past_pages
from linesies.web.people import people_pages
from linesies.web.phones import phone_pages
from linesies.web.ports import CaseFile, Device, JournalReader, Nobody, Now, Proof, Remembers, Submit
from linesies.web.proofs import proof_pages
from linesies.web.roles import Anyone, Doorkeeper
from linesies.web.safety import guard
from linesies.web.seated import Seated
from linesies.web.squeezing import squeeze
from linesies.web.telling import book_pages, telling_pages

MAX_STREAMS = 300
OWN_NAMES = ("localhost",)


def create_app(  # noqa: PLR0913 - seven ports and three plain settings, each named by its caller
    journal: JournalReader,
    submit: Submit,
    now: Now,
    *,
    doorkeeper: Doorkeeper | None = None,
    addresses: Addresses = tuple,
    device: Device | None = None,
    remembers: Remembers | None = None,
    evidence_dir: str | os.PathLike[str] | None = None,
    case_file: CaseFile | None = None,
    proof: Proof | None = None,
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
    bundle = make_bundle(house=house_pages())
    app.register_blueprint(bundle_pages(bundle))
    app.register_blueprint(face_pages(journal, door, bundle, evidence_dir=evidence_dir))
    app.register_blueprint(case_pages(journal, case_file))
    app.register_blueprint(proof_pages(proof, door, device))
    app.register_blueprint(feed_pages(Feed(journal, Seated(now, door)), door, max_streams=max_streams))
    app.register_blueprint(order_pages(submit, journal, door))
    app.register_blueprint(book_pages())
    app.register_blueprint(telling_pages(journal))
    app.register_blueprint(joining_pages(journal, door))
    app.register_blueprint(phone_pages(journal, door))
    app.register_blueprint(past_pages(journal, door))
    app.register_blueprint(people_pages(journal, door, remembers or Nobody()))
    app.register_blueprint(api_pages(app))
    app.register_blueprint(hosting_pages(door, device))
    app.register_blueprint(league_pages(door, device))
    app.register_blueprint(deck_pages(door, device))
    app.register_blueprint(invitation_pages(journal, door, addresses))
    return app
