"""Card games on phones in a real Chromium: tables, controls under the thumb, whole games by four phones."""

import time

import pytest

from linesies.device.phones.phones import Phones
from tests.browsing import DESK, PHONE, SMALL, in_browser, ordered, text
from tests.card_games import PLAYERS, CardTable, page_of
from tests.card_sitting import Sitting
from tests.page_server import Stage, served
from tests.thorough import cases

pytestmark = in_browser

BID_ROW = "#own .numbers-row button"


@pytest.fixture
def sit(browser, tmp_path):
    """Open a card table; gives it and a way to open phones, each in its seat."""
    opened = []

    def open_table(game, **settings):
        table = CardTable(tmp_path / f"{game}.sqlite", game, **settings)
        phones = Phones(tmp_path / f"{game}-phones.sqlite")
        serving = page_of(table, doorkeeper=phones)
        port = serving.__enter__()
        opened.append(serving)

        def phone(seat=None, **more):
            context = browser.new_context(**(PHONE | more))
            opened.append(context)
            page = context.new_page()
            page.set_default_timeout(60_000)
            code = "" if seat is None else f"#seat={phones.codes(PLAYERS)[seat]}"
            page.goto(f"http://127.0.0.1:{port}/{code}")
            if code:
                page.wait_for_selector(f"html[data-role*='{seat or 'referee'}']")
            page.wait_for_selector("body[data-connection=live]")
            return page

        return table, phone

    yield open_table
    for one in reversed(opened):
        one.close() if hasattr(one, "close") else one.__exit__(None, None, None)


def taken(table, before, patience_s=10.0):
    """Let the referee take what the phones ordered; fails if nothing came."""
    until_s = time.monotonic() + patience_s
    while table.referee.story.row == before and time.monotonic() < until_s:
        table.referee.take_orders()
        time.sleep(0.01)
    assert table.referee.story.row > before


def tap(table, page, selector):
    """Tap once, as people do, whatever the page draws meanwhile."""
    before = table.referee.story.row
    page.tap(selector)
    taken(table, before)


def test_a_bid_is_a_tap_and_the_impossible_is_greyed(sit):
    table, phone = sit("skull")
    table.play_until(lambda state: state["phase"] == "bid")
    turn, least = table.state["turn"], table.state["bid"]["number"] + 1
    page, watcher = phone(turn), phone()
    assert text(page, "#strip strong") == "Your turn"
    assert page.locator(f"{BID_ROW}:disabled").count() == least - 1
    assert watcher.is_hidden("#own")
    before = table.referee.story.row
    page.tap("#own button:has-text('Pass')")
    taken(table, before)
    assert turn in table.state["passed"] or table.state["phase"] == "reveal"
    page.wait_for_selector(f".seat[data-player={turn}] .tag:has-text('passed')")


def test_a_secret_bid_is_on_no_other_phone_until_all_have_bid(sit):
    table, phone = sit("skull_king")
    table.play_until(lambda state: state["phase"] == "bid")
    ana, bo = phone("ana"), phone("bo")
    before = table.referee.story.row
    ana.tap(f"{BID_ROW}:has-text('2')")
    taken(table, before)
    ana.wait_for_selector("#own:has-text('Ana: 2.')")
    bo.wait_for_selector(".seat[data-player=ana] .fact:has-text('✓')")
    assert "2" not in text(bo, ".seat[data-player=ana] .facts .fact:first-child")
    for name in ("bo", "cal", "dee"):
        table.say({"event": "bid", "player": name, "bid": 0}, name)
    bo.wait_for_selector("#call[data-word=bids]")
    bo.wait_for_selector(".seat[data-player=ana] .fact:has-text('2')")


def test_a_tigress_is_declared_and_a_card_that_the_camera_missed_is_named(sit):
    table, phone = sit("skull_king")
    table.play_until(lambda state: state["phase"] == "play")
    page = phone(table.state["turn"])
    before = table.referee.story.row
    page.tap("#own button:has-text('I play the Tigress')")
    page.tap("#own button:has-text('Tigress: pirate')")
    taken(table, before)
    page.wait_for_selector(".trick .card[aria-label='Tigress, pirate']")
    other = phone(table.state["turn"])
    before = table.referee.story.row
    other.tap("#own button:has-text('missed')")
    other.tap("#sheet .pick:has(svg[aria-label='green 7'])")
    taken(table, before)
    page.wait_for_selector(".trick .card[aria-label='green 7']")


