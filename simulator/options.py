"""What the options of a simulated source are read by, street and card table alike."""

from linesies.device.errors import BadInput


def read_whole(options: dict[str, str], name: str, default: int | None) -> int | None:
    """Read a whole number of a simulation's options; raises BadInput for anything else."""
    text = options.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()):
        raise BadInput(f"sim: `{name}` must be a whole number, not {text!r}")
    return int(text)


def read_share(options: dict[str, str], name: str) -> float:
    """Read a share from 0 (the default) to 1 of a simulation's options; raises BadInput for anything else."""
    try:
        share = float(options.get(name, "0"))
    except ValueError:
        share = -1.0
    if not 0.0 <= share < 1.0:
        raise BadInput(f"sim: `{name}` must be a number from 0 to below 1, not {options.get(name)!r}")
    return share
