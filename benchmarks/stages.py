"""How long each stage of the way takes for one frame, at three sizes: capture, detect, track, judge, draw."""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from linesies.calibration import Calibration, calibrate
from linesies.device.cameras.film import Film
from linesies.simulator.street.film import write_clip
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Frame, Judge, Watcher, draw_call

T = TypeVar("T")

SIZES_PX = ((640, 480), (1280, 720), (1920, 1080))
FRAMES = 900
JUDGED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTimes:
    """Milliseconds of each stage, in the median, and of each step on a watched frame's and a judged picture's way."""

    stages_ms: dict[str, float]
    frame_steps_ms: dict[str, float]
    picture_steps_ms: dict[str, float]


def measure_stages(size_px: tuple[int, int]) -> StageTimes:
    """Measure one size.

    The film is a simulated drill of shots. `detect` is looking at a scene at rest, `track` is following one in which
    something moves, `judge` is finding and measuring every cap of a picture, `draw` is the picture behind one call.
    """
    with tempfile.TemporaryDirectory() as folder:
        street = SimulatedStreet(wishes=Wishes(seed=1, play="drill", size_px=size_px))
        found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=np.array(street.corners_px))
        assert isinstance(found, Calibration), found.reason
        write_clip(street, FRAMES, Path(folder))
        film = Path(folder) / "clip.mp4"
        frames_s: list[float] = []
        watcher = Watcher(found, street.caps)
        watch_s = _watch(_timed(Film(film).frames(), frames_s), watcher)
        pictures = [frame for frame in Film(film).frames() if frame.number % (FRAMES // JUDGED) == 0]
    judge = Judge(found, street.caps)
    judged = [_time(partial(judge.judge, frame.bgr)) for frame in pictures]
    caps = {cap.player: cap for cap in street.caps}
    call, cap = next((call, caps[call.player]) for _, told in judged for call in told.caps if call.player is not None)
    drawn = [_time(lambda: draw_call(pictures[0].bgr, found, call, cap))[0] for _ in range(JUDGED)]
    stages = {
        "capture": _median_ms(frames_s),
        "detect": _median_ms([s for s, is_at_rest in watch_s if is_at_rest]),
        "track": _median_ms([s for s, is_at_rest in watch_s if not is_at_rest]),
        "judge": _median_ms([s for s, _ in judged]),
        "draw": _median_ms(drawn),
    }
    return StageTimes(
        stages_ms=stages,
        frame_steps_ms=_each_ms(watcher.way.took_s, FRAMES),
        picture_steps_ms=_each_ms(judge.way.took_s, len(judged)),
    )


def _each_ms(took_s: dict[str, float], times: int) -> dict[str, float]:
    return {name: round(1000 * step_s / times, 3) for name, step_s in took_s.items()}


def _watch(frames: Iterator[Frame], watcher: Watcher) -> list[tuple[float, bool]]:
    """Follow a film; seconds for each frame, and whether all was at rest after it."""
    return [(_time(partial(watcher.see, frame))[0], watcher.scene.is_at_rest) for frame in frames]


def _timed(frames: Iterator[Frame], into_s: list[float]) -> Iterator[Frame]:
    while True:
        took_s, frame = _time(lambda: next(frames, None))
        if frame is None:
            return
        into_s.append(took_s)
        yield frame


def _time(work: Callable[[], T]) -> tuple[float, T]:
    began = time.perf_counter()
    done = work()
    return time.perf_counter() - began, done


def _median_ms(times_s: list[float]) -> float:
    return round(1000 * float(np.median(times_s)), 3) if times_s else float("nan")


def peak_memory_mb() -> float:
    """Tell how much memory this process has held at most."""
    import resource  # noqa: PLC0415 - not on every system

    peak: Any = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / 1024, 1)