def test_a_die_is_told_and_a_card_laid_where_it_fits(sit):
    table, phone = sit("skipbo")
    table.play_until(lambda state: state["phase"] == "play" and not state["owed"] and state["die"]["face"] is None)
    page = phone(table.state["turn"])
    before = table.referee.story.row
    page.tap("#own button:has-text('5–8')")
    taken(table, before)
    page.wait_for_selector(".middle .fact:has-text('5-8')")
    page.wait_for_selector("#own button:has-text('Discard')")


def begun_turn(table, face):
    """Let the player in turn draw and roll."""
    turn = table.state["turn"]
    table.say({"event": "draw", "player": turn, "cards": table.state["owed"]}, turn)
    table.say({"event": "roll", "player": turn, "face": face}, turn)
    return turn


def touch(table, page, *selectors):
    """Touch one after the other, until an order is taken."""
    before = table.referee.story.row
    for selector in selectors:
        page.tap(selector)
    taken(table, before)


def test_a_wrong_turn_is_noticed_by_a_touch_of_any_other_player_but_not_of_the_offender(sit):
    table, phone = sit("skipbo")
    proper = table.state["turn"]
    wrong, witness = [name for name in PLAYERS if name != proper][:2]
    table.say({"event": "draw", "player": wrong, "cards": table.state["owed"]}, wrong)
    assert table.state["out_of_turn"] == wrong
    offender, page = phone(wrong), phone(witness)
    offender.wait_for_selector("#own .choices")
    assert offender.locator("#own button:has-text('not your turn')").count() == 0
    touch(table, page, "#own button:has-text('not your turn')")
    page.wait_for_selector("#call[data-word=stop]")
    assert (table.state["turn"], table.state["out_of_turn"]) == (proper, None)
    assert next(one["no_draw"] for one in table.state["players"] if one["name"] == wrong)


def test_a_partner_who_helped_too_much_takes_two_cards_once_the_others_agree(sit):
    table, phone = sit("skipbo", options={"stock": 4, "partners": True})
    ana, others = phone("ana"), [phone(name) for name in ("bo", "cal", "dee")]
    for selector in (
        "#more",
        "#sheet button:has-text('Say what happened')",
        "#sheet button:has-text('Somebody helped a partner too much')",
    ):
        ana.tap(selector)
    ana.tap("#sheet [data-field=player] button:text-is('Cal')")
    ana.wait_for_selector("#sheet .would:has-text('Cal')")
    touch(table, ana, "#sheet .result .answers .first")
    assert not table.referee.story.entries, "a player alone accuses nobody"
    for page in others:
        page.wait_for_selector("#settle[open] .answers button:has-text('I agree')")
        touch(table, page, "#settle .answers button:has-text('I agree')")
        if table.referee.story.entries:
            break
    ana.wait_for_selector("#call[data-word=stop]")
    assert [one["stock"]["cards"] for one in table.state["players"]] == [4, 4, 6, 4]


def test_a_discard_by_the_die_is_told_from_the_one_that_ends_the_turn(sit):
    table, phone = sit("skipbo")
    turn = begun_turn(table, "DISCARD2")
    page = phone(turn)
    choose = ("#own button:has-text('Discard')", "#sheet .pick:has(svg[aria-label='7'])")
    touch(table, page, *choose, "#sheet .hint:has-text('die') + .choices button:has-text('pile 2')")
    assert (table.state["turn"], table.state["die"]["discards"]) == (turn, 1)
    touch(table, page, *choose, "#sheet .hint:has-text('ends the turn') + .choices button:has-text('pile 3')")
    assert table.state["turn"] != turn


def test_a_partners_stock_and_discards_are_within_reach_and_an_opponents_are_not(sit):
    table, phone = sit("skipbo", options={"partners": True, "stock": 10, "target": None})
    for name in PLAYERS:
        table.say({"event": "turn_up", "player": name, "card": "1"}, name)
    turn = begun_turn(table, "DRAW1")
    partner = PLAYERS[(PLAYERS.index(turn) + 2) % 4]
    page = phone(turn)
    page.wait_for_selector("#own .hint:has-text('stock shows 1')")
    assert page.locator("#own .hint:has-text('stock shows 1')").count() == 2
    touch(table, page, f"#own .hint:text-matches(\"{partner}.s stock\", 'i') + .choices button:has-text('pile 1')")
    stocks = {player["name"]: player["stock"]["cards"] for player in table.state["players"]}
    assert [name for name, cards in stocks.items() if cards == 9] == [partner]


