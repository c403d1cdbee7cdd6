"""What rows are made of is nobody's name to be hidden: once he is forgotten, rows would be taken apart."""

import gzip
import json
import sqlite3

import pytest

from linesies.league.our_words import our_words
from tests.kept_journals import KEPT, NAMES


def keys_in(told):
    if isinstance(told, dict):
        yield from told
        told = list(told.values())
    if isinstance(told, list):
        for inner in told:
            yield from keys_in(inner)


def test_every_key_of_rows_and_states_of_all_games_is_a_word_of_ours(tmp_path):
    file = tmp_path / "journal.sqlite"
    file.write_bytes(gzip.decompress((KEPT / "format-2.sqlite.gz").read_bytes()))
    journal = sqlite3.connect(file)
    rows = journal.execute("SELECT body, state FROM rows WHERE kind NOT IN ('trouble', 'camera')").fetchall()
    journal.close()
    texts = [text for row in rows for text in row if text is not None]
    keys = {key for text in texts for key in keys_in(json.loads(text)) if key.isidentifier()}
    assert len(keys) > 100
    assert keys - our_words() - set(NAMES) == set()


@pytest.mark.parametrize("name", ["rosie", "juanita", "harry", "ana"])
def test_a_name_that_a_game_knows_is_still_a_persons(name):
    assert name not in our_words()
