"""Spreading: batches of cases are measured on the cores of this machine, or on a Dask cluster."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from linesies.device.cases.measuring import Batch, measured
from linesies.device.cases.results import EXTRA, Line
from linesies.device.errors import BadInput, DeviceError

Spread = Callable[[Sequence[Batch]], Iterator[list[Line]]]

ANSWERS_S = 10.0  # a scheduler that is there answers at once
TRIES = 20  # a batch that as many workers died of is to blame itself
# By their keys' common beginning Dask knows tasks of one kind, and keeps back those that no worker is free for. Of
# others each worker has its share from the start, and its death is held against all of that.
KIND = "measured"


class WorkerDied(DeviceError, RuntimeError):  # noqa: N818 - reads as what happened
    """A process that measures was killed; what is done is kept where results are named."""


def over_cores(jobs: int | None) -> Spread:
    """Measure on so many cores of this machine, None: on all; raises WorkerDied."""

    def spread(batches: Sequence[Batch]) -> Iterator[list[Line]]:
        count = min(jobs or os.cpu_count() or 1, max(1, len(batches)))
        if count == 1:
            yield from map(measured, batches)
            return
        with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
            try:
                yield from pool.map(measured, batches)
            except BrokenProcessPool:
                raise WorkerDied("a process that measures was killed; run it again, with --results to go on") from None

    return spread


def over_dask(scheduler: str) -> Spread:
    """Measure on the workers of the cluster whose scheduler has that address; raises BadInput, WorkerDied."""
    distributed = _dask(scheduler)

    def spread(batches: Sequence[Batch]) -> Iterator[list[Line]]:
        try:
            client = distributed.Client(scheduler, timeout=ANSWERS_S)
        except (OSError, ValueError) as fault:
            raise BadInput(f"--scheduler {scheduler}: no Dask scheduler answers there ({fault})") from None
        with client:
            yield from _finished(client, batches, distributed)

    return spread


def _finished(client: Any, batches: Sequence[Batch], distributed: Any) -> Iterator[list[Line]]:
    """Give what each batch came to; one whose worker died is measured by another."""
    keys = [f"{KIND}-{batch.name}" for batch in batches]
    futures = client.map(measured, batches, key=keys, pure=False)
    waiting = distributed.as_completed(futures)
    tries: Counter[str] = Counter()
    for future in waiting:
        if future.status != "error":
            yield future.result()
            future.release()
            continue
        tries[future.key] += 1
        if not isinstance(future.exception(), distributed.KilledWorker) or tries[future.key] > TRIES:
            raise WorkerDied(f"a worker of the cluster failed at {future.key}: {future.exception()}")
        future.retry()
        waiting.add(future)


def _dask(scheduler: str) -> Any:
    try:
        import distributed  # noqa: PLC0415 - only who names a cluster needs it
    except ImportError:
        raise BadInput(f"--scheduler {scheduler}: {EXTRA} brings Dask") from None
    return distributed
