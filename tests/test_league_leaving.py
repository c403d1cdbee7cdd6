"""A board leaves its league by a tap on the referee's own page, and is told where the hub refuses."""

from linesies.device.hub_line import HubLine
from linesies.device.membership import key_file, read_membership
from linesies.device.serving.webdevice import OwnDevice
from linesies.league import Pushed, Refusal
from linesies.league.identity import identity_in
from linesies.league.schedule import Opening, Schedule
from linesies.league.tournament import TournamentOpened
from linesies.web import Anyone
from linesies.web.safety import COOKIE, TOKEN_HEADER, sign_of
from tests.browsing import PHONE, in_browser
from tests.leagues import ask, soon
from tests.page_server import Stage, serving

TOKEN = "t" * 43
SIGNED = {TOKEN_HEADER: sign_of(TOKEN), "Origin": "http://localhost"}
REFUSAL = Refusal(code="unsigned", message="the message is not signed by the board that it names")


def page_of(box, *, is_referee=True):
    """A phone at the box's page."""
    app = Stage().app(device=OwnDevice(box.state), doorkeeper=Anyone(may_order=is_referee))
    client = app.test_client()
    client.set_cookie(COOKIE, TOKEN)
    return client


def test_the_referee_has_the_board_leave_and_nothing_more_is_told(hub, box):
    page = page_of(box)
    assert page.get("/league").json == {"league": {"hub": hub, "name": "Board 1"}}
    assert page.post("/league/leave", json={}, headers=SIGNED).json == {"has_left": True, "trouble": ""}
    assert read_membership(box.state) is None
    assert page.get("/league").json == {"league": None}
    assert ask(hub, "/boards.json")[1] == []
    box.play()
    soon(lambda: not box.pusher.is_telling)
    box.pusher.announce(())  # and nothing is said to fail
    line = HubLine(hub, identity_in(key_file(box.state)))
    assert line.say(Pushed(epoch="0" * 32)).code == "unknown"
    assert page.post("/league/leave", json={}, headers=SIGNED).status_code == 404


def test_a_match_that_was_called_to_a_board_that_leaves_stands_there_no_more(box, store):
    plan = TournamentOpened(format="single", entrants=("Ana", "Bo"))
    Schedule(store).open(Opening(name="Block party", plan=plan))
    soon(lambda: box.pusher.announce(()) or box.take() is not None)
    page_of(box).post("/league/leave", json={}, headers=SIGNED)
    box.pusher.announce(())
    soon(lambda: box.take() is None)


def test_a_hub_that_refuses_keeps_the_board_and_the_page_says_so(box, monkeypatch):
    monkeypatch.setattr(HubLine, "say", lambda *_: REFUSAL)
    answer = page_of(box).post("/league/leave", json={}, headers=SIGNED)
    assert (answer.status_code, answer.json["code"], answer.json["why"]) == (409, "not_let_go", REFUSAL.message)
    assert read_membership(box.state) is not None


def test_a_hub_that_does_not_answer_keeps_nobody(box, monkeypatch):
    def away(*_):
        raise OSError("no route")

    monkeypatch.setattr(HubLine, "say", away)
    told = page_of(box).post("/league/leave", json={}, headers=SIGNED).json
    assert told == {"has_left": True, "trouble": "no route"}
    assert read_membership(box.state) is None


def test_nobody_but_the_referee_sees_the_league_or_leaves_it(box):
    watcher = page_of(box, is_referee=False)
    assert watcher.get("/league").status_code == 403
    assert watcher.post("/league/leave", json={}, headers=SIGNED).status_code == 403
    assert read_membership(box.state) is not None


@in_browser[0]
@in_browser[1]
def test_two_taps_on_the_page_leave_the_league(browser, box, monkeypatch):
    with serving(Stage().app(device=OwnDevice(box.state))) as port:
        page = browser.new_page(**PHONE)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("body[data-connection=live]")
        page.tap("#more")
        page.tap("#sheet button:has-text('Host a game')")
        page.tap("#league button:has-text('Leave the league')")
        with monkeypatch.context() as refusing:
            refusing.setattr(HubLine, "say", lambda *_: REFUSAL)
            page.tap("#league button:has-text('Yes, leave')")
            page.wait_for_selector("#league .note:has-text('stays in the league')")
        page.tap("#league button:has-text('Yes, leave')")
        page.wait_for_selector("#league .note:has-text('Board 1 has left the league')")
        assert read_membership(box.state) is None
        page.context.close()
