"""What others have of a hub: tables, an API in writing, signed webhooks, a broker; and who may do what."""

import base64
import contextlib
import csv
import hashlib
import hmac
import http.server
import io
import json
import logging
import os
import re
import threading
import time
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from sqlalchemy import func, select, update

from linesies.league import Identity, Joining, Pushed
from linesies.league.admission import Admission
from linesies.league.bell import Bell
from linesies.league.broker import Broker
from linesies.league.calling import Calling
from linesies.league.calls import MatchCalls
from linesies.league.errors import BadInput
from linesies.league.files import KINDS, Room
from linesies.league.hub import Others, create_hub
from linesies.league.openapi import HUB
from linesies.league.organising import COOKIE, Organisers
from linesies.league.posting import Post
from linesies.league.schedule import Opening, Schedule
from linesies.league.standings import Standings
from linesies.league.tables import boards, deliveries
from linesies.league.telling import league_json
from linesies.league.tournament import Left, MatchEnded, TournamentOpened
from linesies.league.webhooks import MOST_TRIES, Webhooks
from linesies.league.wire import file_path, signed_text
from tests.brokers import running_broker
from tests.test_league_chain import EPOCH, chain

log = logging.getLogger(__name__)

NAMES = ("Ana", "=Bo", "Cy", "Dee")
ASKED = 10  # times at each door, in a round through all of them
ASKED_S = float(os.environ.get("LINESIES_ASKED_S", "0"))  # rounds are made for so long; more by hand before a release
BOARDS_OWN = "/league/"
ENDLESS = {"/feed", "/boards/{board}/feed"}
SEEN = {"audience": {200, 401, 403, 404}, "organiser": {200, 400, 401, 404}, "board": {200, 400, 404, 409}}  # at least


@pytest.fixture
def codes():
    return []


@pytest.fixture
def app(store, codes, monkeypatch, tmp_path):
    monkeypatch.setattr(Bell, "follow", lambda *_, **__: None)  # these tests look when it suits them
    with contextlib.closing(Bell(store.engine)) as bell:
        others = Others(room=Room(address=str(tmp_path / "files")))
        yield create_hub(store, Admission(lambda _: None), bell, Organisers(Admission(codes.append)), others)


@pytest.fixture
def organiser(app, codes):
    client = app.test_client()
    assert client.post("/organiser", json={"code": codes[-1]}).status_code == 200
    return client


@pytest.fixture
def schedule(store):
    """A knock-out of four, of whose first round both matches are over."""
    schedule = Schedule(store)
    schedule.open(Opening(name="Block party", plan=TournamentOpened(format="single", entrants=NAMES)))
    schedule.say(1, MatchEnded(match="K1.1", ranking=("Ana", "Dee")))
    schedule.say(1, MatchEnded(match="K1.2", ranking=("Cy", "=Bo")))
    schedule.say(1, Left(player="Dee"))
    return schedule


def lines(client, table):
    return [json.loads(line) for line in client.get(f"/export/{table}.jsonl").text.splitlines()]


def test_tables_are_taken_along_and_no_name_becomes_a_formula(app, schedule):
    client = app.test_client()
    assert [(one["match"], one["place"], one["player"]) for one in lines(client, "results")] == [
        *(("K1.1", 1, "Ana"), ("K1.1", 2, "Dee"), ("K1.2", 1, "Cy"), ("K1.2", 2, "=Bo")),
    ]
    assert [(one["player"], one["has_left"]) for one in lines(client, "standings")][-1] == ("Dee", True)
    assert {one["name"] for one in lines(client, "ratings")} == set(NAMES)
    table = list(csv.DictReader(io.StringIO(client.get("/export/results.csv").text)))
    assert [row["player"] for row in table] == ["Ana", "Dee", "Cy", "'=Bo"]
    assert lines(client, "rulings") == []
    assert client.get("/export/secrets.csv").status_code == 404


def test_every_door_of_the_hub_is_described_and_nothing_else(app):
    told = app.test_client().get("/api").json
    assert set(told["paths"]) == set(HUB.summaries)
    assert "MatchEnded" in told["components"]["schemas"]


def doors(app, method):
    rules = [rule for rule in app.url_map.iter_rules() if method in rule.methods and rule.endpoint != "static"]
    return [re.sub("<[a-z]+>", "b", re.sub("<int:[a-z]+>", "1", str(rule))) for rule in rules]


def test_the_audience_changes_nothing_by_any_door(app, schedule):
    client = app.test_client()
    client.set_cookie(COOKIE, "guessed")
    before = schedule.tournament(1)
    for path in doors(app, "POST"):
        sent = {"code": "x"} if path == "/organiser" else {"deed": "left", "player": "Ana"}
        status = client.post(path, json=sent).status_code
        assert status == (401 if path.startswith(BOARDS_OWN) else 403), path
    assert client.get("/webhooks").status_code == 403
    assert schedule.tournament(1) == before
    assert app.test_client().get("/tournaments/1.json").json["is_organiser"] is False


