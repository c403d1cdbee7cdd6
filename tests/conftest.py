"""The real Chromium and page that tests share; in CI no test is skipped unawares; no property is timed."""

import contextlib
import os
import re

import pytest
from hypothesis import settings
from sqlalchemy import text

from linesies.league.store import Store
from linesies.league.tables import metadata
from tests.browsing import CHROMIUM, FLAGS, PHONE, guided
from tests.leagues import BoardBox, Codes, hub_on
from tests.page_server import Stage, served
from tests.postgres import running_cluster
from tests.refereeing import quick_journal, referee_on
from tests.thorough import IS_THOROUGH, TURN, all_s, dealt_out, slow_s

MAY_BE_SKIPPED = {  # in CI, by what the skip says -> why
    "picamera2 is not installed": "libcamera's binding comes with Raspberry Pi OS alone",
    "no disk of its own can be made here": "containers may forbid namespaces",
    "systemd-analyze": "containers have no systemd",
    "takes hours": "run by hand before a release",
    "takes minutes": "`make live`, run by hand before a release",
    "fonts are set by Pillow|no outline font": "belongs to the training extra, which CI does not install",
    "no node on this machine": "the page is tested in the browser as well",
    "nginx with nchan is not installed": "an engine for thousands of pages, beside the hub",
    "a hundred metres off": "no case of its table",
}
DEALT = pytest.StashKey()  # each turn: file -> seconds
_unawares = []
settings.register_profile("any pace", deadline=None)
settings.load_profile("any pace")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Have three workers for two cores: a test that drives a page waits for it nearly half of its time."""
    cores = len(os.sched_getaffinity(0))
    return cores + cores // 2


def pytest_collection_modifyitems(config, items):
    """Have the files that take longest begin first; leave out those without a turn, unless asked for by their names."""
    weights = all_s(items)
    items.sort(key=lambda one: (-weights[one.path.name], one.path.name))
    config.stash[DEALT] = turns = dealt_out(slow_s(items))
    if IS_THOROUGH or are_named(config):
        return
    waiting = [one for one in items if one.get_closest_marker("takes_turns") and one.path.name not in turns[TURN]]
    if waiting:
        config.hook.pytest_deselected(items=waiting)
        items[:] = [one for one in items if one not in waiting]


def are_named(config):
    """Tell whether some tests were asked for by their names, or their files', and not all of them."""
    return any(".py" in argument for argument in config.args)


@pytest.fixture
def turns_s(pytestconfig):
    """The seconds of each turn's slow tests."""
    if are_named(pytestconfig):
        pytest.skip("all turns are known only where all tests are collected")
    return [turn.total() for turn in pytestconfig.stash[DEALT]]


def pytest_runtest_logreport(report):
    """Note a test that is skipped in CI for no known reason."""
    if report.skipped and isinstance(report.longrepr, tuple) and os.environ.get("CI"):
        reason = report.longrepr[2]
        if not any(re.search(known, reason) for known in MAY_BE_SKIPPED):
            _unawares.append(f"{report.nodeid}: {reason}")


def pytest_sessionfinish(session):
    """Fail a run in CI that skipped something unawares."""
    if _unawares and not hasattr(session.config, "workerinput"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    """Say which tests had their turn, and what was skipped unawares."""
    terminalreporter.write_line(f"slow tests: turn {TURN} of 0 to 2 (LINESIES_TURN); all of them by `make thorough`")
    for line in _unawares:
        terminalreporter.write_line(f"skipped in CI without a known reason: {line}", red=True)


@pytest.fixture(scope="module")
def browser():
    """A Chromium for the tests of a file."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        plain = browser.new_context
        browser.new_context = lambda **settings: guided(plain(**settings))
        browser.new_page = lambda **settings: browser.new_context(**settings).new_page()
        yield browser
        browser.close()


@pytest.fixture
def referee():
    """A referee of three in a game of Skully that has begun."""
    with quick_journal() as path:
        referee = referee_on(path)
        yield referee
        referee.journal.close()


@pytest.fixture
def stage():
    """What the page is told, told by hand."""
    return Stage()


@pytest.fixture
def opened(browser, stage):
    """Open the stage's page, on a phone if nothing else is said; fails the test if the page complains of anything."""
    contexts, complaints = [], []

    def open_page(port, **settings):
        context = browser.new_context(**(PHONE | settings))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.on("console", lambda line: complaints.append(line.text) if "Security" in line.text else None)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("body[data-connection=live]")
        return page

    with served(stage) as port:
        yield lambda **settings: open_page(port, **settings)
        for context in contexts:
            context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL that all tests share which do not kill it."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def store(cluster, tmp_path):
    """An empty hub's database."""
    store = Store(cluster.url, tmp_path / "keys")
    with store.engine.begin() as connection:
        tables = ", ".join(table.name for table in metadata.sorted_tables)
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))
    yield store
    store.close()


@pytest.fixture
def codes():
    """The codes that a hub's console has shown."""
    return Codes()


@pytest.fixture
def hub(store, codes):
    """A hub that is served on 127.0.0.1; gives its address."""
    with hub_on(store, codes) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def box(tmp_path, hub, codes):
    """A board's box that has joined the hub's league and tells it what it announces."""
    with contextlib.closing(BoardBox(tmp_path)) as box:
        box.join(hub, codes.now)
        box.start()
        yield box
