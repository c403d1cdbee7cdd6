"""What a phone loads: little, in few requests, once; and how long that takes over a poor connection."""

import json
import time
import urllib.request
import zlib

import cv2
import numpy as np
import pytest

from tests import scenes
from tests.browsing import PHONE, in_browser, until
from tests.page_server import served

pytestmark = in_browser

MOST_REQUESTS, MOST_BYTES = 8, 120_000
POOR = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 1.6e6 / 8}


class Traffic:
    """What a page asks for over the network, by address, with the bytes that came."""

    def __init__(self, page):
        self._cdp = page.context.new_cdp_session(page)
        self._cdp.send("Network.enable")
        self._kept = set()
        self.asked, self.bytes = {}, {}
        self._cdp.on(
            "Network.requestWillBeSent", lambda told: self.asked.setdefault(told["requestId"], told["request"]["url"])
        )
        self._cdp.on("Network.requestServedFromCache", lambda told: self._kept.add(told["requestId"]))
        self._cdp.on("Network.responseReceived", self._received)
        self._cdp.on("Network.loadingFinished", self._ended)

    def _received(self, told):
        if told["response"].get("fromDiskCache"):
            self._kept.add(told["requestId"])

    def _ended(self, told):
        self.bytes[told["requestId"]] = told["encodedDataLength"]

    @property
    def addresses(self):
        """What went over the network, what the phone had kept left out."""
        return [url for number, url in self.asked.items() if number not in self._kept]

    @property
    def size(self):
        """All bytes of what has come whole; the feed never ends, and the browser does not say what came of it."""
        return sum(size for number, size in self.bytes.items() if number not in self._kept)

    def forget(self):
        for known in (self.asked, self.bytes, self._kept):
            known.clear()

    def be_poor(self):
        self._cdp.send("Network.emulateNetworkConditions", POOR)


def story_size(address):
    """Count the bytes of the feed until the whole story has come."""
    asked = urllib.request.Request(f"{address}feed", headers={"Accept-Encoding": "gzip"})
    reader, size, text = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS), 0, b""
    with urllib.request.urlopen(asked, timeout=60) as feed:
        while b"event: story" not in text:
            came = feed.read1()
            size, text = size + len(came), text + reader.decompress(came)
    return size


def picture(address):
    """Load a picture from the page."""
    with urllib.request.urlopen(address, timeout=60) as file:
        return cv2.imdecode(np.frombuffer(file.read(), np.uint8), cv2.IMREAD_COLOR)


def is_ready(page):
    until(page, "document.querySelectorAll('#board .cap').length > 0 && document.querySelector('#call .word') !== null")


@pytest.fixture
def phone(stage, browser):
    """A phone that has loaded nothing yet: (page, traffic, address)."""
    scenes.playing(stage)
    context = browser.new_context(**PHONE)
    page = context.new_page()
    with served(stage) as port:
        yield page, Traffic(page), f"http://127.0.0.1:{port}/"
        context.close()


def test_the_first_load_is_a_few_small_requests_and_a_reload_two(phone):
    page, traffic, address = phone
    page.goto(address)
    is_ready(page)
    page.wait_for_timeout(500)
    size = traffic.size + story_size(address)
    print("first load:", len(traffic.addresses), "requests,", size, "bytes")  # noqa: T201 - seen with -s
    assert len(traffic.addresses) <= MOST_REQUESTS, traffic.addresses
    assert 20_000 < size < MOST_BYTES
    traffic.forget()
    page.reload()
    is_ready(page)
    page.wait_for_timeout(500)
    assert [url.removeprefix(address).partition("?")[0] for url in traffic.addresses] == ["", "feed"]


def test_pictures_of_the_history_are_small_and_come_once_they_are_seen(phone, stage):
    page, traffic, address = phone
    for row in range(60):
        scenes.on_the_line(stage)
        *others, last = stage.story_json()["entries"]
        evidence = {"pictures": {"ana": f"{row}.jpg"}, "small": {"ana": f"{row}.webp"}}
        stage.tell(entries=[*others, {**last, "evidence": evidence}])
    page.goto(address)
    is_ready(page)
    page.wait_for_timeout(500)
    asked = lambda: {url.removeprefix(address) for url in traffic.addresses if "/evidence/" in url}  # noqa: E731
    assert asked() == {"evidence/59.webp"}  # as whose cap it is
    page.tap("#open-history")
    page.wait_for_timeout(1000)
    assert {"evidence/58.webp", "evidence/57.webp"} < asked() < {f"evidence/{row}.webp" for row in range(60)}


def test_a_phone_may_put_the_page_among_its_apps(phone):
    page, _, address = phone
    page.goto(address)
    browser = page.context.new_cdp_session(page)
    faults = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in faults] == ["in-incognito"]  # the browser's own word; tests keep no profile
    manifest = json.loads(browser.send("Page.getAppManifest")["data"])
    assert (manifest["name"], manifest["display"]) == ("Linesies", "standalone")
    drawn = {one["sizes"]: (one["purpose"], picture(f"{address}page/{one['src']}")) for one in manifest["icons"][:2]}
    assert {size: (purpose, icon.shape[:2]) for size, (purpose, icon) in drawn.items()} == {
        "192x192": ("any", (192, 192)),
        "512x512": ("any", (512, 512)),
    }
    of_apple = page.get_attribute("link[rel=apple-touch-icon]", "href")
    assert picture(address + of_apple.removeprefix("/")).shape[:2] == (192, 192)


def test_a_phone_that_cuts_icons_to_a_circle_cuts_nothing_off(phone):
    page, _, address = phone
    page.goto(address)
    manifest = json.loads(page.context.new_cdp_session(page).send("Page.getAppManifest")["data"])
    (src,) = (one["src"] for one in manifest["icons"] if one["purpose"] == "maskable")
    icon = picture(f"{address}page/{src}")
    y, x = np.nonzero((icon != icon[0, 0]).any(axis=2))
    assert np.hypot(y - 255.5, x - 255.5).max() <= 0.4 * 512  # what every mask leaves, by the W3C's manifest


def test_over_a_poor_connection_the_board_is_soon_there(phone):
    page, traffic, address = phone
    traffic.be_poor()
    begun = time.monotonic()
    page.goto(address, wait_until="commit")
    is_ready(page)
    print(f"first load at 150 ms and 1.6 Mbit: {time.monotonic() - begun:.2f} s")  # noqa: T201 - seen with -s
    assert page.is_visible("#call .word")


def test_no_button_is_shown_before_it_says_what_it_does(phone):
    page, _, address = phone
    held = []

    def hold(route):
        held.append(route)

    page.route("**/page/page-*.js", hold)
    page.goto(address, wait_until="commit")
    page.locator("#bar").wait_for()
    assert page.locator("#bar button >> visible=true").count() == 0
    held[0].continue_()
    is_ready(page)
    assert all(page.locator("#bar button >> visible=true").all_inner_texts())


def test_a_phone_loads_the_words_of_its_own_language_and_keeps_the_one_it_has_chosen(phone):
    page, traffic, address = phone
    page.goto(address)
    is_ready(page)
    assert page.locator("#sound").inner_text() == "Sound on"
    page.tap("#more")
    page.tap("#sheet button:has-text('Español')")
    page.wait_for_selector("html[lang=es]")
    is_ready(page)
    traffic.forget()
    page.reload()
    is_ready(page)
    assert page.get_attribute("html", "lang") == "es"
    page.tap("#more")
    page.wait_for_selector("#sheet button:has-text('English')")
