"""Hosting from a phone in a real Chromium: codes, a new game, four corners under the loupe, phones that agree."""

import numpy as np
import pytest

from linesies.referee.saying import Saying, Trouble
from tests import scenes
from tests.browsing import PHONE, Finger, heard, in_browser, spot_on, text, wait_for
from tests.hosted import CAPS, SPOTS, Machine, hosted, take
from tests.refereeing import START, codes, placed, shot

pytestmark = in_browser


@pytest.fixture
def table(tmp_path, browser):
    """A referee, the paired phones, and a way to open a phone on its page."""
    contexts = []
    with hosted(tmp_path) as box:

        def phone(seat=None, **more):
            context = browser.new_context(**PHONE, **more)
            contexts.append(context)
            page = context.new_page()
            page.set_default_timeout(60_000)
            box.open(page, seat)
            return page

        yield box.referee, box.phones, phone
        for context in contexts:
            context.close()


def test_a_code_is_typed_and_gives_the_seat(table):
    _, phones, phone = table
    page = phone()
    assert page.inner_text("#more") == "Join"
    page.tap("#more")
    page.fill("#code", "0000")
    page.tap("#sheet form button")
    page.wait_for_selector("#sheet .note:has-text('not right')")
    page.fill("#code", phones.codes(["ana"])["ana"])
    page.tap("#sheet form button")
    page.wait_for_selector("#more:has-text('Ana')")


def test_what_was_seen_and_does_not_count_is_said_to_whoever_did_it_and_to_the_referee(table):
    referee, _, phone = table
    ana, bo, owner = phone("ana"), phone("bo"), phone("")
    referee.see(placed("ana", "1"))
    for page in (ana, owner):
        page.wait_for_selector("#notice:has-text('Ana may not move the cap by hand now')")
    bo.wait_for_selector("#history li:has-text('Not by the rules')", state="attached")
    assert bo.locator("#notice").is_hidden()


def test_a_name_is_written_as_people_write_it_in_the_call_its_rule_sheet_and_a_refusal(table):
    referee, _, phone = table
    owner = phone("")
    referee.see(placed("ana", "1"))
    owner.wait_for_selector("#notice:not([hidden])")
    assert "Ana may not" in owner.inner_text("#notice")
    referee.see(shot("ana", "open"))
    owner.tap(".tale button:has-text('Bo is next')")
    assert text(owner, "#sheet[open] .big") == "It is Bo's turn."


def test_players_agree_to_a_do_over_each_on_his_phone(table):
    referee, _, phone = table
    ana, bo, cy, watcher = phone("ana"), phone("bo"), phone("cy"), phone()
    referee.see(shot("ana", "open"))
    ana.tap("#do-over")
    ana.tap("#sheet .answers .first")
    take(referee)
    for page in (bo, cy):
        page.wait_for_selector("#settle[open] h2:has-text('Ana wants a do-over')")
    watcher.wait_for_selector("#settle[open]")
    assert watcher.locator("#settle .answers button").count() == 0
    wait_for(watcher, "#settle .waited", "Waiting for Bo and Cy")
    for page in (bo, cy):
        page.tap("#settle .answers button:has-text('I agree')")
        take(referee)
    assert codes(referee)[-1] == ["do_over"]
    watcher.wait_for_selector("#call[data-word=do_over]")
    ana.wait_for_selector("#settle:not([open])", state="attached")


def test_a_close_call_is_settled_by_the_shooter_and_an_opponent_and_everybody_sees_who_said_what(table):
    referee, _, phone = table
    ana, bo, owner = phone("ana"), phone("bo"), phone("")
    ana.evaluate("navigator.vibrate = (way) => { window.felt = way; }")
    referee.see(shot("ana", "1", certain=False))
    owner.wait_for_selector("#settle[open] .answers button")
    ana.wait_for_selector("#settle[open] .waited:has-text('Two players who say the same decide')")
    assert ana.evaluate("window.felt") == [200, 100, 200]
    ana.tap("#settle .answers button:has-text('On the line')")
    take(referee)
    ana.wait_for_selector("#settle .waited:has-text('Ana: On the line. One more: Bo')")
    for page in (bo, owner):
        page.wait_for_selector("#settle .waited:has-text('Ana: On the line.')")
    assert referee.story.pending
    bo.tap("#settle .answers button:has-text('On the line')")
    take(referee, 2)
    owner.wait_for_selector("#call[data-word=line]")


