"""The types that rows and messages are read as, known before threads need them."""

import contextlib
from collections.abc import Iterator

import msgspec


def know_types() -> None:
    """Have msgspec know all types now, on one thread.

    It gets to know each when that is first needed, and where two threads need one at that very moment it ends the whole
    process by a segmentation fault (msgspec 0.22). So this comes before whatever starts the second thread.
    """
    for kind in read_types():
        if kind.__module__.partition(".")[0] != __name__.partition(".")[0]:
            continue  # another package's may not even be readable
        with contextlib.suppress(TypeError):  # of one that is written alone, and never read
            msgspec.json.Decoder(kind)


def read_types(below: type = msgspec.Struct) -> Iterator[type]:
    """Go through all types that are imported."""
    found: list[type] = below.__subclasses__()
    for one in found:
        yield one
        yield from read_types(one)
