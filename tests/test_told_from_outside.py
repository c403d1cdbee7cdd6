"""What a game from outside is told with: summaries, calls and questions, whatever its package brings or leaves out."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from linesies import rules
from linesies.calibration import write_calibration
from linesies.device.errors import BadInput
from linesies.device.journal.journal import Journal
from linesies.device.loop.refereeing import referee_game
from linesies.device.phones.remembered import Remembered
from linesies.device.places import journal_file
from linesies.device.serving.webapp import JournalFace
from linesies.device.settings.settings import CameraSettings, KeepSettings, PinSettings, Settings, WebSettings
from linesies.games import GAMES, Tally, UmpireCalls, admit
from linesies.referee.appeals import penalty
from linesies.referee.preview import preview
from linesies.referee.snapshot import story_json
from linesies.referee.summary import summary_json
from linesies.web import create_app
from tests import outsiders
from tests.browsing import PHONE, in_browser
from tests.calibrations import plain_calibration
from tests.page_server import nothing_moves, serving
from tests.refereeing import SET_UP, START, call, quick_journal, referee_on, shot
from tests.test_people import wish
from tests.test_table_doubt import seen

outsiders_in_browser, where_one_is = in_browser


@pytest.fixture
def referee(monkeypatch):
    """A referee of a round of crokinole, in which each has shot."""
    outsiders.crokinole(monkeypatch)
    with quick_journal() as path:
        referee = referee_on(path)
        referee.begin(SET_UP, outsiders.ONE_ROUND)
        for player, at in (("ana", "20"), ("bo", "5")):
            referee.journal.submit({"order": "event", "event": outsiders.crokinole_shot(player, at)}, "referee:ab12cd")
            referee.take_orders()
        yield referee


@pytest.fixture
def page(referee, tmp_path):
    face = JournalFace(referee.journal)
    return create_app(face, referee.journal.submit, dict, remembers=Remembered(tmp_path / "people.json")).test_client()


def test_a_game_whose_shots_know_no_hits_stands_in_the_list_and_is_summed_up(page):
    assert [game["game"] for game in page.get("/past").json["games"]] == ["skully", "crokinole"]
    assert page.get("/past").json["games"][1]["winners"] == ["ana"]
    told = page.get("/past/2").json
    assert [(player["name"], player["shots"], player["holed"]) for player in told["players"]] == [
        ("ana", 1, 1),
        ("bo", 1, 0),
    ]


def test_across_games_and_as_records_a_game_from_outside_counts_what_it_says_itself(page):
    wish(page, "ana", keep=True)
    [told] = page.get("/people/ana").json["of"]
    assert (told["title"], told["games"], told["won"], told["shots"]) == ("Crokinole", 1, 1, 1)
    assert told["counts"] == [{"title": "twenties", "value": 1}, {"title": "discs in the ditch", "value": 0}]
    assert told["best_gap"] is None
    assert ">twenties<" in page.get("/past/2.svg").text
    records = {one["game"]: one["records"] for one in page.get("/people").json["records"]}
    assert records["crokinole"] == [{"title": "most twenties in a game", "player": "ana", "value": 1}]


@outsiders_in_browser
@where_one_is
def test_the_page_shows_them_beside_those_of_the_house(referee, browser, tmp_path):
    face = JournalFace(referee.journal)
    kept = Remembered(tmp_path / "people.json")
    with serving(create_app(face, referee.journal.submit, nothing_moves, remembers=kept)) as port:
        phone = browser.new_page(**PHONE)
        phone.goto(f"http://127.0.0.1:{port}/")
        phone.wait_for_selector("body[data-connection=live]")
        phone.tap("#more")
        phone.tap("#sheet button:has-text('Past games')")
        phone.wait_for_selector("#sheet dd:has-text('Ana · 1')")
        assert "Most twenties in a game" in phone.inner_text("#sheet")
        assert "Crokinole ·" in phone.inner_text("#sheet .preset >> nth=0")
        phone.close()


def test_a_referee_whose_games_package_is_gone_ends_with_what_is_missing_and_begins_no_other(tmp_path, monkeypatch):
    with monkeypatch.context() as installed:
        outsiders.crokinole(installed)
        referee = referee_on(journal_file(tmp_path))
        referee.begin(SET_UP, outsiders.ONE_ROUND)
        row = referee.story.row
        referee.journal.close()
    write_calibration(plain_calibration(), tmp_path / "c.json")
    settings = Settings(
        camera=CameraSettings(calibration=str(tmp_path / "c.json"), caps=str(tmp_path / "caps.json")),
        pins=PinSettings(library="mock"),
        web=WebSettings(serve=False),
        keep=KeepSettings(state=str(tmp_path)),
    )
    with pytest.raises(BadInput, match="crokinole is played by the package linesies-somebodys, which is not installed"):
        referee_game(settings, say=lambda _line: None)
    journal = Journal(journal_file(tmp_path))
    assert journal.last_id() == row
    journal.close()


def test_a_game_that_tells_no_phase_is_on_until_another_begins(referee, monkeypatch):
    outsiders.renamed("skull_king", "phaseless", monkeypatch, without=["phase"])
    referee.begin(SET_UP, {"event": "start", "game": "phaseless", "players": ["ana", "bo"], "options": {}})
    assert referee.has_game
    assert story_json(referee.story)["game"]["game"] == "phaseless"
    referee.journal.submit({"order": "caps", "caps": [{"player": "ana", "xy": [1, 2]}]}, "referee:ab12cd")
    referee.take_orders()
    assert referee.story.refusal["said"]["code"] == "plays_capless"


def fails(*_):
    raise RuntimeError("no luck")


def fails_late(*_):
    yield "A flower", "7H"
    raise RuntimeError("no luck")


def test_a_package_that_fails_at_its_call_calls_nothing_and_the_story_is_told(referee, monkeypatch):
    outsiders.renamed("skully", "failing", monkeypatch, calls=UmpireCalls(otherwise=fails), is_place_weighty=fails)
    referee.begin(SET_UP, {**START, "game": "failing"})
    referee.see(shot("ana", "open"))
    assert story_json(referee.story)["call"]["sayings"][0]["message"] == "Bo is up."
    referee.see(shot("bo", "open", others=[call("ana", "open", certain=False)]))
    assert len(referee.story.pending) == 1


def test_a_package_that_fails_at_its_questions_leaves_what_was_seen_to_people(referee, monkeypatch):
    outsiders.renamed("skull", "failing", monkeypatch, unread=fails_late, doubt=fails)
    start = {"event": "start", "game": "failing", "players": ["ana", "bo"], "options": {"ruleset": "small_shelf"}}
    referee.begin(SET_UP, start)
    referee.see(seen("placed", player="ana"))
    assert referee.story.pending == ()
    referee.see(seen("flip", player="ana", owner="ana", card=None))
    assert [answer["label"] for answer in referee.story.pending[0].question.answers] == ["Nothing"]


@pytest.mark.parametrize("what", [fails, lambda *_: 7, lambda *_: {"event": object()}, lambda *_: {"foo": 1}])
def test_a_package_that_fails_at_its_penalty_costs_nobody_a_turn(referee, monkeypatch, what):
    outsiders.renamed("skully", "failing", monkeypatch, penalty=what)
    referee.begin(SET_UP, {**START, "game": "failing"})
    assert penalty(referee.story, "ana") is None


@pytest.mark.parametrize("what", [fails, lambda *_: {"event": object()}, lambda *_: {}])
def test_a_package_that_fails_at_its_head_start_begins_the_game_with_all_alike(referee, monkeypatch, what):
    outsiders.renamed("skully", "failing", monkeypatch, head_start=what)
    match = {"tournament": 1, "title": "Cup", "match": "K1.1", "players": START["players"], "head_starts": {"bo": 5}}
    referee.journal.submit({"order": "match", "match": match}, "league")
    referee.take_orders()
    referee.begin(SET_UP, {**START, "game": "failing"})
    assert referee.story.playing.head_starts == {"bo": 5}
    assert referee.story.game_name == "failing"
    assert referee.story.entries == ()


def test_a_package_that_fails_at_keeping_the_rest_offers_no_such_thing(referee, monkeypatch):
    outsiders.renamed("skully", "failing", monkeypatch, keep=fails)
    referee.begin(SET_UP, {**START, "game": "failing"})
    referee.see(shot("ana", "1"))
    told = preview(referee.story, {"order": "undo", "about": referee.story.entries[0].row})
    assert told["keep"] is None


@pytest.mark.parametrize("what", [fails, lambda *_: {"players": []}, lambda *_: 7])
def test_a_package_that_fails_at_what_a_player_may_know_shows_him_what_all_may(referee, monkeypatch, what):
    outsiders.renamed("skull", "failing", monkeypatch).rules.view = what
    start = {"event": "start", "game": "failing", "players": ["ana", "bo"], "options": {"ruleset": "small_shelf"}}
    referee.begin(SET_UP, start)
    assert story_json(referee.story, seats=("ana",))["state"] == story_json(referee.story)["state"]


def test_a_package_that_cannot_show_how_its_game_begins_begins_none(monkeypatch):
    game = outsiders.renamed("skully", "failing", monkeypatch)
    game.rules.public = fails
    with pytest.raises(rules.BadStart, match="failing cannot begin"):
        rules.GAMES["failing"].start({**START, "game": "failing"})


@pytest.mark.parametrize("what", [fails, fails_late, lambda *_: 7])
def test_a_package_that_fails_at_counting_counts_for_nobody_and_the_game_is_summed_up(referee, monkeypatch, what):
    tallies = (Tally(code="sunk", title="sunk", whom=what), Tally(code="shot", title="shot", whom=lambda *_: ["ana"]))
    outsiders.renamed("skully", "failing", monkeypatch, tallies=tallies, columns=())
    referee.begin(SET_UP, {**START, "game": "failing"})
    referee.see(shot("ana", "open"))
    ana = summary_json(referee.story)["players"][0]
    assert (ana["sunk"], ana["shot"]) == (0, 1)


def test_a_package_is_asked_once_for_a_whole_count_however_long_the_game_was(monkeypatch):
    asked = []
    monkeypatch.setattr("linesies.games.guarded.within", lambda _, ask: asked.append(1) or ask())
    tallies = (Tally(code="shot", title="shot", whom=lambda event, _: [event["player"]]),)
    (tally,) = outsiders.renamed("skully", "counting", monkeypatch, tallies=tallies, columns=()).tallies
    assert tally.count("ana", [({"event": "shot", "player": "ana"}, ())] * 2000) == 2000
    assert len(asked) == 1


def test_a_game_that_knows_no_penalty_still_knows_none_behind_its_guard(monkeypatch):
    assert outsiders.renamed("skully", "plain", monkeypatch, penalty=None).penalty is None


def test_what_has_hung_is_asked_no_more(referee, monkeypatch):
    asked = []

    def hangs(*_):
        asked.append(1)
        time.sleep(60)

    monkeypatch.setattr("linesies.games.guarded.PATIENCE_S", 0.05)
    outsiders.renamed("skully", "failing", monkeypatch, calls=UmpireCalls(otherwise=hangs))
    referee.begin(SET_UP, {**START, "game": "failing"})
    referee.see(shot("ana", "open"))
    for _ in range(3):
        story_json(referee.story)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("tallies", "fault"),
    [
        (("boxes",), "no linesies.games.Tally"),
        ((Tally(code="name", title="names", of=frozenset({"hit"})),), "taken: best_gap, longest, name, shots"),
        ((Tally(code="x", title="a", of=frozenset()), Tally(code="x", title="b", of=frozenset())), "of one code"),
        ((Tally(code="x", title="a", of=frozenset(), whose="player"),), 'whose "whose" is no tuple'),
        ((Tally(code="x", title="a", whom="bo"),), 'whose "whom" is no function'),
        ((Tally(code="x", title="a"),), 'a tally "x" that counts nothing'),
    ],
)
def test_a_game_from_outside_whose_tallies_cannot_be_told_is_not_let_in(tallies, fault):
    stranger = replace(GAMES["skully"], rules=SimpleNamespace(name="stranger"), tallies=tallies)
    assert fault in admit(stranger, "a package")
    assert "stranger" not in GAMES
