"""One exam over every set of pictures with truth that there is, world by world, beside the release before: `make exam`.

Three worlds are simulated anew each time; a set that lies elsewhere is named: `--set NAME=FOLDER`. What a folder holds
is seen from its truth: scenes of caps, films, or cards. What a release came to is kept in `benchmarks/exams/`.
"""

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import click
import cv2

from linesies.benchmarks import cards, watching
from linesies.benchmarks.accuracy import PICTURES, SIZE_PX, figures
from linesies.benchmarks.lines import JudgedScene, measure, our_judge, scenes_in
from linesies.device.cases.program import this_program
from linesies.device.errors import BadInput
from linesies.simulator.street.ground import PHOTOGRAPH
from linesies.simulator.street.stage import PLAIN, VARIED, Stage, Wishes, set_stage
from linesies.simulator.street.stills import write_stills, write_varied_stills

KEPT = Path(__file__).parent / "exams"
FIRST_SEED = 30_000  # of scenes that nobody has looked at: a release draws its own
ASKED = ("caps", "found", "false_a_picture", "named", "median_px", "p95_px", "within_95", "certain", "certain_wrong")
Marks = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedWorld:
    """A simulated world: what is asked of its stage, and what writes its scenes."""

    world: str
    write: Callable[[Stage, int, Path], object]
    ground: str | None = None


WORLDS = {
    "plain": SimulatedWorld(world=PLAIN, write=write_stills),
    "varied": SimulatedWorld(world=VARIED, write=write_varied_stills),
    "varied, on photographs": SimulatedWorld(world=VARIED, write=write_varied_stills, ground=PHOTOGRAPH),
}


def examine(scenes: int, sets: Mapping[str, Path]) -> dict[str, Marks]:
    """Mark every world, by its name."""
    with tempfile.TemporaryDirectory() as scratch, ProcessPoolExecutor(os.cpu_count()) as workers:
        marks: dict[str, Marks] = {}
        for name, world in WORLDS.items():
            make = partial(_make_scene, world, Path(scratch) / name)
            made = list(workers.map(make, range(FIRST_SEED, FIRST_SEED + scenes)))
            marks[f"simulated street, {name}"] = _marks_of_scenes(list(workers.map(_judged, made)))
        marks |= {name: _marks_of(folder) for name, folder in sets.items()}
    return marks


def _make_scene(world: SimulatedWorld, folder: Path, seed: int) -> Path:
    scene = folder / str(seed)
    wishes = Wishes(seed=seed, is_for_stills=True, size_px=SIZE_PX, world=world.world, ground=world.ground)
    world.write(set_stage(wishes), PICTURES, scene)
    return scene


def _judged(scene: Path) -> JudgedScene:
    cv2.setNumThreads(1)
    return measure(scene, our_judge)


def _marks_of_scenes(measured: list[JudgedScene]) -> Marks:
    told = asdict(figures(measured))
    return {name: round(float(told[name]), 3) for name in ASKED}


def _marks_of(folder: Path) -> Marks:
    """Mark a set by what its truth says that it is; raises BadInput for a folder without truth."""
    scenes = list(scenes_in([folder]))
    if (folder / "truth.json").exists() and "images" in json.loads((folder / "truth.json").read_text()):
        return {name: round(float(value), 3) for name, value in asdict(cards.score(folder, cards.ours())).items()}
    if scenes:
        return _marks_of_scenes([_judged(scene) for scene in scenes])
    told = watching.watch_films(watching.films_in(folder))[watching.OURS].as_json()
    return {name: float(value) for name, value in told.items() if isinstance(value, int | float)}


def page(marks: Mapping[str, Marks], before: Mapping[str, Marks], *, version: str, was: str) -> str:
    """Write the page: each world's figures, and beside them those of the release before."""
    lines = [f"# Exam of linesies {version}", ""]
    for world, told in marks.items():
        old = before.get(world, {})
        lines += [f"## {world}", "", f"| | {version} | {was} |", "|---|---|---|"]
        lines += [f"| {name.replace('_', ' ')} | {_said(told[name])} | {_said(old.get(name))} |" for name in told]
        lines.append("")
    return "\n".join(lines)


def _said(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def release_before(kept: Path, version: str) -> tuple[str, dict[str, Marks]]:
    """Find the newest kept exam of another release, and what it came to; nothing where there is none."""
    others = sorted((path for path in kept.glob("*.json") if path.stem != version), key=lambda path: _parts(path.stem))
    return (others[-1].stem, json.loads(others[-1].read_text())) if others else ("none before", {})


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdecimal()]


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--scenes", default=20, show_default=True, help="How many scenes of each simulated world.")
@click.option("--set", "named", multiple=True, metavar="NAME=FOLDER", help="A set with its truth; may be given again.")
@click.option("--page", "path", type=click.Path(path_type=Path), default="dist/exam.md", show_default=True)
@click.option("--keep", is_flag=True, help="Keep it as this release's, beside which the next is shown.")
def main(scenes: int, named: Sequence[str], path: Path, *, keep: bool) -> None:
    """Examine this program."""
    pairs = [one.partition("=") for one in named]
    if not all(name and Path(folder).is_dir() for name, _, folder in pairs):
        raise BadInput("--set: give NAME=FOLDER, a folder that there is")
    marks = examine(scenes, {name: Path(folder) for name, _, folder in pairs})
    version = this_program().version
    was, before = release_before(KEPT, version)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(marks, before, version=version, was=was))
    if keep:
        KEPT.mkdir(exist_ok=True)
        (KEPT / f"{version}.json").write_text(json.dumps(marks, indent=1) + "\n")
    click.echo(path.read_text())


if __name__ == "__main__":
    main()
