"""What a USB camera lets one set: exposure, white balance and focus, found by itself or held.

The numbers are the kernel's (linux/v4l2-controls.h, linux/videodev2.h). A camera refuses what it has not; that is no
fault, for few have all.
"""

import fcntl
import struct
from dataclasses import dataclass

READ, WRITE = 0xC008561B, 0xC008561C  # VIDIOC_G_CTRL, VIDIOC_S_CTRL
KEEP_RATE = 0x009A0903  # V4L2_CID_EXPOSURE_AUTO_PRIORITY: 0 forbids longer exposures at fewer frames a second


@dataclass(frozen=True, slots=True, kw_only=True)
class _Control:
    """A switch that lets the camera find a value by itself, and the value."""

    switch: int
    automatic: int
    held: int
    value: int


CONTROLS = (
    _Control(switch=0x009A0901, automatic=3, held=1, value=0x009A0902),  # exposure: aperture priority, manual
    _Control(switch=0x0098090C, automatic=1, held=0, value=0x0098091A),  # white balance, its temperature
    _Control(switch=0x009A090C, automatic=1, held=0, value=0x009A090A),  # focus
)


def keep_rate(device: int) -> None:
    """Let no dim light slow the camera down."""
    _write(device, KEEP_RATE, 0)


def find(device: int) -> None:
    """Let the camera find exposure, white balance and focus by itself."""
    for control in CONTROLS:
        _write(device, control.switch, control.automatic)


def hold(device: int) -> None:
    """Hold exposure, white balance and focus where the camera has them now; a plain switch goes to its own value."""
    for control in CONTROLS:
        found = _read(device, control.value)
        if _write(device, control.switch, control.held) and found is not None:
            _write(device, control.value, found)


def _read(device: int, control: int) -> int | None:
    try:
        answer = fcntl.ioctl(device, READ, struct.pack("Ii", control, 0))
    except OSError:
        return None
    return int(struct.unpack("Ii", answer)[1])


def _write(device: int, control: int, value: int) -> bool:
    try:
        fcntl.ioctl(device, WRITE, struct.pack("Ii", control, value))
    except OSError:
        return False
    return True
