"""Backups, case files and JPEGs whose bytes somebody changed: used, or refused in one line, and nothing left half done.

LINESIES_FUZZ_S says for how long in all (`make fuzz`); a few dozen of each are here always, by a seed.
"""

import io
import os
import random
import tarfile
import zipfile
from collections import Counter

import pytest

from linesies.device.box.backup import restore
from linesies.device.cameras.pictures import read_picture
from linesies.device.cases.archives import open_archive
from linesies.device.cases.case import case_names
from linesies.device.cases.rejudging import rejudge
from linesies.device.commands import backup
from linesies.device.errors import BadInput
from linesies.device.places import journal_file
from tests import cap_pictures
from tests.case_files import called, filed
from tests.refereeing import referee_on, shot
from tests.test_bad_input import STREET
from tests.test_referee_commands import run
from tests.thorough import until_enough

KINDS = 3  # the tests below
FUZZ_S = float(os.environ.get("LINESIES_FUZZ_S", "0")) / KINDS
SEED = int(os.environ.get("LINESIES_SEED", "1"))
CASES = 40  # without a time


def flipped(data, chance):
    for _ in range(chance.choice((1, 1, 8, 64))):
        at = chance.randrange(len(data))
        data[at] ^= 1 << chance.randrange(8)
    return data


def lost(data, chance):
    at = chance.randrange(len(data))
    del data[at : at + chance.choice((1, 100, 4096))]
    return data


def emptied(data, chance):
    at = chance.randrange(len(data))
    data[at : at + 512] = bytes(len(data[at : at + 512]))
    return data


def repeated(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + data[max(0, at - 4096) : at] + data[at:]


CHANGES = (flipped, lost, emptied, repeated, lambda data, chance: data[: chance.randrange(len(data))])


def changed(data, chance):
    """Change a file's bytes in one way; never to nothing."""
    return bytes(chance.choice(CHANGES)(bytearray(data), chance)) or b"\0"


def answer(work, *given):
    """What it gives where it can use what it was given; else that it was refused, in one line."""
    try:
        return work(*given)
    except BadInput as fault:
        said = str(fault)
    assert said.isprintable()
    return "refused"


@pytest.fixture
def games(tmp_path):
    """A backup of a game that was played, as bytes."""
    state = tmp_path / "state"
    state.mkdir()
    referee = referee_on(journal_file(state))
    for player in ("ana", "bo", "cy"):
        referee.see(shot(player, "1"))
    run(backup.command, tmp_path / "games.tar", "--state", state)
    referee.journal.close()
    return (tmp_path / "games.tar").read_bytes()


def with_other_journal(packed, chance):
    """Change the journal in a backup, and leave the archive round it whole."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        journal = changed(tar.extractfile("journal.sqlite").read(), chance)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        member = tarfile.TarInfo("journal.sqlite")
        member.size = len(journal)
        tar.addfile(member, io.BytesIO(journal))
    return buffer.getvalue()


def test_a_backup_changed_at_random_is_brought_back_or_refused_and_leaves_nothing_half_done(games, tmp_path):
    chance, counts, file = random.Random(SEED), Counter(), tmp_path / "changed.tar"
    for number in until_enough(FUZZ_S, CASES):
        file.write_bytes(chance.choice((changed, with_other_journal))(games, chance))
        state = tmp_path / f"other-{number}"
        told = answer(lambda file, state: restore(file, state) and "brought back", file, state)
        assert told != "refused" or not list(state.glob("*")), number
        counts[told] += 1
    print(f"\nbackups changed at random: {dict(counts)}")  # noqa: T201
    assert len(counts) == 2


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """An archive of one shot's cases, as the bytes of its files by name."""
    calibration = cap_pictures.calibration()
    folder = tmp_path_factory.mktemp("cases")
    filed(folder, called(calibration), calibration, rows=(41,))
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return buffer.getvalue()


def test_cases_changed_at_random_are_measured_or_said_to_be_unreadable(archive, tmp_path):
    chance, counts, path = random.Random(SEED), Counter(), tmp_path / "cases.zip"
    for _ in until_enough(FUZZ_S, CASES):
        files = dict(archive)
        name = chance.choice(sorted(files))
        files[name] = changed(files[name], chance)
        path.write_bytes(chance.choice((lambda data, _: data, changed))(zipped(files), chance))
        counts[answer(first_measured, path)] += 1
    print(f"\ncases changed at random: {dict(counts)}")  # noqa: T201
    assert counts.keys() >= {"same", "unreadable", "refused"}


def first_measured(path):
    """What has become of the first case of an archive."""
    opened = open_archive(str(path))
    return next((rejudge(opened, name).change for name in case_names(opened)), "empty")


def test_jpegs_changed_at_random_are_read_or_refused(tmp_path):
    chance, whole, path = random.Random(SEED), (STREET / "empty.jpg").read_bytes(), tmp_path / "changed.jpg"
    counts = Counter()
    for _ in until_enough(FUZZ_S, CASES):
        path.write_bytes(changed(whole, chance))
        counts[answer(lambda: read_picture(path).shape[2])] += 1
    print(f"\nJPEGs changed at random: {dict(counts)}")  # noqa: T201
    assert counts.keys() == {3, "refused"}
