"""Everything that the page can show, each sight led to as people come there: for axe, and for pictures to be looked at.

A sight is a name and what leads there: from a stage (tests/page_server.py), or from a street game or a card table that
was really refereed (tests/refereeing.py, tests/card_games.py), with a page open on which everything may be done.
"""

import re
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from linesies.device.phones.remembered import Remembered
from linesies.device.serving.webapp import JournalFace
from linesies.web import create_app
from tests import scenes
from tests.browsing import heard, until
from tests.card_games import CardTable, page_of
from tests.hosted import CAPS, hosted, take
from tests.page_server import Stage, nothing_moves, served, serving
from tests.photographed import photographs
from tests.refereeing import START, quick_journal, referee_on
from tests.refereeing import shot as seen_shot
from tests.test_page_set_right import shot

BACK = """() => {
  for (const sheet of document.querySelectorAll("dialog[open]")) sheet.close();
  if (document.body.classList.contains("history")) document.getElementById("open-history").click();
}"""
ADDRESSES = {"addresses": lambda: ("http://192.168.1.7:8642/",)}


def _told(*acts):
    """Tell these scenes one after the other, each once the page has heard of the last."""

    def lead(stage, page):
        for act in acts:
            act(stage)
            until(page, f"Number(document.body.dataset.row || 0) >= {stage.last_id()}")
        page.evaluate("document.querySelector('#show .skip')?.click()")
        page.wait_for_timeout(700)  # caps have glided

    return lead


@dataclass(frozen=True, slots=True)
class _Then:
    """Goes somewhere, and on by taps on what these name, `{right.tell}` standing for the page's own words."""

    lead: Callable
    selectors: tuple = ()

    def go_on(self, page, past=()):
        """Tap on from where the first of these taps have led already; from elsewhere go back before all of them."""
        if self.selectors[: len(past)] != past:
            page.evaluate(BACK)
            past = ()
        words = page.evaluate("import('/static/words.js').then((one) => JSON.parse(JSON.stringify(one.words)))")
        for selector in self.selectors[len(past) :]:
            page.locator(_worded(selector, words)).first.tap()
            page.wait_for_timeout(350)


def _then(lead, *selectors):
    return _Then(lead, selectors)


def _worded(selector, words):
    return re.sub(r"{(\w+)\.(\w+)}", lambda found: words[found[1]][found[2]], selector)


def _preparing(stage, page):
    stage.moment = scenes.moment(doing={"what": "street", "begun": time.time(), "about_s": 60.0})
    page.wait_for_selector("#call .legend")


def _guide(stage, page):
    page.evaluate("() => { localStorage.clear(); localStorage.setItem('isNew', '1'); }")
    page.reload()
    page.wait_for_selector("body[data-connection=live]")
    _playing(stage, page)
    page.wait_for_selector("#guide:not([hidden])")


def _show_at(second, happens=scenes.made):
    """Watch what happens, up to a moment of its show."""

    def lead(stage, page):
        _playing(stage, page)
        page.emulate_media(reduced_motion="no-preference")
        page.evaluate(
            "(now) => { performance.now = () => 0; window.requestAnimationFrame = (step) => {"
            " setTimeout(() => step(now)); return 1; }; }",
            1000 * second,
        )
        happens(stage)
        page.wait_for_selector("#show:not([hidden]) svg")
        page.wait_for_timeout(2500)  # until the story has been told

    return lead


def _nothing(_stage, page):
    page.wait_for_selector("#call .begin")


_playing = _told(scenes.playing)
_made = _told(scenes.playing, scenes.made)
_history = _told(scenes.playing, scenes.made, scenes.on_the_line, scenes.corrected)

STAGED = {
    "nothing": _nothing,
    "join": _then(_nothing, "#more"),
    "preparing": _preparing,
    "guide of the strip": _guide,
    "guide of the board": _then(_guide, "#guide .first"),
    "guide of the call": _then(_guide, "#guide .first", "#guide .first"),
    "begun": _told(scenes.begun),
    "playing": _playing,
    "in": _made,
    "on the line": _told(scenes.playing, scenes.on_the_line),
    "show on its way": _show_at(1.0),
    "show of the gap": _show_at(4.4),
    "show of a hit": _show_at(3.0, scenes.struck),
    "evidence": _then(_made, "#call .look"),
    "rule": _then(_made, ".tale button"),
    "rule book": _then(_made, ".tale button", "#sheet button:has-text('{book.whole}')"),
    "cap": _then(_playing, "#players li:nth-child(4) button"),
    "box": _then(_playing, ".box[data-box='9'] text"),
    "history": _then(_history, "#open-history"),
    "more": _then(_playing, "#more"),
    "do-over": _then(_playing, "#do-over"),
    "too close": _told(scenes.playing, scenes.too_close),
    "early hit": _told(scenes.begun, scenes.hit_early),
    "in the air": _told(scenes.playing, scenes.in_the_air),
    "paused": _told(scenes.playing, scenes.paused),
    "camera lost": _told(scenes.playing, scenes.camera_lost),
    "won": _told(scenes.playing, scenes.won),
}


