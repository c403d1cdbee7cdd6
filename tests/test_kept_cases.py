"""An archive of calls with their truth, kept with the tests: today's program measures all of it again."""

from pathlib import Path

import pytest

from linesies.device.cases.archives import open_archive
from linesies.device.cases.case import case_names
from linesies.device.cases.rejudging import rejudge

KEPT = Path(__file__).parent / "data" / "cases.zip"  # of simulated streets: plain, seed 61; varied, seed 62


@pytest.fixture(scope="module")
def again():
    archive = open_archive(str(KEPT))
    return [rejudge(archive, name) for name in case_names(archive)]


def test_no_certain_call_has_flipped_to_a_wrong_one(again):
    assert [one.name for one in again if one.is_wrong] == []


def test_most_that_were_certain_still_are(again):
    were = [one for one in again if one.case.call.certain]
    assert sum(one.now is not None and one.now.certain for one in were) >= 0.8 * len(were) > 0
