"""People decide and correct on the page: what is too close, who chooses, do-overs, what is said otherwise."""

import json

import pytest

from tests import scenes
from tests.browsing import DESK, PHONE, heard, in_browser, ordered, text, until, wait_for
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
    assert text(page, "#sheet h2") == "Pipsies 3.3.2"
    assert "in one shot" in text(page, "#sheet[open]")


def test_the_history_shows_what_was_corrected_struck_through_with_who_and_why(stage, opened):
    scenes.playing(stage)
    scenes.on_the_line(stage)
    scenes.corrected(stage)
    page = opened()
    page.tap("#open-history")
    assert text(page, "#history .old s") == "Ana · on the line · −0.8 mm"
    assert "phone ab12cd: the picture shows a gap" in text(page, "#history .old small")
    assert "corrected" in text(page, "#call .numbers")


def test_people_say_otherwise_in_two_taps(stage, opened):
    scenes.playing(stage)
    scenes.on_the_line(stage)
    page = opened()
    page.tap("#call .look")
    page.wait_for_selector("#sheet[open]")
    offered = page.locator("#sheet .answers button").all_inner_texts()
    assert offered[:3] == ["In 9", "In no box", "Cross it out"]
    page.tap("#sheet .answers button:has-text('In 9')")
    page.wait_for_selector("#sheet:not([open])", state="attached")
    page.tap("#open-history")
    page.tap("#history li:first-child button")
    page.tap("#sheet .answers button:has-text('Cross it out')")
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
    asked = stage.story_json()["pending"][0]["about"]
    page = opened()
    page.wait_for_selector("#settle[open]")
    page.tap("#settle .answers button >> nth=0")
    ordered(stage)
    missed = scenes.shot("ana", scenes.call("ana", 932.8, 190, "line", -0.1))
    rulings = [scenes.ruling("turn_over", "3.2.0", player="ana", reason="miss")]
    said = {"code": "settled_already", "say": "settled", "details": {}}
    refusal = {"row": 9, "code": "bad_order", "message": "nothing waits", "said": said}
    story = {"pending": [], "refusal": refusal}
    stage.enter(event=missed, rulings=rulings, settled_by="players:bo, cal", about=asked, story=story)
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


def moved(stage, order, event, about=None):
    motion = {"row": 30, "at": 0.0, "order": order, "about": about, "event": event, "why": ""}
    stage.tell(motions=[{**motion, "agreed": ["ana"], "asked": ["ana", "bo"], "declined": []}])


MISSED = scenes.shot("bo", scenes.call("bo", 1050, 1700, "12", 20))
BEFORE = {
    "en-US": "To be put in before this: Bo’s shot: On the line.",
    "es-MX": "Iría antes de esto: El tiro de Bo: En la línea.",
}
WISHED = {
    "en-US": {
        "insert": (
            "Ana says that something was not seen",
            "A shot was not seen. Who shot: Bo. Where caps came to rest: Bo: In 12. " + BEFORE["en-US"],
        ),
        "amend": ("Ana says otherwise", "Bo’s shot: On the line → In 12."),
        "foul": ("Ana has something to report", "A foul. Who: Bo. What happened: Kicked the cap."),
    },
    "es-MX": {
        "insert": (
            "Ana dice que faltó algo",
            "Faltó un tiro. Quién tiró: Bo. Dónde pararon las tapitas: Bo: En la 12. " + BEFORE["es-MX"],
        ),
        "amend": ("Ana dice que fue de otra manera", "El tiro de Bo: En la línea → En la 12."),
        "foul": ("Ana quiere avisar algo", "Una falta. Quién: Bo. Qué pasó: Pateó la tapita."),
    },
}


@pytest.mark.parametrize("locale", WISHED)
def test_what_is_voted_on_is_said_and_one_wish_never_reads_as_another(stage, opened, locale):
    scenes.playing(stage)
    lies = scenes.shot("bo", scenes.call("bo", 1050, 1700, "line", 20))
    about = stage.enter(event=lies, rulings=[scenes.ruling("next_turn", "1.5", player="cal")])
    page = opened(locale=locale)
    events = {"insert": MISSED, "amend": {**lies, "rest": {"bo": "12"}}, "foul": FOUL}
    for wish, (title, why) in WISHED[locale].items():
        moved(stage, "event" if wish == "foul" else wish, events[wish], None if wish == "foul" else about)
        wait_for(page, "#settle[open] h2", title)
        until(page, f"document.getElementById('settle-why').textContent === {json.dumps(why)}")
        stage.tell(motions=[])
        page.wait_for_selector("#settle:not([open])", state="attached")


FOUL = {"event": "foul", "player": "bo", "kind": "kick"}
SET_RIGHT = {"event": "correct", "players": {"ana": {"skip": 1}}, "turn": "bo"}


def test_an_amendment_that_moves_no_cap_says_all_that_it_would_be(stage, opened):
    scenes.playing(stage)
    lies = scenes.shot("bo", scenes.call("bo", 1050, 1700, "12", 20))
    about = stage.enter(event=lies, rulings=[scenes.ruling("next_turn", "1.5", player="cal")])
    page = opened()
    moved(stage, "amend", {**lies, "hits": [["bo", "dee"]]}, about)
    wait_for(page, "#settle[open] .why", "Bo’s shot: In 12 → Who shot: Bo. Who hit whom: Bo → Dee.")
    moved(stage, "event", SET_RIGHT)
    wait_for(page, "#settle[open] .why", "Put right how a player stands. Whom: Ana:")
    wait_for(page, "#settle[open] .why", "Whose turn it is: Bo.")


