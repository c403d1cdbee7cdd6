"""Hosting, appeals and pauses shut nobody out: axe finds nothing serious, the smallest phone scrolls one way only."""

import pytest

from tests.browsing import SMALL, heard, in_browser
from tests.hosted import SPOTS, take
from tests.refereeing import shot
from tests.test_page_access import complaints
from tests.test_page_hosting import table  # noqa: F401 - the fixture
from tests.thorough import cases

pytestmark = in_browser

STEPS = ("game", "cameras", "board", "caps", "accuracy")


def wide(page):
    return page.evaluate(
        "Math.max(...[document.documentElement, ...document.querySelectorAll('dialog[open]')]"
        ".map((part) => part.scrollWidth - part.clientWidth))"
    )


def hosted(referee, owner):
    """Lead the referee's phone through hosting; gives the name of each sheet."""
    words = owner.evaluate("import('/static/words.js').then((one) => one.words.host)")
    for step in STEPS:
        owner.tap("#more")
        owner.tap(f"#sheet .wide:has-text('{words['title']}')")
        if step == STEPS[0]:
            yield "host"
        owner.tap(f"#sheet button:text-is('{words[step]}')")
        if step in ("board", "caps"):
            owner.locator("#sheet .corners svg").wait_for()
        if step == "caps":
            for x, y in SPOTS:
                box = owner.locator("#sheet .corners svg").bounding_box()
                owner.touchscreen.tap(box["x"] + x / 640 * box["width"], box["y"] + y / 480 * box["height"])
        owner.wait_for_timeout(300)
        yield step
        owner.keyboard.press("Escape")


@pytest.mark.takes_turns(seconds=20)
@pytest.mark.parametrize(("locale", "scheme"), cases([("es-MX", "light")], more=[("en-US", "dark")]))
def test_hosting_an_appeal_and_a_pause(table, locale, scheme):  # noqa: F811 - pytest's way
    referee, _, phone = table
    more = {"bypass_csp": True, "reduced_motion": "reduce", "locale": locale, "color_scheme": scheme}
    owner, bo = phone("", **more), phone("bo", **more)
    owner.set_viewport_size(SMALL)
    bo.set_viewport_size(SMALL)
    regions = [{**region, "sigma": 0.4} for region in referee.story.set_up["board"]["regions"]]
    referee.redraw({"board": {**referee.story.set_up["board"], "regions": regions}})
    heard(owner, referee.story.row)
    found = {name: (complaints(owner), wide(owner)) for name in hosted(referee, owner)}
    referee.see(shot("ana", "1"))
    heard(bo, referee.story.row)
    bo.tap("#open-history")
    bo.tap("#history li:first-child button")
    bo.tap("#sheet > .wide")
    found["appeal"] = (complaints(bo), wide(bo))
    bo.tap("#sheet .answers button >> nth=-1")
    take(referee)
    owner.wait_for_selector("#settle[open] .answers button")
    found["appealed"] = (complaints(owner), wide(owner))
    referee.journal.submit({"order": "event", "event": {"event": "pause"}}, "player:ana")
    take(referee, 2)
    bo.tap("#settle .close")
    bo.tap("#open-history")
    bo.wait_for_selector("#own button")
    found["paused"] = (complaints(bo), wide(bo))
    assert {name: told for name, told in found.items() if told != ([], 0)} == {}
