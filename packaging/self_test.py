"""After installing: can all be imported that the box needs, and is numpy still the system's own?"""

import importlib
import sys

NEEDED = (
    *("numpy", "scipy.optimize", "cv2", "av", "msgspec", "flask", "gunicorn", "gpiozero", "segno"),
    *("calibration", "vision", "rules", "web", "device.cli", "device.match.refereeing", "device.webface"),
)
ON_A_PI = ("picamera2", "lgpio")


def main() -> int:
    """Import everything; returns 1 and says what is missing if anything that is needed everywhere is."""
    missing = [f"{name} ({fault})" for name in NEEDED if (fault := fault_of(name))]
    if not missing:
        commands = [f"device.commands.{name}" for name in sys.modules["device.cli"].COMMANDS]
        missing = [f"{name} ({fault})" for name in commands if (fault := fault_of(name))]
    absent = [name for name in ON_A_PI if fault_of(name)]
    if missing:
        print(f"linesies: cannot import {', '.join(missing)}", file=sys.stderr)
        return 1
    numpy = sys.modules["numpy"]
    if not numpy.__file__.startswith("/usr/lib/python3/"):
        print(f"linesies: numpy is not the system's own but {numpy.__file__}; picamera2 may break", file=sys.stderr)
        return 1
    without = f"; without {' and '.join(absent)}, which only a Raspberry Pi has" if absent else ""
    print(f"linesies: all can be imported, numpy {numpy.__version__} is the system's{without}")
    return 0


def fault_of(name: str) -> str | None:
    """Import one module; what it says if it cannot be."""
    try:
        importlib.import_module(name)
    except Exception as fault:
        return str(fault) or type(fault).__name__
    return None


if __name__ == "__main__":
    sys.exit(main())