NOBODY, AGAIN = {"event": "nothing"}, {"event": "do_over"}
OPEN = {**scenes.shot("ana", scenes.CALLS["ana"]), "behind_start": False}
COUNTS = {key: value for key, value in OPEN.items() if key != "behind_start"}
ASKED = {  # event, the others' answers, why and labels
    "one cap was moved": (SEEN, [NOBODY, SEEN], "¿Tiró Ana,", ["No tiró nadie", "Tiró Ana"]),
    "it lay before the start line": (
        OPEN,
        [COUNTS, NOBODY],
        "¿Vale el tiro?",
        ["Vale", "Otra vez, desde detrás de la línea"],
    ),
    "it was moved before the start line": (
        OPEN,
        [NOBODY, OPEN, {**OPEN, "player": "bo"}],
        "¿Tiró Ana,",
        ["No tiró nadie", "Tiró Ana", "Tiró Bo"],
    ),
}


@pytest.mark.parametrize("doubt", ASKED)
def test_a_spanish_phone_has_every_answer_in_spanish_and_no_two_alike(stage, opened, doubt):
    scenes.playing(stage)
    page = opened(locale="es-MX")
    event, readings, why, labels = ASKED[doubt]
    answers = [{"label": "in English", "event": one} for one in (*readings, AGAIN)]
    stage.tell(
        pending=[{"row": 9, "about": 8, "event": event, "why": "in English", "answers": answers, "evidence": {}}]
    )
    wait_for(page, "#settle[open] .why", why)
    assert page.locator("#settle .answers button").all_inner_texts() == [*labels, "Repetir"]


def test_who_was_late_is_told_of_no_other_call_than_the_one_he_meant(stage, opened):
    scenes.playing(stage)
    lies = scenes.shot("ana", scenes.call("ana", 932.8, 190, "line", -0.1))
    stage.enter(event=lies, rulings=[scenes.ruling("next_turn", "1.5", player="bo")], settled_by="players:bo, cal")
    page = opened()
    moved(stage, "event", FOUL)
    page.tap("#settle .answers button:text-is('No')")
    ordered(stage)
    said = {"code": "nobody_waits", "say": "settled", "details": {}}
    stage.tell(motions=[], refusal={"row": 9, "code": "bad_order", "message": "nobody waits there", "said": said})
    wait_for(page, "#notice", "Not taken: nobody waits there")


TWICE = "selector => [0, 1].forEach(() => document.querySelector(selector).click())"


def to_do_over(_stage, page):
    page.tap("#do-over")
    page.wait_for_selector("#sheet[open]")
    return "#sheet .answers .first"


def to_rematch(stage, page):
    scenes.won(stage)
    page.wait_for_selector(".after button:has-text('Rematch')")
    return ".after button:last-child"


def to_another_reading(_stage, page):
    page.tap("#open-history")
    page.tap("#history li:first-child button")
    page.wait_for_selector("#sheet .answers button")
    return "#sheet .answers button"


def to_a_foul(stage, page):
    page.tap("#more")
    page.tap("#sheet button:has-text('Say what happened')")
    page.tap("#sheet button:has-text('A foul')")
    page.tap("#sheet [data-field=kind] button:has-text('Kicked')")
    page.wait_for_selector("#sheet .result .first")
    return "#sheet .result .first"


def to_a_new_game(_stage, page):
    page.tap("#more")
    page.tap("#sheet button:has-text('Host a game')")
    page.tap("#sheet button:has-text('New game')")
    page.wait_for_selector("#sheet .go")
    return "#sheet .go"


@pytest.mark.parametrize("lead", [to_do_over, to_rematch, to_another_reading, to_a_foul, to_a_new_game])
def test_two_taps_in_a_row_give_one_order(stage, opened, lead):
    scenes.playing(stage)
    page = opened()
    selector = lead(stage, page)
    page.evaluate(TWICE, selector)
    ordered(stage)
    page.wait_for_timeout(600)
    assert len(stage.orders) == 1


def test_a_button_whose_order_was_not_sent_can_be_tapped_again(stage, opened):
    scenes.playing(stage)
    page = opened()
    selector = to_do_over(stage, page)
    page.route("**/orders", lambda route: route.abort())
    page.tap(selector)
    wait_for(page, "#sheet .note", "Not sent")
    page.unroute("**/orders")
    page.tap(f"{selector}:enabled")
    assert ordered(stage)[0][0]["event"] == {"event": "do_over"}


def test_a_choice_that_was_put_off_stays_put_off_while_others_rows_come(stage, opened):
    scenes.begun(stage)
    scenes.hit_early(stage)
    page = opened()
    page.tap("#settle[open] .close")
    page.wait_for_selector("#decide")
    heard(page, stage.tell(match=None))
    page.wait_for_timeout(1200)
    assert page.is_hidden("#settle")


def test_the_history_tells_who_has_another_cap(stage, opened):
    scenes.playing(stage)
    stage.enter(event={"event": "switch_cap", "player": "bo", "reason": "damaged"}, rulings=[])
    page = opened()
    page.tap("#open-history")
    wait_for(page, "#history .top", "Bo switches caps")
