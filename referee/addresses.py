"""Where files lie: at a path of this machine, or an address that fsspec knows, such as `s3://bucket/folder`."""

from pathlib import Path
from typing import cast

BRINGS = "pip install 'linesies[cases]' (or [league])"


class BadAddress(ValueError):  # noqa: N818 - the name says whose fault it is
    """An address that cannot be reached from here; the text says which, and how to mend it."""


def place_of(address: str) -> Path:
    """Give the place of that address; raises BadAddress where what it takes to reach it is not installed."""
    if "://" not in address:
        return Path(address)
    try:
        from upath import UPath  # noqa: PLC0415 - only who names an address needs it
    except ImportError:
        raise BadAddress(f"{address}: {BRINGS} brings what reads addresses; paths are read without") from None
    try:
        return cast("Path", UPath(address))  # it does all that is asked of a path here
    except (ImportError, ValueError) as fault:
        raise BadAddress(f"{address}: cannot be reached: {fault}") from None
