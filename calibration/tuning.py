"""Tuned numbers: each with what it means, its unit, the range it may take, and what set it.

Numbers that belong together are fields of one frozen value, so that a sweep can vary and a report can list them:

>>> @dataclass(frozen=True)
... class Eyesight(Tuning):
...     blink_s: float = tuned(0.3, title="how long an eye is shut", unit="s", low=0.1, high=0.4, source="physiology")
>>> Eyesight().blink_s
0.3
>>> Eyesight(blink_s=3.0)
Traceback (most recent call last):
linesies.calibration.errors.BadInput: Eyesight.blink_s: 3.0 s is out of 0.1 to 0.4 (how long an eye is shut)
>>> [number.source for number in numbers_of(Eyesight())]
['physiology']
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from linesies.calibration.errors import BadInput

Number = TypeVar("Number", int, float)
BY_HAND = "set by hand; on which pictures was not recorded"
ON_FILMS = "set by hand on the public films"


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedNumber:
    """One tuned number as a report lists it; `source`: physics, a paper, or a script in `training/` and on what."""

    name: str
    value: float
    title: str
    unit: str
    low: float
    high: float
    source: str


def tuned(value: Number, *, title: str, unit: str, low: float, high: float, source: str) -> Number:
    """Declare one tuned number as a field of a frozen Tuning; `unit` is "1" where there is none."""
    told = {"title": title, "unit": unit, "low": low, "high": high, "source": source}
    declared: Any = field(default=value, metadata=told)
    result: Number = declared
    return result


@dataclass(frozen=True)
class Tuning:
    """The base of every group of tuned numbers: refuses one that is out of its range."""

    def __post_init__(self) -> None:
        for number in numbers_of(self):
            if not number.low <= number.value <= number.high:
                allowed = f"{number.low} to {number.high}"
                raise BadInput(f"{number.name}: {number.value} {number.unit} is out of {allowed} ({number.title})")


def numbers_of(group: Tuning) -> Iterator[TunedNumber]:
    """List a group's numbers, in the order in which they are written."""
    for one in fields(group):
        name = f"{type(group).__name__}.{one.name}"
        yield TunedNumber(name=name, value=getattr(group, one.name), **one.metadata)
