"""Strangers on the network get nothing: hosts, origins, tokens, bodies, streams, and what answers give away."""

import re

import pytest

from linesies.web.safety import COOKIE, HEADERS, TOKEN_HEADER, is_own_host, sign_of
from tests import scenes
from tests.page_server import Stage

ORIGIN = "http://localhost"
DO_OVER = {"order": "event", "event": {"event": "do_over"}}


@pytest.fixture
def stage():
    stage = Stage()
    scenes.playing(stage)
    return stage


@pytest.fixture
def client(stage):
    return stage.app(max_streams=2).test_client()


def ordered(client, body=None, *, origin=ORIGIN, token=None, **more):
    client.get("/")
    headers = {"Origin": origin, TOKEN_HEADER: sign_of(client.get_cookie(COOKIE).value) if token is None else token}
    return client.post("/orders", json=DO_OVER if body is None else body, headers=headers, **more)


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "192.168.1.7", "192.168.1.7:8080", "[fe80::1]:8080"])
def test_own_names_and_literal_addresses_may_be_called(host):
    assert is_own_host(host, {"localhost"})


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8642", "localhost.evil.example", "192.168.1.7.evil.example", "a:b:c", ""),
        *("[", "[]", "[::1", "[::1].evil.example", "[localhost]", "192.168.1.7:evil", "192.168.1.7@evil.example"),
        *("192.168.1.7, evil.example", "0x7f.1", "2130706433", "localhost:123456", "a" * 5000),
    ],
)
def test_other_names_may_not(host, client):
    assert not is_own_host(host, {"localhost"})
    answer = client.get("/", headers={"Host": host or "x"})
    assert answer.status_code == 400
    assert "story" not in answer.text


def test_every_answer_carries_a_strict_policy(client):
    for path in ("/", "/story", "/nothing", "/static/main.js"):
        answer = client.get(path)
        answer.close()
        headers = answer.headers
        for name, value in HEADERS.items():
            assert headers[name] == value
        assert "Access-Control-Allow-Origin" not in headers
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(client):
    page = client.get("/").text
    assert "style=" not in page
    assert "onclick=" not in page
    assert "<script>" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_an_order_from_our_page_is_handed_on_with_who_gave_it(client, stage):
    answer = ordered(client)
    assert (answer.status_code, answer.json) == (202, {"order": 1})
    [(order, origin)] = stage.orders
    assert order["event"] == {"event": "do_over"}
    assert origin.startswith("phone:")
    assert client.get_cookie(COOKIE).value not in origin


def test_an_order_that_cannot_be_written_is_refused_and_the_phone_told(stage, monkeypatch):
    def full(_order, _origin):
        raise OSError("database or disk is full: /var/lib/linesies")

    monkeypatch.setattr(stage, "submit", full)
    client = stage.app(max_streams=2).test_client()
    answer = ordered(client)
    assert answer.status_code == 503
    assert answer.json["code"] == "unwritten"
    assert "/var" not in answer.text


def test_one_phone_keeps_its_name(client, stage):
    ordered(client)
    ordered(client)
    assert len({origin for _, origin in stage.orders}) == 1


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.example", "null", "", "http://localhost:81", "https://localhost", "http://localhost/"),
        *("http://localhost.evil.example", "http://127.0.0.1"),
    ],
)
def test_an_order_from_another_site_is_refused(client, stage, origin):
    assert ordered(client, origin=origin).status_code == 403
    assert stage.orders == []


@pytest.mark.parametrize("token", ["", "wrong", "ü"])
def test_an_order_without_the_token_is_refused(client, stage, token):
    assert ordered(client, token=token.encode().decode("latin-1")).status_code == 403
    assert stage.orders == []


def test_an_empty_token_matches_no_missing_cookie(stage):
    stranger = stage.app().test_client()
    answer = stranger.post("/orders", json=DO_OVER, headers={"Origin": ORIGIN, TOKEN_HEADER: ""})
    assert answer.status_code == 403


