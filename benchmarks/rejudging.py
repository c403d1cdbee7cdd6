"""Whether every case of an archive is measured once by a Dask cluster whose workers are killed at random, and how fast.

`python -m linesies.benchmarks.rejudging SCENE... [--cases 2000] [--workers 2] [--kills 20]`. The archive is made of all
caps that are found in the pictures of scenes (folders as `linesies simulate --stills` writes them), each case under as
many rows as it takes. The same archive is measured by one worker and by several, so that a speed is a ratio in one run.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random

import click
import msgspec
import psutil

from linesies.benchmarks.case_archives import archive_of
from linesies.device.cases.case import Case, case_json, name_of
from linesies.device.cases.results import Results
from linesies.device.cases.spreading import over_dask
from linesies.device.cases.sweeping import Sweep

STARTS_S = 60.0


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[int]]]:
    """Run a scheduler and workers in processes of their own; gives its address and the workers' nannies."""
    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-W", "ignore", "-m"]
    by_file = ["--no-dashboard", "--scheduler-file", str(file)]
    commands = [[*dask, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *by_file]]
    commands += [
        [*dask, "distributed.cli.dask_worker", "--nthreads", "1", "--local-directory", str(folder / str(n)), *by_file]
        for n in range(workers)
    ]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with ExitStack() as ending:
        started = []
        for command in commands:
            process = subprocess.Popen(command, env=environment, start_new_session=True, **quiet)  # type: ignore[call-overload] # noqa: S603
            ending.callback(_end, process)
            started.append(process.pid)
        yield _address(file), started[1:]


def _end(process: "subprocess.Popen[bytes]") -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _address(file: Path) -> str:
    until_s = time.monotonic() + STARTS_S
    while not file.exists() or not file.read_text().rstrip().endswith("}"):  # it is written while others look
        if time.monotonic() > until_s:
            raise TimeoutError("the scheduler does not start")
        time.sleep(0.05)
    return str(json.loads(file.read_text())["address"])


def large_archive_of(scenes: tuple[Path, ...], folder: Path, cases: int) -> None:
    """Make an archive of so many cases, of the caps that are found in these scenes' pictures."""
    originals = archive_of(scenes, folder)
    click.echo(f"{len(originals)} different cases, {_megabytes(folder) / len(originals):.2f} MB each")
    rows = count(max(case.row for case in originals) + 1)
    for n in range(cases - len(originals)):
        another: Case = msgspec.structs.replace(originals[n % len(originals)], row=next(rows))
        (folder / name_of(another)).write_bytes(case_json(another))


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def swept(archive: Path, results: Path, workers: int, kills: int) -> float:
    """Measure the archive on so many workers, killing one at random so many times; gives the seconds it took."""
    dice = Random(workers)  # noqa: S311 - says whom to kill
    with tempfile.TemporaryDirectory() as folder, cluster(Path(folder), workers) as (address, nannies):
        sweep = Sweep([str(archive)], str(results))
        due = sorted(dice.sample(range(sweep.count * 9 // 10), kills))
        began = time.monotonic()
        for told, _ in enumerate(sweep.run(over_dask(address)), start=1):
            while due and told >= due[0]:
                due.pop(0)
                for child in psutil.Process(dice.choice(nannies)).children():
                    child.kill()
        took_s = time.monotonic() - began
    kept = [line["case"] for line in Results(str(results)).lines()]
    names = sorted(path.name for path in archive.glob("*.json"))
    assert sorted(kept) == names, f"{len(names) - len(set(kept))} missing, {len(kept) - len(set(kept))} twice"
    return took_s


@click.command()
@click.argument("scenes", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--cases", default=2000, show_default=True)
@click.option("--workers", default=2, show_default=True)
@click.option("--kills", default=20, show_default=True)
def main(scenes: tuple[Path, ...], cases: int, workers: int, kills: int) -> None:
    """Measure, kill, and compare."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large_archive_of(scenes, folder / "cases", cases)
        runs = {f"{workers} workers, {kills} killed": (workers, kills), f"{workers} workers": (workers, 0)}
        for words, (number, killed) in ({"1 worker": (1, 0)} | runs).items():
            took_s = swept(folder / "cases", folder / words, number, killed)
            click.echo(
                f"{words}: {cases} cases each measured once in {took_s:.0f} s, {1000 * took_s / cases:.0f} ms a case, "
                f"100,000 in {100_000 * took_s / cases / 3600:.1f} h"
            )


if __name__ == "__main__":
    main()
