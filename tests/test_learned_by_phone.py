"""A game's own cards are photographed with a phone, one by one, and learned while the referee goes on."""

import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

import linesies.device.loop.refereeing as refereeing_module
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.card_lesson import CardLesson
from linesies.device.loop.setting_up import NoEyes
from linesies.device.loop.table_eyes import TableEyes
from linesies.device.places import deck_file, evidence_folder, photographs_folder
from linesies.device.serving.webdevice import OwnDevice
from linesies.device.settings.settings import CameraSettings, KeepSettings, PinSettings, Settings, WebSettings
from linesies.referee.orders import LearnCards, order_json
from linesies.referee.owner_orders import complete_owners
from linesies.referee.saying import Saying
from linesies.referee.story import Story
from linesies.simulator.cards.faces import draw_deck
from linesies.simulator.cards.photos import photograph_deck, photograph_faces
from linesies.vision import LearnedDeck
from tests import scenes
from tests.browsing import PHONE, Finger, in_browser, ordered, to_hosting
from tests.page_server import Stage, serving
from tests.test_sight import TABLE

IN_BROWSER, WHERE_ONE_IS = in_browser
DECK = dict(photograph_deck(draw_deck("skipbo", np.random.default_rng(3)), np.random.default_rng(4)))
JPEG = {code: cv2.imencode(".jpg", picture)[1].tobytes() for code, picture in DECK.items()}


def finished(lesson, patience_s=120.0):
    until_s = time.monotonic() + patience_s
    while time.monotonic() < until_s:
        told = lesson.done()
        if told:
            return told
        time.sleep(0.1)
    raise AssertionError("nothing was learned")


def test_what_was_photographed_is_learned_and_taken_for_the_games_deck(tmp_path):
    own = OwnDevice(tmp_path)
    for code, jpeg in JPEG.items():
        own.keep_photograph("skipbo", code, jpeg)
    for face, picture in photograph_faces(np.random.default_rng(5)):
        own.keep_photograph("skipbo", f"die/{face}", cv2.imencode(".jpg", picture)[1].tobytes())
    lesson = CardLesson(tmp_path)
    assert lesson.begin("skipbo") == []
    assert own.photographed("skipbo")["is_learning"]
    [told] = finished(lesson)
    assert told.is_over
    known = own.photographed("skipbo")
    assert set(JPEG) | {"die/SB", "die/DRAW1"} <= set(known["cards"])
    assert (known["is_learning"], known["learned"] is None) == (False, False)
    deck = LearnedDeck.open(deck_file(tmp_path, "skipbo"))
    assert set(deck.names) == set(JPEG) - {"back"}
    assert deck.has_back
    settings = Settings(camera=CameraSettings(), keep=KeepSettings(state=str(tmp_path)))
    known = refereeing_module._Known(calibration=TABLE, caps=())
    start = {"event": "start", "game": "skipbo", "players": ["Ana", "Bo"]}
    assert isinstance(refereeing_module._eyes_or_none(settings, known, start)[0], TableEyes)
    elsewhere = replace(settings, keep=KeepSettings(state=str(tmp_path / "new")))
    assert isinstance(refereeing_module._eyes_or_none(elsewhere, known, start)[0], NoEyes)


def test_pictures_that_show_no_card_are_named_and_nothing_is_learned(tmp_path):
    own = OwnDevice(tmp_path)
    own.keep_photograph("skipbo", "1", JPEG["1"])
    bare = cv2.imencode(".jpg", np.full((300, 200, 3), 90, np.uint8))[1].tobytes()
    for code in ("7", "SB"):
        own.keep_photograph("skipbo", code, bare)
    lesson = CardLesson(tmp_path)
    lesson.begin("skipbo")
    [told] = finished(lesson)
    assert (told.who, told.saying.code, told.saying.details) == ("cards", "cards_missing", {"cards": ["7", "SB"]})
    assert not deck_file(tmp_path, "skipbo").exists()


