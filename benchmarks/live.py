"""How soon shots are told live: a simulated camera in real time, in a process of its own, as the referee has it."""

import time
from dataclasses import dataclass

import numpy as np

from linesies.calibration import Calibration, calibrate
from linesies.device.cameras.camera_process import Apart
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Placed, Shot, Watcher

SETTLED_S = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveReport:
    """Frames seen and lost, and how long after the settled time each event was told, in milliseconds."""

    seconds: float
    frames: int
    lost: int
    late_ms: tuple[float, ...]

    def as_json(self) -> dict[str, float | int | None]:
        """Write the report: the middle, the worst, and what share was told within 150 ms."""
        late = np.array(self.late_ms)
        return {
            "fps": round(self.frames / self.seconds, 1),
            "lost": self.lost,
            "told": len(late),
            "late_ms_median": round(float(np.median(late)), 1) if late.size else None,
            "late_ms_worst": round(float(late.max()), 1) if late.size else None,
            "within_150_ms": round(float(np.mean(late <= 150)), 3) if late.size else None,
        }


def measure_live(seconds: float, *, seed: int = 1) -> LiveReport:
    """Watch a drill of shots at 1280x720 and 60 frames a second for so long."""
    street = SimulatedStreet(wishes=Wishes(seed=seed, play="drill"))
    found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=np.array(street.corners_px))
    assert isinstance(found, Calibration), found.reason
    watcher = Watcher(found, street.caps, settled_s=SETTLED_S)
    late_ms: list[float] = []
    numbers: list[int] = []
    with Apart(f"sim:street?seed={seed}&play=drill") as camera:
        began_s = time.monotonic()
        behind_s = np.inf  # of the soonest frame: what lies between the source's clock and this one
        for frame in camera.frames():
            numbers.append(frame.number)
            behind_s = min(behind_s, time.monotonic() - frame.t_s)
            told = [event for event in watcher.see(frame) if isinstance(event, Shot | Placed)]
            now_s = time.monotonic() - behind_s
            rest_s = max((event.t_end_s for event in told), default=now_s)  # what is told together rests together
            late_ms += [1000 * (now_s - rest_s - SETTLED_S)] * len(told)
            if time.monotonic() - began_s > seconds:
                break
    lost = numbers[-1] - numbers[0] + 1 - len(numbers)
    return LiveReport(seconds=seconds, frames=len(numbers), lost=lost, late_ms=tuple(late_ms))
