"""After installing: import all that the box needs, and see that numpy is still the system's own."""  # noqa: INP001 - a script

import importlib
import sys

OURS = ("linesies.calibration", "linesies.vision", "linesies.rules", "linesies.web")
NEEDED = (
    *("numpy", "scipy.optimize", "cv2", "av", "msgspec", "flask", "gunicorn", "gpiozero", "segno"),
    *(*OURS, "linesies.device.cli", "linesies.device.loop.refereeing"),
    *("linesies.device.cameras.camera_child", "linesies.device.serving.webface", "linesies.device.serving.webapp"),
)
ON_A_PI = ("picamera2", "lgpio")


def main() -> int:
    """Import everything; returns 1 and says what is missing if anything that is needed everywhere is."""
    missing = [f"{name} ({fault})" for name in NEEDED if (fault := fault_of(name))]
    if not missing:
        line = sys.modules["linesies.device.cli"]
        commands = [f"{line.home_of(name)}.{name}" for name in line.COMMANDS if line.is_installed(name)]
        missing = [f"{name} ({fault})" for name in commands if (fault := fault_of(name))]
    absent = [name for name in ON_A_PI if fault_of(name)]
    if missing:
        return say(f"cannot import {', '.join(missing)}", is_well=False)
    numpy = sys.modules["numpy"]
    if not numpy.__file__.startswith("/usr/lib/python3/"):
        return say(f"numpy is not the system's own but {numpy.__file__}; picamera2 may break", is_well=False)
    without = f"; without {' and '.join(absent)}, which only a Raspberry Pi has" if absent else ""
    return say(f"all can be imported, numpy {numpy.__version__} is the system's{without}", is_well=True)


def say(line: str, *, is_well: bool) -> int:
    """Write one line for people; the exit status that goes with it."""
    (sys.stdout if is_well else sys.stderr).write(f"linesies: {line}\n")
    return 0 if is_well else 1


def fault_of(name: str) -> str | None:
    """Import one module, and of a package all that it offers; what it says if it cannot be."""
    try:
        module = importlib.import_module(name)
        for offered in getattr(module, "__all__", ()) if name in OURS else ():
            getattr(module, offered)
    except Exception as fault:  # noqa: BLE001 - a broken library raises anything
        return str(fault) or type(fault).__name__
    return None


if __name__ == "__main__":
    sys.exit(main())
