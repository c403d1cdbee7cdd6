"""What a frame costs the referee, and how long one turn of his loop takes at most, at the size that a camera gives.

The whole of it runs: ring, eyes, rules, journal, pictures, clips. Processor time is told and not the wall's, so that
other work on the machine does not count.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linesies.benchmarks.mounting import MODES, Mode
from linesies.calibration import Calibration, calibrate
from linesies.device.announcers.clips import FilmRoll
from linesies.device.cameras.decoding import decoded, frame_rate, opened
from linesies.device.cameras.film import Film
from linesies.device.cameras.picam import copy_unpadded
from linesies.device.cameras.ring import RingWriter, map_ring, new_ring
from linesies.device.cameras.source import Recording
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.cap_eyes import CapEyes
from linesies.device.loop.match import spare_what_lasts
from linesies.device.loop.set_up import set_up_json
from linesies.device.settings.settings import KeepSettings, PinSettings, Settings, WebSettings
from linesies.simulator.street.film import write_clip
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Frame, GlancedFrame, Image

SEED = 1
FRAMES = 480  # eight seconds, with some shots
RUNS = 3  # of the same film
AT_ONCE = 40  # frames are decoded: 180 MB at 2304x1296
FILMED = 60  # frames are enough to tell what filming one costs
STRIDE = 64  # bytes to which a camera pads its rows

# by 7-zip on one core: 3,200 to 3,300 on a Pi 5, 1,610 to 1,770 on a Pi 4, 3,500 here while both cores were busy
PI_TIMES = {"Pi 5": 2.0, "Pi 4": 4.0}
Array = NDArray[np.float64]

MODES_BY_NAME = {mode.lens: mode for mode in MODES}


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport:
    """Milliseconds of processor time a frame in the median, and the longest turns of the loop.

    Of each frame the least counts that it took in any run: what else a machine does only adds. `runs_ms` tells what
    copies, watching while something moves, and film took in each run by itself.
    """

    camera: str
    size_px: tuple[int, int]
    camera_fps: int
    frames: int
    copies_ms: float
    resting_ms: float
    moving_ms: float
    film_ms: float
    mean_ms: float  # of all of it together, calls included
    longest_ms: tuple[float, ...]  # the longest turns, longest first
    runs_ms: tuple[float, ...]
    runs_longest_ms: tuple[float, ...]  # the longest turn of each run

    @property
    def frame_ms(self) -> float:
        """Copies, watching while something moves, and film, together."""
        return self.copies_ms + self.moving_ms + self.film_ms


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Run:
    """Milliseconds that each frame took (N,), and whether all lay at rest after it."""

    copies_ms: Array
    turns_ms: Array
    film_ms: Array
    is_resting: NDArray[np.bool_]

    @property
    def resting_ms(self) -> float:
        return float(np.median(self.turns_ms[self.is_resting]))

    @property
    def moving_ms(self) -> float:
        return float(np.median(self.turns_ms[~self.is_resting]))

    @property
    def beside_ms(self) -> float:
        """Copies and film of a frame."""
        return float(np.median(self.copies_ms) + np.median(self.film_ms))


def measure_turns(mode: Mode, frames: int = FRAMES) -> TurnReport:
    """Referee a simulated drill of shots at the size of a camera's mode."""
    with tempfile.TemporaryDirectory() as folder:
        street = SimulatedStreet(wishes=Wishes(seed=SEED, play="drill", size_px=mode.size_px))
        found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=np.array(street.corners_px))
        assert isinstance(found, Calibration), found.reason
        write_clip(street, frames, Path(folder))
        runs = [_refereed(Path(folder) / "clip.mp4", street, found) for _ in range(RUNS)]
    least = _least(runs)
    return TurnReport(
        camera=mode.lens,
        size_px=mode.size_px,
        camera_fps=mode.fps,
        frames=len(least.turns_ms),
        copies_ms=float(np.median(least.copies_ms)),
        resting_ms=least.resting_ms,
        moving_ms=least.moving_ms,
        film_ms=float(np.median(least.film_ms)),
        mean_ms=float(least.turns_ms.mean()) + least.beside_ms,
        longest_ms=tuple(sorted(least.turns_ms.tolist(), reverse=True)[:5]),
        runs_ms=tuple(run.moving_ms + run.beside_ms for run in runs),
        runs_longest_ms=tuple(float(run.turns_ms.max()) for run in runs),
    )


