"""A small RTSP camera for tests: serves one H.264 film over interleaved TCP (RFC 2326, RFC 6184)."""

import base64
import contextlib
import re
import socket
import struct
import threading
import time
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Self

import av

from tests.builders import moving_square

PAYLOAD = 1200  # bytes of a NAL unit in one packet


class RtspCamera:
    """Serves `frames` pictures at 30 a second to each client, then hangs up, or falls silent if `goes_silent`.

    With a `film` (H.264, 60 a second) it serves that, over and over.
    """

    def __init__(self, frames: int = 0, *, film: Path | None = None, goes_silent: bool = False, port: int = 0) -> None:
        self._frames, self._goes_silent, self._film = frames, goes_silent, film
        self._fps = 30 if film is None else 60
        self._socket = socket.create_server(("127.0.0.1", port))
        self._done = threading.Event()
        self.address = f"rtsp://127.0.0.1:{self._socket.getsockname()[1]}/street"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Break off in the middle, and answer nobody any more."""
        self._hang_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._hang_up()

    def _hang_up(self) -> None:
        self._done.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the one that waits for clients
        self._socket.close()
        self._thread.join(5)

    def _serve(self) -> None:
        units = encode(self._frames) if self._film is None else units_of(self._film)
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve_client, args=(client, units), daemon=True).start()

    def _serve_client(self, client: socket.socket, units: list[list[bytes]]) -> None:
        with contextlib.suppress(OSError), client, client.makefile("rb") as lines:
            while request := read_request(lines):
                method, number = request
                client.sendall(self._answer(method, number, units[0]))
                if method == "PLAY":
                    self._play(client, units)
                    return

    def _answer(self, method: str, number: str, first: list[bytes]) -> bytes:
        body = ""
        extra = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
        if method == "DESCRIBE":
            sets = ",".join(base64.b64encode(unit).decode() for unit in first if unit[0] & 31 in (7, 8))
            body = (
                "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=street\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\n"
                f"a=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;sprop-parameter-sets={sets}\r\n"
                f"a=framerate:{self._fps}\r\na=control:track\r\n"
            )
            extra = "Content-Type: application/sdp\r\n"
        if method == "SETUP":
            extra = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 7\r\n"
        return f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n{extra}Content-Length: {len(body)}\r\n\r\n{body}".encode()

    def _play(self, client: socket.socket, units: list[list[bytes]]) -> None:
        serial, began_s = 0, time.monotonic()
        for n, picture in enumerate(units if self._film is None else cycle(units)):
            for i, unit in enumerate(picture):
                for packet in packets(unit, is_last=i == len(picture) - 1):
                    client.sendall(rtp(packet, serial, n * 90_000 // self._fps))
                    serial += 1
            if self._done.wait(max(0.0, began_s + (n + 1) / self._fps - time.monotonic())):
                return
        if self._goes_silent:
            self._done.wait(20)


def encode(frames: int) -> list[list[bytes]]:
    """Encode the moving square; one list of NAL units a picture, parameter sets in the first."""
    encoder = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.framerate = 320, 240, "yuv420p", 30
    encoder.time_base = Fraction(1, 30)
    encoder.options = {"tune": "zerolatency", "g": "10"}
    pictures = [
        av.VideoFrame.from_ndarray(moving_square(n), format="bgr24").reformat(format="yuv420p") for n in range(frames)
    ]
    return units_in([packet for picture in pictures for packet in encoder.encode(picture)] + encoder.encode())


def units_of(film: Path) -> list[list[bytes]]:
    """Take the units out of a film as it is; it must hold no pictures that are shown before what they need."""
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        bare = av.BitStreamFilterContext("h264_mp4toannexb", stream)
        return units_in([unit for packet in container.demux(stream) if packet.size for unit in bare.filter(packet)])


def units_in(coded: list[av.Packet]) -> list[list[bytes]]:
    """Part each picture's bytes into NAL units."""
    return [[u for u in re.split(b"\0\0\0?\1", bytes(packet)) if u] for packet in coded]


def packets(unit: bytes, *, is_last: bool) -> list[tuple[bytes, bool]]:
    """Split a NAL unit into payloads, each with whether it ends its picture."""
    if len(unit) <= PAYLOAD:
        return [(unit, is_last)]
    parts = [unit[i : i + PAYLOAD] for i in range(1, len(unit), PAYLOAD)]
    head = bytes([unit[0] & 0xE0 | 28])
    return [
        (
            head + bytes([(i == 0) << 7 | (i == len(parts) - 1) << 6 | unit[0] & 31]) + part,
            is_last and i == len(parts) - 1,
        )
        for i, part in enumerate(parts)
    ]


def rtp(packet: tuple[bytes, bool], serial: int, ticks: int) -> bytes:
    """Wrap a payload as an interleaved RTP packet."""
    payload, is_last = packet
    header = struct.pack(">BBHII", 0x80, 96 | is_last << 7, serial & 0xFFFF, ticks, 1)
    return struct.pack(">cBH", b"$", 0, len(header) + len(payload)) + header + payload


def read_request(lines) -> tuple[str, str] | None:
    """Read one request's method and sequence number."""
    first = lines.readline().decode()
    number = "0"
    while line := lines.readline().decode().strip():
        if line.lower().startswith("cseq:"):
            number = line.split(":")[1].strip()
    return (first.split()[0], number) if first.strip() else None
