"""The owner sets a game up from his phone: a new game, the board learned again, lamps tried, storage, switching off."""

import subprocess

import numpy as np
import pytest

import linesies.device.loop.owner_orders as steward_module
from linesies.calibration import NoBoard
from linesies.device.announcers.signals import meaning_of
from linesies.device.loop.owner_orders import SetUpPaths, Steward
from linesies.device.phones.phones import Phones
from linesies.device.places import camera_file, picture_file, picture_wanted_file
from linesies.device.serving import webdevice
from linesies.device.serving.webdevice import OwnDevice
from linesies.referee.rows import Row
from linesies.referee.saying import Saying
from linesies.vision import Frame, read_caps
from tests import cap_pictures, scenes
from tests.calibrations import plain_calibration
from tests.page_server import Stage
from tests.refereeing import START, quick_journal, referee_on, shot
from tests.test_pairing import joined, post


@pytest.fixture
def referee():
    with quick_journal() as path:
        referee = referee_on(path)
        caps = [{"player": name, "colour": "#111111"} for name in ("ana", "bo", "cy")]
        referee.begin({"board": {"size": [1, 1], "regions": []}, "lines": [], "caps": caps}, START)
        yield referee


def say(referee, order, who="referee:x", **more):
    referee.journal.submit({"order": order, **more}, who)
    return referee.take_orders()


SKULL = {"event": "start", "game": "skull", "players": ["ana", "bo", "cy", "di"], "options": {}}


def test_a_new_game_begins_on_the_same_board(referee):
    referee.see(shot("ana", "1"))
    say(referee, "new_game", start={**START, "players": ["bo", "ana"]})
    assert referee.story.public["turn"] == "bo"
    assert referee.story.entries == ()
    assert [cap["player"] for cap in referee.story.set_up["caps"]] == ["ana", "bo", "cy"]
    say(referee, "new_game", start=SKULL)
    assert referee.story.public["game"] == "skull"
    assert referee.story.rulings


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ({**START, "players": ["ana", "zed"]}, "no cap is known for Zed"),
        ({**START, "options": {"pipsies": -1}}, 'option "pipsies" must be'),
        (None, "a game begins with"),
        ({**SKULL, "players": ["ana"]}, "at least four players are needed"),
    ],
)
def test_a_game_that_cannot_begin_is_refused_in_a_sentence(referee, start, why):
    say(referee, "new_game", start=start)
    assert why in referee.story.refusal["message"]
    assert referee.story.public["game"] == "skully"


def test_the_set_up_is_the_referees_alone(referee):
    say(referee, "new_game", who="player:ana", start=SKULL)
    assert "only the referee's own phone" in referee.story.refusal["message"]


def test_simulated_players_choose_their_own_games_and_their_machine_is_not_switched_off(referee):
    referee.begin({**referee.story.set_up, "source": "sim:street?seed=1"}, START)
    for order, more in (("new_game", {"start": SKULL}), ("shut_down", {})):
        say(referee, order, **more)
        assert "simulat" in referee.story.refusal["message"]


class Eyes:
    calibration = None
    lens = None

    def __init__(self):
        self.given = []
        self.kits = []
        self.has_moved = False

    def recalibrate(self, calibration):
        self.given.append(calibration)

    def rekit(self, caps):
        self.kits.append(caps)

    def look_through_another(self):
        self.has_moved = True


def order_row(order, **more):
    return Row(id=1, at_s=0.0, origin="referee:x", kind="order", about=None, body={"order": order, **more})


FRAME = Frame.from_bgr(np.full((48, 64, 3), 90, np.uint8), number=0, t_s=0.0)


@pytest.fixture
def eyes():
    return Eyes()


@pytest.fixture
def steward(tmp_path, eyes):
    kept = SetUpPaths(state=tmp_path, calibration=tmp_path / "c.json", caps=tmp_path / "caps.json")
    return Steward(eyes, cap_pictures.CAPS, kept=kept, redraw=lambda _: None, rekit=lambda _: None, power_off=["false"])


