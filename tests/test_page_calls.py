"""Calls on the page in a real Chromium: they arrive, are read out, are seen on the board and the lamps."""

import time

from tests import scenes
from tests.browsing import heard, in_browser, text, until, wait_for

pytestmark = in_browser


# A phone's voices, and what they were asked to say.
SPEAKER = """() => {
  window.heard = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const voices = [["en-US", true], ["es-ES", true], ["es-PR", true], ["es-PR", false]];
  Object.defineProperty(window, "speechSynthesis", { configurable: true, value: {
    getVoices: () => voices.map(([lang, localService]) => ({ lang, localService })),
    speak: ({ text, voice }) => window.heard.push([text, voice.lang]),
    cancel: () => {},
  } });
}"""


def test_each_call_comes_to_the_page_by_itself(stage, opened):
    scenes.playing(stage)
    page = opened()
    page.wait_for_selector("#call[data-word=out]")
    delays = []
    for act, word in ((scenes.made, "in"), (scenes.on_the_line, "line"), (scenes.made, "in")):
        written_s = time.monotonic()
        act(stage)
        page.wait_for_selector(f"#call[data-word={word}]")
        delays.append(time.monotonic() - written_s)
    print("from the row to the page:", ", ".join(f"{delay * 1000:.0f} ms" for delay in delays))  # noqa: T201 - seen with -s


def test_the_call_tells_word_number_and_story_and_reads_at_two_metres(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened()
    assert "IN" in text(page, "#call .word")
    assert "+1.4 mm ±0.3" in text(page, "#call .numbers")
    tale = text(page, "#call .tale")
    assert "Pipsies +2 3.3.2" in tale
    assert "Ana stands in 12, goes for 13" in tale
    size_px = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#call .word')).fontSize)")
    assert size_px >= 60


def test_who_lies_in_a_box_that_was_not_his_to_make_is_told_so(stage, opened):
    scenes.playing(stage)
    page = opened()
    wait_for(page, "#call .word", "In 7")
    assert text(page, "#call .numbers") == "Bo not the box to make"
    scenes.made(stage)
    wait_for(page, "#call .word", "In")
    page.wait_for_selector("#call[data-word=in]")
    assert "not the box" not in text(page, "#call .numbers")


def test_it_is_spoken_to_those_who_cannot_see_and_only_what_is_new(stage, opened):
    scenes.playing(stage)
    page = opened()
    assert page.inner_text("#spoken") == ""
    scenes.on_the_line(stage)
    wait_for(page, "#spoken", "On the line")
    assert page.get_attribute("#spoken", "role") == "log"


def test_the_strip_tells_whose_turn_it_is_and_what_he_goes_for(stage, opened):
    scenes.playing(stage)
    page = opened()
    assert text(page, "#strip .told").endswith("9")
    assert "Ana" in text(page, "#strip .told")
    assert page.get_attribute(".box.target", "data-box") == "9"
    scenes.on_the_line(stage)
    page.wait_for_selector(".box.target[data-box='6']")
    assert "Bo" in text(page, "#strip .told")


def test_caps_lie_where_the_moment_has_them_and_the_call_fades_while_one_flies(stage, opened):
    scenes.playing(stage)
    page = opened()
    scenes.in_the_air(stage)
    page.wait_for_selector("#call.fading")
    assert "translate(600px, 700px)" in page.get_attribute(".cap[data-player=ana]", "style")
    assert page.get_attribute("#call", "data-air") == "Ana shoots …"
    stage.moment = scenes.moment()
    page.wait_for_selector("#call:not(.fading)")


def test_lamps_and_buzzer_are_shown(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened()
    assert page.get_attribute(".lamp.in", "aria-label") == "In: on"
    assert page.get_attribute(".lamp.on_line", "aria-label") == "On the line: off"
    assert page.locator(".lamp.lit").count() == 2


def test_sound_is_one_tap(stage, opened):
    scenes.playing(stage)
    page = opened()
    page.tap("#sound")
    page.wait_for_selector("#sound[aria-pressed=true]")
    scenes.made(stage)
    page.wait_for_selector("#call[data-word=in]")
    page.tap("#sound")
    wait_for(page, "#sound", "Sound on")


def test_a_phone_calls_as_an_umpire_in_the_voice_of_its_own_people_from_the_tap_on(stage, opened):
    scenes.playing(stage)
    page = opened(locale="es-PR")
    page.evaluate(SPEAKER)
    page.tap("#sound")
    until(page, "window.heard.length === 1")
    call = {"key": "1", "sayings": [{"message": "¡Dentro! Ana gana la 9."}, {"message": "Le toca a Bo."}]}
    next_turn = [scenes.ruling("next_turn", "1.5", player="bo")]
    stage.enter(event={"event": "shot", "player": "ana"}, rulings=next_turn, story={"call": call})
    until(page, "window.heard.length === 2")
    assert page.evaluate("window.heard") == [["Sonido", "es-PR"], ["¡Dentro! Ana gana la 9. Le toca a Bo.", "es-PR"]]


def test_whoever_chooses_words_while_sound_is_on_hears_within_that_tap_what_he_chose(stage, opened):
    scenes.playing(stage)
    page = opened()
    page.evaluate(SPEAKER)
    page.tap("#more")
    page.tap("#sheet button:has-text('Tones')")
    page.keyboard.press("Escape")
    page.tap("#sound")
    page.tap("#more")
    page.tap("#sheet button:has-text('The call')")
    assert [text for text, _ in page.evaluate("window.heard")] == ["The call"]


def test_a_call_that_an_earlier_correction_turns_is_drawn_and_spoken_anew(stage, opened):
    scenes.playing(stage)
    page = opened()
    scenes.on_the_line(stage)
    page.wait_for_selector("#call[data-word=line]")
    story = stage.story_json()
    *others, last = story["entries"]
    rulings = [
        scenes.ruling("out_of_turn", "3.5", player="ana", skip=1),
        scenes.ruling("next_turn", "1.5", player="bo"),
    ]
    stage.tell(entries=[*others, {**last, "rulings": rulings}])
    page.wait_for_selector("#call[data-word=turn]")
    assert "Out of turn".casefold() in text(page, "#call .word").casefold()
    wait_for(page, "#spoken p:last-child", "Corrected. Ana: Out of turn.")
    lost = [scenes.ruling("out_of_turn", "3.5", player="ana", skip=1), scenes.ruling("next_turn", "1.5", player="cal")]
    stage.tell(entries=[*others, {**last, "rulings": lost}])
    wait_for(page, "#call .tale", "Cal")


def test_a_line_of_the_history_stays_as_it_was_drawn_until_it_is_told_otherwise(stage, opened):
    scenes.playing(stage)
    scenes.on_the_line(stage)
    page = opened()
    until(page, "document.querySelectorAll('#history li').length === 2")
    mark = "for (const one of document.querySelectorAll('#history li')) one.isOld = true"
    old = "[...document.querySelectorAll('#history li')].map((one) => [one.dataset.row, Boolean(one.isOld)])"
    page.evaluate(mark)
    scenes.made(stage)
    heard(page, stage.last_id())
    first, second, third = (str(entry["row"]) for entry in stage.story_json()["entries"])
    assert page.evaluate(old) == [[third, False], [second, True], [first, True]]
    page.evaluate(mark)
    undone, *others = stage.story_json()["entries"]
    stage.tell(entries=[{**undone, "event": None, "rulings": []}, *others])
    heard(page, stage.last_id())
    assert page.evaluate(old) == [[third, True], [second, True], [first, False]]
