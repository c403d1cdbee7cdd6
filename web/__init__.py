"""The face: pages for phones, a live feed, orders from people. Imports `rules` for the names of things.

It is handed a journal and a way to submit orders (the ports); it never touches a camera. A name is loaded when it is
first asked for: the referee wants roles, and no pages.
"""

from typing import TYPE_CHECKING

from linesies.late import late

if TYPE_CHECKING:
    from linesies.web.app import create_app as create_app
    from linesies.web.captive import PROBES as PROBES
    from linesies.web.changes import Dated as Dated
    from linesies.web.changes import dated as dated
    from linesies.web.changes import news as news
    from linesies.web.changes import updated as updated
    from linesies.web.describing import Doors as Doors
    from linesies.web.describing import described as described
    from linesies.web.elsewhere import elsewhere_pages as elsewhere_pages
    from linesies.web.feed import Feed as Feed
    from linesies.web.language import LANGUAGES as LANGUAGES
    from linesies.web.language import language_of as language_of
    from linesies.web.language import ruled_in as ruled_in
    from linesies.web.language import turning as turning
    from linesies.web.listeners import Listeners as Listeners
    from linesies.web.network import addresses_at as addresses_at
    from linesies.web.network import addresses_for_phones as addresses_for_phones
    from linesies.web.network import own_names as own_names
    from linesies.web.openapi import FILES as FILES
    from linesies.web.pages import listening as listening
    from linesies.web.pages import touch_pages as touch_pages
    from linesies.web.ports import Device as Device
    from linesies.web.ports import JournalReader as JournalReader
    from linesies.web.ports import Now as Now
    from linesies.web.ports import Submit as Submit
    from linesies.web.roles import Anyone as Anyone
    from linesies.web.roles import Doorkeeper as Doorkeeper
    from linesies.web.roles import Paired as Paired
    from linesies.web.roles import Role as Role
    from linesies.web.tables import csv_text as csv_text
    from linesies.web.tables import json_lines as json_lines
    from linesies.web.tables import to_keep as to_keep
    from linesies.web.views import PhoneView as PhoneView
    from linesies.web.views import story_for as story_for
else:
    __getattr__ = late(__name__, __file__)
