"""Decodes a film's or stream's pictures into frames, taking over their planes as they are."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import av
import numpy as np

from linesies.device.cameras.upright import AS_STORED, QuarterTurn
from linesies.vision import Frame, Layout

AHEAD = 12  # frames that a film is decoded ahead while a cap is measured, which takes as long as 30; 17 MB at 1280x720
LAYOUTS = {"yuv420p": Layout.YUV420_LIMITED, "yuvj420p": Layout.YUV420}


def opened(address: str, **how: Any) -> av.container.InputContainer:
    """Open a film or stream, whatever letters its title is written in: PyAV passes them on by itself from 19 on."""
    if int(av.__version__.partition(".")[0]) < 19:
        how = {**how, "metadata_errors": "replace"}
    return av.open(address, **how)


def frame_rate(stream: av.VideoStream) -> float:
    """Tell a stream's frames a second as its header says, 30 where it says nothing."""
    return float(stream.average_rate or stream.guessed_rate or 30)


def video_of(container: av.container.InputContainer) -> av.VideoStream | None:
    """Give the video of a film or stream; None without one, and where FFmpeg knows no decoder for it."""
    videos = container.streams.video
    return videos[0] if videos and videos[0].codec_context is not None else None


def decoded(
    packets: Iterable["av.Packet[av.VideoStream]"],
    stream: av.VideoStream,
    *,
    turn: QuarterTurn = AS_STORED,
    clock: Callable[[], float] | None = None,
) -> Iterator[Frame]:
    """Yield the frames in a stream's packets, numbered from 0; time 0 is the first one's. FFmpeg's faults go on.

    They are turned to be upright. With a `clock` (seconds) their times are those at which they arrived, by it.
    """
    first_s = None
    arrived = ((clock and clock(), packet) for packet in packets)
    pictures = ((arrived_s, picture) for arrived_s, packet in arrived for picture in packet.decode())
    for number, (arrived_s, picture) in enumerate(pictures):
        t_s = picture.time if arrived_s is None else arrived_s
        t_s = number / frame_rate(stream) if t_s is None else t_s
        first_s = t_s if first_s is None else first_s
        yield to_frame(picture, turn, number=number, t_s=t_s - first_s)


def decode_beside(stream: av.VideoStream) -> None:
    """Leave one core to whoever watches, while a film is decoded on the others.

    Where no more than one other is left, FFmpeg's own threads would only wait for one another: a quarter of its work.
    """
    others = max((os.cpu_count() or 1) - 1, 1)
    stream.thread_type = "AUTO" if others > 1 else "NONE"
    stream.codec_context.thread_count = others


def ahead(frames: Iterator[Frame]) -> Generator[Frame, None, None]:
    """Yield the same frames, made in a thread of their own; what making one raises is raised where it is due."""
    with ThreadPoolExecutor(1, thread_name_prefix="film") as maker:
        coming = deque(maker.submit(next, frames, None) for _ in range(AHEAD))
        try:
            while (frame := coming.popleft().result()) is not None:
                coming.append(maker.submit(next, frames, None))
                yield frame
        finally:
            for later in coming:
                later.cancel()


def to_frame(picture: av.VideoFrame, turn: QuarterTurn, *, number: int, t_s: float) -> Frame:
    """Take over a decoded picture's planes, converting only layouts that we don't read."""
    layout = LAYOUTS.get(picture.format.name)
    if picture.format.name == "yuv420p" and picture.color_range == av.video.reformatter.ColorRange.JPEG:
        layout = Layout.YUV420
    if layout is None or picture.width % 2 or picture.height % 2:
        bgr = np.asarray(picture.to_ndarray(format="bgr24"), np.uint8)
        return Frame.from_bgr(turn.upright(bgr, Layout.BGR), number=number, t_s=t_s)
    planes = np.asarray(picture.to_ndarray(), np.uint8)
    return Frame(turn.upright(planes, layout), layout=layout, number=number, t_s=t_s)
