"""Typed JSON files: read whole or refused with the file's name and the key that is wrong."""

import os
from pathlib import Path
from typing import TypeVar

import msgspec

from calibration.errors import BadInput

T = TypeVar("T")


def read_json(path: str | os.PathLike[str], kind: type[T]) -> T:
    """Read a JSON file as `kind` (a msgspec type); raises BadInput naming the file and the key."""
    try:
        text = Path(path).read_bytes()
    except OSError as fault:
        raise BadInput(f"{path}: cannot be read ({fault.strerror}); check the name and the rights") from None
    if not text.strip():
        raise BadInput(f"{path}: is empty; write it again")
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as fault:
        raise BadInput(f"{path}: {fault}; mend that key") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadInput(f"{path}: is not JSON ({fault}); mend or write it again") from None
