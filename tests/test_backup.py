"""Games are put into a file while one is played, and brought back; nothing that is there is overwritten."""

import fcntl
import gzip
import io
import sqlite3
import tarfile
from contextlib import closing

import pytest

from linesies.device.commands import backup, restore
from linesies.device.errors import BadInput
from linesies.device.journal.journal import Journal
from linesies.device.loop.assembly import InUse
from linesies.device.phones.doors import code_line
from linesies.device.places import evidence_folder, journal_file
from linesies.referee.folding import story_of
from tests.refereeing import referee_on, rows_of, shot
from tests.test_referee_commands import run


@pytest.fixture
def played(tmp_path):
    state = tmp_path / "state"
    evidence_folder(state).mkdir(parents=True)
    referee = referee_on(journal_file(state))
    referee.see(shot("ana", "1"))
    (evidence_folder(state) / "00000003-0.jpg").write_bytes(b"a picture")
    yield state, referee
    referee.journal.close()


def test_a_backup_made_while_playing_brings_back_the_game_on_another_box(played, tmp_path):
    state, referee = played
    assert run(backup.command, tmp_path / "games.tar", "--state", state).exit_code == 0
    kept = rows_of(state)
    referee.see(shot("ana", "2"))
    other = tmp_path / "other"
    assert run(restore.command, tmp_path / "games.tar", "--state", other).exit_code == 0
    assert rows_of(other) == kept
    assert (evidence_folder(other) / "00000003-0.jpg").read_bytes() == b"a picture"
    with closing(Journal(journal_file(other))) as journal:
        assert story_of(journal).public["turn"] == "ana"


def test_pictures_may_be_left_out(played, tmp_path):
    run(backup.command, tmp_path / "games.tar", "--state", played[0], "--no-pictures")
    with tarfile.open(tmp_path / "games.tar") as tar:
        assert tar.getnames() == ["journal.sqlite"]


def test_games_that_are_there_are_set_aside_not_overwritten(played, tmp_path):
    state, referee = played
    run(backup.command, tmp_path / "games.tar", "--state", state)
    kept = rows_of(state)
    referee.see(shot("ana", "2"))
    later = rows_of(state)
    referee.journal.close()
    run(restore.command, tmp_path / "games.tar", "--state", state)
    assert rows_of(state) == kept
    aside = next(state.glob("journal-before-*.sqlite"))
    with closing(Journal(aside)) as journal:
        assert journal.rows_after(0) == later


def test_nobody_restores_under_a_referee_who_plays(played, tmp_path):
    state, _ = played
    run(backup.command, tmp_path / "games.tar", "--state", state)
    with (state / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(InUse):
            run(restore.command, tmp_path / "games.tar", "--state", state)


def tar_of(path, **members):
    with tarfile.open(path, "w") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name.replace("__", "/"))
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: p / "none.tar", "cannot be brought back"),
        (lambda p: (p / "a.tar").write_text("no tar") and p / "a.tar", "cannot be brought back"),
        (lambda p: tar_of(p / "a.tar", other=b"x"), "holds no journal"),
        (lambda p: tar_of(p / "a.tar", **{"journal.sqlite": b"no database" * 500}), "is damaged"),
    ],
    ids=["missing", "no tar", "no journal", "damaged"],
)
def test_what_is_no_backup_changes_nothing(played, tmp_path, make, words):
    state, _ = played
    before = rows_of(state)
    with pytest.raises(BadInput, match=words):
        run(restore.command, make(tmp_path), "--state", state)
    assert rows_of(state) == before
    assert not list(state.glob("*before*"))


def test_nothing_is_written_outside_the_state_folder(played, tmp_path):
    state, _ = played
    run(backup.command, tmp_path / "games.tar", "--state", state)
    with tarfile.open(tmp_path / "games.tar", "a") as tar:
        for name in ("../escaped.jpg", "evidence/../../escaped.jpg", "/tmp/escaped.jpg", "evidence/run.sh"):
            member = tarfile.TarInfo(name)
            member.size = 1
            tar.addfile(member, io.BytesIO(b"x"))
    other = tmp_path / "deep" / "other"
    run(restore.command, tmp_path / "games.tar", "--state", other)
    assert not list(tmp_path.rglob("escaped*"))
    assert not list(tmp_path.rglob("run.sh"))


def test_where_no_games_are_it_is_told(tmp_path):
    with pytest.raises(BadInput, match="holds no games"):
        run(backup.command, tmp_path / "games.tar", "--state", tmp_path / "none")
    state = tmp_path / "state"
    state.mkdir()
    referee_on(journal_file(state)).journal.close()
    with pytest.raises(BadInput, match="cannot be written"):
        run(backup.command, tmp_path / "no folder" / "games.tar", "--state", state)


