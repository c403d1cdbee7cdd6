"""Every public scene and clip runs to its end with sane results; the precise figures are the scorers' business."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from linesies import rules
from tests.public_data import SKULLY, need_public_data
from tests.thorough import cases

# What can truly be said of a film whose players place and shoot as they like, while nobody answers for them.
TRUE_REFUSALS = {"not_your_turn", "not_in_box", "must_place", "bad_place", "awaiting_choice", "player_out", "game_over"}

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module", autouse=True)
def _data():
    need_public_data()


def linesies(*args: object) -> str:
    command = [sys.executable, "-m", "linesies", *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def calibrate(folder: Path, into: Path) -> dict:
    corners = (folder / "corners.txt").read_text().split()
    said = linesies("calibrate", folder / "empty.jpg", "--board", folder / "board.json", "--lens", folder / "lens.json",
                    "--corners", *corners, "-o", into)  # fmt: skip
    return json.loads(said)


@pytest.mark.parametrize("name", cases(["p01", "p03"], more=["p02", "p04"]))
def test_a_scene_is_calibrated_and_judged(name, tmp_path):
    folder = SKULLY / "stills" / name
    truth = json.loads((folder / "truth.json").read_text())
    said = calibrate(folder, tmp_path / "calibration.json")
    assert said["ok"] is True
    assert said["reprojection_px"] < 3.0  # about straight lines; the paint is crooked
    assert abs(said["camera"]["height"] / truth["camera"]["height"] - 1) < 0.02
    assert abs(said["camera"]["tilt"] - truth["camera"]["tilt"]) < 1.0
    frame = truth["frames"][0]
    judged = json.loads(linesies("judge", folder / frame["file"], "--calibration", tmp_path / "calibration.json",
                                 "--caps", folder / "caps.json"))  # fmt: skip
    assert judged["frame"] == 0
    assert len(judged["caps"]) >= len(frame["caps"]) - 1
    for cap in judged["caps"]:
        assert cap["sigma"] > 0


@pytest.mark.parametrize("n", cases([4], more=[1, 2, 3, 5, 6, 7, 8]))  # 4: one cap rolls out of the picture
def test_a_clip_gives_a_game_with_every_shot_whose_lines_are_accepted_or_refused_for_a_true_reason(n, tmp_path):
    folder = SKULLY / "clips" / f"pc{n}"
    calibrate(folder, tmp_path / "calibration.json")
    told = linesies("watch", folder / "clip.mp4", "--calibration", tmp_path / "calibration.json",
                    "--caps", folder / "caps.json")  # fmt: skip
    events = [json.loads(line) for line in told.splitlines()]
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()[1:]]
    shots, true_shots = ([e for e in one if e["event"] == "shot"] for one in (events, truth))
    assert [shot["player"] for shot in shots] == [shot["player"] for shot in true_shots]
    assert [e["t_end"] for e in shots] == sorted(e["t_end"] for e in shots)
    game, state, _ = rules.start(json.loads((folder / "start.json").read_text()))
    for event in events:
        if event["event"] == "camera_moved":
            continue
        answer = game.apply(state, event)
        if isinstance(answer, rules.Refused):
            assert answer.code in TRUE_REFUSALS, (event, answer)
        else:
            state = answer[0]


@pytest.mark.takes_turns(seconds=25)
def test_watch_pipes_into_rule(tmp_path):
    folder = SKULLY / "clips" / "pc1"
    calibrate(folder, tmp_path / "calibration.json")
    told = linesies("watch", folder / "clip.mp4", "--calibration", tmp_path / "calibration.json",
                    "--caps", folder / "caps.json")  # fmt: skip
    lines = io.StringIO((folder / "start.json").read_text().strip() + "\n" + told)
    ruled = subprocess.run([sys.executable, "-m", "linesies", "rule", "-"], input=lines.getvalue(), capture_output=True,
                           text=True, timeout=60, check=True)  # fmt: skip
    answers = [json.loads(line) for line in ruled.stdout.splitlines()]
    assert len(answers) == len(told.splitlines()) + 1
    assert all(a["ok"] or a["error"]["code"] in TRUE_REFUSALS | {"bad_event"} for a in answers)
