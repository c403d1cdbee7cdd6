"""The picture behind a call: drawn after the ruling, on a thread of its own, into a folder that is kept small."""

import itertools
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from calibration import Calibration
from vision import Call, Cap, Frame, Image, draw_evidence

WAITING = 8  # rulings whose pictures may wait; when people shoot faster than that, some go without
QUALITY = 88
MOST_CALLS = 4

Draw = Callable[[Image, Calibration, Call, Cap], Image]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """What was drawn about one row: {player: file name}."""

    about: int
    names: dict[str, str]
    fault: str | None = None  # why they could not all be drawn


class Evidence:
    """Draws and keeps pictures of calls; remembers what waits and what is done but not yet told."""

    def __init__(self, folder: Path, caps: Sequence[Cap], *, keep: int, draw: Draw = draw_evidence) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._caps = {cap.player: cap for cap in caps}
        self._keep = keep
        self._draw = draw
        self._waiting: queue.Queue[tuple[int, Frame, Calibration, Sequence[Call]] | None] = queue.Queue(WAITING)
        self._done: queue.SimpleQueue[Pictures] = queue.SimpleQueue()
        self._artist = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._artist.start()

    def take(self, about: int, frame: Frame, calibration: Calibration, calls: Sequence[Call]) -> None:
        """Have the calls of one row drawn from the frame in which all was at rest."""
        if self._keep and not self._waiting.full():
            self._waiting.put((about, frame, calibration, calls[:MOST_CALLS]))

    def done(self) -> list[Pictures]:
        """Take what was drawn since the last time."""
        told = []
        while not self._done.empty():
            told.append(self._done.get())
        return told

    def close(self) -> None:
        """Finish the picture in hand and stop."""
        self._waiting.put(None)
        self._artist.join()

    def _run(self) -> None:
        while (wanted := self._waiting.get()) is not None:
            about, frame, calibration, calls = wanted
            names: dict[str, str] = {}
            fault = None
            try:
                for i, call in enumerate(calls):
                    names[call.player] = self._keep_picture(frame, calibration, call, f"{about:08d}-{i}.jpg")
                self._forget_oldest()
            except Exception as error:  # noqa: BLE001 - a picture that fails costs no ruling
                fault = f"{type(error).__name__}: {error}"
            self._done.put(Pictures(about=about, names=names, fault=fault))

    def _keep_picture(self, frame: Frame, calibration: Calibration, call: Call, name: str) -> str:
        picture = self._draw(frame.bgr, calibration, call, self._caps[call.player])
        if not cv2.imwrite(str(self.folder / name), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]):
            raise OSError(f"{self.folder / name}: cannot be written; is the disk full?")
        return name

    def _forget_oldest(self) -> None:
        for old in itertools.islice(sorted(self.folder.glob("*.jpg"), reverse=True), self._keep, None):
            old.unlink(missing_ok=True)
