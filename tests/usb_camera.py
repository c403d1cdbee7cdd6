"""A USB camera for tests: a small C library (usb_camera.c) that is preloaded into a camera's own process."""

import shutil
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

NAME = "v4l2:77"
CONTROLS = {
    0x009A0901: "auto exposure",
    0x009A0902: "exposure",
    0x009A0903: "exposure may slow the camera down",
    0x0098090C: "auto white balance",
    0x0098091A: "white balance",
    0x009A090C: "auto focus",
    0x009A090A: "focus",
}


class UsbCamera:
    """Plugs a camera in for every process that is begun from now on; what `options` may be stands in usb_camera.c."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        if shutil.which("gcc") is None:
            pytest.skip("no gcc here to build the USB camera with; run: sudo apt install gcc libc6-dev")
        self._folder, self._monkeypatch = folder, monkeypatch
        library = folder / "usb_camera.so"
        source = Path(__file__).with_name("usb_camera.c")
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source, "-ldl"], check=True
        )
        monkeypatch.setenv("LD_PRELOAD", str(library))
        monkeypatch.setenv("USB_CAMERA", str(folder))

    def plug_in(self, pictures: Iterable[np.ndarray], *, other: Iterable[np.ndarray] = (), **options: object) -> None:
        """Let it show these pictures, over and over; with `CHANGES` the `other` ones after so many."""
        for name, shown in (("film", list(pictures)), ("other", list(other))):
            coded = [cv2.imencode(".jpg", picture)[1].tobytes() for picture in shown]
            (self._folder / name).write_bytes(b"".join(struct.pack("I", len(jpeg)) + jpeg for jpeg in coded))
            if name == "film":
                self._monkeypatch.setenv("USB_CAMERA_SIZE", f"{shown[0].shape[1]}x{shown[0].shape[0]}")
        for option, value in options.items():
            self._monkeypatch.setenv(f"USB_CAMERA_{option}", str(value))

    def controls(self) -> list[tuple[str, int]]:
        """List the controls that were set, in their order."""
        log = self._folder / "log"
        lines = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
        return [(CONTROLS[int(number)], int(value)) for _, number, value in lines]
