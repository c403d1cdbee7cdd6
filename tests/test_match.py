"""The loop: what eyes see is refereed, cameras that break are opened again, pictures and the moment follow."""

from pathlib import Path

import numpy as np
import pytest

from linesies.device.announcers.drawings import draw_calls
from linesies.device.announcers.evidence import Evidence
from linesies.device.announcers.evidence_store import Shelf
from linesies.device.errors import CameraFailed
from linesies.device.live_state import MomentWriter, read_moment
from linesies.device.loop.match import Match
from linesies.referee.saying import Saying, Trouble
from linesies.vision import CameraLeaned, CameraMoved, Cap, Drawn, Frame, Scene
from tests.calibrations import plain_calibration
from tests.refereeing import Listener, call, codes, placed, referee_on, shot


class ScriptedEyes:
    """Sees at each frame's number what its script has for it."""

    def __init__(self, script):
        self.script = script
        self.calibration = plain_calibration()
        self.has_moved = False
        self.expected = []
        self.forgotten = self.corrected = 0
        self.scene = Scene(t_s=0.0, is_at_rest=True, caps_mm={"ana": (1.04, 2.0)})

    def prepared(self, frame):
        return frame

    def see(self, frame):
        events = self.script.get(frame.number, ())
        self.has_moved = self.has_moved or any(isinstance(event, CameraMoved) for event in events)
        return tuple(events)

    def finish(self):
        return tuple(self.script.get("end", ()))

    def expect(self, expectation):
        self.expected.append((expectation.shooter, dict(expectation.placing)))
        self.put_back = expectation.put_back

    def has_found_board_again(self, frame):
        if frame.number >= 5:
            self.has_moved = False
        return not self.has_moved

    def forget(self):
        self.forgotten += 1

    def stand_corrected(self):
        self.corrected += 1


class ScriptedSource:
    """Gives frames of these numbers, then raises what it is told to."""

    is_live = False

    def __init__(self, numbers, fault=None):
        self.numbers = numbers
        self.fault = fault

    def frames(self):
        for number in self.numbers:
            yield Frame.from_bgr(np.zeros((4, 4, 3), np.uint8), number=number, t_s=number / 60)
        if self.fault is not None:
            raise self.fault

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture
def ears():
    return Listener()


@pytest.fixture
def referee(tmp_path, ears):
    return referee_on(tmp_path / "journal.sqlite", ears)


def test_what_is_seen_is_ruled_on_to_the_source_s_end(referee):
    eyes = ScriptedEyes({3: [shot("ana", "1")], "end": [shot("ana", "open")]})
    assert not Match(eyes, referee).follow(ScriptedSource(range(10)))
    assert codes(referee) == [["box_made", "shoot_again"], ["turn_over", "next_turn"]]


def test_eyes_are_told_whose_shot_is_next_and_who_is_to_place_his_cap(referee):
    script = {
        1: [shot("ana", "1")],
        2: [shot("ana", "2")],
        3: [shot("ana", "open", hits=["bo"], others=[call("bo", "open")])],
        4: [placed("ana", "3")],
        5: [shot("ana", "open")],
    }
    eyes = ScriptedEyes(script)
    Match(eyes, referee).follow(ScriptedSource(range(8)))
    assert eyes.expected[0] == ("ana", {})
    assert ("ana", {"ana": "3"}) in eyes.expected
    assert eyes.expected[-1] == ("bo", {})


def test_a_cap_that_goes_back_by_choice_is_expected_to_be_put_back_until_something_else_happens(referee):
    early = shot("bo", "open", hits=["ana"], others=(call("ana", "9"),))
    eyes = ScriptedEyes({1: [shot("ana", "open")], 2: [early], 6: [placed("ana", "open")]})
    match = Match(eyes, referee)
    match.follow(ScriptedSource(range(4)))
    assert eyes.put_back == frozenset()
    choice = {"event": "choice", "player": "ana", "choice": "back"}
    referee.journal.submit({"order": "event", "event": choice}, "phone")
    match.follow(ScriptedSource(range(4, 6)))
    assert eyes.put_back == {"ana"}
    match.follow(ScriptedSource(range(6, 8)))
    assert eyes.put_back == frozenset()