def _attended(lead):
    """Somebody moves the mouse there."""

    def further(stage, page):
        lead(stage, page)
        page.mouse.move(200, 200)
        page.mouse.move(220, 220)
        page.wait_for_selector("#bar")

    return further


FAR = {f"{path} {name}": STAGED[name] for path in ("screen", "overlay") for name in ("playing", "in", "too close")}
FAR |= {"screen attended": _attended(_made)}


def _come(_referee, page):
    page.wait_for_selector("#players button, .table")


def _opened(*selectors):
    return _then(_come, *selectors)


PLAYED = {
    "host": _opened("#more", "#sheet .first.wide"),
    "new game": _opened("#more", "#sheet .first.wide", "#sheet .steps li:nth-child(4) button"),
    "options": _opened("#more", "#sheet .first.wide", "#sheet .steps li:nth-child(4) button", "#sheet summary"),
    "say what happened": _opened("#more", "#sheet button:has-text('{right.tell}')"),
    "a foul told": _opened(
        "#more", "#sheet button:has-text('{right.tell}')", "#sheet .steps button >> nth=1", "#sheet .field button"
    ),
    "entry": _opened("#open-history", "#history li:first-child button"),
    "set right": _opened(
        "#open-history", "#history li:first-child button", "#sheet button:has-text('{right.otherwise}')"
    ),
    "past games": _opened("#more", "#sheet button:has-text('{past.title}')"),
    "podium": _opened("#more", "#sheet button:has-text('{past.title}')", "#sheet .steps .preset >> nth=1"),
    "across games": _opened("#players li:first-child button", "#sheet button:has-text('{people.history}')"),
}


CARDS = {
    f"{game} {name}": _opened(*selectors)
    for game in ("skull", "skull_king", "skipbo")
    for name, selectors in {
        "table": (),
        "say what happened": ("#more", "#sheet button:has-text('{right.tell}')"),
        "history": ("#open-history",),
    }.items()
}


def _seen(_referee, page):
    """Come to the street that was photographed, once the pictures are there."""
    page.evaluate("document.querySelector('#show .skip')?.click()")
    until(page, "[...document.querySelectorAll('.avatar img')].filter((one) => one.naturalWidth).length === 4")


PHOTOGRAPHED = {
    "photographs": _seen,
    "photographs of a call": _then(_seen, "#open-history", "#history li:first-child button", "#sheet .filmed summary"),
    "photographs of a player": _then(_seen, "#players li:first-child button"),
    "screen photographs": _seen,
    "overlay photographs": _seen,
}


def _on_phones(seat, *acts):
    """What somebody's phone shows after these acts of the referee or of others."""

    def lead(box, page):
        page.goto("about:blank")  # a code in an address is read where the page is opened anew
        box.open(page, seat)
        for act in acts:
            act(box, page)
        heard(page, box.referee.story.row)
        page.wait_for_timeout(900)  # a question waits for whoever is quicker, then slides up

    return lead


def _saw(what):
    return lambda box, _page: box.referee.see(what)


def _ordered(player, **order):
    """A player's phone orders something about the last thing that was seen."""

    def act(box, _page):
        about = {"about": box.referee.story.entries[-1].row} if order["order"] == "appeal" else {}
        box.referee.journal.submit({**order, **about}, f"player:{player}")
        take(box.referee)

    return act


def _says_line(box, _page):
    """Ana says that her cap lies on the line."""
    (pending,) = box.referee.story.pending
    event = pending.question.answers[1]["event"]
    box.referee.journal.submit({"order": "settle", "about": pending.row, "event": event}, "player:ana")
    take(box.referee)


def _people_first(box, _page):
    box.referee.begin({**scenes.set_up(), "caps": CAPS, "appeals": {"people_first": True}}, START)


def _exact(box, _page):
    """How exact calls are is known of each box."""
    board = box.referee.story.set_up["board"]
    regions = [{**region, "sigma": 0.3 + 0.02 * i} for i, region in enumerate(board["regions"])]
    box.referee.redraw({"board": {**board, "regions": regions}})


_made_1 = _saw(seen_shot("ana", "1"))
_unsure = _saw(seen_shot("ana", "1", certain=False))
_do_over = {"order": "event", "event": {"event": "do_over"}}
_appeal = {"order": "appeal", "event": None}
_owner = _on_phones("")
_to_host = ("#more", "#sheet button:text-is('{host.title}')")

