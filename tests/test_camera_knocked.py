"""A camera knocked in the middle of a simulated game: noticed, play held, the board found again, and said."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.calibration import calibrate
from linesies.device.journal.journal import Journal
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.cap_eyes import CapEyes
from linesies.device.loop.set_up import set_up_json
from linesies.device.places import journal_file
from linesies.device.settings.settings import KeepSettings, PinSettings, Settings, WebSettings
from linesies.simulator.street.phones import ByPhone
from linesies.simulator.street.street import SimulatedStreet

KNOCK_MM = 3.0
NOTICED_WITHIN_S = 2.0
QUIET_S = 0.5  # after the first shot, so that the knock alone happens
MOST_S = 60.0
GRID = np.linspace(0, 1, 3)


class Knocked:
    """A street whose camera is knocked after the first shot, left when the board is found again.

    Remembers when that was, when the eyes had noticed, and when they saw again, in the street's seconds.
    """

    is_live = False

    def __init__(self, street, eyes):
        self.street, self.eyes = street, eyes
        middle_mm = np.array(street.board.size_mm) / 2
        px = KNOCK_MM * street.stage.view.px_per_mm(middle_mm) / np.sqrt(2)
        self.shift_px = (float(px), float(-px))
        self.knocked_s = self.noticed_s = self.found_s = None

    def frames(self):
        for frame in self.street.frames():
            yield frame
            if self.noticed_s is None and self.eyes.has_moved:
                self.noticed_s = frame.t_s
            if self.noticed_s is not None and not self.eyes.has_moved:
                self.found_s = frame.t_s
            if self.found_s is not None or frame.t_s > MOST_S:
                return
            if self.knocked_s is None and self._is_quiet(frame.t_s):
                self.knocked_s = frame.t_s
                self.street.world.mood = replace(self.street.world.mood, shift_px=self.shift_px)

    def _is_quiet(self, t_s):
        return any(told["event"] == "shot" and t_s > told["t_end"] + QUIET_S for told in self.street.truth)


@pytest.mark.takes_turns(seconds=85)
@pytest.mark.timeout(600)
def test_a_small_knock_is_noticed_play_is_held_and_the_board_found_again_by_its_paint(tmp_path, monkeypatch):
    monkeypatch.setattr("linesies.device.loop.gaze.LOOK_AGAIN_S", 0.1)
    settings = Settings(
        pins=PinSettings(library="mock"), web=WebSettings(serve=False), keep=KeepSettings(state=str(tmp_path))
    )
    journal = Journal(journal_file(tmp_path))
    with Assembly(settings) as assembly, SimulatedStreet(2, umpire=ByPhone(journal.path)) as street:
        first = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=street.corners_px)
        eyes = CapEyes(first, street.caps, settled_s=0.4)
        source = Knocked(street, eyes)
        with assembly.match(eyes, street.caps) as (match, referee):
            referee.begin(set_up_json(first, street.caps), street.start)
            match.follow(source)
            assert referee.story.camera["event"] == "camera_back"
    assert source.knocked_s < source.noticed_s < source.knocked_s + NOTICED_WITHIN_S
    told = [row.body.get("event") for row in journal.rows_after(0)]
    journal.close()
    between = told[told.index("camera_moved") : told.index("camera_back")]
    assert not {"shot", "placed"} & set(between)

    width_mm, height_mm = street.board.size_mm
    places_mm = np.array([[x * width_mm, y * height_mm] for x in GRID for y in GRID])
    moved_px = eyes.calibration.view.mm_to_px(places_mm) - first.view.mm_to_px(places_mm)
    assert np.abs(moved_px - source.shift_px).max() < 0.2
    assert eyes.calibration.survey is first.survey
