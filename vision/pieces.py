"""Work done piece by piece, so that whoever has other things to do may do them in between.

>>> def adding(numbers: list[int]) -> Pieces[int]:
...     total = 0
...     for number in numbers:
...         total += number
...         yield
...     return total
>>> at_once(adding([1, 2, 3]))
6
"""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")
Pieces = Generator[None, None, T]  # each step does a piece; the end gives what came of it


def at_once(pieces: Pieces[T]) -> T:
    """Do all of the work now."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            done: T = end.value
            return done
