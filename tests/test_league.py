"""Boards and their hub, over HTTP and on a real PostgreSQL: joining, telling, losing one another, finding again."""

import contextlib
import json
import socket
import subprocess
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from click.testing import CliRunner
from sqlalchemy import create_engine, insert, inspect, select, text
from sqlalchemy.exc import OperationalError

from linesies.device import hub_line
from linesies.device.announcers import pushing
from linesies.device.commands import leave
from linesies.device.errors import BadInput
from linesies.device.hub_line import HubLine
from linesies.device.membership import key_file, read_membership
from linesies.league import HubAnswer, Identity, Joining, Leaving, Pushed, Refusal
from linesies.league.cluster import installed
from linesies.league.errors import BadInput as BadHub
from linesies.league.identity import identity_in
from linesies.league.standings import Standings
from linesies.league.store import Store, _as_people_sort, migrate
from linesies.league.tables import boards, deeds, metadata, rows, tournaments
from linesies.league.wire import BOARD_HEADER, MOST_BYTES, PACKED, SIGNATURE_HEADER, packed, signed_text
from linesies.referee.snapshot import story_json
from tests.leagues import BoardBox, ask, hub_on, organiser_of, soon
from tests.postgres import running_cluster
from tests.refereeing import SET_UP

NO_DATABASE = {"code": "no_database", "message": "the hub's database fails; the hub's console says why"}


@pytest.fixture
def box(tmp_path):
    with contextlib.closing(BoardBox(tmp_path)) as box:
        yield box


def held(store, box):
    """The rows that a hub holds of a box, by chain."""
    board = identity_in(key_file(box.state)).board
    asked = select(rows).where(rows.c.board == board).order_by(rows.c.epoch, rows.c.row)
    with store.engine.connect() as connection:
        found = connection.execute(asked).all()
    chains = {}
    for one in found:
        chains.setdefault(one.epoch, []).append(tuple(store.shown(one[2:])))
    return chains


def is_all_told(store, box):
    return held(store, box).get(read_membership(box.state).epoch) == box.values()


def test_a_board_that_joined_tells_each_row_once_and_the_hub_shows_the_same_story(hub, codes, store, box):
    assert box.join(hub, codes.now).exit_code == 0
    box.start()
    box.play()
    soon(lambda: is_all_told(store, box))
    board = identity_in(key_file(box.state)).board
    answer, told = ask(hub, f"/boards/{board}/story.json")
    assert (answer, told) == (200, json.loads(json.dumps(story_json(box.referee.story))))
    _, (shown,) = ask(hub, "/boards.json")
    assert (shown["name"], shown["place"], shown["game"]) == ("Board 1", "Calle Luna", "skully")
    assert shown["turn"] == box.referee.story.public["turn"]


def test_boards_stand_in_the_order_in_which_people_count_them():
    names = ["Yard", "Board 10", "board 2", "Board 1"]
    assert sorted(names, key=_as_people_sort) == ["Board 1", "board 2", "Board 10", "Yard"]


def test_a_correction_is_a_row_like_any_other(hub, codes, store, box):
    box.join(hub, codes.now)
    box.start()
    box.play()
    box.referee.journal.submit({"order": "undo"}, "phone")
    box.referee.take_orders()
    soon(lambda: is_all_told(store, box))
    board = identity_in(key_file(box.state)).board
    assert ask(hub, f"/boards/{board}/story.json")[1]["entries"][-1]["corrected_by"] is not None


def test_nobody_is_let_in_without_the_code_of_now(hub, codes, store, box):
    first = codes.now
    wrong = "111111" if first != "111111" else "222222"
    with pytest.raises(BadInput, match="not the hub's code"):
        box.join(hub, wrong)
    assert read_membership(box.state) is None
    box.join(hub, f"{first[:3]} {first[3:]}")
    with pytest.raises(BadInput, match="not the hub's code"):
        box.join(hub, first)
    for _ in range(10):
        with contextlib.suppress(BadInput):
            box.join(hub, wrong)
    assert len(codes.shown) > 2
    assert [one.name for one in store.boards()] == ["Board 1"]


def test_a_stranger_and_a_forger_write_nothing(hub, codes, store, box):
    box.join(hub, codes.now)
    stranger = Identity(b"s" * 32)
    assert HubLine(hub, stranger).say(Pushed(epoch="0" * 32)).code == "unknown"

    class Forger(Identity):
        board = identity_in(key_file(box.state)).board

    assert HubLine(hub, Forger(b"f" * 32)).say(Pushed(epoch="0" * 32)).code == "unsigned"
    assert held(store, box) == {}


