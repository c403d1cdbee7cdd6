"""People decide and correct on the page: what is too close, who chooses, do-overs, what is said otherwise."""

from tests import scenes
from tests.browsing import DESK, PHONE, heard, in_browser, ordered, text, wait_for
from tests.page_server import served

pytestmark = in_browser


def test_people_settle_what_is_too_close_in_one_tap(stage, opened):
    scenes.playing(stage)
    page = opened()
    scenes.too_close(stage)
    page.wait_for_selector("#call[data-word=close]")
    page.wait_for_selector("#settle[open]")
    assert page.locator("#settle .answers button").all_inner_texts() == ["In 9", "On the line", "Do-over"]
    assert page.locator("#settle .evidence svg.lens").count() == 1
    page.tap("#settle .answers button:nth-child(2)")
    wait_for(page, "#settle .note", "Sent")
    [(order, origin)] = ordered(stage)
    assert order["order"] == "settle"
    assert order["event"]["rest"] == {"ana": "line"}
    assert origin.startswith("phone:")
    scenes.on_the_line(stage)
    stage.tell(pending=[])
    page.wait_for_selector("#settle:not([open])", state="attached")
    page.wait_for_selector("#call[data-word=line]")


def test_who_may_only_watch_sees_the_question_without_buttons(stage, browser):
    scenes.playing(stage)
    scenes.too_close(stage)
    with served(stage, may_order=False) as port:
        page = browser.new_page(**PHONE)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#settle[open]")
        assert "Waiting for" in text(page, "#settle .waited")
        assert page.locator("#settle .answers").count() == 0
        assert page.is_hidden("#do-over")
        page.close()


def test_a_television_on_which_nobody_decides_says_who_does(stage, opened):
    scenes.playing(stage)
    page = opened(**DESK)
    page.goto(page.url + "screen")
    scenes.too_close(stage)
    wait_for(page, "#settle", "Waiting for the players at the board to decide.")
    assert page.is_hidden("#settle .answers")


def test_a_victim_of_an_early_hit_chooses(stage, opened):
    scenes.begun(stage)
    scenes.hit_early(stage)
    page = opened()
    page.tap("#settle .answers button:has-text('Go back')")
    wait_for(page, "#settle .note", "Sent")
    assert ordered(stage)[0][0]["event"] == {"event": "choice", "player": "bo", "choice": "back"}


def test_a_do_over_takes_two_taps(stage, opened):
    scenes.playing(stage)
    page = opened()
    page.tap("#do-over")
    wait_for(page, "#sheet[open]", "Bo’s last shot")
    page.tap("#sheet .answers .first")
    page.wait_for_selector("#sheet:not([open])", state="attached")
    assert ordered(stage)[0][0]["event"] == {"event": "do_over"}


def test_taps_tell_of_caps_boxes_and_paragraphs(stage, opened):
    scenes.playing(stage)
    scenes.made(stage)
    page = opened()
    page.tap(".cap[data-player=dee]")
    assert "Goes for the word “a”" in text(page, "#sheet[open]")
    page.keyboard.press("Escape")
    page.focus('.box[data-box="13"]')
    page.keyboard.press("Enter")
    assert "Goes for it Ana" in text(page, "#sheet[open]")
    page.keyboard.press("Escape")
    page.tap(".tale li:nth-child(2) button")
    assert "Paragraph 3.3.2" in text(page, "#sheet[open]")
    assert "in one shot" in text(page, "#sheet[open]")


def test_the_history_shows_what_was_corrected_struck_through_with_who_and_why(stage, opened):
    scenes.playing(stage)
    scenes.on_the_line(stage)
    scenes.corrected(stage)
    page = opened()
    page.tap("#open-history")
    assert text(page, "#history .old s") == "Ana · on a line · −0.8 mm"
    assert "phone ab12cd: the picture shows a gap" in text(page, "#history .old small")
    assert "corrected" in text(page, "#call .numbers")


def test_people_say_otherwise_in_two_taps(stage, opened):
    scenes.playing(stage)
    scenes.on_the_line(stage)
    page = opened()
    page.tap("#call .look")
    page.wait_for_selector("#sheet[open]")
    offered = page.locator("#sheet .answers button").all_inner_texts()
    assert offered[:3] == ["In 9", "In no box", "Strike it out"]
    page.tap("#sheet .answers button:has-text('In 9')")
    page.wait_for_selector("#sheet:not([open])", state="attached")
    page.tap("#open-history")
    page.tap("#history li:first-child button")
    page.tap("#sheet .answers button:has-text('Strike it out')")
    page.wait_for_selector("#sheet:not([open])", state="attached")
    (amend, _), (undo, _) = ordered(stage, 2)
    assert (amend["order"], amend["about"], amend["event"]["rest"]) == ("amend", stage.last_id(), {"ana": "9"})
    assert undo == {"order": "undo", "about": stage.last_id()}


def test_an_order_that_is_not_taken_is_said_to_whoever_gave_it(stage, opened):
    scenes.playing(stage)
    page, other = opened(), opened()
    assert page.is_hidden("#notice")
    page.tap("#do-over")
    page.tap("#sheet .answers .first")
    ordered(stage)
    stage.tell(refusal={"row": 9, "code": "bad_order", "message": "no game has begun"})
    wait_for(page, "#notice", "Not taken: no game")
    heard(other, stage.last_id())
    assert other.is_hidden("#notice")


def test_who_was_second_is_told_who_decided_what(stage, opened):
    scenes.playing(stage)
    scenes.too_close(stage)
    page = opened()
    page.wait_for_selector("#settle[open]")
    page.tap("#settle .answers button >> nth=0")
    ordered(stage)
    missed = scenes.shot("ana", scenes.call("ana", 932.8, 190, "line", -0.1))
    rulings = [scenes.ruling("turn_over", "3.2.0", player="ana", reason="miss")]
    said = {"code": "settled_already", "say": "settled", "details": {}}
    refusal = {"row": 9, "code": "bad_order", "message": "nothing waits", "said": said}
    story = {"pending": [], "refusal": refusal}
    stage.enter(event=missed, rulings=rulings, settled_by="players:bo, cal", story=story)
    wait_for(page, "#notice", "Already decided by Bo and Cal: On the line.")


SEEN = scenes.shot("ana", scenes.CALLS["ana"], hits=(("ana", "bo"),))


def test_what_is_in_doubt_is_asked_by_its_name(stage, opened):
    scenes.playing(stage)
    page = opened()
    others = {
        "A HIT?": {**SEEN, "hits": []},
        "WHO SHOT?": {**SEEN, "player": "bo"},
        "A SHOT?": {"event": "nothing"},
        "TOO CLOSE": {**SEEN, "rest": {"ana": "line"}},
    }
    for row, (word, other) in enumerate(others.items()):
        answers = [{"label": "as seen", "event": SEEN}, {"label": "otherwise", "event": other}]
        stage.tell(
            pending=[{"row": row, "event": SEEN, "why": "it is not certain", "answers": answers, "evidence": {}}]
        )
        wait_for(page, "#settle[open] h2", word)
        wait_for(page, "#call .word", word)
