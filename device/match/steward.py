"""The steward: carries out what the owner orders about the set-up, and shows him what the camera sees.

A picture is made only while somebody looks: whoever wants one touches a file beside it, now and then.
"""

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from calibration import Calibration, calibrate, write_calibration
from device.announcers.announcing import Trouble
from device.journal.journal import Row
from device.match.set_up import set_up_json
from device.places import picture_file, picture_wanted_file
from vision import Cap, Frame

WANTED_S = 6.0  # how long a wish for pictures lasts
PICTURE_EVERY_S = 1.0
QUALITY = 80
POWER_OFF = ("systemctl", "poweroff")


class Redrawn(Protocol):
    """What the steward needs of eyes: to look with another calibration."""

    calibration: Calibration

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with this calibration from now on."""
        ...


class Steward:
    """Remembers what is ordered and not done, and when a picture was last made."""

    def __init__(
        self,
        eyes: Redrawn,
        caps: Sequence[Cap],
        *,
        state: Path,
        keep_at: Path,
        redraw: Callable[[dict], object],
        power_off: Sequence[str] = POWER_OFF,
    ) -> None:
        self._eyes = eyes
        self._caps = caps
        self._state = state
        self._keep_at = keep_at
        self._redraw = redraw
        self._power_off = power_off
        self._corners: list[list[float]] | None = None
        self._is_asked = False
        self._pictured_s = 0.0

    def take(self, rows: Sequence[Row]) -> list[Trouble]:
        """Take note of what is ordered; tells what cannot be done."""
        for row in rows:
            if row.kind != "order" or row.body.get("refused"):
                continue
            if row.body.get("order") == "calibrate":
                self._is_asked, self._corners = True, row.body.get("corners")
            elif row.body.get("order") == "shut_down":
                return self._shut_down()
        return []

    def see(self, frame: Frame) -> list[Trouble]:
        """Show a frame to whoever looks, and learn the board from it if that is ordered."""
        if time.monotonic() - self._pictured_s > PICTURE_EVERY_S and self._is_wanted():
            self._pictured_s = time.monotonic()
            self._picture(frame)
        if not self._is_asked:
            return []
        self._is_asked = False
        return self._learn(frame)

    def _learn(self, frame: Frame) -> list[Trouble]:
        known = self._eyes.calibration
        corners_px = None if self._corners is None else np.array(self._corners, float)
        found = calibrate(frame.bgr, known.board, lens=known.view.lens, corners_px=corners_px)
        if not isinstance(found, Calibration):
            return [Trouble("board", found.reason)]
        self._eyes.recalibrate(found)
        write_calibration(found, self._keep_at)
        self._redraw(set_up_json(found, self._caps))
        return [Trouble("board", "learned again", is_over=True)]

    def _is_wanted(self) -> bool:
        try:
            return time.time() - picture_wanted_file(self._state).stat().st_mtime < WANTED_S
        except OSError:
            return False

    def _picture(self, frame: Frame) -> None:
        is_made, coded = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        path = picture_file(self._state)
        try:
            if is_made:
                path.with_suffix(".new").write_bytes(coded.tobytes())
                path.with_suffix(".new").replace(path)
        except OSError:
            pass  # a full disk costs the picture, not the game

    def _shut_down(self) -> list[Trouble]:
        try:
            subprocess.run(self._power_off, check=True, capture_output=True, timeout=10)  # noqa: S603 - our own words
        except (OSError, subprocess.SubprocessError):
            return [Trouble("shut down", "this machine may not be switched off from here; pull no plug, ask its owner")]
        return []