def test_a_board_writes_no_rows_of_another(hub, codes, store, box):
    box.join(hub, codes.now)
    other = Identity(b"o" * 32)
    HubLine(hub, other).say(Joining(code=codes.now, name="Board 2"))
    body = msgspec.json.encode(Pushed(epoch="0" * 32))
    signed = other.sign(signed_text("/league/rows", body))
    headers = {BOARD_HEADER: identity_in(key_file(box.state)).board, SIGNATURE_HEADER: signed}
    assert ask(hub, "/league/rows", body, headers)[1]["code"] == "unsigned"
    elsewhere = {BOARD_HEADER: other.board, SIGNATURE_HEADER: other.sign(signed_text("/league/rows", body))}
    assert ask(hub, "/league/leave", body, elsewhere)[1]["code"] == "unsigned"  # what was signed for one door


def test_who_has_left_tells_nothing_more_and_what_was_told_stays(hub, codes, store, box):
    box.join(hub, codes.now)
    box.start()
    box.play()
    soon(lambda: is_all_told(store, box))
    before = held(store, box)
    box.pusher.close()
    done = CliRunner().invoke(leave.command, ["--state", str(box.state)], catch_exceptions=False)
    assert "has left" in done.output
    line = HubLine(hub, identity_in(key_file(box.state)))
    assert line.say(Pushed(epoch="0" * 32)).code == "unknown"
    assert held(store, box) == before
    assert ask(hub, "/boards.json")[1] == []


def test_a_leave_that_somebody_has_recorded_takes_nobody_out_again(hub, codes, store, box):
    box.join(hub, codes.now)
    line = HubLine(hub, identity_in(key_file(box.state)))
    recorded = Leaving(at_s=1e9)  # a box's clock may be far off
    assert line.say(recorded) == HubAnswer(held=0)
    assert line.say(recorded) == HubAnswer(held=0), "it has left"
    box.join(hub, codes.now)
    assert line.say(recorded).code == "outdated"
    assert not store.boards()[0].has_left
    assert line.say(Leaving(at_s=1e9 + 1)) == HubAnswer(held=0)
    assert store.boards()[0].has_left


def test_a_board_whose_leave_is_refused_stays_and_says_so(hub, codes, box, monkeypatch):
    box.join(hub, codes.now)
    refusal = Refusal(code="unsigned", message="the message is not signed by the board that it names")
    monkeypatch.setattr(HubLine, "say", lambda *_: refusal)
    with pytest.raises(BadInput, match=r"does not let this board go.*stays in the league"):
        CliRunner().invoke(leave.command, ["--state", str(box.state)], catch_exceptions=False)
    assert read_membership(box.state) is not None


def test_the_organiser_takes_a_board_out_by_a_tap_and_nobody_else_does(hub, codes, store, box):
    box.join(hub, codes.now)
    identity = identity_in(key_file(box.state))
    path = f"/boards/{identity.board}/leave"
    assert ask(hub, path, b"{}")[0] == 403
    assert len(ask(hub, "/boards.json")[1]) == 1
    assert ask(hub, path, b"{}", organiser_of(hub, codes)) == (200, {"done": True})
    assert ask(hub, "/boards.json")[1] == []
    assert HubLine(hub, identity).say(Pushed(epoch="0" * 32)).code == "unknown"


def test_a_hub_that_comes_back_after_days_is_told_all(store, codes, box):
    with hub_on(store, codes) as port:
        box.join(f"http://127.0.0.1:{port}", codes.now)
    box.start()
    box.play(40)
    time.sleep(0.3)
    assert held(store, box) == {}
    with hub_on(store, codes, port):
        soon(lambda: is_all_told(store, box))


def test_a_hub_whose_database_is_lost_is_told_all_once_its_boards_join_again(store, cluster, codes, box, tmp_path):
    with hub_on(store, codes) as port:
        box.join(f"http://127.0.0.1:{port}", codes.now)
        box.start()
        box.play(20)
        soon(lambda: is_all_told(store, box))
    lose_all(store)
    with contextlib.closing(Store(cluster.url, tmp_path / "keys")) as anew, hub_on(anew, codes, port):
        box.play(1)
        assert held(anew, box) == {}  # a hub takes nothing of a board that it does not know
        box.join(f"http://127.0.0.1:{port}", codes.now)
        soon(lambda: is_all_told(anew, box))


def lose_all(store):
    with store.engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())


