"""The pictures and the clip behind a call: made after the ruling, on threads of their own, into a folder kept small.

What stands in the journal's row of kind `evidence`, `about` the row of what was seen:

    {"pictures": {whose: file}, "small": {whose: file}, "cases": [file, ...], "clip": file, "start_s": seconds,
     "contacts_s": [seconds, ...], "view": {"mm": [left, top, right, bottom], "at": [[x, y], ...]}}

`small` is the same spot as the camera saw it, of a few kilobytes. `start_s` is when the clip begins, in seconds of the
source; `contacts_s` are the hits in their order, in seconds of the clip; `view` is the part of the board where it
happened, and where in the clip its corners are seen (clockwise from left and top, as shares of its width and height).
Without a clip (a placing, a card, a full disk) these are left out. A file may be gone: the oldest are.
"""

import contextlib
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from linesies.calibration import Calibration
from linesies.device.announcers.clips import BEFORE_S, FilmRoll
from linesies.device.announcers.drawings import Draw
from linesies.device.announcers.evidence_store import Shelf
from linesies.device.cases.filing import Filing
from linesies.device.cases.struck import ContactPictures
from linesies.vision import Event, Frame, Image, Shot, TableEvent

WAITING = 8  # rulings whose pictures may wait; when people shoot faster than that, some go without
QUALITY = 88
SMALL_PX, SMALL_QUALITY = (160, 160), [cv2.IMWRITE_WEBP_QUALITY, 70]
VIEW_ROOM, VIEW_LEAST_MM = 1.3, 150.0  # of the board, round what moved in a clip
FAREWELL_S, IN_HAND_S = 1.5, 1.0  # with the film's, less than a process is given to leave


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What shows the event of one row, as its evidence row will say."""

    about: int
    body: dict[str, Any]
    fault: str | None = None  # why not all could be made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WantedEvidence:
    """An event to be shown: the row of what was seen, the frame in which all was at rest, what it stood under.

    `awaited` is the game's public state before it; `disputed` names the rows of which people think otherwise, and
    `contacts` show who was struck.
    """

    about: int
    frame: Frame
    calibration: Calibration
    event: Event | TableEvent
    awaited: Mapping[str, Any] | None = None
    disputed: frozenset[int] = frozenset()
    contacts: Mapping[str, ContactPictures] = field(default_factory=dict)


class Evidence:
    """Makes and keeps what shows each event; remembers what waits and what is done but not yet told."""

    def __init__(self, shelf: Shelf, draw: Draw, filing: Filing | None = None) -> None:
        self._shelf = shelf
        self._draw = draw
        self._filing = filing
        self._roll = FilmRoll() if shelf.keeps_clips else None
        self._waiting: queue.SimpleQueue[WantedEvidence | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Shown] = queue.SimpleQueue()
        self._artist = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._artist.start()

    def show_with(self, draw: Draw, filing: Filing | None) -> None:
        """Draw and file otherwise from now on: whose cap is which has changed."""
        self._draw, self._filing = draw, filing

    @property
    def files_cases(self) -> bool:
        """Tell whether what calls were measured from is kept."""
        return self._filing is not None

    def see(self, frame: Frame) -> None:
        """Film a frame; call it for every one."""
        if self._roll is not None:
            self._roll.see(frame)

    def take(self, wanted: WantedEvidence) -> None:
        """Have an event shown."""
        is_kept = self._shelf.keeps_pictures or self._roll is not None or self._filing is not None
        if is_kept and self._waiting.qsize() < WAITING:
            self._waiting.put(wanted)

    def done(self) -> list[Shown]:
        """Take what was made since the last time."""
        told = []
        while not self._done.empty():
            told.append(self._done.get())
        return told

    def close(self) -> None:
        """Finish what waits if that is soon done, else only what is in hand; what hangs ends with the process."""
        self._waiting.put(None)
        self._artist.join(FAREWELL_S)
        with contextlib.suppress(queue.Empty):
            while self._artist.is_alive():
                self._waiting.get_nowait()
        self._waiting.put(None)
        self._artist.join(IN_HAND_S)
        if self._roll is not None:
            self._roll.close()

    def _run(self) -> None:
        while (wanted := self._waiting.get()) is not None:
            body: dict[str, Any] = {"pictures": {}}
            faults = []
            for make in (self._shelf_tidied, self._pictures, self._cases, self._clip):
                try:
                    make(wanted, body)
                except Exception as error:  # noqa: BLE001 - a picture that fails costs no ruling
                    faults.append(f"{type(error).__name__}: {error}")
            self._done.put(Shown(about=wanted.about, body=body, fault="; ".join(faults) or None))

    def _shelf_tidied(self, _wanted: WantedEvidence, _body: dict[str, Any]) -> None:
        self._shelf.tidy()

    def _pictures(self, wanted: WantedEvidence, body: dict[str, Any]) -> None:
        if not self._shelf.keeps_pictures:
            return
        for i, (whose, picture) in enumerate(self._draw(wanted.frame.bgr, wanted.calibration, wanted.event)):
            path = self._shelf.folder / f"{wanted.about:08d}-{i}.jpg"
            _write(path, picture.drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            body["pictures"][whose] = path.name
            small = path.with_suffix(".webp")
            _write(small, cv2.resize(picture.seen, SMALL_PX, interpolation=cv2.INTER_AREA), SMALL_QUALITY)
            body.setdefault("small", {})[whose] = small.name
        self._shelf.tidy()

    def _cases(self, wanted: WantedEvidence, body: dict[str, Any]) -> None:
        if self._filing is None or isinstance(wanted.event, TableEvent):
            return
        self._filing.store.tidy(wanted.disputed)
        names = self._filing.file(wanted.about, wanted.event, wanted.calibration, wanted.awaited, wanted.contacts)
        if names:
            body["cases"] = names

    def _clip(self, wanted: WantedEvidence, body: dict[str, Any]) -> None:
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
            "view": view_of(shot, wanted.calibration, wanted.frame.size_px),
        }
        self._shelf.tidy()


def view_of(shot: Shot, calibration: Calibration, size_px: tuple[int, int]) -> dict[str, Any]:
    """Say which part of the board a shot happened in (mm), and where in a picture of that size its corners are seen."""
    spots = np.array([*(call.xy_mm for call in shot.calls), *(way[1:] for path in shot.ways.values() for way in path)])
    low, high = spots.min(axis=0), spots.max(axis=0)
    middle, half = (low + high) / 2, max(float((high - low).max()) / 2 * VIEW_ROOM, VIEW_LEAST_MM)
    (left, top), (right, bottom) = (middle - half).tolist(), (middle + half).tolist()
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    at = calibration.view.mm_to_px(corners) / size_px
    return {"mm": np.round([left, top, right, bottom], 1).tolist(), "at": np.round(at, 4).tolist()}


def _write(path: Path, picture: Image, how: list[int]) -> None:
    if not cv2.imwrite(str(path), picture, how):
        raise OSError(f"{path}: cannot be written; is the disk full?")
