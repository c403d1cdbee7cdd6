"""The real Chromium that tests of the page share, and a page opened in it."""

import pytest

from tests.browsing import CHROMIUM, FLAGS, PHONE
from tests.page_server import Stage, served


@pytest.fixture(scope="module")
def browser():
    """A Chromium for the tests of a file."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def stage():
    """What the page is told, told by hand."""
    return Stage()


@pytest.fixture
def opened(browser, stage):
    """Open the stage's page; fails the test if the page complains of anything."""
    contexts, complaints = [], []

    def open_page(port, viewport=None, **settings):
        context = browser.new_context(viewport=viewport or PHONE, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.on("console", lambda line: complaints.append(line.text) if "Security" in line.text else None)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("body[data-connection=live]")
        return page

    with served(stage) as port:
        yield lambda *told, **settings: open_page(port, *told, **settings)
        for context in contexts:
            context.close()
    assert complaints == []
