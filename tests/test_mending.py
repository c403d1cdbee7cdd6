"""A damaged journal is set aside, its sound part taken over, and people are told."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from linesies.device.journal.journal import Journal
from linesies.device.journal.mending import is_sound, mend, open_journal
from linesies.device.journal.salvage import MOST_LOST, fresh_name, rows_to_read, salvage
from linesies.device.loop.assembly import Assembly
from linesies.device.settings.settings import KeepSettings, PinSettings, Settings, WebSettings
from linesies.referee.folding import story_of
from linesies.referee.rows import DAMAGED, Draft
from tests.refereeing import SET_UP, START, referee_on, shot
from tests.test_match import ScriptedEyes


def played(path, games=2, shots=40):
    """Play games of many shots; the journal's rows."""
    referee = referee_on(path)
    for _ in range(games - 1):
        for _ in range(shots):
            referee.see(shot(referee.story.public["turn"], "open"))
        referee.begin(SET_UP, START)
    for _ in range(shots):
        referee.see(shot(referee.story.public["turn"], "open"))
    rows = referee.journal.rows_after(0)
    referee.journal.close()
    return rows


def rows_of(path):
    with closing(Journal(path)) as journal:
        return journal.rows_after(0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


def test_a_sound_journal_is_left_alone(path):
    rows = played(path)
    journal, mended = open_journal(path)
    assert mended is None
    assert journal.rows_after(0) == rows
    journal.close()
    assert is_sound(path.with_name("not there yet"))


def test_pages_overwritten_anywhere_cost_only_what_stood_there_and_after_it_in_its_game(path):
    rows = played(path)
    whole = path.read_bytes()
    chance = random.Random(1)
    survived = 0
    for _ in range(25):
        data = bytearray(whole)
        at = chance.randrange(4096, len(data), 4096)
        data[at : at + 4096] = chance.randbytes(4096)
        path.write_bytes(data)
        if is_sound(path):  # an index or a free page: SQLite finds nothing wrong
            continue
        mended = mend(path)
        kept = rows_of(path)
        survived += len(kept)
        assert is_sound(path)
        assert mended.aside.read_bytes() == bytes(data)
        assert set(map(str, kept)) <= set(map(str, rows)), "nothing is made up"
        assert mended.kept == len(kept)
        with closing(Journal(path)) as journal:
            story_of(journal)
            added = journal.append(Draft(origin="test", kind="trouble", body={"message": "after"}))
            assert added[0].id == mended.kept + mended.lost + 1, "a number that was given once is never given again"
        path.unlink()
    assert survived > 100


def test_a_hole_ends_its_game_and_the_next_one_is_whole(path):
    rows = played(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER rows_are_never_edited")
        connection.execute("UPDATE rows SET body = '{\"cut' WHERE id = 20")
        connection.commit()
    mended = mend(path)
    second = max(row.id for row in rows if row.kind == "set_up")
    assert [row.id for row in rows_of(path)] == [*range(1, 20), *range(second, len(rows) + 1)]
    assert mended.lost == second - 20


@pytest.mark.parametrize("data", [b"", b"\0" * 8192, b"no database at all" * 500], ids=["empty", "zeroes", "text"])
def test_a_file_of_which_nothing_is_left_gives_an_empty_journal(path, data):
    played(path, games=1, shots=2)
    path.write_bytes(data)
    journal, mended = open_journal(path)
    assert journal.rows_after(0) == []
    journal.close()
    assert (mended is None) == (data == b"")


@pytest.mark.parametrize("renamed", [0, 1])
@pytest.mark.parametrize("looked_at", [False, True], ids=["at once", "after somebody has looked"])
def test_a_power_cut_while_mending_costs_nothing_more(path, monkeypatch, renamed, looked_at):
    played(path)
    data = bytearray(path.read_bytes())
    data[-4096:] = b"\xff" * 4096
    path.write_bytes(data)
    sound = [row.id for row in salvage(path).rows]
    left = iter(range(renamed))
    rename = Path.rename

    def rename_until_cut(old, new):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return rename(old, new)

    with monkeypatch.context() as cut:
        cut.setattr(Path, "rename", rename_until_cut)
        with pytest.raises(KeyboardInterrupt):
            mend(path)
    if looked_at:
        assert {row.id for row in rows_to_read(path) if row.kind != DAMAGED} == set(sound)
    journal, mended = open_journal(path)
    with closing(journal):
        assert [row.id for row in journal.rows_after(0)] == sound
    assert (mended.kept, mended.aside.read_bytes()) == (len(sound), bytes(data))
    assert not fresh_name(path).exists()


def test_orders_that_were_not_yet_taken_are_still_there_after_mending(path):
    played(path, games=1)
    with closing(Journal(path)) as journal:
        taken = journal.submit({"order": "undo"}, "player:ana")
        journal.append(Draft(origin="test", kind="trouble", body={"message": "x"}), takes=journal.inbox()[0])
        waiting = journal.submit({"order": "redo"}, "player:bo")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER rows_are_never_edited")
        connection.commit()
    journal, mended = open_journal(path)
    with closing(journal):
        assert mended is not None
        assert [(one.id, one.origin, one.body) for one in journal.inbox()] == [
            (waiting, "player:bo", {"order": "redo"})
        ]
        assert journal.is_taken(taken)
        assert journal.submit({"order": "undo"}, "player:bo") > waiting


@pytest.mark.parametrize("last", [10**12, 2**63 - 1, "many"])
def test_a_number_that_no_journal_reaches_keeps_nobody_counting(path, last):
    rows = played(path, games=1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'rows'", (last,))
        connection.execute("DROP TRIGGER rows_are_never_edited")
        connection.commit()
    mended = mend(path)
    assert mended.kept == len(rows)
    assert mended.lost <= MOST_LOST
    with closing(Journal(path)) as journal:
        assert journal.append(Draft(origin="test", kind="trouble", body={"message": "x"}))


def test_the_referee_goes_on_with_what_is_left_and_says_so(tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    rows = played(state / "journal.sqlite", games=1)
    data = bytearray((state / "journal.sqlite").read_bytes())
    data[-4096:] = b"\xff" * 4096
    (state / "journal.sqlite").write_bytes(data)
    settings = Settings(
        keep=KeepSettings(state=str(state), clips=0), pins=PinSettings(library="mock"), web=WebSettings(serve=False)
    )
    eyes = ScriptedEyes({})
    eyes.elsewhere = lambda _call: "line"
    with Assembly(settings) as assembly, assembly.match(eyes, ()) as (_, referee):
        assert 0 < len(referee.story.entries) < len(rows)
        assert "was damaged" in referee.story.troubles["journal"]["message"]
    assert list(state.glob("journal-damaged-*.sqlite"))