def test_people_call_first_where_the_house_wants_it_and_read_afterwards_how_they_compare(table):
    referee, _, phone = table
    referee.begin({**scenes.set_up(), "caps": CAPS, "appeals": {"people_first": True}}, START)
    ana, bo, owner = phone("ana"), phone("bo"), phone("")
    referee.see(shot("ana", "1"))
    for page in (ana, bo):
        page.wait_for_selector("#settle[open] .why:has-text('Then the camera says it too')")
        wait_for(page, "#call", "call")
        assert page.locator("#settle .answers .first").count() == 0
        page.tap("#settle .answers button:has-text('On the line')")
        take(referee)
    owner.wait_for_selector("#call[data-word=line]")
    owner.wait_for_selector("#history li:has-text('The camera: In 1.')", state="attached")
    owner.tap("#more")
    owner.tap("#sheet button:has-text('Past games')")
    owner.tap("#sheet .steps button >> nth=0")
    owner.wait_for_selector("#sheet:has-text('Calls made by both: 1. Alike: 0. Different: 1.')")
    owner.wait_for_selector("#sheet:has-text('Ana: On the line, you said. In 1, says the camera.')")


def test_the_sign_of_a_question_stands_beside_its_words_however_long_they_are(table):
    referee, _, phone = table
    referee.begin({**scenes.set_up(), "caps": CAPS, "appeals": {"people_first": True}}, START)
    bo = phone("bo", locale="es-PR")
    referee.see(shot("ana", "1"))
    bo.wait_for_selector("#settle[open] .named.doubt")
    sign, words = (bo.locator(f"#settle .named.doubt {part}").bounding_box() for part in ("svg", ".named"))
    assert words["y"] <= sign["y"] + sign["height"] / 2 <= words["y"] + words["height"]
    assert sign["height"] < words["height"] < 100


def test_a_vote_that_waits_for_who_has_no_phone_says_so_and_the_referee_says_it_for_him(table):
    referee, _, phone = table
    ana, bo, owner = phone("ana"), phone("bo"), phone("")
    referee.see(shot("ana", "open"))
    ana.tap("#do-over")
    ana.tap("#sheet .answers .first")
    take(referee)
    bo.wait_for_selector("#settle[open] .why:has-text('Ana’s shot')")
    bo.wait_for_selector("#settle .waited:has-text('Cy: no phone here. Ask aloud; the referee’s phone says it.')")
    owner.wait_for_selector("#settle .waited:has-text('Cy: no phone here. Ask aloud, and tap what they say.')")
    bo.tap("#settle .answers button:has-text('I agree')")
    take(referee)
    owner.tap("#settle .answers button:has-text('Agree for all')")
    take(referee)
    assert codes(referee)[-1] == ["do_over"]


def test_before_a_correction_counts_it_shows_whose_standing_it_changes(table):
    referee, _, phone = table
    referee.see(shot("ana", "open"))
    referee.see(shot("bo", "1"))
    referee.see(shot("bo", "open"))
    first = referee.story.entries[0].row
    owner = phone("")
    finger = Finger(owner)
    finger.tap("#open-history")
    owner.wait_for_timeout(400)
    finger.tap(f"#history li[data-row='{first}'] button")
    finger.tap("#sheet .answers button:has-text('Cross it out')")
    owner.wait_for_selector("#sheet .would li:has-text('later call')")
    assert referee.journal.inbox() == []
    finger.tap("#sheet .answers button:has-text('Call the rest again')")
    take(referee)
    assert referee.story.entries[0].event is None


def test_the_referee_sees_codes_and_sends_a_phone_away(table):
    _, phones, phone = table
    ana, owner = phone("ana"), phone("")
    owner.tap("#more")
    owner.wait_for_selector(f".phones code:has-text('{phones.codes(['bo'])['bo']}')")
    owner.tap(".phones li:has-text('Ana') button")
    owner.wait_for_selector(".phones li:has-text('Ana') button", state="detached")
    ana.reload()
    ana.wait_for_selector("#more:has-text('Join')")