def test_over_a_line_that_carries_no_long_message_all_is_told_in_short_ones(hub, codes, store, box, monkeypatch):
    box.join(hub, codes.now)
    box.start()
    box.pusher.close()
    box.play(60)
    say, most = HubLine.say, []

    def short(line, message):
        if len(message.rows) > 20:
            raise OSError("timed out")
        most.append(len(message.rows))
        return say(line, message)

    monkeypatch.setattr(HubLine, "say", short)
    monkeypatch.setattr(pushing, "SOONEST_S", 0.05)
    monkeypatch.setattr(pushing, "LATEST_S", 0.1)
    box.start()
    soon(lambda: is_all_told(store, box))
    assert max(most) > 10


def test_a_line_on_which_any_message_may_fail_is_used_for_few_and_long_ones(hub, codes, store, box, monkeypatch):
    box.join(hub, codes.now)
    box.start()
    box.pusher.close()
    box.play(300)
    say, tried, chance = HubLine.say, [], Random(1)

    def lossy(line, message):
        tried.append(len(message.rows))
        if chance.random() < 0.3 or len(message.rows) > 150:
            raise OSError("timed out")
        return say(line, message)

    monkeypatch.setattr(HubLine, "say", lossy)
    monkeypatch.setattr(pushing, "SOONEST_S", 0.01)
    monkeypatch.setattr(pushing, "LATEST_S", 0.01)
    box.start()
    soon(lambda: is_all_told(store, box))
    assert len(box.values()) > 500
    assert len(tried) < 40


def test_rows_that_failed_many_times_are_not_told_one_by_one(hub, codes, store, box, monkeypatch):
    box.join(hub, codes.now)
    box.start()
    box.pusher.close()
    box.play(60)
    say, tried = HubLine.say, []

    def lossy(line, message):
        if message.rows:
            tried.append(len(message.rows))
            if len(tried) <= 10:
                raise OSError("timed out")
        return say(line, message)

    monkeypatch.setattr(HubLine, "say", lossy)
    monkeypatch.setattr(pushing, "SOONEST_S", 0.01)
    monkeypatch.setattr(pushing, "LATEST_S", 0.01)
    box.start()
    soon(lambda: is_all_told(store, box))
    assert min(tried[:11]) == 8


def test_a_hub_that_always_answers_later_than_it_is_waited_for_at_first_is_told_all(
    hub, codes, store, box, monkeypatch
):
    under_way = []

    def late(store, *said, take=Store.push):
        under_way.append(said)
        time.sleep(2.0)
        try:
            return take(store, *said)
        finally:
            under_way.remove(said)

    box.join(hub, codes.now)
    monkeypatch.setattr(Store, "push", late)
    monkeypatch.setattr(hub_line, "PATIENCE_S", 1.0)
    monkeypatch.setattr(pushing, "SOONEST_S", 0.05)
    monkeypatch.setattr(pushing, "LATEST_S", 0.05)
    box.start()
    box.play(10)
    soon(lambda: is_all_told(store, box))
    box.pusher.close()
    soon(lambda: not under_way)  # what was asked again meanwhile uses the database too


def test_what_is_told_in_one_go_goes_over_one_connection(box):
    opened, told = [], []

    class Hub(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self):
            opened.append(self)
            super().setup()

        def do_POST(self):
            told.append(self.rfile.read(int(self.headers["Content-Length"])))
            answer = msgspec.json.encode(HubAnswer(held=0))
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with contextlib.closing(HubLine(f"http://127.0.0.1:{server.server_port}/", Identity(b"k" * 32))) as line:
            for _ in range(5):
                line.say(Pushed(epoch="0" * 32))
        server.shutdown()
    assert (len(opened), len(told)) == (1, 5)


def test_a_hub_that_takes_the_line_and_says_nothing_holds_nobody_up(box, hub, codes):
    box.join(hub, codes.now)
    with socket.create_server(("127.0.0.1", 0)) as dumb:
        file = box.state / "league.json"
        file.write_text(file.read_text().replace(hub, f"http://127.0.0.1:{dumb.getsockname()[1]}"))
        box.start()
        box.play(1)
        with_hub, alone = [], []
        other = BoardBox(box.state / "alone")
        other.state.mkdir()
        other.start()
        other.play(1)
        for _ in range(30):
            for one, took in ((box, with_hub), (other, alone)):
                begun = time.perf_counter()
                one.play(1)
                took.append(time.perf_counter() - begun)
        assert sorted(with_hub)[15] < 3 * sorted(alone)[15] + 0.01
        begun = time.perf_counter()
        box.close()
        assert time.perf_counter() - begun < 15


