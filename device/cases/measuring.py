"""Measuring a batch of cases: what each worker does, wherever it runs; what it found is kept before it is told."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable

from linesies.device.cases.archives import open_archive
from linesies.device.cases.case import named
from linesies.device.cases.program import this_program
from linesies.device.cases.rejudging import rejudge
from linesies.device.cases.results import Line, Results
from linesies.device.errors import BadInput

ARCHIVES = 4  # kept open


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A case to be measured again: its archive's address, its name there, and what people said of it."""

    archive: str
    name: str
    settled: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Cases that are measured together by that program, and the address where what is found is kept, None: nowhere."""

    tasks: tuple[Task, ...]
    program: str
    results: str | None

    @property
    def name(self) -> str:
        """Name it by what it consists of."""
        return named(repr((self.program, *((task.archive, task.name) for task in self.tasks))).encode())


def measured(batch: Batch) -> list[Line]:
    """Measure all of a batch; raises BadInput where this is not the program that is asked for."""
    if this_program().measuring != batch.program:
        raise BadInput("this worker measures by another program than the one that asks; install the same on all")
    lines = list(_lines(batch))
    if batch.results is not None:
        Results(batch.results).keep(batch.name, lines)
    return lines


def _lines(batch: Batch) -> Iterator[Line]:
    for task in batch.tasks:
        yield {"archive": task.archive, **rejudge(_opened(task.archive), task.name, settled=task.settled).as_json()}


@lru_cache(maxsize=ARCHIVES)
def _opened(address: str) -> Traversable:
    return open_archive(address)
