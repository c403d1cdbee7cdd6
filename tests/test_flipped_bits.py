"""Bits flip, sectors go, files are cut short or carried off: nothing changes in silence, and what is lost is named.

LINESIES_FLIPS says how often (`make fuzz`: 5,000).
"""

import os
import shutil
import sqlite3
from contextlib import closing
from random import Random

import pytest

from linesies.device.announcers.announcing import Announcers
from linesies.device.commands import journal as journal_command
from linesies.device.commands import status
from linesies.device.errors import BadInput, JournalFailed
from linesies.device.journal.journal import Journal
from linesies.device.journal.mending import open_journal
from linesies.device.journal.salvage import is_sound, open_to_read
from linesies.device.journal.schema import prepare
from linesies.device.places import journal_file
from linesies.device.serving.webapp import JournalFace
from linesies.referee.folding import story_of
from linesies.referee.past_games import games_of
from linesies.referee.referee import Referee
from linesies.referee.rows import FORMAT
from linesies.referee.seals import seal
from linesies.web import create_app
from tests.kept_journals import SKULLY, Evening
from tests.refereeing import Listener, other_side, quick_journal, referee_on, shot
from tests.test_referee_commands import run

FLIPS = int(os.environ.get("LINESIES_FLIPS", "100"))
SEED = int(os.environ.get("LINESIES_SEED", "7"))


@pytest.fixture(scope="module")
def evening():
    """A street game of some rows: what lies in the file, and what can be read from it."""
    with quick_journal() as path:
        played = Evening(path)
        played.street(most=25)
        played.begin("skully", SKULLY)
        played.referee.journal.close()
        with closing(Journal(path)) as journal:
            rows = journal.rows_after(0)
        yield path.read_bytes(), rows


def flipped(data, chance):
    damaged = bytearray(data)
    damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return damaged


