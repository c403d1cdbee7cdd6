import json

import cv2
import pytest
from click.testing import CliRunner

from linesies.calibration import write_calibration
from linesies.device.cli import linesies
from linesies.vision.shots import measurer
from tests.flicks import CAPS, Drawn, DrawnJudge, calibration

START = {"event": "start", "game": "skully", "players": ["ana", "bo", "cal"], "options": {}}


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Lay out a folder with a film of one shot and what the command needs besides."""
    monkeypatch.setattr(measurer, "Judge", DrawnJudge)
    write_calibration(calibration(), tmp_path / "calibration.json")
    caps = [
        {
            "player": cap.player,
            "colour": "#{:02x}{:02x}{:02x}".format(*cap.colour_rgb),
            "diameter": cap.diameter_mm,
            "height": cap.height_mm,
        }
        for cap in CAPS
    ]
    (tmp_path / "caps.json").write_text(json.dumps({"caps": caps}))
    (tmp_path / "start.json").write_text(json.dumps(START))
    (tmp_path / "film").mkdir()
    cv2.imwrite(str(tmp_path / "film" / "0000.png"), calibration().empty_bgr)
    return tmp_path


@pytest.fixture
def filmed(table):
    """Lay a film of one shot beside it."""
    (table / "film" / "fps.txt").write_text("60")
    film = Drawn().still(20).slide({"ana": ((260, 380), 0)}, frames=12).still(32)
    for frame in film.frames:
        cv2.imwrite(str(table / "film" / f"{frame.number:04d}.png"), frame.bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return table


def watch(table, *more, source="film"):
    files = ["--calibration", str(table / "calibration.json"), "--caps", str(table / "caps.json")]
    return CliRunner().invoke(linesies, ["watch", str(table / source), *files, *more])


def test_each_event_is_a_line_and_with_a_game_its_rulings_follow(filmed):
    done = watch(filmed, "--game", str(filmed / "start.json"))
    shot, *rulings = (json.loads(line) for line in done.stdout.splitlines())
    assert (shot["event"], shot["player"], shot["hits"], shot["rest"]) == ("shot", "ana", [], {"ana": "1"})
    assert shot["t_start"] < shot["t_end"]
    assert set(shot["calls"]["ana"]) >= {"x", "y", "location", "gap", "sigma", "certain"}
    assert rulings
    assert all(set(line) == {"ruling"} for line in rulings)


def test_caps_that_look_alike_are_said_to(table):
    caps = json.loads((table / "caps.json").read_text())["caps"]
    caps[2] |= {"colour": caps[0]["colour"], "diameter": caps[0]["diameter"] + 2}
    assert "look alike" not in watch(table).stderr
    (table / "caps.json").write_text(json.dumps({"caps": caps}))
    assert "ana's and cal's caps look alike" in watch(table).stderr


def test_an_event_that_the_rules_refuse_is_followed_by_why(filmed):
    (filmed / "start.json").write_text(json.dumps({**START, "players": ["bo", "cal"]}))
    done = watch(filmed, "--game", str(filmed / "start.json"))
    shot, refused = (json.loads(line) for line in done.stdout.splitlines())
    assert shot["player"] == "ana"
    assert refused["refused"]["code"] == "unknown_player"


def test_watching_stops_at_a_picture_of_another_size_and_keeps_what_was_told(filmed):
    cv2.imwrite(str(filmed / "film" / "0070.png"), calibration().empty_bgr[:200])
    done = watch(filmed)
    assert type(done.exception).__name__ == "BadInput"
    assert json.loads(done.stdout.splitlines()[0])["player"] == "ana"


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ({"event": "start", "game": "skull", "players": ["ana"]}, "players"),
        ({"event": "start", "game": "skully", "players": []}, "players"),
        ([], "start"),
    ],
)
def test_a_start_that_cannot_be_watched_is_bad_input(table, start, said):
    (table / "start.json").write_text(json.dumps(start))
    done = watch(table, "--game", str(table / "start.json"))
    assert type(done.exception).__name__ in ("BadInput", "BadStart")
    assert said in str(done.exception)


def test_a_missing_start_is_bad_input(table):
    done = watch(table, "--game", str(table / "nowhere.json"))
    assert type(done.exception).__name__ == "BadInput"
