"""A player who neither sees nor points: hears the log and what the keyboard stands on, presses keys, nothing else."""

import re
import time
from contextlib import closing, contextmanager

from tests.browsing import PHONE

PATIENCE_S = 60.0
HEARD = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const one of addedNodes) heard.push(one.textContent);
}).observe(document.getElementById("spoken"), { childList: true });
"""


class Reader:
    """Remembers nothing but the page: `focus` is (role, name) as the browser computes them for a screen reader."""

    def __init__(self, page):
        self.page = page
        self._devtools = page.context.new_cdp_session(page)
        page.evaluate(HEARD)

    @property
    def focus(self):
        found = self._devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        told = self._devtools.send(
            "Accessibility.getPartialAXTree", {"objectId": found["objectId"], "fetchRelatives": False}
        )["nodes"][0]
        role, name = (told.get(key, {}).get("value", "") for key in ("role", "name"))
        return role, " ".join(str(name).split())

    @property
    def heard(self):
        """All that was read out since, in its order."""
        return self.page.evaluate("heard")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def go(self, role, name, key="Tab", most=60):
        """Press a key until the keyboard stands on the control of that role and name (a regular expression)."""
        passed = []
        for _ in range(most):
            if self.focus[0] == role and re.search(name, self.focus[1]):
                return
            passed.append(self.focus)
            self.press(key)
        raise AssertionError(f"no {role} {name!r} among {passed}")

    def do(self, role, name, key="Tab"):
        """Go there and press Enter."""
        self.go(role, name, key)
        self.press("Enter")

    def hear(self, words, patience_s=PATIENCE_S):
        """Wait until something was read out."""
        until_s = time.monotonic() + patience_s
        while not any(words in one for one in self.heard):
            assert time.monotonic() < until_s, f"never heard {words!r} but {self.heard}"
            self.page.wait_for_timeout(30)

    def stands_on(self, role, name, patience_s=PATIENCE_S):
        """Wait until the keyboard has been led to a control."""
        until_s = time.monotonic() + patience_s
        while not (self.focus[0] == role and re.search(name, self.focus[1])):
            assert time.monotonic() < until_s, f"stands on {self.focus}, not on {role} {name!r}"
            self.page.wait_for_timeout(30)


@contextmanager
def reader_at(browser, port, motion="reduce"):
    """Open the page that is served at a port on a phone; gives its reader."""
    with closing(browser.new_page(**PHONE, reduced_motion=motion)) as page:
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#players button")
        yield Reader(page)