def changed_backup(played, tmp_path, script):
    """A backup whose journal somebody has worked on."""
    run(backup.command, tmp_path / "games.tar", "--state", played[0])
    with tarfile.open(tmp_path / "games.tar") as tar:
        (tmp_path / "work.sqlite").write_bytes(tar.extractfile("journal.sqlite").read())
    with closing(sqlite3.connect(tmp_path / "work.sqlite")) as connection:
        connection.executescript(script)
    return tar_of(tmp_path / "changed.tar", **{"journal.sqlite": (tmp_path / "work.sqlite").read_bytes()})


FORGING = """
CREATE TRIGGER evil AFTER INSERT ON orders BEGIN UPDATE orders SET origin = 'referee:evil' WHERE id = NEW.id; END;
INSERT INTO orders (at, origin, body) VALUES (0, 'referee:evil', '{"order": "undo"}');
CREATE TABLE more (x);
"""


def test_of_a_strangers_backup_only_rows_are_taken_over(played, tmp_path):
    other = tmp_path / "other"
    run(restore.command, changed_backup(played, tmp_path, FORGING), "--state", other)
    assert rows_of(other) == rows_of(played[0])
    with closing(Journal(journal_file(other))) as journal:
        assert journal.inbox() == []
        journal.submit({"order": "undo"}, "player:ana")
        assert journal.inbox()[0].origin == "player:ana"
    with closing(sqlite3.connect(journal_file(other))) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert not {"evil", "more"} & names


ENDLESS = """
DROP TRIGGER rows_are_never_edited; DROP TRIGGER rows_are_never_deleted; ALTER TABLE rows RENAME TO kept;
CREATE VIEW rows AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c)
    SELECT id, 0.0 AS at, 'a' AS origin, 'seen' AS kind, NULL AS about, '{}' AS body FROM c;
"""
UNSEALED = "DROP TRIGGER rows_are_never_edited; UPDATE rows SET seal = NULL, format = NULL, rules = NULL, state = NULL;"
ADDED = "INSERT INTO rows (at, origin, kind, about, body) VALUES "


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (ENDLESS, "no journal at all"),
        (UNSEALED + ADDED + "(0, 'x', 'ruled', 3, '{\"re_reads\": 99, \"event\": null}')", "row 5 of game 1"),
        (UNSEALED + ADDED + "(0, 'x', 'ruled', 3, '{\"event\": {}, \"rulings\": [{}]}')", "cannot be told"),
        (
            UNSEALED + ADDED + "(0, 'x', 'set_up', NULL, '{}'),"
            '(0, \'x\', \'start\', NULL, \'{"event": "start", "game": "skully", "players": ["a\\u001b[31m", "b"]}\')',
            "signs that cannot be shown",
        ),
    ],
    ids=["endless", "no such entry", "nameless ruling", "escape signs"],
)
def test_what_no_referee_wrote_is_refused_before_anything_is_set_aside(played, tmp_path, script, words):
    state, _ = played
    before = rows_of(state)
    with pytest.raises(BadInput, match=words):
        run(restore.command, changed_backup(played, tmp_path, script), "--state", state)
    assert rows_of(state) == before
    assert not list(state.glob("*before*")) + list(state.glob("restored-*"))


@pytest.mark.parametrize("body", ["not json", "[1]", "null", '{"event": 5}', '{"a": ' + "[" * 5000 + "]" * 5000 + "}"])
def test_a_row_that_cannot_be_read_costs_only_what_follows_and_is_named(played, tmp_path, body):
    other = tmp_path / "other"
    script = f"{UNSEALED} {ADDED} (0, 'x', 'ruled', 3, '{body}')"
    told = run(restore.command, changed_backup(played, tmp_path, script), "--state", other)
    assert "lost are the rows 5 to 5" in told.output
    assert [row.id for row in rows_of(other)] == [1, 2, 3, 4]


def test_what_unpacks_without_end_is_refused_by_its_size(played, tmp_path):
    state, _ = played
    with gzip.open(tmp_path / "bomb.tar.gz", "wb") as packed:
        member = tarfile.TarInfo("journal.sqlite")
        member.size = 3_000_000_000
        packed.write(member.tobuf())
        packed.write(bytes(1 << 20))
    with pytest.raises(BadInput, match="bytes"):
        run(restore.command, tmp_path / "bomb.tar.gz", "--state", state)
    assert not list(state.glob("restored-*"))


def test_a_line_end_in_a_name_makes_no_line_of_its_own_on_the_console():
    assert code_line("a\nSeat of you: 9999", "1234").count("\n") == 0
