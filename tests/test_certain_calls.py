"""The count of certain calls: it ends whatever street it draws."""

import click
import numpy as np
import pytest

from linesies.benchmarks.certain_calls import TriedStreet
from linesies.benchmarks.proof_streets import GOOD, Shooting, Street
from linesies.calibration import View
from linesies.simulator.street.stage import VARIED, Wishes


def test_a_street_of_which_the_camera_sees_nothing_is_refused_and_holds_nobody_up(monkeypatch):
    monkeypatch.setattr("linesies.benchmarks.certain_calls.SIZE_PX", (480, 270))
    monkeypatch.setattr("linesies.benchmarks.proof_streets.SIZE_PX", (480, 270))
    street = TriedStreet(7000, None)
    monkeypatch.setattr(View, "is_in_picture", lambda *_: False)
    with pytest.raises(click.ClickException, match="sees next to nothing"):
        next(street.tried(1))


def test_a_varied_street_was_calibrated_bare_and_its_caps_are_not_quite_as_listed(monkeypatch):
    monkeypatch.setattr("linesies.benchmarks.certain_calls.SIZE_PX", (480, 270))
    monkeypatch.setattr("linesies.benchmarks.proof_streets.SIZE_PX", (480, 270))
    wishes = Wishes(seed=7001, size_px=(480, 270), play="nothing", world=VARIED, is_for_stills=True)
    street = Street(wishes, GOOD)
    played_on = street.photograph([], [], Shooting(), street.stage.rng(71))
    litter = np.abs(played_on.astype(int) - street.calibration.empty_bgr).max(axis=2) > 60
    assert 20 < litter.sum() < 0.05 * litter.size
    assert [cap.player for cap in street.caps] == [solid.cap.player for solid in street.stage.solids]
    assert list(street.caps) != [solid.cap for solid in street.stage.solids]
    assert next(TriedStreet(7001, None, VARIED).tried(1)).seed == 7001
