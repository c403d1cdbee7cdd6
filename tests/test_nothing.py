"""Nobody plays: sun and clouds, shadows, feet, a dog, rain, lamps and pointing hands bring not one event.

`LINESIES_MINUTES=30 python -m pytest tests/test_nothing.py` watches that long, at 1280x720.
"""

import os

import pytest

from linesies.calibration import Calibration, calibrate
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Watcher

MINUTES = float(os.environ.get("LINESIES_MINUTES", "0"))
SECONDS = 60 * MINUTES or 16
SIZE_PX = (1280, 720) if MINUTES else (640, 360)


@pytest.mark.takes_turns(seconds=40)
@pytest.mark.timeout(4 * 60 + 600 * MINUTES)
@pytest.mark.parametrize(("board", "seed"), [("street", 1), ("table", 3)])
def test_no_event_is_told(board, seed):
    wishes = Wishes(seed=seed, board=board, play="nothing", size_px=SIZE_PX)
    with SimulatedStreet(wishes=wishes) as street:
        found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=street.corners_px)
        assert isinstance(found, Calibration), found
        watcher = Watcher(found, street.caps)
        told = []
        for frame in street.frames():
            told += [event.as_json() for event in watcher.see(frame)]
            if frame.t_s > SECONDS:
                break
        assert told == []
        assert len({event["event"] for event in street.truth}) > 1  # there was something to be misled by
