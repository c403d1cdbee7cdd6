"""A way as a literal list of steps: each takes by type what was given before it, and gives one value of its own.

A step that takes long gives its value in pieces. One that stands in the list twice takes what was given last.

>>> @dataclass(frozen=True)
... class Half:
...     of_two: float
>>> def halve(whole: int) -> Half:
...     return Half(whole / 2)
>>> def double(half: Half) -> str:
...     return f"{half.of_two} is half of {2 * half.of_two}"
>>> board = Blackboard()
>>> board.put(6)
>>> Way((halve, double), lasting=(int,), ends=str).follow(board)
'3.0 is half of 6.0'
>>> Way((double, halve), lasting=(int,), ends=str)
Traceback (most recent call last):
TypeError: the step double takes Half, which nothing before it gives
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from types import GeneratorType, NoneType
from typing import Any, Generic, TypeVar, cast, get_args, get_type_hints

from linesies.vision.pieces import Pieces, at_once

T = TypeVar("T")
End = TypeVar("End")


class Blackboard:
    """Remembers the latest value of each type."""

    def __init__(self) -> None:
        self._values: dict[type, object] = {}

    def __getitem__(self, kind: type[T]) -> T:
        return cast("T", self._values[kind])

    def of_kinds(self, kinds: tuple[type, ...]) -> Iterable[object]:
        """Give the latest value of each kind."""
        return map(self._values.__getitem__, kinds)

    def __contains__(self, kind: type) -> bool:
        return kind in self._values

    def put(self, value: object, *, kind: type | None = None) -> None:
        """Keep a value in place of the last of its type, or of a type that it passes for."""
        self._values[kind or type(value)] = value

    def take_off(self, kind: type) -> None:
        """Forget the value of a type."""
        self._values.pop(kind, None)


@dataclass(slots=True, kw_only=True)
class Step:
    """One step: what it does, which types it takes and may give, how often it was taken and for how long in all."""

    work: Callable[..., object]
    takes: tuple[type, ...]
    gives: tuple[type, ...]
    taken: int = 0
    took_s: float = 0.0

    @property
    def name(self) -> str:
        """What it is called in a report."""
        return self.work.__name__.replace("_", " ")


class Way(Generic[End]):
    """Remembers for its steps how long they took; raises TypeError when one takes what nothing before it gives.

    A step may give None for nothing, or a value of type `ends`, with which the way ends. They are timed by the clock:
    to ask for a thread's own processor time is a call to the system, twenty a frame.
    """

    def __init__(self, steps: Iterable[Callable[..., object]], *, lasting: Iterable[type], ends: type[End]) -> None:
        self.steps = tuple(_step(work) for work in steps)
        self._ends = ends
        known = set(lasting)
        for step in self.steps:
            if unknown := [kind.__name__ for kind in step.takes if kind not in known]:
                raise TypeError(f"the step {step.name} takes {', '.join(unknown)}, which nothing before it gives")
            known |= set(step.gives)

    @property
    def took_s(self) -> dict[str, float]:
        """Tell for how long each step was taken in all, in their order."""
        took_s = dict.fromkeys((step.name for step in self.steps), 0.0)
        for step in self.steps:
            took_s[step.name] += step.took_s
        return took_s

    def follow(self, board: Blackboard, remember: Callable[[object], None] | None = None) -> End:
        """Take one step after the other until one ends the way; what each gives is remembered before the next."""
        return at_once(self.in_pieces(board, remember))

    def in_pieces(self, board: Blackboard, remember: Callable[[object], None] | None = None) -> Pieces[End]:
        """Follow as `follow` does, and stop for others where a step does."""
        began_s = perf_counter()
        for step in self.steps:
            given = step.work(*board.of_kinds(step.takes))
            if isinstance(given, GeneratorType):  # which takes a third of asking for what passes for one
                given = yield from _timed(given, step)
                began_s = perf_counter()
            if given is not None:
                board.put(given)
                if remember is not None:
                    remember(given)
            ended_s = perf_counter()
            step.taken += 1
            step.took_s += ended_s - began_s
            began_s = ended_s
            if isinstance(given, self._ends):
                return given
        raise TypeError(f"the last step, {self.steps[-1].name}, did not end the way")


def _timed(pieces: Pieces[object], step: Step) -> Pieces[object]:
    """Take a step piece by piece, and count the time of each."""
    while True:
        began_s = perf_counter()
        try:
            next(pieces)
        except StopIteration as end:
            return end.value
        finally:
            step.took_s += perf_counter() - began_s
        yield


def _step(work: Callable[..., object]) -> Step:
    hints: dict[str, Any] = get_type_hints(work)
    gives = hints.pop("return")
    kinds = tuple(kind for kind in get_args(gives) or (gives,) if kind is not NoneType)
    return Step(work=work, takes=tuple(hints.values()), gives=kinds)
