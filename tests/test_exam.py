"""One exam of all sets with truth: each world's figures stand beside those of the release before."""

import json
import re
from dataclasses import replace
from pathlib import Path

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
    for name, world in exam.WORLDS.items():
        noted = replace(
            world, write=lambda stage, _, folder, name=name: drawn.append((name, stage.world, stage.ground))
        )
        exam._make_scene(noted, tmp_path, 1)
    assert drawn == [
        ("plain", "plain", None),
        ("varied", "varied", None),
        ("varied, on photographs", "varied", "photograph"),
    ]


def test_a_set_that_is_not_there_is_refused_before_anything_is_measured(monkeypatch):
    monkeypatch.setattr(exam, "examine", lambda *_: pytest.fail("measured all the same"))
    refused = CliRunner().invoke(exam.main, ["--set", "street=/nowhere"], standalone_mode=False)
    assert "NAME=FOLDER" in str(refused.exception)


MEASURED = re.compile(r"\d+(?:\.\d+)?(?= ?(?:%|px\b|mm\b|ms\b|s\b|fps\b|frames a second))|\d+ of \d[\d,]*")


def figures_in(text):
    """List what a text tells as measured: shares, lengths, times, paces, and how many of how many."""
    return MEASURED.findall(text)


def test_readme_tells_no_figure_that_the_exam_does_not_print():
    printed = {
        f"{value:g}"
        for kept in exam.KEPT.glob("*.json")
        for world in json.loads(kept.read_text()).values()
        for value in world.values()
    }
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    assert not set(figures_in(readme)) - printed


def test_a_figure_is_seen_in_whatever_unit_it_is_told():
    told = "97 % of caps lie within 0.8 px, in 40 ms; none of 302 calls was wrong, 5 of 6 found, at 55 frames a second"
    assert figures_in(told) == ["97", "0.8", "40", "5 of 6", "55"]
    assert not figures_in("with Python 3.11 in 2026, on port 8100; two to eight play")
