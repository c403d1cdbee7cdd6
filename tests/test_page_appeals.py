"""Appeals and pauses on phones in a real Chromium: asked for, decided by the referee or by the others."""

from tests.browsing import in_browser, text
from tests.refereeing import player, shot
from tests.test_page_hosting import table, take  # noqa: F401 - the fixture

pytestmark = in_browser


def appealed(phone, reading="Strike it out"):
    """Ask on this phone that the newest call be looked at again."""
    phone.click("#open-history")
    phone.click("#history li:first-child button")
    phone.click("#sheet button:has-text('Appeal · 2 left')")
    assert "A wrong one is used up" in text(phone, "#sheet")
    phone.click(f"#sheet .answers button:has-text('{reading}')")


def test_a_player_appeals_and_the_referee_lets_the_call_stand(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    ana, bo, owner = phone("ana"), phone("bo"), phone("")
    referee.see(shot("ana", "1"))
    appealed(bo)
    take(referee)
    owner.wait_for_selector("#settle[open] h2:has-text('Bo appeals')")
    assert owner.locator("#settle .answers button").all_inner_texts() == ["Strike it out", "The call stands"]
    bo.wait_for_selector("#settle .answers button:has-text('Take it back')")
    owner.click("#settle .answers button:has-text('The call stands')")
    take(referee)
    assert player(referee, "ana")["made"] == "1f"
    ana.click("#open-history")
    ana.wait_for_selector("#history small:has-text('Bo appealed; the call stands')")
    ana.click("#open-history")
    ana.click("#players li:nth-child(2) button")
    assert "Appeals left 1" in text(ana, "#sheet")


def test_most_of_the_others_uphold_an_appeal_and_only_the_correction_is_called(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    ana, bo, cy = phone("ana"), phone("bo"), phone("cy")
    referee.see(shot("ana", "open"))
    referee.see(shot("bo", "1"))
    appealed(ana)
    take(referee)
    bo.click("#settle .answers button:has-text('The call stands')")
    take(referee)
    cy.wait_for_selector("#settle .quiet:has-text('Against it: Bo')")
    bo.click("#settle .answers button:has-text('Strike it out')")  # he has looked at the picture
    take(referee)
    cy.wait_for_selector("#settle .quiet:has-text('For it: Bo')")
    cy.click("#settle .answers button:has-text('Strike it out')")
    take(referee, 2)
    assert referee.story.entries[-1].event is None
    assert referee.story.entries[-1].readings[-1].by == "players:ana, bo, cy"


def test_anybody_pauses_for_a_car_and_lets_the_game_go_on(table):  # noqa: F811 - pytest's way
    referee, _, phone = table
    ana, bo = phone("ana"), phone("bo")
    ana.click("#more")
    ana.click("#sheet button:has-text('A car!')")
    take(referee, 2)
    bo.wait_for_selector("#strip:has-text('Paused')")
    bo.click("#own button:has-text('go on')")
    take(referee, 2)
    assert referee.story.public["phase"] == "shoot"
    bo.wait_for_selector("#own", state="hidden")
