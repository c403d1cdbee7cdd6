"""The journal keeps what it was told, in order, and lets nobody edit it."""

import contextlib
import sqlite3
import threading
from functools import partial

import pytest

from linesies.device.errors import BadInput, JournalFailed
from linesies.device.journal.journal import Journal
from linesies.referee.rows import Draft


@pytest.fixture
def journal(tmp_path):
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()


def draft(n=0):
    return Draft(origin="test", kind="seen", body={"n": n, "name": "Zoë"}, about=None)


def test_rows_come_back_as_they_were_written_with_id_time_and_origin(journal):
    written = journal.append(draft(1), draft(2))
    assert journal.rows_after(0) == list(written)
    assert [row.id for row in written] == [1, 2]
    assert written[0].body == {"n": 1, "name": "Zoë"}
    assert written[0].origin == "test"
    assert written[0].at_s > 1_700_000_000


def test_rows_after_gives_only_what_is_newer(journal):
    journal.append(draft(1), draft(2), draft(3))
    assert [row.body["n"] for row in journal.rows_after(1)] == [2, 3]
    assert [row.body["n"] for row in journal.rows_after(0, limit=2)] == [1, 2]
    assert journal.last_id() == 3


def test_the_next_id_is_known_before_writing(journal):
    assert journal.next_id() == 1
    (row,) = journal.append(draft())
    assert row.id == 1
    assert journal.next_id() == 2


@pytest.mark.parametrize("change", ["UPDATE rows SET body = '{}'", "DELETE FROM rows"])
def test_the_file_itself_refuses_that_a_row_is_changed(journal, change):
    journal.append(draft())
    connection = sqlite3.connect(journal.path)
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        connection.execute(change)
    connection.close()


def test_two_who_open_a_fresh_file_at_once_wait_for_one_another(tmp_path, monkeypatch):
    class Hindered(sqlite3.Connection):
        times = 3

        def execute(self, statement, *values):
            if "journal_mode" in statement and Hindered.times:
                Hindered.times -= 1
                fault = sqlite3.OperationalError("database is locked")
                fault.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise fault
            return super().execute(statement, *values)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Hindered))
    with contextlib.closing(Journal(tmp_path / "journal.sqlite")) as journal:
        assert journal.rows_after(0) == []
    assert Hindered.times == 0


def test_the_file_is_written_ahead_and_every_commit_waits_for_the_disk(journal):
    connection = journal._connected()
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_transaction_that_fails_writes_nothing(journal):
    with pytest.raises(TypeError):
        journal.append(draft(), Draft(origin="test", kind="seen", body={"not": object()}))
    assert journal.last_id() == 0


def test_a_full_disk_is_told_with_the_mend_and_what_was_written_stays(journal):
    journal.append(draft(1))
    journal._connected().execute("PRAGMA max_page_count = 1")
    with pytest.raises(JournalFailed, match="free some space"):
        journal.append(*(Draft(origin="test", kind="seen", body={"n": "x" * 4000}) for _ in range(20)))
    assert [row.body["n"] for row in journal.rows_after(0)] == [1]


def test_orders_wait_until_they_are_taken_together_with_their_row(journal):
    journal.submit({"order": "undo"}, "phone")
    journal.submit(["no", "order"], "phone")
    first, second = journal.inbox()
    assert (first.body, first.origin) == ({"order": "undo"}, "phone")
    journal.append(draft(), takes=first)
    assert journal.inbox() == [second]
    journal.append(draft(), takes=second)
    assert journal.inbox() == []


def test_an_order_from_another_process_is_noticed_after_the_inbox_was_empty(journal):
    assert journal.inbox() == []
    other = Journal(journal.path)
    other.submit({"order": "redo"}, "page")
    other.close()
    assert [order.body for order in journal.inbox()] == [{"order": "redo"}]


def test_threads_may_submit_while_the_referee_appends(journal):
    def submit_many():
        for i in range(20):
            journal.submit({"n": i}, "button")
        journal.close()

    threads = [threading.Thread(target=submit_many) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(20):
        journal.append(draft(i))
    for thread in threads:
        thread.join()
    assert len(journal.inbox()) == 60
    assert journal.last_id() == 20


def test_a_file_that_is_no_journal_is_told_in_one_line(tmp_path):
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"this is not a database, whatever its name says" * 100)
    with pytest.raises(BadInput, match="no journal"):
        Journal(path)
