"""Caps that lie still are measured again and again; what that scatters is told, and warned of beyond what is stated."""

from types import SimpleNamespace

import numpy as np
import pytest

from linesies.device.box.status import status_of, words_of
from linesies.device.live_state import MomentWriter
from linesies.device.loop.cap_eyes import CapEyes
from linesies.device.loop.match import Match
from linesies.device.loop.repeatability import EVERY_S, Repeatability, Repeated
from linesies.device.places import journal_file
from linesies.vision import Call, Scene
from tests.gauges import CAPS, floor
from tests.refereeing import call, quick_journal, referee_on
from tests.test_match import ScriptedEyes, ScriptedSource


def measured(gap_mm, xy_mm=(1.0, 2.0), sigma_mm=0.3):
    one = call("ana", "1", gap_mm=gap_mm, sigma_mm=sigma_mm)
    return Call(
        player="ana",
        xy_mm=xy_mm,
        diameter_mm=26.0,
        location=one.location,
        gap_mm=gap_mm,
        sigma_mm=sigma_mm,
        is_certain=True,
    )


def test_the_scatter_of_caps_that_lie_still_is_found_whatever_their_gaps_are():
    repeated, rng = Repeatability(), np.random.default_rng(1)
    for place in range(30):
        for _ in range(20):
            told = repeated.add("ana", measured(10.0 * place + rng.normal(0, 0.2), xy_mm=(10.0 * place, 0.0)))
    assert told.count == 30 * 19
    assert told.scatter_mm == pytest.approx(0.2, rel=0.1)
    assert told.sigma_mm == pytest.approx(0.3)
    assert not told.is_beyond


def test_what_scatters_beyond_its_sigma_is_told_once_there_is_enough_of_it():
    repeated = Repeatability()
    told = [repeated.add("ana", measured(side, sigma_mm=0.2)) for side in 15 * (-0.5, 0.5)]
    assert told[0] is None
    assert not told[5].is_beyond
    assert told[-1].is_beyond


def test_a_cap_that_moved_begins_anew():
    repeated = Repeatability()
    repeated.add("ana", measured(1.0))
    assert repeated.add("ana", measured(9.0, xy_mm=(9.0, 2.0))) is None
    assert repeated.add("ana", measured(9.1, xy_mm=(9.0, 2.0))).scatter_mm == pytest.approx(0.1 / 2**0.5)


def test_eyes_measure_one_cap_at_a_time_while_all_is_at_rest():
    asked = []
    eyes = CapEyes(floor().calibration, CAPS, settled_s=0.4)
    scene = Scene(t_s=0.0, is_at_rest=True, caps_mm={"ana": (1.0, 2.0), "bo": (3.0, 4.0)})
    eyes._watcher = SimpleNamespace(see=lambda _frame: (), scene=scene, leant_px=0.0, measured_again=asked.append)
    for t_s in np.arange(0.0, 4.5 * EVERY_S, EVERY_S / 4):
        eyes.see(SimpleNamespace(t_s=100.0 + t_s, size_px=eyes.lens.size_px))
    assert asked == ["ana", "bo", "ana", "bo"]


def test_status_shows_it_and_people_are_warned_once(tmp_path):
    beyond = Repeated(count=40, scatter_mm=0.8, sigma_mm=0.3)
    with quick_journal() as path:
        referee = referee_on(path)
        moment = MomentWriter(str(journal_file(tmp_path)), dict)
        eyes = ScriptedEyes({1: [beyond], 2: [beyond], 4: [Repeated(count=400, scatter_mm=0.3, sigma_mm=0.3)]})
        match = Match(eyes, referee, moment=moment)
        match.follow(ScriptedSource(range(3)))
        moment.write(match._now())
        assert [row.kind for row in referee.journal.rows_after(0)].count("trouble") == 1
        assert "0.8 mm" in referee.story.troubles["repeat"]["message"]
        assert any("40 times, 0.80 mm apart; they state 0.30 mm" in line for line in words_of(status_of(tmp_path)))
        match.follow(ScriptedSource(range(4, 6)))
        assert "repeat" not in referee.story.troubles
