"""The pictures and the clip behind a call: made after the ruling, on threads of their own, into a folder kept small.

What stands in the journal's row of kind `evidence`, `about` the row of what was seen:

    {"pictures": {whose: file}, "clip": file, "start_s": seconds, "contacts_s": [seconds, ...]}

`start_s` is when the clip begins, in seconds of the source; `contacts_s` are the hits in their order, in seconds
of the clip. Without a clip (a placing, a card, a full disk) these three are left out. A file may be gone: the
oldest are.
"""

import queue
import threading
from dataclasses import dataclass
from typing import Any

import cv2

from linesies.calibration import Calibration
from linesies.device.announcers.clips import BEFORE_S, FilmRoll
from linesies.device.announcers.drawings import Draw
from linesies.device.announcers.evidence_store import Shelf
from linesies.vision import Event, Frame, Shot, TableEvent

WAITING = 8  # rulings whose pictures may wait; when people shoot faster than that, some go without
QUALITY = 88
FAREWELL_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What shows the event of one row, as its evidence row will say."""

    about: int
    body: dict[str, Any]
    fault: str | None = None  # why not all could be made


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    about: int
    frame: Frame
    calibration: Calibration
    event: Event | TableEvent


class Evidence:
    """Makes and keeps what shows each event; remembers what waits and what is done but not yet told."""

    def __init__(self, shelf: Shelf, draw: Draw) -> None:
        self._shelf = shelf
        self._draw = draw
        self._roll = FilmRoll() if shelf.keeps_clips else None
        self._waiting: queue.SimpleQueue[_Wanted | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Shown] = queue.SimpleQueue()
        self._artist = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._artist.start()

    def draw_with(self, draw: Draw) -> None:
        """Draw otherwise from now on: whose cap is which has changed."""
        self._draw = draw

    def see(self, frame: Frame) -> None:
        """Film a frame; call it for every one."""
        if self._roll is not None:
            self._roll.see(frame)

    def take(self, about: int, frame: Frame, calibration: Calibration, event: Event | TableEvent) -> None:
        """Have the event of one row shown, drawn from the frame in which all was at rest."""
        if (self._shelf.keeps_pictures or self._roll is not None) and self._waiting.qsize() < WAITING:
            self._waiting.put(_Wanted(about=about, frame=frame, calibration=calibration, event=event))

    def done(self) -> list[Shown]:
        """Take what was made since the last time."""
        told = []
        while not self._done.empty():
            told.append(self._done.get())
        return told

    def close(self) -> None:
        """Finish what is in hand and stop; what takes too long is left to end with the process."""
        self._waiting.put(None)
        self._artist.join(FAREWELL_S)
        if self._roll is not None:
            self._roll.close()

    def _run(self) -> None:
        while (wanted := self._waiting.get()) is not None:
            body: dict[str, Any] = {"pictures": {}}
            faults = []
            for make in (self._shelf_tidied, self._pictures, self._clip):
                try:
                    make(wanted, body)
                except Exception as error:  # noqa: BLE001 - a picture that fails costs no ruling
                    faults.append(f"{type(error).__name__}: {error}")
            self._done.put(Shown(about=wanted.about, body=body, fault="; ".join(faults) or None))

    def _shelf_tidied(self, _wanted: _Wanted, _body: dict[str, Any]) -> None:
        self._shelf.tidy()

    def _pictures(self, wanted: _Wanted, body: dict[str, Any]) -> None:
        if not self._shelf.keeps_pictures:
            return
        for i, (whose, picture) in enumerate(self._draw(wanted.frame.bgr, wanted.calibration, wanted.event)):
            path = self._shelf.folder / f"{wanted.about:08d}-{i}.jpg"
            if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]):
                raise OSError(f"{path}: cannot be written; is the disk full?")
            body["pictures"][whose] = path.name
        self._shelf.tidy()

    def _clip(self, wanted: _Wanted, body: dict[str, Any]) -> None:
        shot = wanted.event
        if self._roll is None or not isinstance(shot, Shot) or not self._shelf.has_room_for_clips:
            return
        path = self._shelf.folder / f"{wanted.about:08d}-clip.mp4"
        part = path.with_suffix(".part")
        try:
            start_s = self._roll.cut(part, start_s=shot.t_start_s - BEFORE_S, end_s=wanted.frame.t_s)
            if start_s is None:
                return
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        body |= {
            "clip": path.name,
            "start_s": round(start_s, 4),
            "contacts_s": [round(hit.t_s - start_s, 3) for hit in shot.hits],
        }
        self._shelf.tidy()
