"""Phones are let in by codes shown on the device: seats, the referee's own phone, guesses, and taking it all back."""

import io
import sqlite3
import time
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from linesies.device.commands.phones import command
from linesies.device.errors import BadInput
from linesies.device.phones.doors import CodeBoard, OpenDoor, doorkeeper_of
from linesies.device.phones.phones import STILL_GOOD_S, Phones
from linesies.device.places import journal_file, phones_file
from linesies.device.serving.webapp import JournalFace
from linesies.web import Anyone, Role, create_app
from linesies.web.safety import COOKIE, TOKEN_HEADER, sign_of
from linesies.web.tries import MOST_PLACES, Tries
from tests import scenes
from tests.page_server import Stage
from tests.refereeing import quick_journal, referee_on

ORIGIN = "http://localhost"
BID = {"order": "event", "event": {"event": "choice", "player": "bo", "choice": "stay"}}


@pytest.fixture
def phones(tmp_path):
    return Phones(tmp_path / "phones.sqlite")


@pytest.fixture
def stage():
    stage = Stage()
    scenes.playing(stage)
    return stage


@pytest.fixture
def new_phone(stage, phones):
    app = stage.app(doorkeeper=phones)
    return app.test_client


def post(client, path, body):
    client.get("/")
    headers = {"Origin": ORIGIN, TOKEN_HEADER: sign_of(client.get_cookie(COOKIE).value)}
    return client.post(path, json=body, headers=headers)


def joined(client, phones, seat):
    return post(client, "/join", {"code": phones.codes(["ana", "bo", "cal", "dee"])[seat]})


def test_a_code_lets_in_one_phone_and_is_then_another(phones):
    code = phones.codes(["ana"])["ana"]
    token = phones.enter("old token", code)
    assert phones.role(token) == Role(kind="player", seats=("ana",), phone=phones.all()[0].name)
    assert phones.role("old token") == Role()
    assert phones.enter("another", code) is None
    assert phones.codes(["ana"])["ana"] != code


def test_the_next_code_is_another_even_when_chance_would_draw_the_same(phones, monkeypatch):
    drawn = iter([1, 2, 2, 3])
    monkeypatch.setattr("linesies.device.phones.phones.secrets.randbelow", lambda _below: next(drawn))
    assert phones.codes(["ana"])["ana"] == "0002"
    phones.enter("a phone", "0002")
    assert phones.codes(["ana"])["ana"] == "0003"


def test_one_phone_may_sit_for_several_and_be_the_referees_too(phones):
    token = "first"
    for seat in ("ana", "bo", ""):
        token = phones.enter(token, phones.codes(["ana", "bo"])[seat])
    role = phones.role(token)
    assert (role.kind, role.seats) == ("referee", ("ana", "bo"))
    assert len(phones.all()) == 1


def test_codes_have_six_digits_for_the_referee_and_four_for_a_seat_and_stay_until_used(phones):
    codes = phones.codes(["ana", "bo"])
    assert [len(codes[seat]) for seat in ("", "ana", "bo")] == [6, 4, 4]
    assert phones.codes(["ana", "bo"]) == codes


def test_tokens_lie_on_disk_only_as_hashes_and_the_file_is_its_owners(phones, tmp_path):
    token = phones.enter("x", phones.codes([])[""])
    path = tmp_path / "phones.sqlite"
    assert token.encode() not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT length(token) FROM phones").fetchone() == (64,)


def test_what_was_given_can_be_taken_back(phones):
    token = phones.enter("x", phones.codes(["ana"])["ana"])
    assert phones.revoke(phones.all()[0].name)
    assert phones.role(token) == Role()
    assert not phones.revoke("nobody")


def test_who_has_no_code_only_watches(new_phone, stage):
    assert post(new_phone(), "/orders", BID).json["code"] == "watch_only"
    assert stage.orders == []


def test_a_seat_orders_in_its_players_name_and_the_referee_in_his_own(new_phone, phones, stage):
    bo, referee = new_phone(), new_phone()
    assert joined(bo, phones, "bo").json["seats"] == ["bo"]
    assert joined(referee, phones, "").json["role"] == "referee"
    assert post(bo, "/orders", BID).status_code == 202
    assert post(referee, "/orders", {"order": "undo", "about": 3}).status_code == 202
    origins = [origin for _, origin in stage.orders]
    assert origins[0] == "player:bo"
    assert origins[1].startswith("referee:")


def test_a_phone_for_two_agrees_for_both_and_speaks_for_whom_the_event_names(new_phone, phones, stage):
    client = new_phone()
    joined(client, phones, "bo")
    joined(client, phones, "ana")
    post(client, "/orders", BID)
    post(client, "/orders", {"order": "agree", "about": 3})
    assert [origin for _, origin in stage.orders] == ["player:bo", "player:ana", "player:bo"]