def test_the_token_is_out_of_reach_of_scripts_and_other_sites(client):
    cookie = client.get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert client.get_cookie(COOKIE).value not in client.get("/").text, "the page knows a sign of it, not the token"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"order": "explode"}',
        b'{"order": "settle"}',
        b'{"order": "settle", "about": "x", "event": {"event": "shot"}}',
        b'{"order": "event", "event": {"player": "ana"}}',
        b'{"order": "event", "event": {"event": 5}}',
        b'{"order": "event", "event": {"event": "do_over"}, "origin": "referee"}',
        b'{"order": "undo", "about": 1e999}',
        b'{"order": "event", "event": ' + b"[" * 8000 + b"}",
        '{"order": "event", "why": "\ud800"}'.encode("utf-8", "surrogatepass"),
        b"\xff\xfe",
    ],
)
def test_a_body_that_is_no_order_is_refused_in_a_sentence(client, stage, body):
    client.get("/")
    headers = {
        "Origin": ORIGIN,
        TOKEN_HEADER: sign_of(client.get_cookie(COOKIE).value),
        "Content-Type": "application/json",
    }
    answer = client.post("/orders", data=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json["message"].startswith("This is no order")
    assert stage.orders == []


def test_a_body_that_is_not_json_or_too_large_is_refused(client):
    client.get("/")
    headers = {"Origin": ORIGIN, TOKEN_HEADER: sign_of(client.get_cookie(COOKIE).value)}
    assert client.post("/orders", data="order=undo", headers=headers).status_code == 415
    large = {"order": "event", "event": {"event": "x" * 20_000}}
    assert client.post("/orders", json=large, headers=headers).status_code == 413


def test_orders_can_be_shut(stage):
    client = stage.app(may_order=False).test_client()
    assert ordered(client).status_code == 403
    assert "watcher" in client.get("/").text
    assert stage.orders == []


def test_a_flood_of_orders_is_slowed_down(client, stage):
    answers = [ordered(client) for _ in range(20)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert 0 < len(stage.orders) < 20


def test_too_many_streams_are_sent_away_and_a_free_seat_is_given_again(client):
    first, second = client.get("/feed"), client.get("/feed")
    refused = client.get("/feed")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    first.close()
    assert client.get("/feed").status_code == 200
    second.close()


@pytest.mark.parametrize(
    "path", ["/nothing", "/evidence/none.jpg", "/evidence/..%2f..%2fapp.py", "/static/%2e%2e/app.py"]
)
def test_what_is_not_there_gives_nothing_away(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert set(answer.json) == {"code", "message"}
    assert "/" not in answer.json["message"]


def test_methods_that_are_not_ours_are_refused(client):
    client.get("/")
    headers = {"Origin": ORIGIN, TOKEN_HEADER: sign_of(client.get_cookie(COOKIE).value)}
    assert client.delete("/story", headers=headers).status_code == 405


def test_a_fault_inside_gives_nothing_away(client, stage, monkeypatch):
    monkeypatch.setattr(stage, "story_json", lambda: 1 / 0)
    fresh = stage.app().test_client()
    answer = fresh.get("/story")
    assert answer.status_code == 500
    assert "division" not in answer.text


def test_evidence_is_served_from_its_folder_alone(stage, tmp_path):
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / "00000012-0.jpg").write_bytes(b"picture")
    (folder / "notes.txt").write_text("private")
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    client = stage.app(evidence_dir=folder).test_client()
    with client.get("/evidence/00000012-0.jpg") as picture:
        assert picture.data == b"picture"
    assert client.get("/evidence/notes.txt").status_code == 404
    assert client.get("/evidence/..%2fsecret.jpg").status_code == 404


def test_the_first_load_is_small(client):
    page = client.get("/").text
    files = re.findall(r'(?:href|src)="(/page/[^"]+)"', page)
    sizes = []
    for path in ("/", *files):
        with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.headers.get("Content-Encoding") == "gzip" or len(answer.data) < 1500
            assert path == "/" or "immutable" in answer.headers["Cache-Control"]
            sizes.append(len(answer.data))
    assert len(files) == 6
    assert sum(sizes) < 120_000  # both languages, hosting and the replay of close calls among them


def test_a_phone_that_takes_no_compression_gets_none(client):
    for path in ("/static/main.js", "/feed"):
        with client.get(path) as plain:
            assert "Content-Encoding" not in plain.headers
        with client.get(path, headers={"Accept-Encoding": "gzip"}) as squeezed:
            assert squeezed.headers["Content-Encoding"] == "gzip"