FACES = {"1-4": "1–4", "5-8": "5–8", "9-12": "9–12", "SB": "Skip-Bo", "DISCARD2": "Discard 2", "DRAW1": "Others draw 1"}


def asked_about(event, *answers):
    told = [{"label": label, "event": {**event, **more}} for label, more in answers]
    return {"row": 9, "about": 8, "event": event, "why": "?", "answers": told, "asked": ["ana"], "evidence": {}}


def test_doubt_at_a_table_is_asked_by_its_name_and_a_card_is_named_by_its_picture(browser):
    stage = Stage()
    sitting = Sitting("skull_king", "ana bo cy")
    start = {"event": "start", "game": "skull_king", "players": ["ana", "bo", "cy"], "options": {}}
    stage.tell(game=start, state=sitting.public, set_up={"caps": []})
    tigress = {"event": "play", "player": "ana", "card": "TIGRESS"}
    unread = {"event": "play", "player": "ana", "card": None}
    with served(stage) as port:
        page = browser.new_page(**PHONE)
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector(".table")
        stage.tell(pending=[asked_about(tigress, ("As pirate", {"as": "pirate"}), ("As escape", {"as": "escape"}))])
        page.wait_for_selector("#settle[open] h2:has-text('Pirate or')")
        stage.tell(pending=[{**asked_about(unread), "row": 10}])
        page.wait_for_selector("#settle[open] h2:has-text('Which')")
        page.tap("#settle button:has-text('Name the card')")
        page.tap("#sheet .pick:has(svg[aria-label='green 7'])")
        page.wait_for_selector("#settle .note:has-text('Sent')")
        assert ordered(stage)[0][0]["event"]["card"] == "P7"
        page.close()


@pytest.mark.parametrize(
    ("locale", "word", "why", "laid"),
    [
        ("en-US", "A card laid?", "Did Ana lay a card there, or only touch one?", "Ana laid it"),
        ("es-MX", "¿Puso carta?", "¿Ana puso ahí una carta, o solo tocó una?", "La puso Ana"),
    ],
)
def test_a_card_that_may_only_have_been_touched_is_asked_about_as_a_card(browser, locale, word, why, laid):
    stage = Stage()
    start = {"event": "start", "game": "skull", "players": ["ana", "bo", "cy", "dee"], "options": {}}
    stage.tell(game=start, state=Sitting("skull", "ana bo cy dee").public, set_up={"caps": []})
    placed = {"event": "placed", "player": "ana"}
    nothing = {"label": "Nothing", "event": {"event": "nothing"}}
    question = asked_about(placed, ("ana laid it", {}))
    with served(stage) as port:
        page = browser.new_page(**PHONE, locale=locale)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector(".table")
        stage.tell(pending=[{**question, "answers": [*question["answers"], nothing]}])
        page.wait_for_selector("#settle[open]")
        assert text(page, "#settle h2").casefold() == f"{word} ana".casefold()
        assert text(page, "#settle-why") == why
        page.tap(f"#settle button:has-text('{laid}')")
        assert ordered(stage)[0][0]["event"] == placed
        page.close()


TAPS = {
    "draw": lambda event: f"{BID_ROW}:text-is('{event['cards']}')",
    "roll": lambda event: f"#own button:text-is('{FACES[event['face']]}')",
    "pass": lambda _event: "#own button:has-text('Pass')",
    "bid": lambda event: f"{BID_ROW}:text-is('{event.get('number', event.get('bid'))}')",
    "card_lost": lambda _event: "#own button:has-text('put away')",
    "skip_ability": lambda _event: "#own button:has-text('Leave it')",
    "deal": lambda _event: "#own button:has-text('Dealt')",
    "end_turn": lambda _event: "#own button:has-text('End the turn')",
}