def test_a_journal_that_was_replaced_is_told_as_another_chain_beside_the_first(hub, codes, store, box):
    box.join(hub, codes.now)
    box.start()
    box.play()
    soon(lambda: is_all_told(store, box))
    first = held(store, box)
    box.close()
    for name in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"):
        (box.state / name).unlink(missing_ok=True)
    box.start()
    box.play(2)
    soon(lambda: is_all_told(store, box))
    both = held(store, box)
    assert len(both) == 2
    assert first.items() < both.items()


def test_secret_bids_are_not_on_the_wire_nor_in_the_database_before_all_have_bid(hub, codes, store, box):
    box.join(hub, codes.now)
    box.start()
    names = ["ana", "bo", "cy"]
    box.referee.begin(SET_UP, {"event": "start", "game": "skull_king", "players": names, "options": {}})

    def say(event):
        box.referee.journal.submit({"order": "event", "event": event}, f"player:{event['player']}")
        box.referee.take_orders()

    say({"event": "deal", "player": "cy", "cards": 1})
    soon(lambda: is_all_told(store, box))
    before = held(store, box)
    say({"event": "bid", "player": "ana", "bid": 1})
    say({"event": "bid", "player": "ana", "bid": 9})  # refused, and as secret
    say({"event": "bid", "player": "bo", "bid": 0})
    box.referee.tell_camera("camera_lost", "a cable is loose")
    time.sleep(1.0)
    assert held(store, box) == before
    say({"event": "bid", "player": "cy", "bid": 1})
    soon(lambda: is_all_told(store, box))