def test_the_loop_ends_with_the_game(referee):
    referee.journal.submit({"order": "event", "event": {"event": "leave", "player": "bo"}}, "phone")
    referee.journal.submit({"order": "event", "event": {"event": "leave", "player": "cy"}}, "phone")
    source = ScriptedSource(range(100), fault=AssertionError("read on after the end"))
    assert Match(ScriptedEyes({}), referee).follow(source)
    assert referee.story.public["winner"] == "ana"


def test_a_camera_that_breaks_is_told_once_and_opened_again(referee, monkeypatch):
    monkeypatch.setattr("linesies.device.loop.match.REOPEN_S", 0.01)
    fault = CameraFailed("v4l2:0: no frame for 2 s; check the camera and its cable")
    sources = iter([ScriptedSource(range(2), fault), fault, ScriptedSource([], fault), ScriptedSource(range(2))])

    def open_source():
        source = next(sources)
        if isinstance(source, CameraFailed):
            raise source
        return source

    eyes = ScriptedEyes({1: [shot("ana", "open")]})
    assert not Match(eyes, referee).follow_live(open_source)
    told = [row.body["event"] for row in referee.journal.rows_after(2) if row.kind == "camera"]
    assert told == ["camera_lost", "camera_back", "camera_lost", "camera_back"]
    assert eyes.forgotten == 3
    assert len(referee.story.entries) == 2


def test_orders_are_taken_while_the_camera_is_away(referee):
    referee.journal.submit({"order": "event", "event": {"event": "pause"}}, "phone")
    Match(ScriptedEyes({}), referee).serve_for(0.01)
    assert referee.story.public["phase"] == "paused"


def test_a_camera_that_is_opened_for_a_second_game_is_looked_through_afresh(referee):
    def quiet():
        return ScriptedSource(range(2))

    eyes = ScriptedEyes({})
    match = Match(eyes, referee)
    match.follow_live(quiet, lambda: True)
    before = eyes.forgotten
    match.follow_live(quiet, lambda: True)
    assert eyes.forgotten == before + 1
    assert not [row for row in referee.journal.rows_after(0) if row.kind == "camera"]


def test_eyes_that_missed_or_invented_something_are_told(referee):
    eyes = ScriptedEyes({1: [shot("ana", "1")]})
    match = Match(eyes, referee)
    match.follow(ScriptedSource(range(3)))
    missed = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "open"}}
    for order, corrected in (
        ({"order": "event", "event": {"event": "pause"}}, 0),
        ({"order": "event", "event": {"event": "resume"}}, 0),
        ({"order": "event", "event": missed}, 1),
        ({"order": "amend", "about": referee.story.entries[0].row, "event": missed}, 1),
        ({"order": "undo"}, 2),
    ):
        referee.journal.submit(order, "phone")
        match.serve_for(0.001)
        assert eyes.corrected == corrected
    assert eyes.forgotten == 0


def test_a_wish_of_which_eyes_would_look_afresh_lets_them_look_on_until_it_is_agreed_to(referee):
    eyes = ScriptedEyes({1: [shot("ana", "1")]})
    match = Match(eyes, referee)
    match.follow(ScriptedSource(range(3)))
    referee.journal.submit({"order": "undo"}, "player:bo")
    match.serve_for(0.001)
    assert (len(referee.story.motions), eyes.corrected) == (1, 0)
    referee.journal.submit({"order": "agree", "about": referee.story.motions[0].row}, "referee:ab12cd")
    match.serve_for(0.001)
    assert eyes.corrected == 1


@pytest.mark.parametrize("state", ["lost", "moved", "slow"])
def test_what_was_wrong_with_the_camera_before_a_restart_is_taken_back_once_it_sees(referee, monkeypatch, state):
    monkeypatch.setattr(ScriptedSource, "is_live", True)
    referee.tell_camera(f"camera_{state}", "Something was wrong.")
    Match(ScriptedEyes({}), referee).follow_live(lambda: ScriptedSource(range(3)))
    assert referee.story.camera["event"] == "camera_back"