def test_a_board_found_by_a_chosen_camera_that_cannot_be_kept_is_told_and_ends_no_game(tmp_path, eyes):
    eyes.calibration = plain_calibration()
    kept = SetUpPaths(state=tmp_path, calibration=tmp_path / "nowhere" / "c.json", caps=tmp_path / "caps.json")
    steward = Steward(eyes, (), kept=kept, redraw=lambda _: None, rekit=lambda _: None)
    steward.take([order_row("camera", source="v4l2:2")])
    assert [(trouble.who, trouble.is_over) for trouble in steward.found_again()] == [("board", False)]


def test_a_picture_is_made_while_somebody_looks_and_not_otherwise(steward, tmp_path, monkeypatch):
    monkeypatch.setattr(steward_module, "LOOK_EVERY_S", -1.0)
    steward.see(FRAME)
    assert not picture_file(tmp_path).exists()
    own = OwnDevice(tmp_path)
    assert own.picture() is None
    assert picture_wanted_file(tmp_path).exists()
    steward.see(FRAME)
    assert own.picture().startswith(b"\xff\xd8")
    free, whole = own.storage()
    assert 0 < free <= whole


def test_a_picture_that_cannot_be_kept_is_told_once_and_so_is_that_it_can_again(steward, tmp_path, monkeypatch):
    monkeypatch.setattr(steward_module, "PICTURE_EVERY_S", -1.0)
    OwnDevice(tmp_path).picture()
    in_the_way = picture_file(tmp_path).with_suffix(".new")
    in_the_way.mkdir()
    told = [[(trouble.who, trouble.is_over) for trouble in steward.see(FRAME)] for _ in range(3)]
    assert told == [[("picture", False)], [], []]
    in_the_way.rmdir()
    told = [[(trouble.who, trouble.is_over) for trouble in steward.see(FRAME)] for _ in range(2)]
    assert told == [[("picture", True)], []]


def test_corners_that_are_none_are_told_and_end_nothing(steward, eyes):
    before = eyes.calibration
    for corners in ([[9, 9], [1, 1], [9, 1], [1, 9]], [[1, 1]] * 4, [[1, 9], [9, 9], [9, 1], [1, 1]], [[1e9, 1]] * 4):
        steward.take([order_row("calibrate", corners=corners)])
        assert [trouble.saying.code for trouble in steward.see(FRAME)] == ["board_taps"]
    assert eyes.calibration is before


def test_the_board_is_learned_again_from_four_corners_or_it_is_said_why_not(steward, eyes, tmp_path, monkeypatch):
    class Found:
        pass

    class View:
        lens = None

    eyes.calibration = type("Known", (), {"board": "board", "view": View})
    asked = []
    monkeypatch.setattr(steward_module, "Calibration", Found)
    monkeypatch.setattr(steward_module, "write_calibration", lambda found, path: path.write_text("written"))
    monkeypatch.setattr(steward_module, "set_up_json", lambda *_: {})
    monkeypatch.setattr(steward_module, "advice_json", lambda *_: [])
    monkeypatch.setattr(steward_module, "calibrate", lambda *_, **more: asked.append(more["corners_px"]) or Found())
    corners = [[1, 1], [9, 1], [9, 9], [1, 9]]
    steward.take([order_row("calibrate", corners=corners)])
    assert [trouble.is_over for trouble in steward.see(FRAME)] == [True]
    assert asked[0].tolist() == corners
    assert len(eyes.given) == 1
    assert (tmp_path / "c.json").read_text() == "written"
    monkeypatch.setattr(steward_module, "calibrate", lambda *_, **__: NoBoard(code="partly", reason="no board there"))
    steward.take([order_row("calibrate", corners=None)])
    assert [trouble.message for trouble in steward.see(FRAME)] == [str(Saying("board_partly", why="no board there"))]
    assert len(eyes.given) == 1


TAPPED = {"player": "ana", "kind": "crown", "diameter": 32.0}