def test_two_pushes_at_once_write_each_row_once(hub, codes, store, box):
    box.join(hub, codes.now)
    box.start()
    box.pusher.close()
    box.play(30)
    lines = [HubLine(hub, identity_in(key_file(box.state))) for _ in range(6)]
    message = Pushed(epoch=read_membership(box.state).epoch, rows=tuple(box.values()))
    answers = []
    threads = [threading.Thread(target=lambda line=line: answers.append(line.say(message))) for line in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(answers) == {HubAnswer(held=box.values()[-1][0], seal=box.values()[-1][-1])}
    assert list(held(store, box).values()) == [box.values()]


def test_a_database_that_is_killed_in_the_middle_keeps_what_was_answered(codes, box, tmp_path, monkeypatch):
    monkeypatch.setattr(pushing, "LATEST_S", 2.0)
    with running_cluster() as cluster:
        store = Store(cluster.url, tmp_path / "keys")
        with hub_on(store, codes) as port:
            box.join(f"http://127.0.0.1:{port}", codes.now)
            box.start()
            for _ in range(3):
                box.play(4)
                soon(lambda: held(store, box))
                cluster.stop("immediate")
                box.play(4)
                assert ask(f"http://127.0.0.1:{port}", "/boards.json") == (503, NO_DATABASE)
                cluster.start()
            soon(lambda: is_all_told(store, box))
        store.close()


def test_a_database_that_fails_is_told_once_however_many_ask_meanwhile(store, hub, caplog, monkeypatch):
    def fails(*_):
        raise OperationalError("SELECT", {}, Exception("the disk is full\nand more"))

    monkeypatch.setattr(Standings, "boards_json", fails)
    for _ in range(3):
        assert ask(hub, "/boards.json") == (503, NO_DATABASE)
    told = [record.getMessage() for record in caplog.records if record.name == "linesies.league.hub"]
    assert [line.partition(": ")[2] for line in told] == ["(builtins.Exception) the disk is full"]


def test_migrations_make_the_tables_that_the_program_knows(store):
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_connection_that_is_in_use_when_the_store_closes_ends_with_that_use(cluster, tmp_path):
    store = Store(cluster.url, tmp_path / "keys")
    with store.engine.connect() as connection:
        driven = connection.connection.dbapi_connection
        store.close()
        assert connection.execute(select(1)).scalar_one() == 1
    assert driven.closed


def database(cluster, name):
    """A new database; gives its address."""
    admin = create_engine(cluster.url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    admin.dispose()
    return cluster.url.replace("/postgres?", f"/{name}?")


ROW = {"board": "b", "epoch": "e", "row": 1, "at": 1.5, "origin": "o", "kind": "seen", "body": "{}", "seal": "s"}
HELD = {  # by the step of the migrations: the tables that it had, with something in each
    "0001": ((boards, {"board": "b", "name": "Board 1", "place": ""}), (rows, ROW)),
    "0002": ((tournaments, {"name": "Block party"}), (deeds, {"tournament": 1, "number": 1, "body": "{}"})),
    "0007": (
        (boards, {"board": "b", "name": "Board 1", "place": "", "leave_said_s": 1.5, "is_behind": True}),
        (rows, ROW),
    ),
}


@pytest.mark.parametrize("step", HELD)
def test_a_hub_of_an_earlier_release_is_brought_up_to_date_with_all_that_it_held(cluster, step, tmp_path):
    url = database(cluster, f"release_{step}")
    older = create_engine(url)
    with older.begin() as connection:
        migrate(connection, step)
        for table, values in HELD[step]:
            connection.execute(insert(table).values(**values))
        told = inspect(connection)
        asked = [
            select(*(table.c[column["name"]] for column in told.get_columns(table.name))) for table, _ in HELD[step]
        ]
        before = [connection.execute(each).all() for each in asked]
    older.dispose()
    newer = Store(url, tmp_path / "keys")
    with newer.engine.connect() as connection:
        assert [connection.execute(each).all() for each in asked] == before
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    newer.close()


def test_a_backup_of_a_hub_is_restored_and_boards_tell_on(hub, codes, store, box, cluster, tmp_path):
    box.join(hub, codes.now)
    box.start()
    box.play()
    soon(lambda: is_all_told(store, box))
    box.close()
    plain = [url.replace("+psycopg", "") for url in (cluster.url, database(cluster, "restored"))]
    subprocess.run([installed()[0] / "pg_dump", "-f", tmp_path / "backup.sql", plain[0]], check=True, timeout=60)
    loaded = [installed()[0] / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", tmp_path / "backup.sql", plain[1]]
    subprocess.run(loaded, check=True, timeout=60, stdout=subprocess.DEVNULL)
    with contextlib.closing(Store(cluster.url.replace("/postgres?", "/restored?"), tmp_path / "keys")) as restored:
        assert held(restored, box) == held(store, box)
        with hub_on(restored, codes) as port:
            file = box.state / "league.json"
            file.write_text(file.read_text().replace(hub, f"http://127.0.0.1:{port}"))
            box.start()
            box.play()
            soon(lambda: is_all_told(restored, box))
            box.close()


def test_a_database_that_is_not_there_is_said_in_one_line(tmp_path):
    with pytest.raises(BadHub, match="does not answer"):
        Store("postgresql+psycopg://127.0.0.1:1/nowhere?connect_timeout=2", tmp_path / "keys")


def test_a_line_to_something_that_is_no_hub_says_so(box):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(BadInput, match="no hub answers"):
        box.join(f"http://127.0.0.1:{port}", "123456")
    with pytest.raises(BadInput, match="no address of a hub"):
        box.join("hub", "123456")


@pytest.mark.parametrize(
    "sent",
    [b"", b"[]", b"{}", b'{"epoch": 3}', b"\xff" * 30, b'{"epoch": "\xe3"}', b'{"epoch": "0000000000", "more": 1}'],
)
def test_odd_messages_get_one_line(hub, store, codes, box, sent):
    box.join(hub, codes.now)
    identity = identity_in(key_file(box.state))
    headers = {BOARD_HEADER: identity.board, SIGNATURE_HEADER: identity.sign(signed_text("/league/rows", sent))}
    status, told = ask(hub, "/league/rows", sent, headers)
    assert (status, told["code"]) == (400, "not_understood")


def test_a_message_of_an_earlier_release_which_packed_none_is_taken(hub, store, codes, box):
    box.join(hub, codes.now)
    identity, sent = identity_in(key_file(box.state)), msgspec.json.encode(Pushed(epoch="0" * 32))
    headers = {BOARD_HEADER: identity.board, SIGNATURE_HEADER: identity.sign(signed_text("/league/rows", sent))}
    assert ask(hub, "/league/rows", sent, headers)[1]["held"] == 0


@pytest.mark.parametrize(
    "sent", [b"{}", packed(b"{}" * 50)[:-6], packed(b"{}"), packed(b" " * (MOST_BYTES + 1)), zlib.compress(b"")]
)
def test_an_oddly_packed_message_gets_one_line(hub, store, codes, box, sent):
    box.join(hub, codes.now)
    identity = identity_in(key_file(box.state))
    signed = identity.sign(signed_text("/league/rows", sent))
    headers = {BOARD_HEADER: identity.board, SIGNATURE_HEADER: signed, "Content-Encoding": PACKED}
    status, told = ask(hub, "/league/rows", sent, headers)
    assert (status, told["code"]) == (400, "not_understood")


def test_an_identity_is_kept_for_its_owner_alone(tmp_path):
    first = identity_in(tmp_path / "key")
    assert identity_in(tmp_path / "key").board == first.board
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_an_answer_of_joining_is_no_refusal(hub, codes):
    told = HubLine(hub, Identity(b"j" * 32)).say(Joining(code=codes.now, name="Board 2"))
    assert not isinstance(told, Refusal)