def test_a_moved_camera_is_told_and_play_goes_on_when_the_board_is_found(referee, tmp_path):
    moment = MomentWriter(referee.journal.path, dict)
    match = Match(ScriptedEyes({2: [CameraMoved(t_s=0.03)]}), referee, moment=moment)
    match.follow(ScriptedSource(range(4)))
    assert referee.story.camera["event"] == "camera_moved"
    assert match._now()["camera"] == "moved"
    match.follow(ScriptedSource(range(4, 8)))
    assert referee.story.camera["event"] == "camera_back"
    assert match._now()["camera"] == "ok"


def test_the_moment_tells_where_caps_are_and_who_is_in_the_air(referee):
    eyes = ScriptedEyes({})
    match = Match(eyes, referee, moment=MomentWriter(referee.journal.path, lambda: {"in": "off"}))
    match.follow(ScriptedSource(range(3)))
    told = read_moment(referee.journal.path)
    assert told["caps"] == {"ana": [1.0, 2.0]}
    assert told["at_rest"] is True
    assert told["in_air"] is None
    assert told["signals"] == {"in": "off"}
    eyes.scene = Scene(t_s=1.0, is_at_rest=False)
    assert match._now()["in_air"] == "ana"


def test_a_game_that_is_over_can_be_opened_again_by_an_undo(referee):
    for name in ("bo", "cy"):
        referee.journal.submit({"order": "event", "event": {"event": "leave", "player": name}}, "phone")
    match = Match(ScriptedEyes({}), referee)
    match.serve_for(0.01)
    assert referee.is_over
    referee.journal.submit({"order": "undo"}, "phone")
    match.serve_while_over()
    assert referee.has_game


class IdleSteward:
    """A steward of whom nobody orders anything; counts the frames that he sees."""

    is_proving = is_looking = False
    frames = 0

    def take(self, _rows):
        return []

    def learned(self):
        return []

    def see(self, _frame):
        self.frames += 1
        return []


class Proving(IdleSteward):
    """A steward whose owner proves the box until the third frame."""

    @property
    def is_proving(self):
        return self.frames < 3

    def has_new_camera(self):
        return False


def test_while_the_box_is_proved_nothing_counts_and_then_it_looks_afresh(referee):
    eyes = ScriptedEyes({1: [shot("ana", "1")], 4: [shot("ana", "2")]})
    Match(eyes, referee, steward=Proving()).follow(ScriptedSource(range(6)))
    assert [entry.event["rest"] for entry in referee.story.entries if "rest" in entry.event] == [{"ana": "2"}]
    assert eyes.forgotten == 1


def test_after_a_game_the_camera_is_opened_for_whoever_needs_it(referee):
    for name in ("bo", "cy"):
        referee.journal.submit({"order": "event", "event": {"event": "leave", "player": name}}, "phone")
    steward = Proving()
    match = Match(ScriptedEyes({}), referee, steward=steward)
    match.serve_for(0.01)
    assert match.is_over
    steward.is_looking = True
    assert not match.is_over


class Learning(Proving):
    """A steward whose game's cards are being learned, which is done as soon as somebody asks."""

    is_proving = False

    def learned(self):
        return [Trouble("cards", Saying("cards_again", {"cards": ["7"]}))]


def test_cards_are_learned_to_the_end_although_the_game_is_over_and_no_frame_comes(referee):
    for name in ("bo", "cy"):
        referee.journal.submit({"order": "event", "event": {"event": "leave", "player": name}}, "phone")
    match = Match(ScriptedEyes({}), referee, steward=Learning())
    match.serve()
    assert match.is_over
    referee.journal.submit({"order": "undo"}, "phone")
    match.serve_while_over()
    assert referee.story.troubles["cards"]["said"]["details"] == {"cards": ["7"]}


def caps(*names):
    return [Cap(player=name, colour_rgb=(1, 2, 3), diameter_mm=26.0, height_mm=6.0) for name in names]


