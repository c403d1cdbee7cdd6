"""A whole game through a USB camera, and one through a phone's film over HTTP: from a box that nobody has set up to a
winner. The referee runs in a process of his own, as a box has him; the camera shows a simulated street in real time.

LINESIES_LIVE_GAMES=1, or `make live`, has them played: some minutes each.
"""

import os
import subprocess
import sys
from contextlib import closing

import cv2
import numpy as np
import pytest

from linesies.device.journal.journal import Journal
from linesies.device.places import journal_file
from linesies.referee.folding import story_of
from tests.live_street import FPS, SIZE_PX, LiveStreet, into_file, wait
from tests.mjpeg_server import MjpegCamera
from tests.usb_camera import NAME, UsbCamera

PATIENCE_S = 120.0
GAME_S = float(os.environ.get("LINESIES_GAME_S", "1200"))

pytestmark = pytest.mark.skipif(
    "LINESIES_LIVE_GAMES" not in os.environ, reason="takes minutes; LINESIES_LIVE_GAMES=1, or `make live`"
)


@pytest.fixture
def usb(tmp_path, monkeypatch):
    """A USB camera that shows whatever picture was written last."""
    folder = tmp_path / "usb"
    folder.mkdir()
    monkeypatch.setenv("USB_CAMERA_LIVE", "1")
    monkeypatch.setenv("USB_CAMERA_SIZE", "x".join(map(str, SIZE_PX)))
    monkeypatch.setenv("USB_CAMERA_FPS", str(FPS))
    UsbCamera(folder, monkeypatch)
    return NAME, into_file(folder / "live")


@pytest.fixture
def http():
    """A phone that sends whatever picture it was given last."""
    newest = [cv2.imencode(".jpg", np.zeros((*SIZE_PX[::-1], 3), np.uint8))[1].tobytes()]
    with MjpegCamera(live=newest, fps=FPS) as camera:
        yield camera.address, lambda jpeg: newest.__setitem__(slice(None), [jpeg])


@pytest.mark.timeout(GAME_S + 600)
@pytest.mark.parametrize("camera", ["usb", "http"])
def test_a_whole_game_from_set_up_to_winner(camera, request, tmp_path):
    source, show = request.getfixturevalue(camera)
    state, config = tmp_path / "state", tmp_path / "linesies.toml"
    config.write_text(
        f'[camera]\nsource = "{source}"\ncalibration = "{state}/calibration.json"\ncaps = "{state}/caps.json"\n'
        f'[pins]\nlibrary = "mock"\n[keep]\nstate = "{state}"\n'
    )
    referee = subprocess.Popen(
        [sys.executable, "-m", "linesies", "referee", "--no-page", "--set-up", "--config", str(config)]
    )
    try:
        wait(lambda: journal_file(state).exists(), PATIENCE_S, "the referee")
        with closing(Journal(journal_file(state))) as journal:
            play(journal, show)
            rows = journal.rows_after(0)
            shots = [row for row in rows if row.kind == "seen" and row.body["event"] == "shot"]
            told = [row.body["event"] for row in rows if row.kind == "camera"]
            print(f"\n{camera}: {story_of(journal).public['winner']} won after {len(shots)} shots; camera: {told}")  # noqa: T201
            assert shots
    finally:
        referee.terminate()
        referee.wait(20)


def play(journal, show):
    """Set the box up as the owner's phone does, and let people play to their winner."""
    street = LiveStreet(journal.path, show)

    def order(is_done, kind, **told):
        journal.submit({"order": kind, **told}, "referee:x")
        wait(is_done, PATIENCE_S, kind)

    def set_up():
        return story_of(journal).set_up or {}

    order(
        lambda: set_up().get("board"), "calibrate", corners=[[float(x), float(y)] for x, y in street.street.corners_px]
    )
    order(lambda: set_up().get("caps"), "caps", caps=street.show_caps())
    order(lambda: story_of(journal).public is not None, "new_game", start=street.street.start)
    going = {player: {"going_for": "1b"} for player in street.street.start["players"]}  # the way there is long
    rows = journal.last_id()
    order(lambda: journal.last_id() > rows + 1, "event", event={"event": "correct", "players": going})
    street.show(street.street.empty_bgr)
    street.start()
    try:
        wait(lambda: story_of(journal).public["phase"] == "over", GAME_S, "a winner")
    finally:
        street.is_over.set()
        street.join(20)
