"""Writes a simulated clip with its truth: the film and the files that `calibrate`, `judge` and `watch` read."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import av
import cv2

from linesies.device.errors import BadInput
from linesies.device.progress import with_time_left
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.truth import Truth, board_file, lens_file
from linesies.vision import Frame, caps_to_file

QUALITY = "16"  # x264's constant rate factor: nearly everything but the noise is kept
JPEG_QUALITY = 97


def write_clip(street: SimulatedStreet, frames: int, folder: Path, *, is_jpeg: bool = False) -> None:
    """Write `frames` frames (Motion-JPEG when `is_jpeg`, else H.264) and all that belongs to them into a folder."""
    make_folder(folder)
    write_set_up(street, folder)
    shown = islice(street.frames(), frames)
    first = next(shown)
    header = street.header(frames)
    film = folder / ("clip.avi" if is_jpeg else "clip.mp4")
    filmed = with_time_left(_chain(first, shown), "frames", frames)
    encode(film, filmed, street.size_px, int(street.fps), is_jpeg=is_jpeg)
    end_s = frames / street.fps
    truth = [told for told in street.truth if _ended_s(told) < end_s]
    write_lines(folder / "truth.jsonl", [{**header, "name": folder.name}, *truth])


def _ended_s(told: Truth) -> float:
    """Tell when something was over: a shot has an end, a cap put down a start, what befalls the camera a moment."""
    return float(next(told[key] for key in ("t_end", "t_start", "t") if key in told))


def write_set_up(street: SimulatedStreet, folder: Path) -> None:
    """Write what is known before the first frame: the empty board, board, lens, caps, corner taps and start."""
    cv2.imwrite(str(folder / "empty.jpg"), street.empty_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_json(folder / "board.json", board_file(street.board))
    write_json(folder / "lens.json", lens_file(street.lens))
    write_json(folder / "caps.json", caps_to_file(street.caps))
    write_json(folder / "start.json", street.start)
    (folder / "corners.txt").write_text(" ".join(f"{x:.0f},{y:.0f}" for x, y in street.corners_px))


def make_folder(folder: Path) -> None:
    """Make the folder; raises BadInput where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"{folder}: cannot be made ({fault.strerror}); choose another place") from None


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON."""
    path.write_text(json.dumps(value, separators=(",", ":")))


def write_lines(path: Path, truth: list[Truth]) -> None:
    """Write truths as JSON Lines."""
    path.write_text("".join(json.dumps(t) + "\n" for t in truth))


def _chain(first: Frame, rest: Iterator[Frame]) -> Iterator[Frame]:
    yield first
    yield from rest


def encode(path: Path, frames: Iterator[Frame], size_px: tuple[int, int], fps: int, *, is_jpeg: bool) -> None:
    """Write a film: Motion-JPEG with all its noise, or H.264."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mjpeg" if is_jpeg else "libx264", rate=fps)
        stream.width, stream.height = size_px
        stream.pix_fmt = "yuvj420p" if is_jpeg else "yuv420p"
        stream.codec_context.time_base = Fraction(1, fps)
        stream.options = {"q:v": "2", "qmin": "2", "qmax": "2"} if is_jpeg else {"crf": QUALITY, "preset": "veryfast"}
        for number, frame in enumerate(frames):
            picture = av.VideoFrame.from_ndarray(frame.bgr, format="bgr24").reformat(format=stream.pix_fmt)
            picture.pts, picture.time_base = number, Fraction(1, fps)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