def test_without_a_photograph_there_is_nothing_to_learn(tmp_path):
    lesson = CardLesson(tmp_path)
    lesson.begin("skull_king")
    [told] = finished(lesson)
    assert told.saying.code == "cards_unlearned"


def test_a_lesson_that_was_begun_before_the_eyes_changed_is_told_after_it(tmp_path):
    settings = Settings(
        keep=KeepSettings(state=str(tmp_path)), pins=PinSettings(library="mock"), web=WebSettings(serve=False)
    )
    with Assembly(settings) as assembly:
        with assembly.match(NoEyes(), ()) as (match, referee):
            referee.journal.submit(order_json(LearnCards(game="skull_king")), "referee:ab12cd")
            match.serve()
        with assembly.match(NoEyes(), ()) as (match, referee):
            until_s = time.monotonic() + 120.0
            while "cards" not in referee.story.troubles and time.monotonic() < until_s:
                match.serve()
                time.sleep(0.1)
    assert referee.story.troubles["cards"]["said"]["code"] == "cards_unlearned"


@pytest.mark.parametrize("game", ["skull", "skully", "chess"])
def test_a_game_without_cards_of_its_own_has_none_to_learn(game):
    assert complete_owners(LearnCards(game=game), Story()) == Saying("no_own_deck")


def test_only_the_referees_phone_sends_photographs_and_only_of_cards(tmp_path):
    client = Stage().app(device=OwnDevice(tmp_path)).test_client()
    page = client.get("/").text
    sign = page.split('name="linesies-token" content="')[1].split('"')[0]
    headers = {"Origin": "http://localhost", "X-Linesies-Token": sign}

    def send(path, data):
        return client.post(path, data=data, headers=headers, content_type="image/jpeg").status_code

    assert send("/deck/skipbo/7", JPEG["7"]) == 200
    assert client.get("/deck/skipbo").json["cards"] == ["7"]
    assert send("/deck/skipbo/7", b"no picture") == 400
    assert send("/deck/skipbo/..%2f..%2fjournal", JPEG["7"]) in (400, 404)
    assert send("/deck/skull/5H", JPEG["7"]) == 404
    assert send("/deck/skipbo/8", JPEG["7"] + bytes(700_000)) == 413
    assert send("/orders", JPEG["7"] + bytes(20_000)) == 413
    assert not (tmp_path / "journal").exists()


@IN_BROWSER
@WHERE_ONE_IS
def test_cards_are_photographed_by_touch_one_after_the_other(tmp_path, browser):
    stage = Stage()
    regions = [
        {"name": name, "polygon": [[0, 0], [9, 0], [9, 9]]} for name in ("seat:player1", "seat:player2", "pile1")
    ]
    stage.tell(set_up={**scenes.set_up(), "board": {**scenes.set_up()["board"], "regions": regions}})
    app = stage.app(device=OwnDevice(tmp_path), evidence_dir=evidence_folder(tmp_path))
    context = browser.new_context(bypass_csp=False, **PHONE)
    with serving(app) as port:
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("body[data-connection=live]")
        finger = Finger(page)
        to_hosting(page, finger)
        finger.tap("#sheet button:text-is('Learn the cards')")
        finger.tap("#sheet .segments button:text-is('Skip-Bo')")
        for code in ("1", "2"):
            with page.expect_file_chooser() as chooser:
                finger.tap(f"#sheet label:text-is('Photograph: {code}')")
            chooser.value.set_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": JPEG[code]})
            page.wait_for_selector(f"#sheet .pick[aria-label='{code}'] .done")
        page.wait_for_selector("#sheet label:text-is('Photograph: 3')")
        assert photographs_folder(tmp_path, "skipbo").joinpath("2", "1.jpg").read_bytes()[:2] == b"\xff\xd8"
        finger.tap("#sheet .answers button:text-is('Learn these cards')")
        assert ordered(stage)[-1][0] == {"order": "learn_cards", "game": "skipbo"}
    context.close()
