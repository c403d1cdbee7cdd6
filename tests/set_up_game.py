"""A box that nobody has set up yet, in a process of its own: `python -m tests.set_up_game STATE SEED PLAYERS`.

The real referee and page. The camera sees a painted board, empty until a file `caps` lies in the state folder; once a
file `shoot` lies there too, the first player takes his cap behind the start line and shoots for box 1. What the people
see there is written to `seen.json`: the board's corners and the middles of the caps, in pixels.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import linesies.device.loop.refereeing as refereeing_module
from linesies.device.cameras.source import Source
from linesies.device.settings.settings import CameraSettings, KeepSettings, PinSettings, Settings, WebSettings
from linesies.simulator.street.aim import Skill, middle, velocity_for
from linesies.simulator.street.drill import lay_anywhere
from linesies.simulator.street.gestures import place, shoot, wait
from linesies.simulator.street.naming import read_wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Frame

FPS = 20
SURE = Skill(direction_rad=0.0, speed_share=0.0)
BEHIND = 0.03  # of the board's size, behind the start line


class FirstShot(SimulatedStreet):
    """A street on which caps lie anywhere and nobody plays, until a file says that the first player shoots."""

    def __init__(self, seed: int, players: int, begins: Path) -> None:
        wishes = {"seed": str(seed), "players": str(players), "width": "960", "fps": str(FPS)}
        self._begins = begins
        super().__init__(wishes=read_wishes("street", wishes))

    def _script(self, _pace: float) -> Iterator[None]:
        rng, board, (first, *_) = self.stage.rng(1), self.stage.painted.board, self.world.caps
        lay_anywhere(self.world, rng)
        while not self._begins.exists():
            yield
        behind_mm = np.mean(np.array(board.start_line_mm), axis=0) - [0.0, BEHIND * board.size_mm[0]]
        yield from place(self.world, first, behind_mm, rng)
        yield from wait(4.0)
        yield from shoot(self.world, first, velocity_for(behind_mm, middle(board, "1"), 0.0, SURE, rng), rng)
        while True:
            yield


class Street(Source):
    """A camera over the board: the empty one until caps are put down, then the street as it lives."""

    def __init__(self, state: Path, seed: int, players: int) -> None:
        self._state = state
        self._street = FirstShot(seed, players, state / "shoot")
        self._pictures = self._street.frames()
        next(self._pictures)  # now the caps lie
        self.name, self.size_px, self.fps, self.is_live = "sim:street", self._street.size_px, FPS, True

    def tell(self) -> None:
        street = self._street
        caps = [
            street.stage.view.mm_to_px(street.world.pavement.xy_mm(cap.player)[None].astype(float), cap.height_mm)[0]
            for cap in street.caps
        ]
        seen = {
            "size": self.size_px,
            "corners": [list(map(float, corner)) for corner in street.corners_px],
            "caps": [list(map(float, cap)) for cap in caps],
            "diameters": [cap.diameter_mm for cap in street.caps],
        }
        (self._state / "seen.json").write_text(json.dumps(seen))

    def frames(self) -> Iterator[Frame]:
        empty = Frame.from_bgr(np.ascontiguousarray(self._street.empty_bgr), number=0, t_s=0.0)
        number = 0
        while True:
            shown = next(self._pictures) if (self._state / "caps").exists() else empty
            yield Frame(shown.pixels, layout=shown.layout, number=number, t_s=number / FPS)
            number += 1
            time.sleep(1 / FPS)

    def close(self) -> None:
        pass


def play(state: Path, seed: int, players: int) -> None:
    """Wait for people to set the box up, and then referee until ended."""
    street = Street(state, seed, players)
    street.tell()
    refereeing_module._apart = lambda _source, _meanwhile: street
    settings = Settings(
        camera=CameraSettings(
            source="v4l2:0", calibration=str(state / "calibration.json"), caps=str(state / "caps.json")
        ),
        pins=PinSettings(library="mock"),
        web=WebSettings(host="127.0.0.1", port=0),
        keep=KeepSettings(state=str(state), clips=0),
    )
    refereeing_module.referee_game(settings, say=lambda line: print(line, flush=True), sets_up=True)  # noqa: T201


if __name__ == "__main__":
    play(Path(sys.argv[1]), *map(int, sys.argv[2:4]))
