"""The count of certain calls: it ends whatever street it draws."""

import click
import pytest

from linesies.benchmarks.certain_calls import TriedStreet
from linesies.calibration import View


def test_a_street_of_which_the_camera_sees_nothing_is_refused_and_holds_nobody_up(monkeypatch):
    monkeypatch.setattr("linesies.benchmarks.certain_calls.SIZE_PX", (480, 270))
    monkeypatch.setattr("linesies.benchmarks.proof_streets.SIZE_PX", (480, 270))
    street = TriedStreet(7000, None)
    monkeypatch.setattr(View, "is_in_picture", lambda *_: False)
    with pytest.raises(click.ClickException, match="sees next to nothing"):
        next(street.tried(1))
