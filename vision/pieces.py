"""Work done piece by piece, so that whoever has other things to do may do them in between.

>>> def adding(numbers: list[int]) -> Pieces[int]:
...     total = 0
...     for number in numbers:
...         total += number
...         yield
...     return total
>>> at_once(adding([1, 2, 3]))
6
>>> sum(1 for _ in some_at_a_time(adding([1, 2, 3, 4]), 2))
2
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


def some_at_a_time(pieces: Pieces[T], count: int) -> Pieces[T]:
    """Do so many pieces of the work in each step."""
    while True:
        try:
            for _ in range(count):
                next(pieces)
        except StopIteration as end:
            done: T = end.value
            return done
        yield
