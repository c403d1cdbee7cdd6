"""Archives of cases with their truth, from scenes' pictures, for `linesies rejudge` to measure again.

`python -m linesies.benchmarks.case_archives SCENE... -o tests/data/cases.zip` makes the one that the tests keep.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np

from linesies.benchmarks.lines import given_of, picture_of
from linesies.calibration import Calibration
from linesies.device.cases.archives import zipped
from linesies.device.cases.case import Case, case_json, name_of, read_case
from linesies.device.cases.case_store import CaseStore
from linesies.device.cases.filing import Filing
from linesies.vision import Call, Cap, Judge, KnownCap, Shot

MEGABYTES = 100_000.0  # nothing is thrown away
SETTLED_S = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What was called in one picture, and what its truth says of each cap."""

    calibration: Calibration
    caps: tuple[Cap, ...]
    shot: Shot
    truth: dict[str, Any]


def archive_of(scenes: Sequence[Path], folder: Path) -> list[Case]:
    """File every call on a listed cap in these scenes' pictures, settled by the truth; gives the cases."""
    store, rows = CaseStore(folder, megabytes=MEGABYTES), count(1)
    for called in (one for scene in scenes for one in called_in(scene)):
        filing = Filing(store=store, caps=called.caps, settled_s=SETTLED_S)
        row = next(rows)
        filing.file(row, called.shot, called.calibration, None)
        for path in folder.glob(f"{row:08d}-*.json"):
            case = read_case(path.read_bytes(), path.name)
            settled = msgspec.structs.replace(case, settled=settled_by(called.truth[case.player], case.call.location))
            path.unlink()
            (folder / name_of(settled)).write_bytes(case_json(settled))
    return [read_case(path.read_bytes(), path.name) for path in sorted(folder.glob("*.json"))]


def called_in(scene: Path) -> Iterator[Called]:
    """Call the caps in each picture of a scene as at rest after a shot; those that truly lie there alone."""
    given = given_of(scene)
    calibration = given.calibrated()
    assert isinstance(calibration, Calibration), scene
    judge, of = Judge(calibration, given.caps), {cap.player: cap for cap in given.caps}
    for frame in json.loads((scene / "truth.json").read_text())["frames"]:
        truth = {one["player"]: one for one in frame["caps"]}
        picture = picture_of(scene / frame["file"])
        named = [call for call in judge.judge(picture).caps if call.player in truth]
        again = [judge.fit(picture, KnownCap(cap=of[str(call.player)], near_mm=np.array(call.xy_mm))) for call in named]
        calls = tuple(call for call in again if isinstance(call, Call))
        if calls:
            shot = Shot(player=str(calls[0].player), hits=(), calls=calls, t_start_s=0.0, t_end_s=1.0)
            yield Called(calibration=calibration, caps=tuple(given.caps), shot=shot, truth=truth)


def settled_by(truth: dict[str, Any], location: str) -> str:
    """Say where a cap truly lies; where more than one answer is right, the one that was given."""
    return location if location in truth.get("accept", ()) else str(truth["location"])


@click.command()
@click.argument("scenes", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The zip file to write.")
def main(scenes: tuple[Path, ...], output: Path) -> None:
    """Make an archive, and tell how large it is."""
    with tempfile.TemporaryDirectory() as name:
        cases = archive_of(scenes, Path(name))
        output.write_bytes(zipped(Path(name), cases, []))
    certain = [case for case in cases if case.call.certain]
    wrong = sum(case.call.location != case.settled for case in certain)
    size_mb = output.stat().st_size / 1e6
    click.echo(f"{output}: {len(cases)} cases, {len(certain)} certain, {wrong} of them wrong; {size_mb:.2f} MB")


if __name__ == "__main__":
    main()
