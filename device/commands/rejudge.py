"""`linesies rejudge`: measure kept cases by today's program, and say which calls it would change."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from linesies.device.cases.sweeping import Sweep
from linesies.device.progress import with_time_left

TOLD = 20  # changes that are told one by one
CHANGES = {
    "same": "the same to the last bit",
    "moved": "on the same side, by other numbers",
    "certain": "too close then, certain now",
    "doubtful": "certain then, too close now",
    "flipped": "called otherwise",
    "not_seen": "no cap seen now",
    "unreadable": "cannot be measured",
}


@click.command("rejudge")
@click.argument("archives", type=click.Path(exists=True, path_type=Path), nargs=-1, required=True)
@click.option("--jobs", type=click.IntRange(1), help="How many at the same time [default: one a core].")
@click.option(
    "--results", type=click.Path(dir_okay=False, path_type=Path), help="Keep what is found; go on from there."
)
def command(archives: tuple[Path, ...], jobs: int | None, results: Path | None) -> None:
    """Measure the cases of ARCHIVES again: state folders, folders of cases, zip files.

    The program that called them gives the same numbers to the last bit; another one may not, and each call that it
    would change is told. With --results what is done is not done again. The exit status is 1 where today's program
    calls with certainty what was settled otherwise.
    """
    sweep = Sweep(archives, results)
    found = [*sweep.known, *with_time_left(sweep.run(jobs), "rejudging", sweep.count)]
    for line in _lines(found):
        click.echo(line)
    if any(one["wrong"] for one in found):
        raise SystemExit(1)


def _lines(found: list[dict[str, Any]]) -> Iterator[str]:
    counts = Counter(one["change"] for one in found)
    settled = [one for one in found if one["settled"] is not None]
    same = sum(one["same_program"] for one in found)
    yield f"{len(found)} calls measured again, {same} of them by the program that called them"
    yield from (f"{counts[change]:6} {words}" for change, words in CHANGES.items() if counts[change])
    if settled:
        wrong = sum(one["wrong"] for one in settled)
        yield f"{len(settled):6} were settled by people, of which {wrong} are called with certainty otherwise now"
    changed = [one for one in found if one["change"] not in ("same", "moved")]
    yield from (f"{one['case']}: {CHANGES[one['change']]}{_how(one)}" for one in changed[:TOLD])
    if len(changed) > TOLD:
        yield f"and {len(changed) - TOLD} more; --results keeps them all"


def _how(one: dict[str, Any]) -> str:
    if one["was"] is None or one["now"] is None:
        return f" ({one['why']})"
    was, now = one["was"], one["now"]
    return f": {was['location']} {was['gap']:+.2f} mm, now {now['location']} {now['gap']:+.2f} mm"
