"""Which program measures: its release, and a hash over everything that has a say in a call."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable

from linesies.device.cases.case import ProgramFile

MEASURING = ("linesies.calibration", "linesies.vision.caps", "linesies.vision.picture")
KINDS = (".py", ".onnx")
NOT_INSTALLED = "unknown"
HASH_DIGITS = 16


@cache
def this_program() -> ProgramFile:
    """Tell what measures here and now; two programs of one hash give the same calls to the last bit."""
    digest = hashlib.sha256()
    for package in MEASURING:
        for name, data in _files(files(package)):
            digest.update(f"{package}/{name}\0{len(data)}\0".encode() + data)
    return ProgramFile(version=_release(), measuring=digest.hexdigest()[:HASH_DIGITS])


def _release() -> str:
    try:
        return version("linesies")
    except PackageNotFoundError:
        return NOT_INSTALLED


def _files(folder: Traversable) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += [(f"{entry.name}/{name}", data) for name, data in _files(entry)]
        elif entry.name.endswith(KINDS):
            found.append((entry.name, entry.read_bytes()))
    return sorted(found)
