"""Where files lie: at a path of this machine, or an address that fsspec knows, such as `s3://bucket/folder`."""

from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

BRINGS = "pip install 'linesies[cases]' (or [league])"


class BadAddress(ValueError):  # noqa: N818 - the name says whose fault it is
    """An address that cannot be reached from here; the text says which, and how to mend it."""


@runtime_checkable
class HasStore(Protocol):
    """A place that fsspec reaches, by its file system."""

    fs: Any


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


def names_in(folder: Path) -> list[str]:
    """Name the files that lie in a folder or store now, none where there is no such folder.

    A store's client keeps what it listed, but another process may have written or removed something there since.
    """
    if isinstance(folder, HasStore):
        folder.fs.invalidate_cache()
    try:
        return [path.name for path in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):  # as a folder of a store is called in which there is nothing
        return []
