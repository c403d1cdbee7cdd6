import json
from pathlib import Path

import numpy as np
import pytest

from linesies.calibration import calibrate, read_board, read_lens
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.pictures import read_picture
from linesies.games import GAMES
from linesies.vision import TableWatcher, open_reader
from tests.public_data import need_public_data

CLIP = Path(__file__).parents[2] / "shared" / "data" / "cards" / "clips" / "skull_1"


@pytest.mark.takes_turns(seconds=58)
@pytest.mark.shared
def test_the_public_round_of_skull_is_told_event_by_event():
    need_public_data()
    corners = np.array(json.loads((CLIP / "corners.json").read_text())["corners"])
    found = calibrate(
        read_picture(CLIP / "empty.jpg"),
        read_board(CLIP / "board.json"),
        lens=read_lens(CLIP / "lens.json"),
        corners_px=corners,
    )
    watcher, told = TableWatcher(found, open_reader("standard"), cards=GAMES["skull"].seen), []
    with open_source(str(CLIP / "clip.mp4")) as film:
        for frame in film.frames():
            told += watcher.see(frame)
    truth = [json.loads(line) for line in (CLIP / "truth.jsonl").read_text().splitlines()]
    for event, true in zip(told, truth, strict=True):
        said = event.as_json()
        assert (said["event"], said["zone"], said.get("count")) == (true["event"], true["zone"], true.get("count"))
        assert said.get("card") in (None, true.get("card"))
        assert true["t"] - 1 < event.t_end_s < true["t_clear"] + 1
