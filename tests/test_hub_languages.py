"""The hub's pages speak the phone's language: catalogues that are alike but for their words, and a Spanish evening."""

import json
import re
from pathlib import Path

import pytest

from linesies import league
from linesies.league.language import FOLDER
from linesies.league.schedule import Opening, Schedule
from linesies.league.tournament import TournamentOpened
from linesies.web.language import LANGUAGES
from tests.browsing import PHONE, in_browser

HUB = Path(league.__file__).parent
NAMES = ("Ana", "Bo", "Cy", "Dee")
FIELD = re.compile(r"\{(\w+)\}")


def words(language):
    told = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    flat = {key: text for key, text in told.items() if isinstance(text, str)}
    return flat | {
        f"{of}.{key}": text for of, part in told.items() if isinstance(part, dict) for key, text in part.items()
    }


def used():
    """The keys that the page's program and its templates name."""
    files = [*HUB.glob("static/*.js"), *HUB.glob("templates/*.html")]
    return {key for file in files for key in re.findall(r"\bwords\.(?!js\b)(\w+)", file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_word_of_the_hubs_pages_with_the_same_fields(language):
    english, other = words("en"), words(language)
    assert other.keys() == english.keys()
    assert {key: set(FIELD.findall(text)) for key, text in other.items()} == {
        key: set(FIELD.findall(text)) for key, text in english.items()
    }
    assert other["language"] == language


def test_every_word_is_used_and_every_word_that_is_used_is_there():
    assert used() == {key.partition(".")[0] for key in words("en")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_hub_refuses_by_code_is_said_in_each_language(language):
    assert words(language).keys() >= {
        f"refused.{code}" for code in ("stranger", "wrong_code", "no_tournament", "no_database")
    }


@in_browser[0]
@in_browser[1]
def test_a_spanish_phone_is_spoken_to_in_spanish_and_turned_to_english_by_a_tap(browser, store, hub, codes):
    Schedule(store).open(Opening(name="Fiesta", plan=TournamentOpened(format="single", entrants=NAMES)))
    context = browser.new_context(**PHONE, locale="es-MX")
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{hub}/tournaments/1")
    page.wait_for_selector("h2:has-text('Por jugar: 2')")
    page.fill(".door input", "000000")
    page.tap(".door button:has-text('Soy el organizador')")
    page.wait_for_selector("#heard:has-text('Este no es el código')")
    page.fill(".door input", codes.organiser[-1])
    page.tap(".door button")
    for match, name in (("K1.1", "Ana"), ("K1.2", "Bo"), ("F2.1", "Bo")):
        page.locator("article", has=page.locator(f"h3:text-is('{match}')")).get_by_role("button", name=name).tap()
    page.wait_for_selector("h2:has-text('Ganó Bo')")
    assert "eliminatoria, ronda 1" in page.inner_text("#place")
    page.goto(hub)
    page.wait_for_selector("#heard:has-text('Todavía no se ha unido ningún tablero.')")
    assert page.get_attribute("html", "lang") == "es"
    page.tap("#language")
    page.wait_for_selector("#heard:has-text('No board has joined yet.')")
    page.goto(f"{hub}/tournaments/1")
    page.wait_for_selector("h2:has-text('Bo has won')")
    context.close()