@pytest.mark.takes_turns(seconds=17)
@pytest.mark.parametrize(
    ("game", "options", "seed"),
    cases(
        [("skull_king", {"pirate_abilities": True, "rounds": [1, 2]}, 1)],
        more=[("skull", {}, 2), ("skipbo", {"stock": 1, "target": None}, 3)],
    ),
)
def test_a_whole_game_is_played_by_four_phones_with_a_referee_and_a_screen_watching(sit, game, options, seed):
    table, phone = sit(game, options=options, seed=seed)
    phones = {name: phone(name) for name in PLAYERS}
    referee, screen = phone(""), phone(**DESK)
    tapped = 0
    for number in range(600):
        if table.state["phase"] == "over":
            break
        event = table.bot.event(table.state)
        speaker = event.get("by") or event.get("player")
        if event["event"] in TAPS and tapped < 12:
            tap(table, phones[speaker], TAPS[event["event"]](event))
            tapped += 1
        else:
            table.say(event, speaker or "ana")
        if number == 10:
            phones["bo"].close()  # drops out, and comes back in the same seat
            phones["bo"] = phone("bo")
    assert table.state["phase"] == "over"
    assert tapped
    for page in (*phones.values(), referee, screen):
        page.wait_for_selector("#call[data-word=winner], #strip:has-text('wins!')")


@pytest.mark.parametrize("game", ["skull", "skull_king", "skipbo"])
def test_a_table_needs_no_sideways_scrolling_on_the_smallest_phone(sit, game):
    table, phone = sit(game)
    table.play_until(lambda state: bool(state["turn"]) and state["phase"] in ("bid", "play"))
    page = phone(table.state["turn"], viewport=SMALL)
    page.wait_for_selector(".table")
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    page.set_viewport_size({"width": 1280, "height": 720})
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("game", ["skull", "skull_king"])
def test_whoever_watches_upright_sees_the_table_stay_where_it_is_and_all_that_is_told_above_it(sit, game):
    table, phone = sit(game)
    page = phone()
    bar = page.locator("#bar").bounding_box()["y"]
    told = set()
    for _ in range(12):
        row = table.referee.story.row
        table.play_until(lambda _, row=row: table.referee.story.row > row)
        page.wait_for_selector(f"body[data-row='{table.referee.story.row}']")
        box = page.locator("#board").bounding_box()
        assert box["y"] + box["height"] == pytest.approx(bar, abs=1)
        told.add(page.locator("#call").inner_text())
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
        assert page.evaluate(
            "() => [...document.querySelectorAll('#call .tale')].every((one) => one.scrollHeight <= one.clientHeight)"
        )
    assert len(told) > 2


def test_a_hand_over_the_table_hides_no_call(browser):
    stage = Stage()
    start = {"event": "start", "game": "skull", "players": ["ana", "bo", "cy", "di"], "options": {}}
    ruling = {"code": "bidding_opened", "player": "ana", "bid": 2, "rule": "Player turns", "text": "ana bids"}
    stage.tell(game=start, state=Sitting("skull", "ana bo cy di").public, set_up={"caps": []})
    stage.enter(event={"event": "bid", "player": "ana", "number": 2}, rulings=[ruling])
    stage.moment = {"t": 1.0, "camera": "ok", "at_rest": False, "in_air": "ana", "caps": {}, "signals": {}}
    with served(stage) as port:
        page = browser.new_page(**PHONE)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#call[data-word=bid]")
        assert "fading" not in page.get_attribute("#call", "class")
        page.close()


def test_a_player_goes_home_by_his_own_phone_and_comes_back_once_the_others_agree(sit):
    table, phone = sit("skull")
    phones = {name: phone(name) for name in PLAYERS}
    said = ("#more", "#sheet button:has-text('Say what happened')")
    to_say = "#sheet .result .answers .first"
    touch(table, phones["cal"], *said, "#sheet button:has-text('Somebody goes home')", to_say)
    assert [one.get("status") for one in table.state["players"]] == [None, None, "left", None]
    phones["ana"].wait_for_selector(".seat.out[data-player=cal]:has-text('has left')")
    phones["cal"].wait_for_selector("body[data-connection=live]")
    touch(
        table,
        phones["cal"],
        *said,
        "#sheet button:has-text('Somebody joins')",
        "#sheet [data-field=player] button:text-is('Cal')",
        to_say,
    )
    for name in ("ana", "bo", "dee"):
        phones[name].wait_for_selector("#settle[open]:has-text('Cal joins, or comes back') button:has-text('I agree')")
        touch(table, phones[name], "#settle .answers button:has-text('I agree')")
    assert all("status" not in one for one in table.state["players"])
    phones["ana"].wait_for_selector(".seat[data-player=cal]:not(.out)")


