"""A group's numbers set again by trying others: one number at a time, by how right made pictures are told with it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from linesies.calibration.tuning import TunedNumber, Tuning, numbers_of

Group = TypeVar("Group", bound=Tuning)
TIMES = (0.35, 0.5, 0.7, 1.4, 2.0, 2.8)  # a number is tried at so many times its value, within its range
CLEARLY = 0.005  # of all pictures, by which another value must be told better to be taken


def swept(shipped: Group, score: Callable[[], float]) -> Group:
    """Try other values of each number in turn; one is kept unless another serves clearly better.

    `score` tells which share of the pictures is told rightly with the numbers in force.
    """
    best = shipped
    for number in numbers_of(shipped):
        tried = [(_scored(shipped, other, score), other) for other in (best, *_others(best, number))]
        kept, winner = tried[0][0], max(tried, key=lambda one: one[0])
        if winner[0] > kept + CLEARLY:
            best = winner[1]
        as_well = [getattr(other, _field(number)) for share, other in tried if share >= kept - CLEARLY]
        sys.stdout.write(f"  {number.name}: {kept:.4f} right; as well from {min(as_well):g} to {max(as_well):g}\n")
    return best


def _others(group: Group, number: TunedNumber) -> Iterator[Group]:
    for times in TIMES:
        value = type(number.value)(number.value * times)
        if number.low <= value <= number.high:
            yield replace(group, **{_field(number): value})


def _field(number: TunedNumber) -> str:
    return number.name.partition(".")[2]


def _scored(shipped: Tuning, tried: Tuning, score: Callable[[], float]) -> float:
    with in_force(shipped, tried):
        return score()


@contextmanager
def in_force(shipped: Tuning, tried: Tuning) -> Iterator[None]:
    """Let the program use other numbers: in each module that holds the shipped ones."""
    holders = [
        (module, name)
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").startswith("linesies.")
        for name, value in list(vars(module).items())
        if type(value) is type(shipped) and value == shipped
    ]
    for module, name in holders:
        setattr(module, name, tried)
    try:
        yield
    finally:
        for module, name in holders:
            setattr(module, name, shipped)
