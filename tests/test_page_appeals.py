"""Appeals and pauses on phones in a real Chromium: asked for, decided by the referee or by the others."""

from tests.browsing import in_browser, text, wait_for
from tests.hosted import take
from tests.refereeing import player, shot
from tests.screen_reader import Reader
from tests.test_page_hosting import table  # noqa: F401 - the fixture

pytestmark = in_browser


def appealed(phone, reading="Cross it out"):
    """Ask on this phone that the newest call be looked at again."""
    phone.tap("#open-history")
    phone.tap("#history li:first-child button")
    phone.tap("#sheet button:has-text('Appeal · 2 left')")
    wait_for(phone, "#sheet[open]", "A wrong one is used up")
    phone.tap(f"#sheet .answers button:has-text('{reading}')")


def test_a_player_appeals_and_the_referee_lets_the_call_stand_both_by_keyboard(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    ana, bo, owner = phone("ana"), phone("bo"), phone("")
    keys, owners = Reader(bo), Reader(owner)
    referee.see(shot("ana", "1"))
    keys.hear("Ana: In")
    keys.do("button", "^History$")
    keys.press("Tab", "Enter")
    keys.do("button", "^Appeal · 2 left$")
    keys.do("button", "^Cross it out$")
    take(referee)
    owners.stands_on("heading", "^Bo appeals$")
    assert owner.locator("#settle .answers button").all_inner_texts() == ["Cross it out", "The call stands"]
    bo.wait_for_selector("#settle .answers button:has-text('Take it back')")
    owners.do("button", "^The call stands$")
    take(referee)
    assert player(referee, "ana")["made"] == "1f"
    ana.tap("#open-history")
    ana.wait_for_selector("#history small:has-text('Bo appealed; the call stands')")
    ana.tap("#open-history")
    ana.tap("#players li:nth-child(2) button")
    assert "Appeals left 1" in text(ana, "#sheet[open]")


def test_most_of_the_others_uphold_an_appeal_and_only_the_correction_is_called(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    ana, bo, cy = phone("ana"), phone("bo"), phone("cy")
    referee.see(shot("ana", "open"))
    referee.see(shot("bo", "1"))
    appealed(ana)
    take(referee)
    bo.tap("#settle .answers button:has-text('The call stands')")
    take(referee)
    cy.wait_for_selector("#settle .quiet:has-text('Against it: Bo')")
    bo.tap("#settle .answers button:has-text('Cross it out')")  # he has looked at the picture
    take(referee)
    cy.wait_for_selector("#settle .quiet:has-text('For it: Bo')")
    cy.tap("#settle .answers button:has-text('Cross it out')")
    take(referee, 2)
    assert referee.story.entries[-1].event is None
    assert referee.story.entries[-1].readings[-1].by == "players:ana, bo, cy"


def test_anybody_pauses_for_a_car_and_lets_the_game_go_on(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    ana, bo = phone("ana"), phone("bo")
    ana.tap("#more")
    ana.tap("#sheet button:has-text('A car!')")
    take(referee, 2)
    bo.wait_for_selector("#strip:has-text('Paused')")
    bo.tap("#own button:has-text('go on')")
    take(referee, 2)
    assert referee.story.public["phase"] == "shoot"
    bo.wait_for_selector("#own", state="hidden")