def test_nobody_speaks_for_a_seat_that_is_not_his(new_phone, phones, stage):
    client = new_phone()
    joined(client, phones, "ana")
    answer = post(client, "/orders", {"order": "event", "event": {"event": "pause"}, "seat": "bo"})
    assert answer.json["code"] == "not_your_seat"
    assert stage.orders == []


def test_five_wrong_codes_and_then_a_pause(new_phone, phones):
    client = new_phone()
    wrong = {"code": "000000"}
    answers = [post(client, "/join", wrong).status_code for _ in range(5)]
    assert answers == [403, 403, 403, 403, 429]
    answer = joined(client, phones, "ana")
    assert answer.status_code == 429, "even the right one has to wait"
    assert 0 < int(answer.headers["Retry-After"]) <= 60


def test_each_place_waits_until_its_own_oldest_wrong_code_has_aged():
    tries = Tries()
    assert [tries.note_wrong("one", 100.0 + second) for second in range(5)] == [4, 3, 2, 1, 0]
    assert tries.wait_s("one", 130.0) == 30
    assert tries.wait_s("one", 160.0) == 0
    assert tries.note_wrong("one", 160.5) == 0
    assert tries.wait_s("one", 160.5) == 0.5, "four of the five are still fresh"


def test_however_many_guess_wrong_nobody_else_waits():
    tries = Tries()
    for minute in range(60):
        for place in range(MOST_PLACES + 30):
            tries.note_wrong(f"{minute}.{place}", 60.0 * minute)
    assert tries.wait_s("honest", 3600.0) == 0
    assert len(tries._wrong) == MOST_PLACES