HOSTED = {
    "a code": _then(_on_phones(None), "#more"),
    "phones and codes": _then(_owner, "#more"),
    "cameras": _then(_owner, *_to_host, "#sheet button:text-is('{host.cameras}')"),
    "corners": _then(_owner, *_to_host, "#sheet button:text-is('{host.board}')"),
    "naming caps": _then(_owner, *_to_host, "#sheet button:text-is('{host.caps}')", "#sheet .corners svg"),
    "accuracy": _then(_on_phones("", _exact), *_to_host, "#sheet button:text-is('{host.accuracy}')"),
    "proof": _then(_owner, *_to_host, "#sheet button:text-is('{proof.title}')"),
    "asked": _on_phones("bo", _unsure),
    "asked, one has said": _on_phones("bo", _unsure, _says_line),
    "asked, said": _on_phones("ana", _unsure, _says_line),
    "asked, watching": _on_phones(None, _unsure, _says_line),
    "asked, the referee": _on_phones("", _unsure, _says_line),
    "asked before the camera": _on_phones("bo", _people_first, _made_1),
    "do-over wanted": _on_phones("bo", _saw(seen_shot("ana", "open")), _ordered("ana", **_do_over)),
    "appealing": _then(
        _on_phones("bo", _saw(seen_shot("ana", "1"))),
        "#open-history",
        "#history li:first-child button",
        "#sheet > .wide",
    ),
    "appealed": _on_phones("", _saw(seen_shot("ana", "1")), _ordered("bo", **_appeal)),
}

_ALL = {**STAGED, **FAR, **PLAYED, **CARDS, **PHOTOGRAPHED, **HOSTED}
_WAYS = {name: way if isinstance(way, _Then) else _Then(way) for name, way in _ALL.items()}
SIGHTS = list(_WAYS)


def is_far(name):
    """Tell whether a sight is looked at from afar, on a television or over a stream."""
    return name.startswith(("screen ", "overlay "))


def walks():
    """List the sights, those together that one page is led to by taps from the same place."""
    found = {}
    for name, way in _WAYS.items():
        from_where = name.partition(" ")[0] if name in CARDS or is_far(name) else ""
        found.setdefault((way.lead, from_where), []).append(name)
    return [tuple(names) for names in found.values()]


@contextmanager
def sight(name, browser, tmp_path, **settings):
    """Lead a new page, opened with these settings, to a sight; gives the page."""
    with ExitStack() as stack:
        told, port = stack.enter_context(_behind(name, tmp_path))
        context = browser.new_context(bypass_csp=True, reduced_motion="reduce", **settings)
        stack.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(60_000)
        path = name.partition(" ")[0] if is_far(name) else ""
        page.goto(f"http://127.0.0.1:{port}/{path}")
        page.wait_for_selector("body[data-connection=live]")
        _WAYS[name].lead(told, page)
        _WAYS[name].go_on(page)
        yield page


def walk(names, browser, tmp_path, **settings):
    """Lead a new page to each sight of a walk; gives it with the sight's name."""
    first, *others = names
    with sight(first, browser, tmp_path, **settings) as page:
        yield first, page
        for before, name in zip(names, others, strict=False):
            _WAYS[name].go_on(page, _WAYS[before].selectors)
            yield name, page


@contextmanager
def _behind(name, tmp_path):
    """What tells the page, and the port at which it is served."""
    if name in PLAYED:
        with street(tmp_path) as found:
            yield found
    elif name in PHOTOGRAPHED:
        with photographs() as found:
            yield found
    elif name in HOSTED:
        with hosted(tmp_path) as box:
            yield box, box.port
    elif name in CARDS:
        table = CardTable(tmp_path / f"{time.monotonic_ns()}.sqlite", name.partition(" ")[0], seed=4)
        table.play_until(lambda state: bool(state["turn"]) and state["phase"] in ("bid", "reveal", "play"))
        with page_of(table) as port:
            yield table, port
    else:
        stage = Stage()
        with served(stage, **ADDRESSES) as port:
            yield stage, port


@contextmanager
def street(tmp_path):
    """A box on which one game was won and another goes on; Ana has her games kept. Gives (referee, port)."""
    with ExitStack() as stack:
        path = stack.enter_context(quick_journal())
        referee = referee_on(path)
        kept = Remembered(tmp_path / "people.json")
        kept.remember("ana", 0)
        _played(referee)
        for player in ("bo", "cy"):
            referee.journal.submit({"order": "event", "event": {"event": "leave", "player": player}}, "referee")
            referee.take_orders()
        _played(referee)
        app = create_app(
            JournalFace(referee.journal), referee.journal.submit, nothing_moves, remembers=kept, **ADDRESSES
        )
        yield referee, stack.enter_context(serving(app))


def _played(referee):
    """Play the beginning of a game: boxes made, a hit, a miss."""
    caps = [
        {"player": player, "colour": colour, "diameter": 26}
        for player, colour in (("ana", "#1f5fae"), ("bo", "#e8c21e"), ("cy", "#c0392b"))
    ]
    start = {"event": "start", "game": "skully", "players": ["ana", "bo", "cy"], "options": {"pipsies": 0}}
    referee.begin({**scenes.set_up(), "caps": caps}, start)
    for one in (shot("ana", "1"), shot("ana", "2"), shot("ana", "open", bo="7"), shot("bo", "1"), shot("bo", "line")):
        referee.see(one)
