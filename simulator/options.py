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
