"""How fast and how right films of shots are watched: by the referee's eyes, and by simpler ones, in one run."""

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from linesies.benchmarks.plain import Plain, Tracked
from linesies.calibration import Calibration, calibrate, read_board, read_lens
from linesies.device.cameras.film import Film
from linesies.device.cameras.source import as_read
from linesies.device.errors import BadInput
from linesies.vision import Cap, Frame, GlancedFrame, Shot, Watcher, read_caps

SLACK_S = 0.5
FILMS = ("clip.mp4", "clip.avi")
OURS = "linesies"

See = Callable[[Frame], None]


@dataclass(slots=True, kw_only=True)
class WatchScore:
    """How many frames in how many seconds, decoding included, and how many shots were told as they were.

    `took_s` is by the clock, `work_s` by the processors: the more there is of it beside the clock's, the more cores
    were used; the less, the more others kept them busy.
    """

    frames: int = 0
    took_s: float = 0.0
    work_s: float = 0.0
    shots: int = 0
    found: int = 0
    invented: int = 0
    shooters: int = 0
    hits: int = 0
    hits_told: int = 0
    hits_right: int = 0
    steps_s: Counter[str] = field(default_factory=Counter)

    def add(self, other: "WatchScore") -> None:
        """Add another film's."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def as_json(self) -> dict[str, Any]:
        """Write rates and shares, from 0 to 1, and the milliseconds a frame of each step, where the way has steps."""
        return {
            "fps": round(self.frames / self.took_s, 1) if self.took_s else None,
            "processor_ms": round(1000 * self.work_s / self.frames, 2) if self.frames else None,
            "shots": self.shots,
            "found": _share(self.found, self.shots),
            "invented": self.invented,
            "shooter_right": _share(self.shooters, self.found),
            "hit_precision": _share(self.hits_right, self.hits_told),
            "hit_recall": _share(self.hits_right, self.hits),
            **({"steps": self.table_of_steps()} if self.steps_s else {}),
        }

    def table_of_steps(self) -> dict[str, dict[str, float]]:
        """List the steps of a frame's way in their order: milliseconds a frame, and the share of them all."""
        all_s = sum(self.steps_s.values()) or 1.0
        return {
            name: {"ms": round(1000 * took_s / max(self.frames, 1), 3), "share": round(took_s / all_s, 3)}
            for name, took_s in self.steps_s.items()
        }


def films_in(folder: Path) -> list[Path]:
    """Find the folders of films with their truth, as `linesies simulate` writes them; raises BadInput without any."""
    found = sorted(path.parent for path in [*folder.glob("truth.jsonl"), *folder.glob("*/truth.jsonl")])
    if not found:
        raise BadInput(
            f"{folder}: holds no film with its truth; make one: linesies simulate 'sim:street?play=drill' -o {folder}"
        )
    return found


def watch_films(folders: Sequence[Path]) -> dict[str, WatchScore]:
    """Watch every film in every way; one score a way."""
    total: dict[str, WatchScore] = {}
    for folder in folders:
        taps = [tap.split(",") for tap in (folder / "corners.txt").read_text().split()]
        empty = cv2.imread(str(folder / "empty.jpg"))
        lens = read_lens(folder / "lens.json")
        found = calibrate(empty, read_board(folder / "board.json"), lens=lens, corners_px=np.array(taps, float))
        if not isinstance(found, Calibration):
            raise BadInput(f"{folder}: {found.reason}")
        truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
        caps = read_caps(folder / "caps.json")
        film = next(folder / name for name in FILMS if (folder / name).exists())
        watcher = Watcher(found, caps)
        for name, (see, told) in _ways(watcher, found, caps).items():
            score = _watch(Film(film), see, prepare=GlancedFrame if name == OURS else as_read)
            score.steps_s = Counter(watcher.way.took_s if name == OURS else {})
            _mark(score, told(), [event for event in truth if event["event"] == "shot"])
            total.setdefault(name, WatchScore()).add(score)
    return total


def _ways(
    watcher: Watcher, calibration: Calibration, caps: tuple[Cap, ...]
) -> dict[str, tuple[See, Callable[[], list[Shot]]]]:
    """Set up each way of watching: what sees a frame, and what has been told; norfair where it is installed."""
    plain = Plain(calibration, caps)
    seen: list[Shot] = []

    def see(frame: Frame) -> None:
        seen.extend(event for event in watcher.see(frame) if isinstance(event, Shot))

    ways: dict[str, tuple[See, Callable[[], list[Shot]]]] = {
        OURS: (see, lambda: seen),
        "plain": (plain.see, lambda: plain.told.shots),
    }
    try:
        import norfair  # noqa: PLC0415 - measured only where it is installed
    except ImportError:
        return ways
    tracker = norfair.Tracker(distance_function="euclidean", distance_threshold=80, hit_counter_max=10)
    tracked = Tracked(calibration, caps, tracker, norfair.Detection)
    return {**ways, "norfair": (tracked.see, lambda: tracked.told.shots)}


def _watch(film: Film, see: See, *, prepare: Callable[[Frame], Frame]) -> WatchScore:
    film.prepare = prepare
    began_s, work_s, frames = time.perf_counter(), time.process_time(), 0
    for frame in film.frames():
        see(frame)
        frames += 1
    return WatchScore(frames=frames, took_s=time.perf_counter() - began_s, work_s=time.process_time() - work_s)


def _mark(score: WatchScore, told: list[Shot], truth: list[dict[str, Any]]) -> None:
    """Hold what was told against the truth: each true shot once, at the same time."""
    left = list(told)
    for true in truth:
        score.shots += 1
        hits = {tuple(pair) for pair in true["hits"]}
        score.hits += len(hits)
        near = [s for s in left if s.t_start_s < true["t_end"] + SLACK_S and true["t_start"] < s.t_end_s + SLACK_S]
        shot = min(near, key=lambda s: abs(s.t_start_s - true["t_start"]), default=None)
        if shot is None:
            continue
        left.remove(shot)
        told_hits = {(hit.by, hit.victim) for hit in shot.hits}
        score.found += 1
        score.shooters += shot.player == true["player"]
        score.hits_told += len(told_hits)
        score.hits_right += len(told_hits & hits)
    score.invented += len(left)
    score.hits_told += sum(len(shot.hits) for shot in left)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
