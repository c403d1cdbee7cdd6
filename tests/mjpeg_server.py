"""A phone's camera for tests: Motion-JPEG over HTTP, as the well-known apps and many cheap cameras serve it."""

import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Self

import cv2
import numpy as np

from tests.builders import moving_square

BOUNDARY = "frame"


class MjpegCamera:
    """Serves pictures at `/video`, over and over; what goes wrong, after so many: `stalls`, `hangs_up`, `turns`.

    Shows the one JPEG in `live` where there is one. `shown` lists the numbers of the pictures that were sent.
    """

    def __init__(
        self,
        pictures: Sequence[np.ndarray] = (),
        *,
        fps: float = 30,
        stalls: int | None = None,
        hangs_up: int | None = None,
        turns: int | None = None,
        live: Sequence[bytes] = (),
        port: int = 0,
    ) -> None:
        self.fps, self.stalls, self.hangs_up, self.turns = fps, stalls, hangs_up, turns
        self._live = live
        self._pictures = [_jpeg(picture) for picture in pictures or [moving_square(n) for n in range(40)]]
        self.shown: list[int] = []
        self.is_over = threading.Event()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path.partition("?")[0] != "/video":
                    self.send_response(200)
                    self.send_header("Content-Type", "text/html")
                    self.end_headers()
                    self.wfile.write(b"<h1>My phone</h1>")
                    return
                self.send_response(200)
                self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
                self.end_headers()
                try:
                    camera.show(self.wfile)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.address = f"http://127.0.0.1:{self.port}/video"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def show(self, client) -> None:
        """Send pictures until something goes wrong, or the test is over."""
        began_s = time.monotonic()
        for number in count():
            if self.hangs_up == number:
                return
            if self.stalls == number:
                self.is_over.wait(60)
            if self.is_over.wait(max(0.0, began_s + number / self.fps - time.monotonic())):
                return
            jpeg = self._live[0] if self._live else self._pictures[number % len(self._pictures)]
            if self.turns is not None and number >= self.turns:
                jpeg = _jpeg(np.full((320, 240, 3), 90, np.uint8))
            self.shown.append(number)
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            client.write(head.encode() + jpeg + b"\r\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def unplug(self) -> None:
        """Break off, and answer nobody any more."""
        self.is_over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


def _jpeg(picture: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()
