"""The steward: carries out what the owner orders about the set-up, and shows him what the camera sees.

A picture is made only while somebody looks: whoever wants one touches a file beside it, now and then.
"""

import contextlib
import logging
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import msgspec
import numpy as np

from linesies.calibration import BadInput, Calibration, Lens, calibrate, write_calibration
from linesies.device.cameras.addresses import without_secrets
from linesies.device.loop.advice import advice_json
from linesies.device.loop.card_lesson import CardLesson
from linesies.device.loop.chosen_board import drawn_board, printed_mat
from linesies.device.loop.found_caps import found_json
from linesies.device.loop.proof_walk import ProofWalk
from linesies.device.loop.set_up import set_up_json
from linesies.device.loop.sight import is_table
from linesies.device.loop.tapped_caps import pick, told_sizes, write_kit
from linesies.device.places import camera_file, found_caps_file, picture_file, picture_wanted_file
from linesies.device.proof.certificates import keep, kept
from linesies.device.proof.correcting import corrected, why_not
from linesies.referee.orders import (
    AnyOrder,
    Calibrate,
    ChooseCamera,
    DrawnBoard,
    LearnCards,
    NameCaps,
    Pixel,
    PrintedMat,
    Prove,
    PutRight,
    ShutDown,
    TappedCap,
    read_order,
)
from linesies.referee.rows import Row
from linesies.referee.saying import Saying, Trouble
from linesies.vision import Cap, Frame, read_caps

log = logging.getLogger(__name__)

WANTED_S = 6.0  # how long a wish for pictures lasts
LOOK_EVERY_S = 0.25  # for such a wish; with each frame it would cost as much as the frame
PICTURE_EVERY_S = 1.0
QUALITY = 80
INSTEAD = " instead of "  # between the camera that people chose and the one that settings name
POWER_OFF = ("systemctl", "poweroff")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpPaths:
    """Where what the owner sets up is kept: the state folder, the calibration and the caps file."""

    state: Path
    calibration: Path
    caps: Path


