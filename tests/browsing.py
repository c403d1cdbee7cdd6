"""What tests of the page share beside the browser itself: which one it is, phones' sizes, waiting for what is shown."""

import os
import shutil
import time

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
UPRIGHT = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 640}
WIDE = {"width": 1280, "height": 800}

# How a page is opened: on a phone, whose glass is touched (a tap's click comes after the touch), or where a mouse is.
PHONE = {"viewport": UPRIGHT, "has_touch": True, "is_mobile": True}
DESK = {"viewport": WIDE, "has_touch": False, "is_mobile": False}

# Run in a page: what may be touched there and is less than 44 px wide or high.
SMALL_TARGETS = """() => [...document.querySelectorAll("button, a[href], input, select, summary")].filter((one) => {
  const box = one.getBoundingClientRect();
  const isShown = box.width > 1 && box.height > 1 && getComputedStyle(one).visibility === "visible";
  return isShown && Math.min(box.width, box.height) < 43.5;
}).map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().width, one.getBoundingClientRect().height])"""

in_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium on this machine"),
]


def guided(context):
    """Make a phone that has been shown round already, unless `isNew` is kept there."""
    context.add_init_script("if (!localStorage.isNew) localStorage.setItem('linesies-guided', '1')")
    return context


def text(page, selector):
    """Read an element's text, on one line."""
    return " ".join(page.inner_text(selector).split())


def wait_for(page, selector, word):
    """Wait until an element says a word."""
    page.wait_for_selector(f"{selector}:has-text('{word}')")


def until(page, expression, patience_s=90.0):
    """Wait until something is so in a page; asked again and again, since the page's own policy forbids it to wait."""
    until_s = time.monotonic() + patience_s
    while not page.evaluate(expression):
        assert time.monotonic() < until_s, f"waited in vain for {expression}"
        page.wait_for_timeout(30)


def is_asked_again(page, has_come):
    """Tell whether the page asks once more before an order counts; else the order has come."""
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s and not has_come():
        if page.locator("#sheet .would").count():
            return True
        page.wait_for_timeout(20)
    return False


def confirm_change(page, has_come):
    """Say yes where a correction would change more than the call's own player."""
    if is_asked_again(page, has_come):
        page.tap("#sheet .result .answers button.first")


def heard(page, row):
    """Wait until a page has heard of a row of the journal, and shows it."""
    until(page, f"Number(document.body.dataset.row || 0) >= {row}")


def ordered(stage, count=1):
    """Wait until so many orders have come from the page."""
    until_s = time.monotonic() + 60
    while len(stage.orders) < count and time.monotonic() < until_s:
        time.sleep(0.02)
    return stage.orders


def still_middle(place):
    """The middle of an element, once it keeps still and takes taps: a person too waits until a sheet has come up."""
    box = None
    while box is None:  # drawn anew just then, it is gone for a moment
        place.tap(trial=True)
        box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def spot_on(page, drawing, xy):
    """Where on the glass a spot of a drawing is, however the drawing is fitted into its place."""
    return page.locator(drawing).evaluate(
        "(one, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(one.getScreenCTM()); return [at.x, at.y]; }",
        list(xy),
    )


class Finger:
    """A finger on the glass of a phone's page, through the browser's own touch events; counts its taps."""

    def __init__(self, page):
        self.taps = 0  # each drag is one, too
        self._page = page
        self._cdp = page.context.new_cdp_session(page)

    def tap(self, selector, nth=0):
        """Tap the middle of an element."""
        self.tap_at(*still_middle(self._page.locator(selector).nth(nth)))

    def tap_at(self, x, y):
        """Tap a place, and wait until the tap's click has been heard."""
        self.taps += 1
        self._page.touchscreen.tap(x, y)
        self._page.wait_for_timeout(120)

    def drag(self, start, end):
        """Drag from one place to another and rest there: after a fling a browser takes the next tap to stop it."""
        self.down(*start)
        for share in (0.3, 0.6, 1, 1, 1, 1):
            self.move(*(a + (b - a) * share for a, b in zip(start, end, strict=True)))
            self._page.wait_for_timeout(40)
        self.up()
        self._page.wait_for_timeout(300)

    def down(self, x, y):
        """Put the finger down."""
        self.taps += 1
        self._touch("touchStart", [{"x": x, "y": y}])

    def move(self, x, y):
        """Move it."""
        self._touch("touchMove", [{"x": x, "y": y}])

    def up(self):
        """Lift it."""
        self._touch("touchEnd", [])

    def _touch(self, kind, points):
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def to_hosting(page, finger):
    """Open the sheet from which a game is hosted, whether one is on or not."""
    finger.tap(".begin button" if page.locator(".begin button").count() else "#more")
    if page.locator("#sheet button:text-is('Host a game')").count():
        finger.tap("#sheet button:text-is('Host a game')")
