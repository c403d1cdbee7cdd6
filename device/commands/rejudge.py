"""`linesies rejudge`: measure kept cases by today's program, and say which calls it would change."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import click

from linesies.device.cases.program import this_program
from linesies.device.cases.reporting import Report, by_program, page_of, report_of
from linesies.device.cases.results import Results
from linesies.device.cases.spreading import over_cores, over_dask
from linesies.device.cases.sweeping import Sweep
from linesies.device.errors import BadInput
from linesies.device.progress import with_time_left


@click.command("rejudge")
@click.argument("archives", nargs=-1)
@click.option("--jobs", type=click.IntRange(1), help="How many at the same time [default: one a core].")
@click.option("--scheduler", metavar="ADDRESS", help="Measure on the Dask cluster whose scheduler is there.")
@click.option("--results", metavar="FOLDER", help="Keep what is found, as Parquet; go on from there.")
@click.option("--report", metavar="FOLDER", help="Measure nothing; tell what such results came to.")
@click.option("--page", type=click.Path(dir_okay=False, path_type=Path), help="Write what changed with its pictures.")
def command(
    archives: tuple[str, ...],
    *,
    jobs: int | None,
    scheduler: str | None,
    results: str | None,
    report: str | None,
    page: Path | None,
) -> None:
    """Measure the cases of ARCHIVES again: state folders, folders of cases, zip files.

    The program that called them gives the same numbers to the last bit; another one may not, and each call that it
    would change is told. With --results what is done is not done again. Archives, results and reports may be addresses
    that fsspec knows, such as s3://bucket/folder. The exit status is 1 where today's program calls with certainty what
    was settled otherwise.
    """
    if bool(archives) == (report is not None):
        raise click.UsageError("name ARCHIVES to measure again, or --report with the folder of earlier results")
    if report is not None:
        reports = _told_of(report)
    else:
        sweep = Sweep(archives, results)
        spread = over_cores(jobs) if scheduler is None else over_dask(scheduler)
        found = report_of(chain(sweep.known, with_time_left(sweep.run(spread), "rejudging", sweep.count)))
        reports = [found]
        click.echo("\n".join(found.told()))
    if page is not None:
        _write(page, reports)
    if any(one.wrong for one in reports):
        raise SystemExit(1)


def _told_of(results: str) -> Sequence[Report]:
    kept = Results(results)
    if not kept.exists:
        raise BadInput(f"{results}: there are no results; `linesies rejudge ARCHIVE --results {results}` makes them")
    reports = by_program(kept.lines())
    for program, report in reports.items():
        is_this = " (this one)" if program == this_program().measuring else ""
        click.echo(f"by program {program}{is_this}:")
        click.echo("\n".join(report.told()))
    return list(reports.values())


def _write(page: Path, reports: Sequence[Report]) -> None:
    try:
        page.write_text(page_of(reports))
    except OSError as fault:
        raise BadInput(f"{page}: cannot be written ({fault.strerror}); choose another place") from None