def test_a_new_game_is_set_up_without_a_manual(table):
    referee, _, phone = table
    referee.begin({**scenes.set_up(), "caps": CAPS}, {**START, "options": {}})
    owner = phone("")
    owner.tap("#more")
    owner.tap("#sheet .wide:has-text('Host')")
    owner.wait_for_selector("#sheet:has-text('5 GB of 30 GB')")
    owner.tap("#sheet button:has-text('New game')")
    owner.tap("#sheet .segments button:has-text('Bo 2')")
    assert "Street" in owner.inner_text("#sheet .preset[aria-pressed=true]")  # what counts if nobody taps any
    owner.tap("#sheet .preset:has-text('Schoolyard')")
    assert "Schoolyard" in owner.inner_text("#sheet .preset[aria-pressed=true]")
    owner.tap("#sheet summary")
    owner.tap("#sheet .option:has-text('Pipsies') button[aria-label=more]")
    owner.tap("#sheet button:has-text('Begin')")
    take(referee, 3)
    start = referee.story.start
    assert start["players"] == ["ana", "cy"]
    assert start["options"]["early_hits"] == "allowed"
    assert start["options"]["pipsies"] == 3
    owner.wait_for_selector("#strip:has-text('Ana')")


def test_four_corners_are_dragged_on_the_picture_under_a_loupe(table):
    referee, _, phone = table
    owner = phone("")
    owner.tap("#more")
    owner.tap("#sheet .wide:has-text('Host')")
    owner.tap("#sheet button:has-text('Find the board')")
    handle = owner.locator(".handle").first
    handle.wait_for()
    box = handle.locator(".point").bounding_box()
    finger = Finger(owner)
    finger.down(box["x"], box["y"])
    finger.move(box["x"] + 40, box["y"] + 20)
    owner.wait_for_selector(".loupe:not([hidden])")
    finger.up()
    owner.keyboard.press("Tab")
    owner.tap("#sheet button:has-text('These are the corners')")
    take(referee)
    row = referee.journal.rows_after(0)[-1]
    assert row.body["order"] == "calibrate"
    (x, y), *others = row.body["corners"]
    assert x > 0.15 * 640 + 30
    assert y > 0.15 * 480 + 10
    assert len(others) == 3


CLOCKWISE = [(96, 72), (544, 72), (544, 408), (96, 408)]  # where the handles stand at first


def put_corners(page, corners):
    """Drag each handle to its spot of the picture, beyond the picture's edge too."""
    finger = Finger(page)
    for i, xy in enumerate(corners):
        if xy != CLOCKWISE[i]:
            box = page.locator(".handle .point").nth(i).bounding_box()
            start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            finger.drag(start, spot_on(page, "#sheet .corners svg", xy))


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        ([CLOCKWISE[i] for i in (0, 2, 1, 3)], "cross"),
        ([CLOCKWISE[i] for i in (0, 3, 2, 1)], "wrong way round"),
        ([(544, 76), *CLOCKWISE[1:]], "on top of each other"),
    ],
)
def test_corners_that_go_round_no_board_are_said_at_once_and_ordered_from_nobody(table, corners, said):
    referee, _, phone = table
    owner = phone("")
    hosting(owner, "Find the board")
    owner.locator(".handle").first.wait_for()
    put_corners(owner, corners)
    owner.tap("#sheet .answers .first")
    wait_for(owner, "#sheet .note", said)
    assert referee.journal.inbox() == []


def test_a_corner_that_is_dragged_far_outside_stays_at_the_pictures_edge(table):
    referee, _, phone = table
    owner = phone("")
    hosting(owner, "Find the board")
    owner.locator(".handle").first.wait_for()
    put_corners(owner, [(-300, 40), *CLOCKWISE[1:]])
    owner.tap("#sheet .answers .first")
    take(referee)
    assert referee.journal.rows_after(0)[-1].body["corners"][0] == pytest.approx([0, 40], abs=3)


