"""What tests of the page share beside the browser itself: which one it is, phones' sizes, waiting for what is shown."""

import os
import shutil
import time

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 640}
WIDE = {"width": 1280, "height": 800}

in_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium on this machine"),
]


def text(page, selector):
    """Read an element's text, on one line."""
    return " ".join(page.inner_text(selector).split())


def wait_for(page, selector, word):
    """Wait until an element says a word."""
    page.wait_for_selector(f"{selector}:has-text('{word}')")


def until(page, expression, patience_s=40.0):
    """Wait until something is so in a page; asked again and again, since the page's own policy forbids it to wait."""
    until_s = time.monotonic() + patience_s
    while not page.evaluate(expression):
        assert time.monotonic() < until_s, f"waited in vain for {expression}"
        page.wait_for_timeout(30)


def heard(page, row):
    """Wait until a page has heard of a row of the journal, and shows it."""
    until(page, f"Number(document.body.dataset.row || 0) >= {row}")


def ordered(stage, count=1):
    """Wait until so many orders have come from the page."""
    until_s = time.monotonic() + 10
    while len(stage.orders) < count and time.monotonic() < until_s:
        time.sleep(0.02)
    return stage.orders