class BoardsHand:
    """Signs what is said at boards' own doors as a board does; half of what is asked is of the board and its files."""

    def __init__(self, app, identity, row):
        self._app, self._identity, self._row = app, identity, row

    def __call__(self, environ, start):
        path = environ["PATH_INFO"]
        if len(path) % 2:
            environ["PATH_INFO"] = re.sub("^/boards/[^/]+", f"/boards/{self._identity.board}", path)
        if path.startswith(BOARDS_OWN):
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            if re.fullmatch("/league/files(/[^/]+){4}", path) and len(path) % 2:
                body = body or path.encode()
                path = file_path(EPOCH, (self._row, KINDS[len(body) % 2]), body)
            signed = signed_text(path.encode("latin-1").decode(errors="replace"), body)
            environ |= {
                "PATH_INFO": path,
                "CONTENT_LENGTH": str(len(body)),
                "wsgi.input": io.BytesIO(body),
                "HTTP_LINESIES_BOARD": self._identity.board,
                "HTTP_LINESIES_SIGNATURE": self._identity.sign(signed),
            }
        return self._app(environ, start)


@pytest.fixture
def as_board(app, store):
    """Has the app asked by a board that has told a row; gives what lets it in again, and its files be seen."""
    identity, (row,) = Identity(b"k" * 32), chain(1)

    def let_in():
        store.admit(identity.board, Joining(code="", name="Board 1"))
        with store.engine.begin() as connection:
            connection.execute(update(boards).values(offers_files=True, offered_s=None, leave_said_s=None))

    let_in()
    store.push(identity.board, Pushed(epoch=EPOCH, rows=(row,)))
    app.wsgi_app = BoardsHand(app.wsgi_app, identity, row[0])
    return let_in


def is_asked(path, who):
    """Tell whether a door is one to which people or boards of that kind come, and which answers at once."""
    return path not in ENDLESS and (who != "board" or path.startswith((BOARDS_OWN, "/boards/")))


