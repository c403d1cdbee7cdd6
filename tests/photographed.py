"""A street of which pictures and a clip are kept: the simulated camera's, by what keeps them of a real one.

Six caps lie on a painted board; the first player shoots from behind the start line at box 1. What the camera saw is
cut, drawn and filmed once for all tests of a process.
"""

import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from linesies.calibration import locate
from linesies.device.announcers.drawings import draw_calls
from linesies.device.announcers.evidence import Evidence, WantedEvidence
from linesies.device.announcers.evidence_store import Shelf
from linesies.device.loop.set_up import set_up_json
from linesies.device.serving.webapp import JournalFace
from linesies.simulator.street.stage import perfect_survey
from linesies.vision import Call, Shot
from linesies.web import create_app
from tests.page_server import nothing_moves, serving
from tests.refereeing import quick_journal, referee_on
from tests.set_up_game import FirstShot

SEED, PLAYERS = 11, 6
SIGMA_MM = 0.3
SET_OFF_MM = 5.0
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Photographed:
    """One shot as it was seen, and what `folder` keeps of it: with everybody's cap, and with the shooter's alone."""

    folder: Path
    set_up: dict[str, Any]
    shot: Shot
    kept: tuple[dict[str, Any], ...]


@cache
def photographed() -> Photographed:
    """Let the first player shoot once, and keep what the camera saw; the folder lives as long as the process."""
    folder = Path(_lent().name)
    (folder / "shoot").touch()
    street = FirstShot(SEED, PLAYERS, folder / "shoot")
    calibration = perfect_survey(street.stage.painted, street.stage.view)
    evidence = Evidence(Shelf(folder, pictures=20, clips=2, megabytes=50), draw_calls(street.caps))
    shooter, lies = street.caps[0].player, street.world.pavement
    way: list[tuple[float, float, float]] = []
    for frame in street.frames():
        evidence.see(frame)
        if street.world.truth and street.world.truth[-1]["event"] == "shot":
            break
        way = [*way, (frame.t_s, *map(float, lies.xy_mm(shooter)))] if shooter in lies.players else []  # or in a hand
    begins = next(i for i, (_, *xy) in enumerate(way[1:]) if np.hypot(*np.subtract(xy, way[0][1:])) > SET_OFF_MM)
    calls = [_call(calibration, cap, lies.xy_mm(cap.player)) for cap in street.caps]
    shot = Shot(
        player=shooter,
        hits=(),
        calls=tuple(calls[:1]),
        t_start_s=way[begins][0],
        t_end_s=frame.t_s,
        ways={shooter: tuple((t_s - way[begins][0], x, y) for t_s, x, y in way[begins:])},
    )
    events = replace(shot, calls=tuple(calls)), shot
    for about, event in enumerate(events):
        evidence.take(WantedEvidence(about=about, frame=frame, calibration=calibration, event=event))
    kept, until_s = [], time.monotonic() + PATIENCE_S
    while len(kept) < len(events) and time.monotonic() < until_s:
        kept += evidence.done()
        time.sleep(0.05)
    evidence.close()
    assert [one.fault for one in kept] == [None, None]
    return Photographed(folder, set_up_json(calibration, street.caps), shot, tuple(one.body for one in kept))


@cache
def _lent():
    return tempfile.TemporaryDirectory(prefix="photographed-")


def _call(calibration, cap, xy_mm):
    place = locate(calibration, xy_mm, cap.diameter_mm)
    return Call(
        player=cap.player,
        xy_mm=tuple(map(float, xy_mm)),
        diameter_mm=cap.diameter_mm,
        location=place.location,
        gap_mm=place.gap_mm,
        sigma_mm=SIGMA_MM,
        is_certain=abs(place.gap_mm) > 2 * SIGMA_MM,
    )


@contextmanager
def photographs():
    """Serve the page of a game in which that was seen twice; gives (referee, port)."""
    seen = photographed()
    with quick_journal() as path:
        referee = referee_on(path)
        players = [cap["player"] for cap in seen.set_up["caps"]]
        referee.begin(seen.set_up, {"event": "start", "game": "skully", "players": players, "options": {}})
        for kept in seen.kept:
            referee.see(seen.shot)
            referee.tell_evidence(referee.story.entries[-1].about, kept)
        app = create_app(JournalFace(referee.journal), referee.journal.submit, nothing_moves, evidence_dir=seen.folder)
        with serving(app) as port:
            yield referee, port
