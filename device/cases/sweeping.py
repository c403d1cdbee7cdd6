"""Sweeping: all cases of some archives are measured again, each once; what was found before is not sought again."""

from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from itertools import chain

from linesies.device.cases.archives import open_archive, settled_in
from linesies.device.cases.case import Case, case_names, read_case_in
from linesies.device.cases.measuring import Batch, Task
from linesies.device.cases.program import this_program
from linesies.device.cases.rejudging import settled_as
from linesies.device.cases.results import Line, Results
from linesies.device.cases.spreading import Spread
from linesies.device.errors import BadInput

AT_ONCE = 32  # cases of a batch: some seconds of work are lost with a worker, and files stay few


class Sweep:
    """What is to be measured, and what this program has found before; `known` are those lines."""

    def __init__(self, archives: Sequence[str], results: str | None = None) -> None:
        program = this_program().measuring
        lines = () if results is None else Results(results).lines()
        done = {(line["archive"], line["case"]): line for line in lines if line["program"] == program}
        left = []
        for task in chain.from_iterable(map(_tasks, archives)):
            key = task.archive, task.name
            if key not in done:
                left.append(task)
            elif task.settled is not None:  # by whom it was measured, people may have said it since
                done[key] = settled_as(done[key], task.settled)
        self.known = list(done.values())
        self.count = len(left)
        self._batches = [
            Batch(tasks=tuple(left[at : at + AT_ONCE]), program=program, results=results)
            for at in range(0, len(left), AT_ONCE)
        ]

    def run(self, spread: Spread) -> Iterator[Line]:
        """Measure what is left, and give each line once it is kept; raises as `spread` does."""
        return chain.from_iterable(spread(self._batches))


def _tasks(archive: str) -> Iterator[Task]:
    opened, settled = open_archive(archive), settled_in(archive)
    for name in case_names(opened):
        case = _case(opened, name) if settled else None
        yield Task(archive=archive, name=name, settled=None if case is None else settled.get((case.row, case.player)))


def _case(archive: Traversable, name: str) -> Case | None:
    """Read a case; None where it cannot be read, which is said once it is to be measured."""
    try:
        return read_case_in(archive, name)
    except BadInput:
        return None
