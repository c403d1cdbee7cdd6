"""The page that opens by itself when people join the box's own network.

A phone that has joined asks its maker's address whether the network leads anywhere. On the box's own network these
names lead to the box (the hotspot has the network say so), and whoever asks is led to the page; phones open it.
"""

from flask import Flask, redirect, request
from werkzeug.wrappers import Response as ResponseBase

from linesies.web.invitation import Addresses

# who asks where, as their makers' documentation has it
PROBES = (
    "connectivitycheck.gstatic.com",  # Android, ChromeOS
    "connectivitycheck.android.com",
    "clients3.google.com",
    "captive.apple.com",  # iOS, macOS
    "www.msftconnecttest.com",  # Windows
    "www.msftncsi.com",
    "detectportal.firefox.com",
    "connectivity-check.ubuntu.com",
    "nmcheck.gnome.org",
    "networkcheck.kde.org",
)


def welcome(app: Flask, addresses: Addresses) -> None:
    """Lead whoever asks for one of these names to the page; must stand before the check of names."""

    @app.before_request
    def lead_to_page() -> ResponseBase | None:
        if request.host.lower().partition(":")[0] not in PROBES:
            return None
        return redirect(next(iter(addresses()), "/"))
