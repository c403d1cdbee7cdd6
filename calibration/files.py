"""Files, whole or not at all: typed JSON is read or refused with the name and the key that is wrong."""

import os
from pathlib import Path
from typing import TypeVar

import msgspec

from linesies.calibration.errors import BadInput
from linesies.calibration.plain_files import read_plain

T = TypeVar("T")


def read_json(path: str | os.PathLike[str], kind: type[T]) -> T:
    """Read a JSON file as `kind` (a msgspec type); raises BadInput naming the file and the key."""
    try:
        text = read_plain(path)
    except OSError as fault:
        raise BadInput(f"{path}: cannot be read ({fault.strerror}); check the name and the rights") from None
    if not text.strip():
        raise BadInput(f"{path}: is empty; write it again")
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as fault:
        raise BadInput(f"{path}: {fault}; mend that key") from None
    except RecursionError:
        raise BadInput(f"{path}: is nested too deep; write it again") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadInput(f"{path}: is not JSON ({fault}); mend or write it again") from None


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all; raises BadInput naming it where it cannot be written."""
    beside = Path(f"{path}.new")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as fault:
        raise BadInput(f"{path}: cannot be written ({fault.strerror}); choose another place") from None
