"""One exam of all sets with truth: each world's figures stand beside those of the release before."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.benchmarks import exam
from linesies.device.errors import BadInput


def test_each_world_stands_beside_the_release_before():
    now = {"a street": {"found": 0.97, "false_a_picture": 0.1}, "a new one": {"found": 1.0}}
    told = exam.page(now, {"a street": {"found": 0.95}}, version="0.3.0", was="0.2.0").splitlines()
    assert "| | 0.3.0 | 0.2.0 |" in told
    assert "| found | 0.97 | 0.95 |" in told
    assert "| false a picture | 0.1 |  |" in told
    assert "| found | 1 |  |" in told


def test_the_release_before_is_the_newest_other_one(tmp_path):
    assert exam.release_before(tmp_path, "0.3.0") == ("none before", {})
    for version in ("0.2.0", "0.10.0", "0.9.0", "0.11.0"):
        (tmp_path / f"{version}.json").write_text(json.dumps({"of": {"found": float(version.split(".")[1])}}))
    assert exam.release_before(tmp_path, "0.11.0") == ("0.10.0", {"of": {"found": 10.0}})


def test_what_a_set_holds_is_seen_from_its_truth(tmp_path):
    cv2.imwrite(str(tmp_path / "0.png"), np.full((240, 400, 3), 40, np.uint8))
    (tmp_path / "truth.json").write_text(json.dumps({"images": [{"file": "0.png", "cards": []}]}))
    assert "precise" in exam._marks_of(tmp_path)
    (tmp_path / "truth.json").unlink()
    with pytest.raises(BadInput, match="holds no film with its truth"):
        exam._marks_of(tmp_path)


def test_each_simulated_world_is_drawn_as_that_world(monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setattr(exam, "set_stage", lambda wishes: wishes)
    for world in exam.WRITERS:
        monkeypatch.setitem(
            exam.WRITERS, world, lambda stage, _, folder, world=world: drawn.append((world, stage.world))
        )
        exam._make_scene(world, tmp_path, 1)
    assert drawn == [("plain", "plain"), ("varied", "varied")]


def test_a_set_that_is_not_there_is_refused_before_anything_is_measured(monkeypatch):
    monkeypatch.setattr(exam, "examine", lambda *_: pytest.fail("measured all the same"))
    refused = CliRunner().invoke(exam.main, ["--set", "street=/nowhere"], standalone_mode=False)
    assert "NAME=FOLDER" in str(refused.exception)
