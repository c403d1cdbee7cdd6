"""Clips of shots: all that the camera sees is filmed on a thread of its own, and the last seconds are cut from it.

The film is H.264 of a phone's size with a whole picture every half second, so that cutting copies and never encodes
again. When the machine is too busy, the film loses frames; the game never waits for it.
"""

import queue
import threading
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from av.codec.context import Flags

from linesies.vision import Frame, Image, Layout, glance_at

KEPT_S = 14.0  # of film; the longest roll of a cap with what goes before
BEFORE_S = 0.5  # the first motion
WAITING = 6  # frames that may wait to be filmed
PATIENCE_S = 2.0
FAREWELL_S = 1.0
TICKS = 90_000  # a second, as films count
WHOLE_EVERY = 30  # frames
QUALITY = {"preset": "ultrafast", "tune": "zerolatency", "crf": "27", "maxrate": "1M", "bufsize": "500k"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    t_s: float
    is_whole: bool
    coded: bytes


class FilmRoll:
    """Remembers the last seconds as film."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Frame | threading.Event | None] = queue.SimpleQueue()
        self._pieces: deque[_Piece] = deque()
        self._lock = threading.Lock()
        self._is_broken = False
        self._fault: str | None = None  # still to be told
        self._encoder: av.VideoCodecContext | None = None
        self._first_s = self._last_s = 0.0
        self._filming = threading.Thread(target=self._run, name="film", daemon=True)
        self._filming.start()

    def see(self, frame: Frame) -> None:
        """Film a frame, unless too many wait already."""
        if self._waiting.qsize() < WAITING:
            self._waiting.put(frame)

    def catch_up(self) -> None:
        """Wait until all is filmed that was seen before, but not for ever."""
        has_caught_up = threading.Event()
        self._waiting.put(has_caught_up)
        has_caught_up.wait(PATIENCE_S)

    def cut(self, path: Path, *, start_s: float, end_s: float) -> float | None:
        """Write the film of a time of the source to an MP4 file; tells when that begins, None where there is none.

        Waits for the frames that were seen before. Raises OSError for a disk that fails, RuntimeError when this
        machine can't film; it says so once.
        """
        self.catch_up()
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise RuntimeError(fault)
        with self._lock:
            pieces = [piece for piece in self._pieces if piece.t_s <= end_s]
            size_px = None if self._encoder is None else (self._encoder.width, self._encoder.height)
        whole = [i for i, piece in enumerate(pieces) if piece.is_whole]
        first = max((i for i in whole if pieces[i].t_s <= start_s), default=min(whole, default=None))
        if first is None or size_px is None:
            return None
        _write(path, pieces[first:], size_px)
        return pieces[first].t_s

    def close(self) -> None:
        """Stop filming; what takes too long is left to end with the process."""
        self._waiting.put(None)
        self._filming.join(FAREWELL_S)

    def _run(self) -> None:
        while (wanted := self._waiting.get()) is not None:
            if isinstance(wanted, threading.Event):
                wanted.set()
            elif not self._is_broken:
                try:
                    self._film(wanted)
                except (av.FFmpegError, ValueError, cv2.error) as error:
                    self._is_broken, self._fault = True, f"this machine can't film ({error})"

    def _film(self, frame: Frame) -> None:
        planes = _planes(frame)
        encoder = self._encoder_for((planes.shape[1], planes.shape[0] * 2 // 3), frame.t_s)
        self._last_s = frame.t_s
        picture = av.VideoFrame.from_numpy_buffer(planes, format="yuv420p")  # which copies nothing
        picture.pts, picture.time_base = round((frame.t_s - self._first_s) * TICKS), Fraction(1, TICKS)
        for packet in encoder.encode(picture):
            piece = _Piece(
                t_s=self._first_s + (packet.pts or 0) / TICKS, is_whole=packet.is_keyframe, coded=bytes(packet)
            )
            with self._lock:
                self._pieces.append(piece)
                while piece.t_s - self._pieces[0].t_s > KEPT_S:
                    self._pieces.popleft()

    def _encoder_for(self, size_px: tuple[int, int], t_s: float) -> av.VideoCodecContext:
        """Give the film's coder; a new film is begun where the pictures' size or the source's clock has changed."""
        known = self._encoder
        if known is not None and size_px == (known.width, known.height) and t_s > self._last_s:
            return known
        with self._lock:
            self._pieces.clear()
            self._encoder = new = _encoder(size_px)
        self._first_s = t_s
        return new


def _write(path: Path, pieces: list[_Piece], size_px: tuple[int, int]) -> None:
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as film:
        stream = film.add_stream("libx264", rate=60)
        _set(stream.codec_context, size_px)
        for piece in pieces:
            packet = av.Packet(piece.coded)
            packet.pts = packet.dts = round((piece.t_s - pieces[0].t_s) * TICKS)
            packet.time_base, packet.stream, packet.is_keyframe = Fraction(1, TICKS), stream, piece.is_whole
            film.mux(packet)


def _encoder(size_px: tuple[int, int]) -> av.VideoCodecContext:
    encoder = av.CodecContext.create("libx264", "w")
    _set(encoder, size_px)
    encoder.open()
    return encoder


def _set(encoder: av.VideoCodecContext, size_px: tuple[int, int]) -> None:
    """Set both the film's coder and the file's alike: so a file knows how to read what was coded before."""
    encoder.width, encoder.height = size_px
    encoder.pix_fmt = "yuv420p"
    encoder.time_base = Fraction(1, TICKS)
    encoder.framerate = Fraction(60)
    encoder.thread_count = 1  # of so small a picture several only wait for one another
    encoder.options = {**QUALITY, "g": str(WHOLE_EVERY)}
    encoder.flags |= Flags.global_header


def _planes(frame: Frame) -> Image:
    """Make planes Y, U, V of a phone's size (h * 3 / 2, w), in the limited range that phones expect.

    The eyes have made most of them of each frame already.
    """
    planes = glance_at(frame).planes
    h, w = (side // 4 * 4 for side in planes.filmed.shape)
    y = planes.filmed[:h, :w]
    u, v = (plane[: h // 2, : w // 2] for plane in planes.filmed_colours())
    if frame.layout is not Layout.YUV420_LIMITED:
        y = cv2.convertScaleAbs(y, alpha=219 / 255, beta=16)
        u, v = (cv2.convertScaleAbs(plane, alpha=224 / 255, beta=128 * (1 - 224 / 255)) for plane in (u, v))
    return np.vstack([y, u.reshape(-1, w), v.reshape(-1, w)])
