"""What the options of a simulated source are read by, street and card table alike."""

from collections.abc import Sequence

from linesies.device.errors import BadInput
from linesies.simulator.pacing import Speed


def read_whole(options: dict[str, str], name: str, default: int | None) -> int | None:
    """Read a whole number of a simulation's options; raises BadInput for anything else."""
    text = options.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()):
        raise BadInput(f"sim: `{name}` must be a whole number, not {text!r}")
    return int(text)


def read_offered(options: dict[str, str], name: str, offers: Sequence[int], default: int) -> int:
    """Read a whole number that is one of those on offer; raises BadInput for anything else."""
    number = read_whole(options, name, default)
    if number is None or number not in offers:
        raise BadInput(f"sim: `{name}` must be one of {', '.join(map(str, offers))}, not {number}")
    return number


def read_share(options: dict[str, str], name: str) -> float:
    """Read a share from 0 (the default) to 1 of a simulation's options; raises BadInput for anything else."""
    try:
        share = float(options.get(name, "0"))
    except ValueError:
        share = -1.0
    if not 0.0 <= share < 1.0:
        raise BadInput(f"sim: `{name}` must be a number from 0 to below 1, not {options.get(name)!r}")
    return share


def read_speed(options: dict[str, str]) -> Speed:
    """Read how many times as fast as life a simulation goes (1 by default); raises BadInput for anything else."""
    text = options.get("speed", "1")
    if text == "max":
        return "max"
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.0 < speed < float("inf"):
        raise BadInput(f"sim: `speed` must be a number above 0 or max, not {text!r}")
    return speed
