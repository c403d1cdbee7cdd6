"""A box that nobody has set up yet, in a process of its own: `python -m tests.set_up_game STATE`.

The real referee and page. The camera sees a painted board, empty until a file `caps` lies in the state folder; what the
people see there is written to `seen.json`: the board's corners and the middles of the caps, in pixels.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np

import linesies.device.loop.refereeing as refereeing_module
from linesies.device.cameras.source import Source
from linesies.device.settings.settings import CameraSettings, KeepSettings, PinSettings, Settings, WebSettings
from linesies.simulator.street.naming import read_wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Frame

PLACE = "seed=4&players=3&width=960&fps=20&play=nothing"
PERIOD_S = 0.05


class Street(Source):
    """A camera over the board, slow and patient."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._street = SimulatedStreet(wishes=read_wishes("street", dict(parse_qsl(PLACE))))
        self._full = next(iter(self._street.frames())).bgr
        self.name, self.size_px, self.fps, self.is_live = "sim:street", self._street.size_px, 1 / PERIOD_S, True

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
        number = 0
        while True:
            shown = self._full if (self._state / "caps").exists() else self._street.empty_bgr
            yield Frame.from_bgr(np.ascontiguousarray(shown), number=number, t_s=number * PERIOD_S)
            number += 1
            time.sleep(PERIOD_S)

    def close(self) -> None:
        pass


def play(state: Path) -> None:
    """Wait for people to set the box up, and then referee until ended."""
    street = Street(state)
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
    play(Path(sys.argv[1]))
