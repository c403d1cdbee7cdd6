"""A damaged journal is set aside, its sound part taken over, and people are told."""

import random
import sqlite3
from contextlib import closing

import pytest

from linesies.device.journal.journal import Journal
from linesies.device.journal.mending import is_sound, mend, open_journal
from linesies.device.loop.assembly import Assembly
from linesies.device.settings.settings import KeepSettings, PinSettings, Settings, WebSettings
from linesies.referee.folding import story_of
from linesies.referee.rows import Draft
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