@pytest.fixture
def street(eyes):
    """Eyes over a board on which two caps lie; gives the frame and where each cap is seen."""
    eyes.calibration = cap_pictures.calibration()
    places = {cap_pictures.RED: (150.0, 300.0), cap_pictures.BLUE: (450.0, 200.0)}
    picture = cap_pictures.picture(eyes.calibration, list(places.items()))
    seen = eyes.calibration.view.mm_to_px(np.array(list(places.values())), 6.0)
    return Frame.from_bgr(picture, number=0, t_s=0.0), [list(map(float, xy)) for xy in seen]


def test_caps_are_named_by_tapping_them_on_the_picture(steward, eyes, street, tmp_path):
    frame, (red, blue) = street
    picked = [{**TAPPED, "xy": red}, {**TAPPED, "player": "bo", "kind": "lid", "diameter": 40.0, "xy": blue}]
    steward.take([order_row("caps", caps=picked)])
    told = [(trouble.who, trouble.is_over) for trouble in steward.see(frame)]
    assert told == [("caps", True), ("cap sizes", True)]
    [kit] = eyes.kits
    assert kit == read_caps(tmp_path / "caps.json")
    ana, bo = kit
    assert (ana.player, ana.diameter_mm, ana.height_mm, bo.kind) == ("ana", 32.0, 6.0, "lid")
    assert ana.colour_rgb[0] > 1.5 * max(ana.colour_rgb[1:])
    assert bo.colour_rgb[2] > 1.2 * max(bo.colour_rgb[:2])
    assert steward.see(frame) == []


@pytest.mark.parametrize("diameter_mm", [8.0, 60.0])
def test_a_cap_of_a_size_that_the_book_does_not_know_is_said_and_taken(steward, eyes, street, diameter_mm):
    frame, (red, _) = street
    steward.take([order_row("caps", caps=[{**TAPPED, "xy": red, "diameter": diameter_mm}])])
    assert [(trouble.who, trouble.is_over) for trouble in steward.see(frame)] == [("caps", True), ("cap sizes", False)]
    assert eyes.kits[0][0].diameter_mm == diameter_mm


@pytest.mark.parametrize(("xy", "why"), [([60.0, 400.0], "nothing lies there"), ([-90.0, 9.0], "outside the picture")])
def test_a_tap_beside_every_cap_is_told_and_changes_nothing(steward, eyes, street, tmp_path, xy, why):
    steward.take([order_row("caps", caps=[{**TAPPED, "xy": xy}])])
    [trouble] = steward.see(street[0])
    assert why in trouble.message
    assert eyes.kits == []
    assert not (tmp_path / "caps.json").exists()


def test_everyone_who_plays_needs_a_cap_and_only_the_referee_names_them(referee):
    caps = [{**TAPPED, "xy": [1.0, 2.0]}]
    say(referee, "caps", caps=caps)
    assert "Bo and Cy plays" in referee.story.refusal["message"]
    say(referee, "caps", caps=[*caps, *caps])
    assert "one cap for each" in referee.story.refusal["message"]
    say(referee, "caps", who="player:ana", caps=caps)
    assert "only the referee's own phone" in referee.story.refusal["message"]
    say(referee, "caps", caps=[{**TAPPED, "player": name, "xy": [1.0, 2.0]} for name in START["players"]])
    assert referee.journal.rows_after(0)[-1].body["caps"][2]["player"] == "cy"


def test_another_camera_is_opened_and_kept_once_it_has_found_the_board(steward, eyes, tmp_path, monkeypatch):
    monkeypatch.setattr(steward_module, "write_calibration", lambda found, path: path.write_text("written"))
    monkeypatch.setattr(steward_module, "set_up_json", lambda *_: {})
    monkeypatch.setattr(steward_module, "advice_json", lambda *_: [])
    assert steward.camera("picamera2") == "picamera2"
    assert steward.found_again() == []
    steward.take([order_row("camera", source="v4l2:2")])
    assert [steward.has_new_camera(), steward.has_new_camera()] == [True, False]
    assert eyes.has_moved
    assert steward.camera("picamera2") == "v4l2:2"
    assert not camera_file(tmp_path).exists()
    eyes.calibration = "found again"
    assert [trouble.is_over for trouble in steward.found_again()] == [True]
    assert steward.camera("picamera2") == "v4l2:2"
    assert steward.camera("picamera2:1") == "picamera2:1"  # settings name another one since