def _refereed(film: Path, street: SimulatedStreet, found: Calibration) -> _Run:
    camera = _Camera(film)
    with tempfile.TemporaryDirectory() as state:
        settings = Settings(
            pins=PinSettings(library="mock"), web=WebSettings(serve=False), keep=KeepSettings(state=state)
        )
        eyes = CapEyes(found, street.caps, settled_s=settings.camera.settled_s)
        with Assembly(settings) as assembly, assembly.match(eyes, street.caps) as (match, referee):
            referee.begin(set_up_json(found, street.caps), street.start)
            camera.is_at_rest = lambda: eyes.scene.is_at_rest
            spare_what_lasts()  # as for a live camera
            match.follow(camera, is_done=lambda: False)
    return _Run(
        copies_ms=np.array(camera.copies_ms),
        turns_ms=np.array(camera.turns_ms),
        film_ms=np.array(_filming_ms(film)),
        is_resting=np.array(camera.rested),
    )


def _least(runs: list[_Run]) -> _Run:
    """Take of each frame the least: each run sees the same ones, and does the same with them."""
    copies_ms, turns_ms, film_ms = (
        np.min([getattr(run, name) for run in runs], axis=0) for name in ("copies_ms", "turns_ms", "film_ms")
    )
    return _Run(copies_ms=copies_ms, turns_ms=turns_ms, film_ms=film_ms, is_resting=runs[0].is_resting)


class _Camera(Recording):
    """A film as a Pi's camera hands it over; remembers what each frame's copies and each turn of the loop took.

    It is decoded some frames at a time before they are looked at: a camera's own process slows nobody down.
    """

    def __init__(self, film: Path) -> None:
        self._container = opened(str(film))
        self._stream = self._container.streams.video[0]
        self.name, self.size_px = str(film), (self._stream.width, self._stream.height)
        self.fps = frame_rate(self._stream)
        self.copies_ms: list[float] = []
        self.turns_ms: list[float] = []
        self.rested: list[bool] = []
        self.is_at_rest: Callable[[], bool] = lambda: True

    def frames(self) -> Iterator[Frame]:
        """Yield the film's frames as they come out of the ring."""
        width, height = self.size_px
        shape = (height * 3 // 2, width)
        with new_ring(shape) as memory:
            serials, ring = map_ring(os.dup(memory.fileno()), shape)
        writer = RingWriter(serials, ring)
        for frame in self._decoded():
            padded = _padded(frame.pixels, width, height)
            began_s = time.thread_time()
            planes = writer.room(shape)
            copy_unpadded(padded, planes)
            writer.put(planes)
            pixels = planes.copy()
            copied_s = time.thread_time()
            yield Frame(pixels, layout=frame.layout, number=frame.number, t_s=frame.t_s)
            self.turns_ms.append(1000 * (time.thread_time() - copied_s))
            self.copies_ms.append(1000 * (copied_s - began_s))
            self.rested.append(self.is_at_rest())

    def _decoded(self) -> Iterator[Frame]:
        frames = decoded(self._container.demux(self._stream), self._stream)
        while some := list(islice(frames, AT_ONCE)):
            yield from some

    def close(self) -> None:
        """Close the film."""
        self._container.close()


def _padded(pixels: Image, width: int, height: int) -> Image:
    """Lay planes out as a camera does: rows of Y padded to a stride, those of U and V to half of it."""
    stride = -(-width // STRIDE) * STRIDE
    padded = np.zeros((height * 3 // 2, stride), np.uint8)
    padded[:height, :width] = pixels[:height]
    padded[height:].reshape(height, stride // 2)[:, : width // 2] = pixels[height:].reshape(height, width // 2)
    return padded


def _filming_ms(film: Path) -> list[float]:
    """Tell what filming each of some frames takes: the film roll's own thread and the coder's, if it has any."""
    first = zip(Film(film).frames(), range(FILMED), strict=False)
    frames = [GlancedFrame(frame) for frame, _ in first]  # as the eyes have it
    roll = FilmRoll()
    took_ms = []
    for frame in frames:
        began_s = time.process_time()
        roll.see(frame)
        roll.catch_up()
        took_ms.append(1000 * (time.process_time() - began_s))
    roll.close()
    return took_ms
