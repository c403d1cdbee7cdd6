"""Where archives and results lie: a path of this machine, or an address that fsspec knows, such as `s3://bucket/folder`."""

from pathlib import Path
from typing import cast

from linesies.device.errors import BadInput

EXTRA = "pip install 'linesies[cases]'"


def place_of(address: str) -> Path:
    """Give the place of that address; raises BadInput where what it takes to reach it is not installed."""
    if "://" not in address:
        return Path(address)
    try:
        from upath import UPath  # noqa: PLC0415 - only who names an address needs it
    except ImportError:
        raise BadInput(f"{address}: {EXTRA} brings what reads addresses; paths are read without") from None
    try:
        return cast("Path", UPath(address))  # it does all that is asked of a path here
    except (ImportError, ValueError) as fault:
        raise BadInput(f"{address}: cannot be reached: {fault}") from None
