"""The journal outlives its program: what any release wrote is read by all later ones, and told as it was announced."""

import gzip
import json
from contextlib import closing

import pytest

from linesies.device.journal.journal import Journal
from linesies.device.journal.salvage import is_sound
from tests.kept_journals import KEPT, told

RELEASES = sorted(path.name.removesuffix(".sqlite.gz") for path in KEPT.glob("*.sqlite.gz"))


def opened(release, folder):
    path = folder / "journal.sqlite"
    path.write_bytes(gzip.decompress((KEPT / f"{release}.sqlite.gz").read_bytes()))
    return path


def expected(release):
    return json.loads(gzip.decompress((KEPT / f"{release}.json.gz").read_bytes()))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("what", ["exported", "entries", "shown"])
def test_a_releases_journal_tells_the_same_stories_for_ever(release, what, tmp_path):
    path = opened(release, tmp_path)
    assert is_sound(path)
    with closing(Journal(path)) as journal:
        assert told(journal.rows_after(0))[what] == expected(release)[what]
    assert is_sound(path), "brought up to date where it lies"
