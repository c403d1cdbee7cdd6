"""The face: pages for phones, a live feed, orders from people. Imports `rules` for the names of things.

It is handed a journal and a way to submit orders (the ports); it never touches a camera. A name is loaded when it is
first asked for (PEP 562): the referee wants roles, and no pages. Type checkers read the same names from the imports
that never run.
"""

from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linesies.web.app import create_app
    from linesies.web.captive import PROBES
    from linesies.web.describing import Doors, described
    from linesies.web.elsewhere import elsewhere_pages
    from linesies.web.feed import Feed
    from linesies.web.language import LANGUAGES, language_of, ruled_in, turning
    from linesies.web.listeners import Listeners
    from linesies.web.network import addresses_at, addresses_for_phones, own_names
    from linesies.web.openapi import FILES
    from linesies.web.pages import listening
    from linesies.web.ports import Device, Journal, Now, Submit
    from linesies.web.roles import Anyone, Doorkeeper, Paired, Role
    from linesies.web.tables import csv_text, json_lines, to_keep

__all__ = [
    "FILES",
    "LANGUAGES",
    "PROBES",
    "Anyone",
    "Device",
    "Doorkeeper",
    "Doors",
    "Feed",
    "Journal",
    "Listeners",
    "Now",
    "Paired",
    "Role",
    "Submit",
    "addresses_at",
    "addresses_for_phones",
    "create_app",
    "csv_text",
    "described",
    "elsewhere_pages",
    "json_lines",
    "language_of",
    "listening",
    "own_names",
    "ruled_in",
    "to_keep",
    "turning",
]

HOMES = {
    "FILES": "linesies.web.openapi:FILES",
    "LANGUAGES": "linesies.web.language:LANGUAGES",
    "PROBES": "linesies.web.captive:PROBES",
    "Anyone": "linesies.web.roles:Anyone",
    "Doors": "linesies.web.describing:Doors",
    "Device": "linesies.web.ports:Device",
    "Doorkeeper": "linesies.web.roles:Doorkeeper",
    "Journal": "linesies.web.ports:Journal",
    "Now": "linesies.web.ports:Now",
    "Paired": "linesies.web.roles:Paired",
    "Role": "linesies.web.roles:Role",
    "Submit": "linesies.web.ports:Submit",
    "Feed": "linesies.web.feed:Feed",
    "Listeners": "linesies.web.listeners:Listeners",
    "addresses_at": "linesies.web.network:addresses_at",
    "addresses_for_phones": "linesies.web.network:addresses_for_phones",
    "csv_text": "linesies.web.tables:csv_text",
    "described": "linesies.web.describing:described",
    "elsewhere_pages": "linesies.web.elsewhere:elsewhere_pages",
    "json_lines": "linesies.web.tables:json_lines",
    "language_of": "linesies.web.language:language_of",
    "listening": "linesies.web.pages:listening",
    "own_names": "linesies.web.network:own_names",
    "ruled_in": "linesies.web.language:ruled_in",
    "to_keep": "linesies.web.tables:to_keep",
    "turning": "linesies.web.language:turning",
    "create_app": "linesies.web.app:create_app",
}


def __getattr__(name: str) -> object:
    """Load what the package offers under a name."""
    if name not in HOMES:
        raise AttributeError(f"web offers no {name!r}")
    found: object = resolve_name(HOMES[name])
    globals()[name] = found
    return found