@pytest.mark.parametrize("source", ["/etc/passwd", "rtsp://elsewhere/", "sim:street", "v4l2:1x", 7])
def test_only_cameras_of_this_box_can_be_chosen(referee, source):
    say(referee, "camera", source=source)
    assert "makes no sense here (Expected `str`" in referee.story.refusal["message"]
    assert referee.journal.rows_after(0)[-2].body["refused"]


def test_a_machine_that_may_not_be_switched_off_says_so(steward, monkeypatch):
    assert "may not be switched off" in steward.take([order_row("shut_down")])[0].message
    calls = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: calls.append(command))
    assert steward.take([order_row("shut_down")]) == []
    assert steward.take([order_row("shut_down", refused=True)]) == []
    assert calls == [["false"]]


def test_a_test_lights_every_lamp_and_sounds_the_buzzer():
    assert meaning_of([order_row("test")]) == "trouble"
    assert meaning_of([order_row("test", refused=True)]) is None


def test_the_cameras_of_this_machine_are_listed_and_a_pis_inner_parts_are_not(tmp_path, monkeypatch):
    parts = {
        "video0": ("unicam-image", 0),
        "video8": ("HD Webcam", 0),
        "video9": ("HD Webcam", 1),
        "v4l-subdev0": ("imx708 10-001a", 0),
        "v4l-subdev1": ("dw9807 10-000c", 0),
    }
    for folder, (name, index) in parts.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "name").write_text(f"{name}\n")
        (tmp_path / folder / "index").write_text(f"{index}\n")
    monkeypatch.setattr(webdevice, "VIDEO", tmp_path)
    camera_file(tmp_path).write_text("v4l2:8 instead of picamera2")
    assert OwnDevice(tmp_path).cameras() == [
        {"source": "picamera2:0", "name": "imx708", "is_chosen": False},
        {"source": "v4l2:8", "name": "HD Webcam", "is_chosen": True},
    ]


class Machine:
    def __init__(self):
        self.jpeg = None

    def picture(self):
        return self.jpeg

    def found_caps(self):
        return []

    def storage(self):
        return 5, 10

    def cameras(self):
        return [{"source": "v4l2:0", "name": "a webcam", "is_chosen": True}]


def test_pictures_and_storage_are_the_referees_alone(tmp_path):
    stage, machine = Stage(), Machine()
    scenes.playing(stage)
    phones = Phones(tmp_path / "phones.sqlite")
    app = stage.app(doorkeeper=phones, device=machine)
    ana, referee = app.test_client(), app.test_client()
    joined(ana, phones, "ana")
    joined(referee, phones, "")
    for path in ("/camera.jpg", "/caps", "/storage", "/cameras"):
        assert ana.get(path).status_code == 403
    assert referee.get("/storage").json == {"free": 5, "whole": 10}
    assert referee.get("/cameras").json["cameras"][0]["source"] == "v4l2:0"
    assert referee.get("/camera.jpg").status_code == 503
    machine.jpeg = b"\xff\xd8picture"
    assert referee.get("/camera.jpg").data == machine.jpeg
    for order in ({"order": "test"}, {"order": "calibrate", "corners": [[1, 2]] * 4}, {"order": "shut_down"}):
        assert post(ana, "/orders", order).json["code"] == "referee_only"
        assert post(referee, "/orders", order).status_code == 202


def test_games_are_told_with_what_each_option_means_and_how_to_choose():
    client = Stage().app().test_client()
    games = {game["name"]: game for game in client.get("/games").json["games"]}
    assert list(games) == ["skully", "skull", "skull_king", "skipbo"]
    options = {option["name"]: option for option in games["skully"]["options"]}
    assert options["linesies"]["kind"] == "switch"
    assert options["pipsies"]["kind"] == "number"
    assert options["early_hits"]["choices"] == ["start_over", "allowed"]
    assert {option["name"]: option for option in games["skull"]["options"]}["decks"]["choices"] == [1, 3]
    spanish = client.get("/games?lang=es").json["games"][0]
    assert "las líneas" in spanish["options"][0]["means"]
