"""What a Raspberry Pi says of its supply and its heat: told to people, since both show as a slow or dying camera.

The firmware's bits (raspberrypi.com, documentation of `vcgencmd get_throttled`): 0 voltage too low, 1 clock capped,
2 throttled, 3 soft limit of temperature; 16 to 19 likewise, since the last start. Current kernels give the number in
sysfs, older ones only through `vcgencmd`. Elsewhere there is neither, and nothing is told.
"""

import glob
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from linesies.referee.saying import Saying, Trouble

SYSFS = "/sys/devices/platform/soc*/soc*:firmware/get_throttled"
EVERY_S = 5.0
ANSWER_S = 2.0
LOW_VOLTAGE, CAPPED, THROTTLED, HOT = 1, 2, 4, 8
IS_HOT = CAPPED | THROTTLED | HOT


def open_power(pattern: str = SYSFS) -> Callable[[], int] | None:
    """Find where the bits can be read; None where there are none."""
    for path in glob.glob(pattern):  # noqa: PTH207 - the pattern is absolute
        return lambda: int(Path(path).read_text(), 16)
    if shutil.which("vcgencmd"):
        return _ask_firmware
    return None


def _ask_firmware() -> int:
    answer = subprocess.run(
        ["vcgencmd", "get_throttled"],  # noqa: S607 - where it lies differs between releases
        capture_output=True,
        text=True,
        timeout=ANSWER_S,
        check=True,
    )
    return int(answer.stdout.partition("=")[2], 16)


class PowerWatch:
    """Remembers what it has told, and when it last looked."""

    def __init__(self, read: Callable[[], int] | None) -> None:
        self._read = read
        self._told: Saying | None = None
        self._next_s = 0.0

    def __call__(self) -> list[Trouble]:
        """Look every few seconds; tells what is newly wrong, or well again."""
        if self._read is None or time.monotonic() < self._next_s:
            return []
        self._next_s = time.monotonic() + EVERY_S
        try:
            bits = self._read()
        except (OSError, ValueError, subprocess.SubprocessError):
            return []  # asked again in a few seconds
        saying = said_by(bits)
        if saying == self._told:
            return []
        self._told = saying
        return [Trouble.over("power") if saying is None else Trouble("power", saying)]


def said_by(bits: int) -> Saying | None:
    """Say what the bits mean right now; None when all is well."""
    is_low, is_hot = bool(bits & LOW_VOLTAGE), bool(bits & IS_HOT)
    if is_low and is_hot:
        return Saying("low_and_hot")
    return Saying("low_voltage") if is_low else Saying("too_hot") if is_hot else None