class Redrawn(Protocol):
    """What the steward needs of eyes."""

    @property
    def calibration(self) -> Calibration | None:
        """Give the board as it was learned; None before it was."""
        ...

    @property
    def lens(self) -> Lens | None:
        """Give the camera's lens; None where it is not known."""
        ...

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with this calibration from now on."""
        ...

    def rekit(self, caps: Sequence[Cap]) -> None:
        """Look for these caps from now on; eyes over a card table have no such thing, nor are they asked."""
        ...

    def look_through_another(self) -> None:
        """See nothing until another camera has found the board."""
        ...


class Steward:
    """Remembers what is ordered and not done, and when a picture was last made.

    `redraw` is told what the page is to draw, `rekit` whose cap is which from now on. `lesson` is the
    box's own, in which cards may be learned already, whatever eyes it has.
    """

    def __init__(  # noqa: PLR0913 - what is joined, each by its name
        self,
        eyes: Redrawn,
        caps: Sequence[Cap],
        *,
        kept: SetUpPaths,
        redraw: Callable[[dict[str, Any]], object],
        rekit: Callable[[Sequence[Cap]], object],
        lesson: CardLesson | None = None,
        power_off: Sequence[str] = POWER_OFF,
    ) -> None:
        self._eyes = eyes
        self._caps = caps
        self._kept = kept
        self._redraw = redraw
        self._rekit = rekit
        self._picked: list[TappedCap] = []
        self._camera: str | None = None
        self._is_camera_new = False
        self._usual = ""
        self._power_off = power_off
        self._corners: list[Pixel] | None = None
        self._drawn: DrawnBoard | None = None  # which board people say it is
        self._mat: PrintedMat | None = None  # or which mat
        self._is_asked = False
        self._lesson = lesson or CardLesson(kept.state)
        self._walk = ProofWalk(kept.state, kept.calibration, kept.caps)
        self._look_s = 0.0
        self._has_picture_failed = False

    def take(self, rows: Sequence[Row]) -> list[Trouble]:
        """Take note of what is ordered; tells what cannot be done."""
        return [trouble for row in rows if row.kind == "order" for trouble in self._note(read_order(row.body))]

    def _note(self, order: AnyOrder | str) -> list[Trouble]:
        match order:
            case Calibrate():
                self._is_asked, self._corners = True, order.corners
                self._drawn, self._mat = order.board, order.mat
            case LearnCards():
                return self._lesson.begin(order.game)
            case NameCaps():
                self._picked = order.caps
            case ChooseCamera():
                self._camera, self._is_camera_new = order.source, True
            case Prove():
                self._walk.take(order)
            case PutRight():
                return _fenced("proof", self._put_right)
            case ShutDown():
                return self._shut_down()
        return []

    @property
    def is_proving(self) -> bool:
        """Tell whether somebody proves this box just now, and no game is to be watched."""
        return self._walk.is_on

    @property
    def is_looking(self) -> bool:
        """Tell whether somebody needs the camera, whatever the game does."""
        return self.is_proving or self._is_asked or bool(self._picked) or self._is_wanted()

    def has_new_camera(self) -> bool:
        """Tell once that another camera was chosen, and is to be opened."""
        is_new, self._is_camera_new = self._is_camera_new, False
        if is_new:
            self._eyes.look_through_another()
        return is_new

    def camera(self, usual: str) -> str:
        """Name the camera to open: the one that people chose in place of this usual one, or else that one itself."""
        self._usual = without_secrets(usual)
        if self._camera is not None:
            return self._camera
        with contextlib.suppress(OSError):
            chosen, _, instead = camera_file(self._kept.state).read_text().partition(INSTEAD)
            return chosen if instead == self._usual else usual
        return usual

    def found_again(self) -> list[Trouble]:
        """Keep what a camera that was just chosen sees, once it has found the board by itself."""
        found = self._eyes.calibration
        return [] if self._camera is None or found is None else _fenced("board", lambda: self._keep(found))

    def learned(self) -> list[Trouble]:
        """Tell once what became of cards that were to be learned; no camera is needed for that."""
        return self._lesson.done()

    def see(self, frame: Frame) -> list[Trouble]:
        """Show a frame to whoever looks, and learn the board from it if that is ordered; tell what was learned."""
        told = _fenced("proof", lambda: self._walk.see(frame))
        if time.monotonic() >= self._look_s:
            is_wanted = self._is_wanted()
            self._look_s = time.monotonic() + (PICTURE_EVERY_S if is_wanted else LOOK_EVERY_S)
            told += self._picture(frame) if is_wanted else []
        if self._is_asked:
            self._is_asked = False
            told += _fenced("board", lambda: self._learn(frame))
        if self._picked:
            picked, self._picked = self._picked, []
            told += _fenced("caps", lambda: self._name_caps(frame, picked))
        return told

    def _learn(self, frame: Frame) -> list[Trouble]:
        known = self._eyes.calibration
        if self._mat is not None:
            board = printed_mat(self._mat)
        else:
            board = drawn_board(self._drawn) if known is None or self._drawn else known.board
        corners_px = None if self._corners is None else np.array(self._corners, float)
        try:
            found = calibrate(frame.bgr, board, lens=self._eyes.lens, corners_px=corners_px)
        except BadInput as fault:  # corners that are none: people are told, and nothing ends
            return [Trouble("board", Saying("board_taps", why=str(fault)))]
        if not isinstance(found, Calibration):
            return [Trouble("board", Saying(f"board_{found.code}", why=found.reason))]
        self._eyes.recalibrate(found)
        return self._keep(found)

    def _keep(self, found: Calibration) -> list[Trouble]:
        write_calibration(found, self._kept.calibration)
        if self._camera is not None:
            camera_file(self._kept.state).write_text(f"{self._camera}{INSTEAD}{self._usual}")
            self._camera = None
        self._redraw({**set_up_json(found, self._caps), "advice": advice_json(found, self._caps)})
        return [Trouble.over("board")]

    def _name_caps(self, frame: Frame, picked: Sequence[TappedCap]) -> list[Trouble]:
        """Take the caps that people tapped for those of the game from now on."""
        if is_table(self._eyes.calibration):
            return [Trouble("caps", Saying("caps_table"))]
        if self._eyes.calibration is None:
            return [Trouble("caps", Saying("board_first"))]
        found = pick(frame.bgr, self._eyes.calibration, picked)
        if isinstance(found, Saying):
            return [Trouble("caps", found)]
        try:
            write_kit(found, self._kept.caps)
        except OSError as fault:
            return [Trouble("caps", Saying("caps_unwritten", why=f"{self._kept.caps}: {fault.strerror}"))]
        self._take_caps(found)
        self._redraw(set_up_json(self._eyes.calibration, found))
        return [Trouble.over("caps"), told_sizes(found)]

    def _take_caps(self, caps: Sequence[Cap]) -> None:
        self._caps = caps
        self._eyes.rekit(caps)
        self._rekit(caps)

    def _put_right(self) -> list[Trouble]:
        """Take what the certificate offers."""
        known, one = self._eyes.calibration, kept(self._kept.state)
        fault = "none" if known is None else why_not(one, known)
        if known is None or one is None or fault is not None:
            return [Trouble("proof", Saying("nothing_to_put_right", why=fault or ""))]
        right = corrected(one, known, read_caps(self._kept.caps))
        write_kit(right.caps, self._kept.caps)
        self._eyes.recalibrate(right.calibration)
        keep(right.certificate, self._kept.state)
        self._take_caps(right.caps)
        return self._keep(right.calibration)

    def _is_wanted(self) -> bool:
        try:
            return time.time() - picture_wanted_file(self._kept.state).stat().st_mtime < WANTED_S
        except OSError:
            return False

    def _picture(self, frame: Frame) -> list[Trouble]:
        """Write what the camera sees; a full disk costs that picture and not the game, and is told once."""
        is_made, coded = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        calibration = None if is_table(self._eyes.calibration) else self._eyes.calibration
        found = [] if calibration is None else found_json(frame.bgr, calibration)
        try:
            if is_made:
                _replace(found_caps_file(self._kept.state), msgspec.json.encode(found))
                _replace(picture_file(self._kept.state), coded.tobytes())
        except OSError as fault:
            had_failed, self._has_picture_failed = self._has_picture_failed, True
            return [] if had_failed else [Trouble("picture", Saying("picture_unwritten", why=str(fault)))]
        had_failed, self._has_picture_failed = self._has_picture_failed, False
        return [Trouble.over("picture")] if had_failed else []

    def _shut_down(self) -> list[Trouble]:
        try:
            subprocess.run(self._power_off, check=True, capture_output=True, timeout=10)  # noqa: S603 - our own words
        except (OSError, subprocess.SubprocessError):
            return [Trouble("shut down", Saying("no_shut_down"))]
        return []


def _replace(path: Path, written: bytes) -> None:
    """Write a file whole in place of the last one."""
    path.with_suffix(".new").write_bytes(written)
    path.with_suffix(".new").replace(path)


def _fenced(who: str, carry_out: Callable[[], list[Trouble]]) -> list[Trouble]:
    """Carry out what people ordered; whatever it makes fail is told to them, and ends no game."""
    try:
        return carry_out()
    except Exception as fault:
        log.exception("an order about the %s failed", who)
        return [Trouble(who, Saying("order_failed", why=f"{type(fault).__name__}: {fault}"))]