def test_seeking_the_board_is_said_at_once_until_it_is_answered_each_time_anew(table):
    referee, _, phone = table
    owner = phone("")
    hosting(owner, "Find the board")
    for _ in range(2):
        owner.tap("#sheet button:has-text('Let the camera find it')")
        wait_for(owner, "#sheet .note", "Searching for the board")  # though nobody has taken the order yet
        take(referee)
        asked = referee.journal.rows_after(0)[-1].body
        assert (asked["order"], asked.get("corners")) == ("calibrate", None)
        assert owner.is_disabled("#sheet button:has-text('Let the camera find it')")
        referee.tell_trouble(Trouble("board", Saying("board_none")))
        wait_for(owner, "#sheet .note", "no board is found")
        owner.wait_for_selector("#sheet button:has-text('Let the camera find it'):enabled")
    owner.tap("#sheet button:has-text('These are the corners')")
    wait_for(owner, "#sheet .note", "Learning the board")
    owner.wait_for_selector("#sheet .note:has-text(' 1 s of')")
    referee.redraw({"board": {**referee.story.set_up["board"], "name": "as it was learned again"}})
    owner.wait_for_selector("#sheet h2:has-text('Host a game')")


def hosting(owner, step):
    owner.tap("#more")
    owner.tap("#sheet .wide:has-text('Host')")
    owner.tap(f"#sheet button:has-text('{step}')")


def test_a_card_mat_that_lies_there_now_is_chosen_by_touch_and_learned(table):
    referee, _, phone = table
    owner = phone("")
    hosting(owner, "Find the board")
    owner.locator(".handle").first.wait_for()
    owner.tap("#sheet summary:has-text('lies here now')")
    for choice in ("Card mat", "Skip-Bo", "+", "+", "+"):
        owner.tap(f"#sheet .boards button:has-text('{choice}')")
    owner.tap("#sheet .answers .first")
    take(referee)
    order = referee.journal.rows_after(0)[-1].body
    assert (order["order"], order["mat"]) == ("calibrate", {"game": "skipbo", "seats": 6})
    assert len(order["corners"]) == 4


def test_each_cap_is_tapped_on_the_picture_and_named(table):
    referee, _, phone = table
    owner = phone("")
    finger = Finger(owner)
    hosting(owner, "Name the caps")
    picture = owner.locator("#sheet .corners svg")
    picture.wait_for()
    for number, (x, y) in enumerate(SPOTS, start=1):
        box = picture.bounding_box()
        finger.down(box["x"] + x / 640 * box["width"], box["y"] + y / 480 * box["height"])
        owner.wait_for_selector(".loupe:not([hidden])")
        finger.up()
        owner.wait_for_selector(f".kit li:nth-child({number})")
    sizes = owner.locator(".kit output").all_inner_texts()
    assert sizes == ["size as seen"] * len(SPOTS)  # no tap went through to a "+"
    reds = owner.locator(".kit .disc").evaluate_all("all => all.map((one) => one.getAttribute('fill'))")
    assert [int(colour[1:3], 16) > 150 for colour in reds] == [True, False, True]
    owner.select_option(".kit li:nth-child(1) select >> nth=0", "cy")
    assert owner.is_disabled("#sheet .answers button")  # two caps of one player
    owner.select_option(".kit li:nth-child(3) select >> nth=0", "ana")
    owner.select_option(".kit li:nth-child(2) select >> nth=1", "lid")
    owner.tap(".kit li:nth-child(1) button[aria-label=more]")
    owner.tap("#sheet .answers button:has-text('These are the caps')")
    take(referee)
    told = referee.journal.rows_after(0)[-1].body["caps"]
    assert [(cap["player"], cap["kind"], cap["diameter"]) for cap in told] == [
        ("cy", "crown", 26.5),
        ("bo", "lid", None),
        ("ana", "crown", None),
    ]
    for cap, spot in zip(told, SPOTS, strict=True):
        assert np.hypot(*np.subtract(cap["xy"], spot)) < 2