def test_the_call_says_on_whose_left_a_newcomer_sits_down_at_a_full_mat(sit):
    table, phone = sit("skull_king", seats=4)
    table.say({"event": "leave", "player": "bo"}, "bo")
    ana, dee = phone("ana"), phone("dee")
    for selector in (
        "#more",
        "#sheet button:has-text('Say what happened')",
        "#sheet button:has-text('Somebody joins')",
    ):
        ana.tap(selector)
    ana.fill("#sheet [data-field=player] input", "eve")
    ana.press("#sheet [data-field=player] input", "Enter")
    touch(table, ana, "#sheet .result .answers .first")
    for name in ("cal", "dee"):
        about = table.referee.story.motions[0].row
        table.referee.journal.submit({"order": "agree", "about": about}, f"player:{name}")
        table.referee.take_orders()
    ana.wait_for_selector("#call:has-text('Eve sits on the left of Bo')")
    order = dee.eval_on_selector_all(".seat", "seats => seats.map(seat => seat.dataset.player)")
    assert order == ["ana", "bo", "eve", "cal", "dee"]


DISCARD = {"event": "discard", "player": "ana", "card": "7", "pile": 2}
WILD = {"event": "play", "player": "ana", "pile": 1, "from": "hand", "card": "SB"}
TIGRESS = {"event": "play", "player": "ana", "card": "TIGRESS"}
FLIP = {"event": "flip", "player": "ana", "owner": "bo", "card": None}
OF_ONE_GAME = [  # game, event, what the answers say beside it; headline and why in both languages, Spanish answers
    (
        "skipbo",
        DISCARD,
        ({"die": True}, {}),
        (
            ("By the die?", "The die allows two more discards. Was this one of them?"),
            ("¿Con el dado?", "El dado deja descartar dos más. ¿Es esta una de ellas?"),
            ["Una más, por el dado", "Acaba el turno"],
        ),
    ),
    (
        "skipbo",
        WILD,
        ({}, {"die": 5}),
        (
            ("By the die?", "The Skip-Bo card may lie on the die. What does it stand for?"),
            ("¿Con el dado?", "La carta Skip-Bo puede ir sobre el dado. ¿Qué número vale?"),
            ["Como 5", "Como 6, sobre el dado como 5"],
        ),
    ),
    (
        "skull_king",
        TIGRESS,
        ({"as": "pirate"}, {"as": "escape"}),
        (
            ("Pirate or escape?", "The Tigress is played as a pirate or as an escape."),
            ("¿Pirata o huida?", "La Tigresa se juega como pirata o como huida."),
            ["Pirata", "Huida"],
        ),
    ),
    (
        "skull",
        FLIP,
        ({"card": "5H"}, {"card": "KC"}),
        (
            ("Which card?", "The card could not be read."),
            ("¿Qué carta?", "No se pudo leer la carta."),
            ["Una flor", "Una calavera", "Nombrar la carta"],
        ),
    ),
]


@pytest.mark.parametrize(("game", "event", "ways", "asked"), OF_ONE_GAME)
def test_what_one_game_alone_asks_is_asked_in_both_languages(browser, game, event, ways, asked):
    *questions, labels = asked
    stage = Stage()
    start = {"event": "start", "game": game, "players": ["ana", "bo", "cy", "dee"], "options": {}}
    stage.tell(game=start, state=Sitting(game, "ana bo cy dee").public, set_up={"caps": []})
    with served(stage) as port:
        for locale, (word, why) in zip(("en-US", "es-MX"), questions, strict=True):
            page = browser.new_page(**PHONE, locale=locale)
            page.goto(f"http://127.0.0.1:{port}/")
            page.wait_for_selector(".table")
            stage.tell(pending=[asked_about(event, *(("in English", way) for way in ways))])
            page.wait_for_selector("#settle[open]")
            assert word.casefold() in text(page, "#settle h2").casefold()
            assert text(page, "#settle-why") == why
            told = page.locator("#settle .answers button").all_inner_texts()
            page.close()
    assert told == labels
