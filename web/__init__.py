"""The face: pages for phones, a live feed, orders from people. Imports `rules` for the names of things.

It is handed a journal and a way to submit orders (the ports); it never touches a camera.
"""

from web.app import create_app
from web.captive import PROBES
from web.ports import Device, Journal, Now, Submit
from web.roles import Anyone, Doorkeeper, Paired, Role

__all__ = ["PROBES", "Anyone", "Device", "Doorkeeper", "Journal", "Now", "Paired", "Role", "Submit", "create_app"]
