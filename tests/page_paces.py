"""How soon a row is on a phone: `python -m tests.page_paces [--rows N] [--shows N] [--calls N]`.

A real referee writes to a real journal; its page is served in a process of its own, as at a board. Counted is from a
row's own time to the frame in which the phone has drawn it, and to the first frame of the show of a close call.
"""

import argparse
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from playwright.sync_api import Error, sync_playwright

from linesies.device.places import journal_file
from linesies.device.serving.serving import Face
from linesies.device.settings.settings import WebSettings
from tests.browsing import CHROMIUM, FLAGS, PHONE, guided, until
from tests.refereeing import referee_on
from tests.scenes import beside_paint, set_up
from tests.test_page_set_right import shot

GAP_MM = -0.8
PAUSE_S = 0.25  # between rows, as people never shoot so soon
SEEN = """() => {
  window.drawn = {};
  window.begun = 0;
  const then = (act) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(0);
  });
  new MutationObserver(() => then(() => { drawn[document.body.dataset.row] ??= Date.now(); }))
    .observe(document.body, { attributes: true, attributeFilter: ["data-row"] });
  new MutationObserver(() => document.getElementById("show").hidden || then(() => { begun ||= Date.now(); }))
    .observe(document.getElementById("show"), { attributes: true, attributeFilter: ["hidden"] });
}"""  # a message comes once the frame has been drawn


def close(player):
    """A shot that ended on box 9's line by a hair, its way as it was tracked."""
    seen = shot(player, "open")
    x = beside_paint("ana", 180, GAP_MM) - 3.0  # Ana's cap of the scenes is 6 mm wider
    call = replace(seen.calls[0], xy_mm=(x, 180.0), location="line", gap_mm=GAP_MM)
    return replace(seen, calls=(call,), ways={player: ((0.0, 600.0, 1600.0), (0.4, 905.0, 420.0), (0.9, x, 180.0))})


def opened(playwright, face):
    """Open the page on a phone, once it is served."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    page = guided(browser.new_context(**PHONE, bypass_csp=True)).new_page()
    for _ in range(200):
        try:
            page.goto(face.addresses[0])
            break
        except Error:
            time.sleep(0.2)
    page.wait_for_selector("body[data-connection=live]")
    page.wait_for_timeout(2000)  # it has loaded all that it loads by and by
    page.evaluate(SEEN)
    return page


def row_ms(referee, page):
    """Let somebody miss; gives the milliseconds until a phone has drawn it."""
    rows = referee.see(shot(referee.story.public["turn"], "open"))
    until(page, f"Boolean(window.drawn[{referee.story.row}])")
    return page.evaluate(f"window.drawn[{referee.story.row}]") - 1000 * rows[-1].at_s


def show_ms(referee, page):
    """Let somebody lie close to a line; gives the milliseconds until the first frame of the show."""
    page.evaluate("document.querySelector('#show .skip')?.click(); window.begun = 0")
    rows = referee.see(close(referee.story.public["turn"]))
    until(page, "window.begun > 0")
    return page.evaluate("window.begun") - 1000 * rows[-1].at_s


def told(what, times_ms):
    """One line: the median and the worst."""
    middle, worst, load = median(times_ms), max(times_ms), os.getloadavg()[0]
    return f"{what}: {middle:.0f} ms in the median of {len(times_ms)}, {worst:.0f} at worst; load {load:.0f}"


def measured(act, count):
    """Do something so many times, at the pace of people."""
    times_ms = []
    for _ in range(count):
        times_ms.append(act())
        time.sleep(PAUSE_S)
    return times_ms


def main(rows, shows, calls):
    """Measure so many rows and shows, so many calls into a game."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        referee = referee_on(journal_file(Path(folder)))
        caps = [{"player": player, "colour": "#c0392b", "diameter": 26} for player in ("ana", "bo", "cy")]
        referee.redraw({**set_up(), "caps": caps})
        for _ in range(calls):
            referee.see(shot(referee.story.public["turn"], "open"))
        face = Face(Path(folder), WebSettings(host="127.0.0.1", port=0, pairing=False))
        try:
            page = opened(playwright, face)
            print(told("row to phone", measured(lambda: row_ms(referee, page), rows)))  # noqa: T201 - what it is for
            print(told("row to show", measured(lambda: show_ms(referee, page), shows)))  # noqa: T201
        finally:
            face.close()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    for name, default in (("rows", 24), ("shows", 10), ("calls", 0)):
        asked.add_argument(f"--{name}", type=int, default=default)
    main(**vars(asked.parse_args()))
