"""Watching shot after shot keeps what it has learned of the light and the caps, and nothing of what is past.

`LINESIES_MINUTES=60 python -m pytest -s tests/test_memory_over_play.py` watches an hour of play, at 1280x720.
"""

import multiprocessing
import os

import pytest

from linesies.calibration import Calibration, calibrate
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Watcher
from tests.memory import held_mb

MINUTES = float(os.environ.get("LINESIES_MINUTES", "0"))
SECONDS = 60 * MINUTES or 30
SIZE_PX = (1280, 720) if MINUTES else (640, 360)
LOOKS = 12
ALLOWED_MB, GROWN_MB = 300, 20


def watch(told):
    """Watch a drill for so long; tells the shots seen and, at each look, the MB held, simulator and all."""
    with SimulatedStreet(wishes=Wishes(seed=3, play="drill", size_px=SIZE_PX)) as street:
        found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=street.corners_px)
        assert isinstance(found, Calibration), found
        watcher, shots, looks = Watcher(found, street.caps), 0, []
        for frame in street.frames():
            shots += sum(event.as_json()["event"] == "shot" for event in watcher.see(frame))
            if frame.t_s >= SECONDS * (len(looks) + 1) / LOOKS:
                looks.append(held_mb([os.getpid()])[0])
            if len(looks) == LOOKS:
                break
        told.put((shots, looks))


@pytest.mark.takes_turns(seconds=29)
@pytest.mark.timeout(300 + 180 * MINUTES)
def test_an_hour_of_shots_leaves_memory_flat():
    aside = multiprocessing.get_context("spawn")
    told = aside.SimpleQueue()
    child = aside.Process(target=watch, args=(told,))
    child.start()
    child.join()
    assert child.exitcode == 0
    shots, looks = told.get()
    print(f"{shots} shots in {SECONDS / 60:.1f} minutes; MB held:", ", ".join(f"{mb:.0f}" for mb in looks))  # noqa: T201 - seen with -s
    assert shots >= SECONDS / 12
    assert max(looks) < ALLOWED_MB
    assert looks[-1] < looks[LOOKS // 3] + GROWN_MB
