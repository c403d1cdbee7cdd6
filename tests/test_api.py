"""The API: described as it is, no question makes it stumble, past games are told and taken along."""

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings

from linesies import rules
from linesies.device.phones.doors import OpenDoor
from linesies.device.phones.phones import Phones
from linesies.device.serving.webapp import JournalFace
from linesies.web import create_app
from linesies.web.describing import described
from linesies.web.openapi import DOORS, PAGE
from linesies.web.past import events_table
from linesies.web.safety import COOKIE, TOKEN_HEADER, sign_of
from tests import scenes
from tests.page_server import Stage
from tests.refereeing import START, call, quick_journal, referee_on, shot
from tests.test_pairing import joined
from tests.test_secrets import DEAL, bids, card_referee


class Machine:
    def picture(self):
        return None

    def found_caps(self):
        return []

    def league(self):
        return {"hub": "http://hub:8100", "name": "Board 1"}

    def leave_league(self):
        return {"has_left": False, "trouble": "unknown"}

    def proof_walk(self):
        return {"seats": [], "measured": 0, "has_gauge": False, "is_measuring": False}

    def storage(self):
        return 1, 2

    def cameras(self):
        return []


@pytest.fixture
def played():
    """A journal of two games, and its page."""
    with quick_journal() as path:
        referee = referee_on(path)
        referee.see(shot("ana", "1"))
        referee.see(shot("ana", "open", hits=["bo"], others=[call("bo", "open")]))
        referee.begin(scenes.set_up(), {**START, "players": ["bo", "ana"]})
        referee.see(shot("bo", "1"))
        referee.see(shot("bo", "2"))
        referee.see(shot("bo", "open"))
        yield JournalFace(referee.journal)


@pytest.fixture
def client(played):
    return create_app(played, played.journal.submit, dict).test_client()


def test_every_door_is_described_and_nothing_else():
    app = Stage().app()
    told = described(app, PAGE)
    assert set(told["paths"]) == set(DOORS)
    assert told["paths"]["/orders"]["post"]["requestBody"]
    settle = told["components"]["schemas"]["Settle"]
    assert {"order", "about", "event"} <= set(settle["properties"])
    assert app.test_client().get("/api").json == json.loads(json.dumps(told))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_question_makes_it_stumble(played, tmp_path):
    schemathesis = pytest.importorskip("schemathesis")
    not_a_server_error = schemathesis.checks.not_a_server_error
    door = OpenDoor(Phones(tmp_path / "phones.sqlite"))
    app = create_app(played, played.journal.submit, dict, doorkeeper=door, device=Machine(), max_streams=0)
    value = "t" * 43
    headers = {TOKEN_HEADER: sign_of(value), "Origin": "http://localhost", "Host": "localhost"}
    asked = []
    for operation in schemathesis.openapi.from_wsgi("/api", app).get_all_operations():

        @given(case=operation.ok().as_strategy())
        @settings(max_examples=8, suppress_health_check=list(HealthCheck), database=None)
        def ask(case):
            answer = case.call(headers=headers, cookies={COOKIE: value})
            asked.append(answer.status_code)
            if not (answer.status_code == 503 and case.path in ("/feed", "/camera.jpg")):  # no seat, no camera
                case.validate_response(answer, checks=(not_a_server_error,))

        ask()
    assert len(asked) > 50
    assert 202 in asked


def test_past_games_are_listed_and_summed_up(client):
    first, second = client.get("/past").json["games"]
    assert (first["number"], first["players"], first["is_over"]) == (1, ["ana", "bo", "cy"], False)
    told = client.get("/past/1").json
    ana = told["players"][0]
    assert (ana["name"], ana["shots"], ana["made"]) == ("ana", 2, 1)
    assert told["players"][1]["was_hit"] == 1
    assert told["rests"][0] == [1.0, 2.0, "ana"]
    assert client.get(f"/past/{second['number']}").json["players"][0]["made"] == 2
    assert client.get("/past/3").status_code == 404
    assert client.get("/past/0").status_code == 404


def test_an_export_rules_as_the_referee_did(client, played):
    lines = [json.loads(line) for line in client.get("/past/2.jsonl").text.splitlines()]
    game, state, _ = rules.start(lines[0])
    for event in lines[1:]:
        state, _ = game.apply(state, event)
    assert game.public(state) == played.story().public
    table = list(csv.DictReader(io.StringIO(client.get("/past/2.csv").text)))
    assert [row["player"] for row in table] == ["bo", "bo", "bo"]
    assert client.get("/past/9.csv").status_code == 404
    assert client.get("/past/9.jsonl").status_code == 404


def test_no_name_becomes_a_formula():
    told = events_table([{}, {"event": "bid", "player": "=1+1", "number": -2}])
    assert "'=1+1" in told
    assert ",-2," in told


def test_a_summary_is_a_picture_to_share_in_the_phones_language(client):
    drawn = client.get("/past/2.svg?lang=es")
    assert drawn.mimetype == "image/svg+xml"
    root = ET.fromstring(drawn.text)
    texts = [part.text for part in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "★ Sin terminar" in texts
    assert {"tiros", "casillas"} <= set(texts)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 3
    assert client.get("/past/7.svg").status_code == 404


def test_an_export_keeps_secrets(tmp_path):
    referee = card_referee(tmp_path / "j.sqlite")
    for event in (DEAL, *bids([("ana", 1)])):
        referee.journal.submit({"order": "event", "event": event}, f"player:{event['player']}")
        referee.take_orders()
    face = JournalFace(referee.journal)
    phones = Phones(tmp_path / "phones.sqlite")
    app = create_app(face, face.journal.submit, dict, doorkeeper=phones)
    watcher, ana = app.test_client(), app.test_client()
    joined(ana, phones, "ana")
    assert '"bid": 1' not in watcher.get("/past/1.jsonl").text
    assert '"bid": 1' in ana.get("/past/1.jsonl").text
    assert "bid" not in watcher.get("/past/1.csv").text.splitlines()[-1]


@pytest.mark.parametrize("mode", ["screen", "overlay"])
def test_screens_and_streams_get_the_same_page_in_their_own_dress(mode):
    page = Stage().app().test_client().get(f"/{mode}")
    assert f'data-mode="{mode}"' in page.text