def test_one_wrong_code_a_minute_keeps_nobody_from_pairing(new_phone, phones, monkeypatch):
    clock = iter(range(0, 60_000, 60))
    monkeypatch.setattr("linesies.web.joining.time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    stranger = new_phone()
    assert [post(stranger, "/join", {"code": "000000"}).status_code for _ in range(40)] == [403] * 40
    assert joined(new_phone(), phones, "ana").json["seats"] == ["ana"]


def guess(phones, times):
    wrong = next(code for code in map("{:05}".format, range(100_000)) if code not in phones.codes(["ana"]).values())
    assert [phones.enter("stranger", wrong) for _ in range(times)] == [None] * times


def test_ten_wrong_codes_change_all_codes_and_make_them_longer(phones):
    before = phones.codes(["ana"])
    guess(phones, 9)
    assert phones.codes(["ana"]) == before
    guess(phones, 1)
    after = phones.codes(["ana"])
    assert not set(before.values()) & set(after.values())
    assert [len(after[seat]) for seat in ("", "ana")] == [8, 6]


def test_a_code_that_changed_lets_in_whoever_was_typing_it_for_a_minute_and_once(phones, monkeypatch):
    before = phones.codes(["ana", "bo"])
    guess(phones, 40)
    after = phones.codes(["ana", "bo"])
    assert phones.role(phones.enter("late", before["ana"])).seats == ("ana",)
    assert phones.enter("later", before["ana"]) is None
    assert phones.codes(["ana", "bo"])["bo"] == after["bo"], "in that minute they change no more"
    real_s = time.time
    monkeypatch.setattr("linesies.device.phones.phones.time.time", lambda: real_s() + STILL_GOOD_S)
    assert phones.enter("too late", before["bo"]) is None
    assert phones.role(phones.enter("bo", after["bo"])).seats == ("bo",)


def test_a_new_token_is_given_so_that_a_planted_one_is_worth_nothing(new_phone, phones):
    client = new_phone()
    client.get("/")
    before = client.get_cookie(COOKIE).value
    joined(client, phones, "")
    assert client.get_cookie(COOKIE).value != before


def test_the_referee_sees_phones_and_codes_and_sends_one_away(new_phone, phones):
    ana, referee = new_phone(), new_phone()
    name = joined(ana, phones, "ana").json["phone"]
    assert ana.get("/phones").status_code == 403
    joined(referee, phones, "")
    told = referee.get("/phones").json
    assert {phone["name"] for phone in told["phones"]} >= {name}
    assert set(told["codes"]) == {"", "ana", "bo", "cal", "dee"}
    assert post(ana, "/phones/revoke", {"phone": name}).status_code == 403
    assert post(referee, "/phones/revoke", {"phone": name}).json == {"revoked": True}
    assert post(ana, "/orders", BID).status_code == 403


def test_a_phone_gives_its_seat_up(new_phone, phones):
    client = new_phone()
    joined(client, phones, "ana")
    assert post(client, "/leave", {}).json["role"] == "watcher"
    assert phones.all() == ()


def test_a_stream_ends_when_its_seat_is_taken_back(new_phone, phones, stage):
    client = new_phone()
    name = joined(client, phones, "ana").json["phone"]
    with client.get("/feed") as live:
        chunks = iter(live.response)
        next(chunks)
        next(chunks)
        phones.revoke(name)
        stage.tell()
        assert list(chunks) == []


def test_where_phones_are_trusted_a_seat_needs_no_code(stage, phones):
    client = stage.app(doorkeeper=OpenDoor(phones)).test_client()
    assert post(client, "/seat", {"player": "ana"}).json["seats"] == ["ana"]
    assert post(client, "/seat", {"player": "zed"}).status_code == 404
    assert post(client, "/orders", {"order": "undo", "about": 3}).status_code == 202


def test_who_joins_a_game_that_is_on_has_a_code_and_a_seat(phones):
    with quick_journal() as path:
        referee = referee_on(path)
        joins = {"order": "event", "event": {"event": "join", "player": "dee"}}
        referee.journal.submit(joins, "referee:ab12cd")
        referee.take_orders()
        face = JournalFace(referee.journal)
        trusted, coded = (
            create_app(face, referee.journal.submit, dict, doorkeeper=door).test_client()
            for door in (OpenDoor(phones), phones)
        )
        assert post(trusted, "/seat", {"player": "dee"}).json["seats"] == ["dee"]
        post(coded, "/join", {"code": phones.codes([])[""]})
        assert "dee" in coded.get("/phones").json["codes"]


def test_elsewhere_it_does(new_phone):
    assert post(new_phone(), "/seat", {"player": "ana"}).json["code"] == "code_needed"


@pytest.mark.parametrize("body", [{}, {"code": 5}, {"code": "1", "x": 1}, []])
def test_what_is_no_code_is_refused(new_phone, body):
    assert post(new_phone(), "/join", body).status_code == 400


def test_settings_choose_who_lets_phones_in(tmp_path):
    assert isinstance(doorkeeper_of(tmp_path, may_order=False, pairing=True), Anyone)
    assert doorkeeper_of(tmp_path, may_order=True, pairing=False).is_open
    assert not doorkeeper_of(tmp_path, may_order=True, pairing=True).is_open


def test_the_console_shows_each_code_once_and_the_next_when_it_is_used(phones):
    console = io.StringIO()
    board = CodeBoard(phones, lambda: ["ana"], console)
    board.show()
    board.show()
    first = console.getvalue()
    assert first.count("\n") == 2
    code = phones.codes(["ana"])["ana"]
    assert f"Seat of ana: {code}" in first
    phones.enter("x", code)
    board.show()
    assert console.getvalue().count("Seat of ana") == 2


def test_the_device_itself_lists_phones_and_codes_and_sends_one_away(tmp_path):
    referee_on(journal_file(tmp_path))
    phones = Phones(phones_file(tmp_path))
    phones.enter("x", phones.codes(["ana"])["ana"])
    name = phones.all()[0].name
    told = CliRunner().invoke(command, [str(tmp_path)])
    assert f"{name}  ana  since" in told.output
    assert f"Seat of bo: {phones.codes(['bo'])['bo']}" in told.output
    assert name not in CliRunner().invoke(command, [str(tmp_path), "--revoke", name]).output
    assert phones.all() == ()
    assert isinstance(CliRunner().invoke(command, [str(tmp_path), "--revoke", "zz"]).exception, BadInput)
    assert isinstance(CliRunner().invoke(command, [str(tmp_path / "no")]).exception, BadInput)


def test_the_invitation_shows_addresses_as_codes_and_seats_to_the_referee_alone(stage, phones):
    app = stage.app(doorkeeper=phones, addresses=lambda: ("http://192.168.1.7:8642/", "http://pi.local:8642/"))
    watcher, referee = app.test_client(), app.test_client()
    page = watcher.get("/join").text
    assert "http://192.168.1.7:8642/" in page
    assert "http://pi.local:8642/" in page
    code = phones.codes(["ana"])["ana"]
    assert code not in page
    joined(referee, phones, "")
    assert code in referee.get("/join").text
    assert "<svg" in watcher.get("/join/1.svg").text
    assert watcher.get("/join/0.svg?seat=1234").text != watcher.get("/join/0.svg").text
    assert watcher.get("/join/2.svg").status_code == 404
    assert watcher.get("/join/0.svg?seat=x").status_code == 404