def test_looking_again_keeps_the_names_given_so_far(table, monkeypatch):
    """A cap that lies where it lay, one that was moved, and one that the camera does not find keep theirs."""
    referee, _, phone = table
    (red, blue, yellow), moved = SPOTS, (500, 100)
    monkeypatch.setattr(Machine, "found", [{"xy": list(xy), "diameter": 30, "kind": "crown"} for xy in SPOTS])
    owner = phone("")
    hosting(owner, "Name the caps")
    owner.wait_for_selector(".kit li:nth-child(3)")
    owner.select_option(".kit li:nth-child(1) select >> nth=0", "cy")
    owner.select_option(".kit li:nth-child(3) select >> nth=0", "ana")
    owner.select_option(".kit li:nth-child(2) select >> nth=1", "lid_open")
    monkeypatch.setattr(Machine, "lying", {red: SPOTS[red], moved: SPOTS[blue], yellow: SPOTS[yellow]})
    monkeypatch.setattr(
        Machine, "found", [{"xy": list(xy), "diameter": 30, "kind": "crown"} for xy in (moved, (red[0] + 2, red[1]))]
    )
    owner.tap("#sheet button:has-text('Look again')")
    owner.wait_for_selector("#sheet .note:has-text('3')")
    owner.wait_for_selector(f".pin[transform='translate({moved[0]} {moved[1]})']", state="attached")
    owner.tap("#sheet .answers button:has-text('These are the caps')")
    take(referee)
    told = referee.journal.rows_after(0)[-1].body["caps"]
    assert {cap["player"]: (cap["kind"], tuple(cap["xy"])) for cap in told} == {
        "bo": ("lid_open", moved),
        "cy": ("crown", (red[0] + 2, red[1])),
        "ana": ("crown", yellow),
    }


def test_a_cap_that_touches_one_that_was_found_is_tapped_twice(table, monkeypatch):
    _, _, phone = table
    x, y = next(iter(SPOTS))
    monkeypatch.setattr(Machine, "found", [{"xy": [x, y], "diameter": 30, "kind": "crown"}])
    owner = phone("")
    finger = Finger(owner)
    hosting(owner, "Name the caps")
    owner.wait_for_selector(".kit li")
    for answer in ("nothing new", "whose"):
        box = owner.locator("#sheet .corners svg").bounding_box()
        finger.tap_at(box["x"] + (x + 9) / 640 * box["width"], box["y"] + y / 480 * box["height"])
        owner.wait_for_selector(f"#sheet .note:has-text('{answer}')")
    assert owner.locator(".kit li").count() == 2


def test_another_camera_is_chosen_by_a_tap(table):
    referee, _, phone = table
    owner = phone("")
    hosting(owner, "Choose the camera")
    assert owner.get_attribute("#sheet button:has-text('Webcam')", "aria-pressed") == "true"
    owner.tap("#sheet button:has-text('imx708')")
    take(referee)
    assert referee.journal.rows_after(0)[-1].body == {"order": "camera", "source": "picamera2:0"}


def test_how_exact_calls_are_is_painted_over_the_board(table):
    referee, _, phone = table
    owner = phone("")
    regions = [{**region, "sigma": 0.3 + 0.05 * i} for i, region in enumerate(referee.story.set_up["board"]["regions"])]
    referee.redraw({"board": {**referee.story.set_up["board"], "regions": regions}})
    heard(owner, referee.story.row)
    hosting(owner, "How exact calls are")
    assert "right to 0.6 mm at best" in text(owner, "#sheet")
    assert owner.locator(".accuracy text").count() == len(regions)
    assert owner.locator(".accuracy .good text").first.text_content() == "0.6"


def test_it_speaks_spanish_and_turns_to_english_by_a_tap(table):
    _, _, phone = table
    page = phone(locale="es-PR")
    assert page.get_attribute("html", "lang") == "es"
    assert page.inner_text("#open-history") == "Historial"
    page.tap("#more")
    page.tap("#sheet button:has-text('English')")
    wait_for(page, "html[lang=en] #open-history", "History")


def test_a_phone_that_plays_for_two_says_no_once(table):
    referee, phones, phone = table
    ana, both = phone("ana"), phone("bo")
    both.tap("#more")
    both.fill("#code", phones.codes(["cy"])["cy"])
    both.tap("#sheet form button")
    both.wait_for_selector("#more:has-text('Cy')")
    both.keyboard.press("Escape")
    referee.see(shot("ana", "1"))
    ana.tap("#do-over")
    ana.tap("#sheet .answers .first")
    take(referee)
    both.tap("#settle[open] .answers button:text-is('No')")
    take(referee)
    assert referee.story.motions == ()
    heard(both, referee.story.row)
    both.wait_for_timeout(400)
    referee.take_orders()
    assert referee.story.refusal is None
