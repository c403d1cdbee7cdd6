"""A street game by a simulated camera, refereed in a process of its own: `python -m tests.camera_game STATE`.

The real eyes, referee, page and pairing. The camera holds still as long as a file `hold` lies in the state folder, so
that people have time to decide, and says so by a file `held`; the first line printed is the page's address.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from linesies.calibration import calibrate, write_calibration
from linesies.device.cameras.source import Source
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.ending import until_ended
from linesies.device.loop.set_up import set_up_json
from linesies.device.places import calibration_file
from linesies.device.settings.settings import CameraSettings, KeepSettings, PinSettings, Settings, WebSettings
from linesies.simulator.scenes import open_scene
from linesies.vision import Frame

PLACE = "sim:street?seed=4&players=4&width=640&fps=20"
OPTIONS = {"killer_hits": 1, "killer_round": "any_order", "pipsies": 6, "early_hits": "allowed"}  # a short game


class Holding(Source):
    """A camera that takes no frame while people want time; orders are taken all the same."""

    def __init__(self, street: Source, hold: Path, serve) -> None:
        self._street, self._hold, self._serve = street, hold, serve
        self._held = hold.with_name("held")
        self.name, self.size_px, self.fps, self.is_live = street.name, street.size_px, street.fps, False

    def frames(self) -> Iterator[Frame]:
        for frame in self._street.frames():
            yield frame
            while self._hold.exists():
                self._held.touch()
                self._serve()
                time.sleep(0.02)
            self._held.unlink(missing_ok=True)

    def close(self) -> None:
        self._street.close()


def play(state: Path) -> None:
    """Referee the game to its winner, and then wait to be ended."""
    settings = Settings(
        camera=CameraSettings(calibration=str(calibration_file(state))),
        pins=PinSettings(library="mock"),
        web=WebSettings(host="127.0.0.1", port=0),
        keep=KeepSettings(state=str(state), clips=0),
    )
    with until_ended(lambda _words: None), Assembly(settings) as assembly:
        scene = open_scene(PLACE, assembly.journal.path)
        with scene.source as street:
            found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=street.corners_px)
            write_calibration(found, calibration_file(state))
            with assembly.match(scene.look(found), scene.caps) as (match, referee):
                start = {**street.start, "options": OPTIONS}
                referee.begin({**set_up_json(found, scene.caps), "source": PLACE}, start)
                going = {player: {"going_for": "k3"} for player in start["players"]}  # two words to killer
                order = {"order": "event", "event": {"event": "correct", "players": going}}
                referee.journal.submit(order, "street")
                referee.take_orders()
                sys.stdout.write(f"{assembly.face.addresses[0]}\n")
                sys.stdout.flush()
                match.follow(Holding(street, state / "hold", match.serve))
                match.serve_while_over()


if __name__ == "__main__":
    play(Path(sys.argv[1]))
