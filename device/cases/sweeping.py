"""Sweeping: all cases of some archives are measured again, each once, on as many cores as wanted."""

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from linesies.device.cases.archives import open_archive, settled_in
from linesies.device.cases.case import cases_in, read_case
from linesies.device.cases.program import this_program
from linesies.device.cases.rejudging import rejudge
from linesies.device.errors import BadInput, DeviceError

AT_ONCE = 8  # cases that are handed to a process together

Line = dict[str, Any]  # `Rejudged.as_json`, with the archive


class WorkerDied(DeviceError, RuntimeError):  # noqa: N818 - reads as what happened
    """A process that measures was killed; what is done is kept where a results file is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    archive: str
    name: str
    settled: str | None


class Sweep:
    """What is to be measured, and what a results file says is done already; `known` are those lines."""

    def __init__(self, archives: Sequence[Path], results: Path | None = None) -> None:
        self._results = results
        self.known = [] if results is None else _read_results(results)
        done = {(line["archive"], line["case"]) for line in self.known}
        tasks = (task for path in archives for task in _tasks(path))
        self._tasks = [task for task in tasks if (task.archive, task.name) not in done]

    @property
    def count(self) -> int:
        """Tell how many cases are left to measure."""
        return len(self._tasks)

    def run(self, jobs: int | None = None) -> Iterator[Line]:
        """Measure what is left, and give each line once it is kept; raises WorkerDied."""
        jobs = min(jobs or os.cpu_count() or 1, max(1, self.count))
        if jobs == 1:
            yield from self._kept(map(_measured, self._tasks))
            return
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            try:
                yield from self._kept(pool.map(_measured, self._tasks, chunksize=AT_ONCE))
            except BrokenProcessPool:
                raise WorkerDied("a process that measures was killed; run it again, with --results to go on") from None

    def _kept(self, lines: Iterator[Line]) -> Iterator[Line]:
        if self._results is None:
            yield from lines
            return
        with self._results.open("a") as file:
            file.write("\n" if file.tell() else "")  # after a line that was cut off as it was written
            for line in lines:
                file.write(f"{json.dumps(line)}\n")
                file.flush()
                yield line


def _tasks(path: Path) -> Iterator[_Task]:
    settled = settled_in(path) if path.is_dir() else {}
    for name, data in cases_in(open_archive(path)):
        told = None
        if settled:
            case = read_case(data, name)
            told = settled.get((case.row, case.player))
        yield _Task(archive=str(path), name=name, settled=told)


def _measured(task: _Task) -> Line:
    again = rejudge(_opened(task.archive), task.name, settled=task.settled)
    return {"archive": task.archive, **again.as_json()}


@lru_cache(maxsize=4)
def _opened(path: str) -> Traversable:
    return open_archive(Path(path))


def _read_results(path: Path) -> list[Line]:
    """Read what this program has found before; the line that was being written when it was stopped does not count."""
    if not path.exists():
        return []
    lines = []
    for text in filter(str.strip, path.read_text().splitlines(keepends=True)):
        try:
            line = json.loads(text) if text.endswith("\n") else None
        except json.JSONDecodeError:
            line = None
        if isinstance(line, dict) and line.get("program") == this_program().measuring:
            lines.append(line)
        elif line is not None and not isinstance(line, dict):
            raise BadInput(f"{path}: is no file of results; name another")
    return lines
