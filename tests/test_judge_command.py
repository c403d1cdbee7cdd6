"""`linesies judge`: one line of JSON a frame, evidence on request, one clear line for wrong input."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import write_calibration
from linesies.device.cli import INPUT_FAULTS, linesies
from tests import cap_pictures
from tests.cap_pictures import CAPS, RED


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judge")
    calibration = cap_pictures.calibration()
    write_calibration(calibration, folder / "calibration.json")
    caps = [
        {
            "player": cap.player,
            "colour": "#{:02x}{:02x}{:02x}".format(*cap.colour_rgb),
            "diameter": cap.diameter_mm,
            "height": cap.height_mm,
            "kind": cap.kind,
        }
        for cap in CAPS
    ]
    (folder / "caps.json").write_text(json.dumps({"caps": caps}))
    picture = cap_pictures.picture(calibration, [(RED, (180.0, 180.0))])
    cv2.imwrite(str(folder / "frame.png"), picture)
    (folder / "frames").mkdir()
    for number in range(2):
        cv2.imwrite(str(folder / "frames" / f"{number:04d}.png"), picture)
    cv2.imwrite(str(folder / "small.png"), np.zeros((48, 64, 3), np.uint8))
    return folder


def judge(table, source, *more):
    settings = ["--calibration", str(table / "calibration.json"), "--caps", str(table / "caps.json")]
    return CliRunner().invoke(linesies, ["judge", str(table / source), *settings, *more])


def test_each_frame_is_one_line_with_the_contracts_keys(table):
    outcome = judge(table, "frames")
    lines = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [line["frame"] for line in lines] == [0, 1]
    (call,) = lines[0]["caps"]
    assert set(call) == {"player", "x", "y", "diameter", "location", "gap", "sigma", "certain"}
    assert call["player"] == "ana"
    assert lines[0]["unknown"] == []


def test_evidence_keeps_a_picture_of_each_call_and_the_raw_frame(table, tmp_path):
    assert judge(table, "frame.png", "--evidence", str(tmp_path / "evidence")).exit_code == 0
    assert sorted(path.name for path in (tmp_path / "evidence").iterdir()) == ["000000-ana.jpg", "000000.jpg"]
    drawn = cv2.imread(str(tmp_path / "evidence" / "000000-ana.jpg"))
    assert min(drawn.shape[:2]) >= 400


def test_a_picture_of_the_wrong_size_is_refused_with_its_name_and_both_sizes(table):
    fault = judge(table, "small.png").exception
    assert type(fault).__name__ in INPUT_FAULTS
    for words in ("small.png", "64x48", "640x480", "calibration.json"):
        assert words in str(fault)


def test_an_evidence_folder_that_cannot_be_made_is_refused(table):
    fault = judge(table, "frame.png", "--evidence", str(table / "caps.json" / "evidence")).exception
    assert type(fault).__name__ in INPUT_FAULTS
    assert "evidence" in str(fault)