def with_a_sector_gone(data, chance):
    at = 512 * chance.randrange(len(data) // 512)
    damaged = bytearray(data)
    damaged[at : at + 512] = chance.choice((bytes(512), chance.randbytes(512)))
    return damaged


def cut_short(data, chance):
    return data[: chance.randrange(4096, len(data))]


@pytest.mark.timeout(300 + FLIPS)
@pytest.mark.parametrize(
    ("damage", "times"), [(flipped, FLIPS), (with_a_sector_gone, FLIPS // 4), (cut_short, FLIPS // 8)]
)
def test_damage_anywhere_is_noticed_and_what_is_lost_is_named(evening, damage, times):
    data, rows = evening
    chance = Random(SEED)
    numbers = [row.id for row in rows]
    mends = kept = 0
    with quick_journal() as path:
        for _ in range(times):
            path.write_bytes(damage(data, chance))
            journal, mended = open_journal(path)
            left = journal.rows_after(0)
            games_of(left)
            journal.close()
            if mended is None:
                assert left == rows
                continue
            mends += 1
            kept += mended.kept
            assert all(row == rows[row.id - 1] for row in left), "nothing is made up"
            named = [n for n in numbers if not any(n in gap for gap in mended.gaps)]
            assert [row.id for row in left] == named or "cannot be told" in str(mended.saying)
            assert is_sound(path)
            for beside in path.parent.iterdir():
                beside.unlink()
    print(f"\n{damage.__name__}: {times} journals, {mends} mended, the others read whole")  # noqa: T201 - a long run's figures
    assert mends > times / 4
    assert kept > mends * len(rows) / 10


def test_a_damaged_letter_in_what_a_file_defines_is_mended(evening, tmp_path):
    data, rows = evening
    path = journal_file(tmp_path)
    path.write_bytes(data.replace(b"ON orders(id)", b"ON orders(\xe9d)", 1))
    journal, mended = open_journal(path)
    assert mended is not None
    assert journal.rows_after(0)[: len(rows)] == rows
    journal.close()


@pytest.mark.parametrize("damage", [flipped, with_a_sector_gone])
def test_who_only_reads_a_damaged_journal_is_told_and_changes_nothing(evening, tmp_path, damage):
    data, _ = evening
    chance = Random(SEED)
    path = journal_file(tmp_path)
    for _ in range(8):
        path.write_bytes(damage(data, chance))
        before = is_sound(path)
        for command in (["show", tmp_path], ["export", tmp_path]):
            told = run(journal_command.command, *command)
            assert told.exit_code == 0 or "no game has begun" in told.output
        told = run(status.command, tmp_path)
        assert told.exit_code == 0
        assert is_sound(path) == before


def test_a_flipped_bit_in_a_row_is_said_by_status_with_its_row(tmp_path):
    path = journal_file(tmp_path)
    referee = referee_on(path)
    for _ in range(5):
        referee.see(shot(referee.story.public["turn"], "1"))
    referee.journal.close()
    path.write_bytes(path.read_bytes().replace(b'"text": "', b'"text": \xa2', 1))
    assert "row 4 cannot be read" in run(status.command, tmp_path).output
    assert "damaged" in run(journal_command.command, "show", tmp_path).output


def test_a_text_changed_to_another_text_is_noticed(tmp_path):
    path = tmp_path / "journal.sqlite"
    referee = referee_on(path)
    referee.see(shot("ana", "1"))
    referee.journal.close()
    path.write_bytes(path.read_bytes().replace(b'"ana"', b'"ena"'))
    assert not is_sound(path)
    with closing(Journal(path)) as journal:
        assert "damaged" in {row.kind for row in journal.rows_after(0)}
        assert story_of(journal).hole is not None


def test_a_row_slipped_in_or_taken_out_between_others_is_noticed(tmp_path):
    path = tmp_path / "journal.sqlite"
    referee = referee_on(path)
    referee.see(shot("ana", "1"))
    referee.journal.close()
    whole = path.read_bytes()
    for change in ("DELETE FROM rows WHERE id = 3", "UPDATE rows SET at = at + 1 WHERE id = 2"):
        path.write_bytes(whole)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript("DROP TRIGGER rows_are_never_edited; DROP TRIGGER rows_are_never_deleted;")
            connection.execute(change)
            connection.commit()
        assert not is_sound(path)


@pytest.mark.parametrize("damage", [flipped, with_a_sector_gone, cut_short])
def test_a_page_without_a_referee_shows_what_is_left_and_says_that_it_is_damaged(evening, tmp_path, damage):
    chance = Random(SEED)
    path = journal_file(tmp_path)
    for _ in range(6):
        path.write_bytes(damage(evening[0], chance))
        if is_sound(path):
            continue
        face = JournalFace(open_to_read(path))
        assert face.journal.rows_after(0, 3) == face.journal.rows_after(0)[:3]
        client = create_app(face, face.journal.submit, dict).test_client()
        told = client.get("/story").json
        assert "journal" in told["troubles"] or told["game"] is None
        assert client.get("/past").status_code == 200
        with pytest.raises(JournalFailed, match="start the referee again"):
            face.journal.submit({"order": "undo"}, "phone")


def test_a_later_releases_journal_is_left_as_it_is(tmp_path):
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        prepare(connection)
        connection.execute("ALTER TABLE rows ADD COLUMN more TEXT")
        values = (1, 1.0, "referee", "set_up", None, "{}", FORMAT + 1, None, None)
        marks = ", ".join("?" * 10)
        connection.execute(f"INSERT INTO rows VALUES ({marks}, NULL)", (*values, seal(values, "")))
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(BadInput, match="later release"):
        open_journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_carried_off_while_playing_is_noticed_before_anything_more_is_announced(tmp_path, is_replaced):
    path = tmp_path / "journal.sqlite"
    ears = Listener()
    referee = referee_on(path, ears)
    referee.see(shot("ana", "1"))
    away = tmp_path / "away.sqlite"
    if is_replaced:
        shutil.copy(path, away)
        away.replace(path)
    else:
        path.rename(away)
    with pytest.raises(JournalFailed, match="moved away or replaced"):
        referee.see(shot("ana", "2"))
    with pytest.raises(JournalFailed):
        referee.journal.submit({"order": "undo"}, "phone")
    referee._announcers.close()
    assert [row.id for row in ears.rows] == [1, 2, 3, 4]
    assert path.exists() == is_replaced, "no empty journal is begun in its place"


def test_a_file_that_is_put_back_goes_on(tmp_path):
    path = tmp_path / "journal.sqlite"
    referee = referee_on(path)
    path.rename(tmp_path / "away.sqlite")
    with pytest.raises(JournalFailed):
        referee.see(shot("ana", "1"))
    (tmp_path / "away.sqlite").rename(path)
    referee.catch_up()
    referee.see(shot("ana", "1"))
    with closing(Journal(path)) as journal:
        assert Referee(journal, Announcers([]), elsewhere=other_side).story == referee.story