@pytest.mark.parametrize("who", ["audience", "organiser", "board"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_question_makes_the_hub_stumble(request, app, organiser, schedule, who):
    schemathesis = pytest.importorskip("schemathesis")
    token = organiser.get_cookie(COOKIE).value if who == "organiser" else "guessed"
    let_in = request.getfixturevalue("as_board") if who == "board" else lambda: None
    statuses, asked, until_s = set(), Counter(), time.monotonic() + ASKED_S

    def asking_at(operation):
        @given(case=operation.as_strategy())
        @settings(max_examples=ASKED, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        def ask(case):
            answer = case.call(cookies={COOKIE: token})
            statuses.add(answer.status_code)
            asked[f"{operation.method} {operation.path}"] += 1
            case.validate_response(answer, checks=(schemathesis.checks.not_a_server_error,))

        return ask

    found = [one.ok() for one in schemathesis.openapi.from_wsgi("/api", app).get_all_operations()]
    doors = [asking_at(one) for one in found if is_asked(one.path, who)]
    while not asked or time.monotonic() < until_s:
        for ask in doors:
            let_in()
            ask()
    log.info("%s asked %d times at %d doors: %s", who, asked.total(), len(asked), dict(asked))
    assert len(asked) == len(doors)
    assert SEEN[who] <= statuses


@pytest.mark.usefixtures("as_board")
def test_a_board_that_is_asked_for_in_that_way_brings_files(app, tmp_path):
    client = app.test_client()
    assert {client.post(f"/league/files/e/1/clip/{'d' * n}").status_code for n in range(1, 5)} == {200, 400}
    assert list((tmp_path / "files").rglob("*/*"))


class Listener:
    """A program that is told; answers as it is set to, and remembers what it was told."""

    def __init__(self):
        self.told, self.status = [], 200
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.told.append((dict(self.headers), body))
                self.send_response(outer.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()


@pytest.fixture
def listener():
    listener = Listener()
    yield listener
    listener.server.shutdown()
    listener.server.server_close()


def posting(store, schedule):
    return Post(Webhooks(store.engine), lambda one: schedule.deed(one.tournament, one.number))


def test_a_hook_is_told_each_deed_once_signed_and_in_its_order(organiser, store, schedule, listener):
    made = organiser.post("/webhooks", json={"url": listener.url}).json
    schedule.say(1, Left(player="=Bo"))
    schedule.undo(1)
    posting(store, schedule).look()
    posting(store, schedule).look()
    assert [json.loads(body)["deed"] for _, body in listener.told] == [{"deed": "left", "player": "=Bo"}] * 2
    secret = base64.b64decode(made["secret"].removeprefix("whsec_"))
    for headers, body in listener.told:
        said = {key.lower(): value for key, value in headers.items()}
        signed = f"{said['webhook-id']}.{said['webhook-timestamp']}.".encode() + body
        right = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        assert said["webhook-signature"] == f"v1,{right}"
    assert organiser.post(f"/webhooks/{made['hook']}/end").json == {"done": True}
    schedule.say(1, Left(player="Ana"))
    posting(store, schedule).look()
    assert len(listener.told) == 2


def test_a_hook_that_fails_is_tried_again_later_keeps_its_order_and_is_given_up_in_the_end(
    organiser, store, schedule, listener
):
    hook = organiser.post("/webhooks", json={"url": listener.url}).json["hook"]
    listener.status = 500
    schedule.say(1, Left(player="=Bo"))
    schedule.say(1, Left(player="Ana"))
    post = posting(store, schedule)
    post.look()
    post.look()
    assert len(listener.told) == 1  # its time has not come again, and the second waits behind it
    (told,) = organiser.get("/webhooks").json
    assert (told["hook"], told["waiting"]) == (hook, 2)
    assert "500" in told["fault"]
    with store.engine.begin() as connection:
        connection.execute(update(deliveries).values(due_at=func.now()))
    listener.status = 200
    post.look()
    assert [json.loads(body)["deed"]["player"] for _, body in listener.told] == ["=Bo", "=Bo", "Ana"]
    listener.status = 500
    schedule.say(1, MatchEnded(match="F2.1", ranking=("Ana", "Cy")))
    for _ in range(MOST_TRIES + 2):
        with store.engine.begin() as connection:
            connection.execute(update(deliveries).values(due_at=func.now()))
        post.look()
    assert len(listener.told) == 3 + MOST_TRIES
    assert organiser.get("/webhooks").json[0]["waiting"] == 0


def test_a_redirect_is_no_answer_and_no_name_waits_in_the_queue(organiser, store, schedule, listener):
    organiser.post("/webhooks", json={"url": listener.url})
    listener.status = 302
    schedule.say(1, Left(player="=Bo"))
    with store.engine.connect() as connection:
        assert "Bo" not in str(connection.execute(select(deliveries)).all())
    posting(store, schedule).look()
    assert organiser.get("/webhooks").json[0]["waiting"] == 1


@pytest.mark.parametrize("url", ["", "ftp://a/b", "file:///etc/passwd", "http://", "http://[", "http://a\n/b"])
def test_no_hook_is_told_at_what_is_no_address(organiser, url):
    assert organiser.post("/webhooks", json={"url": url}).status_code == 400


def test_letters_that_are_none_are_refused(organiser):
    sent = organiser.post("/webhooks", data=b'{"url": "\xe3"}', content_type="application/json")
    assert sent.status_code == 400


def test_a_hook_that_hangs_slows_no_deed(organiser, store, schedule, listener):
    organiser.post("/webhooks", json={"url": "http://127.0.0.1:9/"})
    begun = time.perf_counter()
    for _ in range(5):
        schedule.say(1, Left(player="=Bo"))
    assert time.perf_counter() - begun < 15


@pytest.mark.parametrize("address", ["", "localhost", "mqtt://", "http://localhost/x", "mqtt://h:notaport"])
def test_an_address_of_no_broker_is_said_in_one_line(address):
    with pytest.raises(BadInput, match="mqtt://HOST"):
        Broker(address, dict)


def test_a_broker_keeps_how_the_league_stands_and_hears_what_changes(store, schedule, tmp_path):
    standings = Standings(store)
    store.admit("b" * 64, Joining(code="", name="Board 1"))
    calling = Calling(standings, schedule, MatchCalls(store))
    with running_broker(tmp_path) as broker:
        told = Broker(f"mqtt://127.0.0.1:{broker.port}/party", lambda: league_json(standings, schedule, calling))
        told.look()
        broker.wait_for(lambda: broker.kept.get("party/online") == "online")
        topics = {f"party/{what}" for what in ("tournament/1", "calls", "board/" + "b" * 64)}
        broker.wait_for(lambda: topics <= broker.kept.keys())
        assert broker.kept["party/tournament/1"]["winner"] is None
        assert broker.kept[f"party/board/{'b' * 64}"]["name"] == "Board 1"
        assert broker.kept["party/calls"] == []
        schedule.say(1, MatchEnded(match="F2.1", ranking=("Ana", "Cy")))
        store.let_go("b" * 64)
        told.look()
        broker.wait_for(lambda: broker.kept["party/tournament/1"]["winner"] == "Ana")
        broker.wait_for(lambda: broker.kept[f"party/board/{'b' * 64}"] is None)
        told._client.disconnect()
        told._client.loop_stop()