def test_each_ruled_shot_gets_pictures_and_only_the_newest_are_kept(referee, tmp_path):
    drawn = []

    def draw(_bgr, _calibration, call, cap):
        drawn.append((call.player, cap.player))
        return Drawn(seen=np.zeros((8, 8, 3), np.uint8), drawn=np.zeros((8, 8, 3), np.uint8))

    shelf = Shelf(tmp_path / "evidence", pictures=2, clips=0, megabytes=1)
    evidence = Evidence(shelf, draw_calls(caps("ana", "bo", "cy"), draw))
    script = {i: [shot(name, "open")] for i, name in enumerate(["ana", "bo", "cy"])}
    match = Match(ScriptedEyes(script), referee, evidence=evidence)
    match.follow(ScriptedSource(range(4)))
    evidence.close()
    match.serve()
    assert drawn == [("ana", "ana"), ("bo", "bo"), ("cy", "cy")]
    pictures = [referee.story.evidence[entry.about]["pictures"] for entry in referee.story.entries]
    assert [list(names) for names in pictures] == [["ana"], ["bo"], ["cy"]]
    kept = [path.stem for kind in ("jpg", "webp") for path in sorted(shelf.folder.glob(f"*.{kind}"))]
    assert kept == 2 * [Path(pictures[1]["bo"]).stem, Path(pictures[2]["cy"]).stem]


def test_a_picture_that_cannot_be_drawn_costs_no_ruling(referee, tmp_path):
    def draw(*_):
        raise ValueError("no such spot")

    shelf = Shelf(tmp_path / "evidence", pictures=2, clips=0, megabytes=1)
    evidence = Evidence(shelf, draw_calls(caps("ana"), draw))
    match = Match(ScriptedEyes({1: [shot("ana", "open")]}), referee, evidence=evidence)
    match.follow(ScriptedSource(range(3)))
    evidence.close()
    match.serve()
    assert len(referee.story.entries) == 1
    assert [row.body["message"] for row in referee.journal.rows_after(0) if row.kind == "trouble"] == [
        "a picture or clip could not be made (ValueError: no such spot)"
    ]


def test_what_fails_beside_the_game_is_told(referee):
    match = Match(ScriptedEyes({}), referee, watches=[lambda: [Trouble("page", Saying("page_ended"))]])
    match.follow(ScriptedSource(range(1)))
    assert [row.origin for row in referee.journal.rows_after(0) if row.kind == "trouble"] == ["page"]


class CameraChooser(IdleSteward):
    """A steward whose owner chooses another camera before the second frame."""

    def __init__(self, eyes):
        self.eyes = eyes
        self.kept = 0
        self.chosen = None

    def has_new_camera(self):
        if self.frames != 2 or self.chosen:
            return False
        self.chosen, self.eyes.has_moved = "v4l2:2", True
        return True

    def camera(self, usual):
        return self.chosen or usual

    def found_again(self):
        self.kept += 1
        return []


def test_another_camera_is_opened_at_once_and_plays_on_when_it_has_found_the_board(referee, monkeypatch):
    monkeypatch.setattr("linesies.device.loop.match.REOPEN_S", 0.01)
    monkeypatch.setattr(ScriptedSource, "is_live", True)
    eyes = ScriptedEyes({7: [shot("ana", "open")]})
    chooser = CameraChooser(eyes)
    match = Match(eyes, referee, steward=chooser)
    opened = []

    def open_source():
        opened.append(match.camera("picamera2"))
        return ScriptedSource(range(1, 9))

    assert match.follow_live(open_source) is False
    assert opened == ["picamera2", "v4l2:2"]
    told = [row.body["event"] for row in referee.journal.rows_after(0) if row.kind == "camera"]
    assert [one for one in told if one != "camera_slow"] == ["camera_lost", "camera_moved", "camera_back"]
    assert chooser.kept == 1
    assert codes(referee)[-1] == ["turn_over", "next_turn"]


def test_a_lean_of_the_camera_is_said_beside_the_game_and_taken_back(referee):
    match = Match(ScriptedEyes({1: [CameraLeaned(px=9)], 3: [CameraLeaned(px=0)]}), referee)
    match.follow(ScriptedSource(range(3)))
    assert "leaned by 9 px" in referee.story.troubles["camera"]["message"]
    assert referee.story.camera == {}
    match.follow(ScriptedSource(range(3, 5)))
    assert "camera" not in referee.story.troubles
