"""Measures line calls on many simulated scenes, and on any folders of known truth: `make accuracy`.

Every other simulated scene was looked at while figures were set; the rest are held out and told apart.
"""

import json
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import cv2
import numpy as np

from device.benchmarks.baselines import careful_judge, plain_judge
from device.benchmarks.limit import centre_noise
from device.benchmarks.lines import Answer, Maker, Measured, measure, our_judge, scenes_in
from device.simulator import Wishes, set_stage
from device.simulator.boards import STREET, TABLE
from device.simulator.stills import write_stills

SIZE_PX = (1920, 1080)
PICTURES = 4
FIRST_SEED = 1000
HONEST_95 = 1.96
JUDGES: dict[str, Maker] = {"ours": our_judge, "careful": careful_judge, "plain": plain_judge}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What many answers come to; pixels are those at the cap."""

    caps: int
    found: float
    false_a_picture: float
    named: float
    median_px: float
    p95_px: float
    bias_px: float
    median_mm: float
    certain: float
    certain_wrong: float
    z_median: float
    within_95: float
    ms: float


def figures(measured: list[Measured]) -> Figures:
    """Sum up what one judge said of some scenes."""
    answers = [answer for one in measured for answer in one.answers]
    pictures = max(sum(one.pictures for one in measured), 1)
    found = [a for a in answers if a.call is not None]
    counted = [a for a in answers if a.is_counted]
    error_mm = np.array([a.error_mm for a in counted] or [np.nan])
    error_px = error_mm / np.array([a.mm_per_px for a in counted] or [np.nan])
    z = np.abs(error_mm) / np.array([a.call.sigma_mm for a in counted if a.call] or [np.nan])
    certain = [a for a in found if a.call and a.call.is_certain]
    wrong = sum((a.call.gap_mm > 0) != (a.truth["gap"] > 0) for a in certain if a.call)
    return Figures(
        caps=len(answers),
        found=len(found) / max(len(answers), 1),
        false_a_picture=sum(one.false_calls for one in measured) / pictures,
        named=sum(a.call.player == a.cap.player for a in found if a.call) / max(len(answers), 1),
        median_px=float(np.median(np.abs(error_px))),
        p95_px=float(np.percentile(np.abs(error_px), 95)),
        bias_px=float(np.median(error_px)),
        median_mm=float(np.median(np.abs(error_mm))),
        certain=len(certain) / max(len(answers), 1),
        certain_wrong=wrong / max(len(certain), 1),
        z_median=float(np.median(z)),
        within_95=float(np.mean(z < HONEST_95)),
        ms=1000 * sum(one.judge_s for one in measured) / pictures,
    )


GROUPS: dict[str, Callable[[Answer], str]] = {
    "tilt": lambda a: f"{int(a.scene['tilt'] // 10) * 10} to {int(a.scene['tilt'] // 10) * 10 + 10} degrees",
    "place": lambda a: "middle" if a.away < 0.25 else "between" if a.away < 0.5 else "edge",
    "ground": lambda a: str(a.scene["ground"]),
    "paint": lambda a: str(a.scene["paint"]),
    "light": lambda a: str(a.scene["light"]),
    "kind": lambda a: str(a.cap.kind),
    "colour": lambda a: (
        "dark" if max(a.cap.colour_rgb) < 100 else "pale" if min(a.cap.colour_rgb) > 130 else "coloured"
    ),
    "side of the sun": lambda a: (
        "none" if np.isnan(a.sun) else "in its shadow" if a.sun > 0.5 else "sunny" if a.sun < -0.5 else "across"
    ),
}


def table(measured: list[Measured]) -> list[tuple[str, str, int, float, float, float]]:
    """Break the error down: what by, group, counted calls, median and bias in pixels, share within 1.96 sigma."""
    counted = [a for one in measured for a in one.answers if a.is_counted]
    rows = []
    for name, group in GROUPS.items():
        for value in sorted({group(a) for a in counted}):
            error = np.array(
                [(a.error_mm, a.mm_per_px, a.call.sigma_mm) for a in counted if a.call and group(a) == value]
            )
            px, z = error[:, 0] / error[:, 1], np.abs(error[:, 0]) / error[:, 2]
            rows.append(
                (
                    name,
                    value,
                    len(px),
                    float(np.median(np.abs(px))),
                    float(np.median(px)),
                    float((z < HONEST_95).mean()),
                )
            )
    return rows


def make_scene(seed: int, folder: Path) -> Path:
    """Make a simulated scene, every third on a table; kept where it is already there."""
    scene = folder / f"s{seed}"
    if not (scene / "truth.json").exists():
        board = TABLE if seed % 3 == 0 else STREET
        write_stills(set_stage(Wishes(seed=seed, board=board, is_for_stills=True, size_px=SIZE_PX)), PICTURES, scene)
    return scene


def judged(scene: Path, names: tuple[str, ...]) -> dict[str, Measured]:
    """Let several judges call one scene, in turn."""
    cv2.setNumThreads(1)
    return {name: measure(scene, JUDGES[name]) for name in names}


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--scenes", default=50, help="How many scenes to simulate.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder to keep simulated scenes in.")
@click.option("--only-ours", is_flag=True, help="Leave the simpler judges out.")
@click.option("--json", "is_json", is_flag=True, help="Print one line of JSON instead of tables.")
def main(folders: tuple[Path, ...], scenes: int, keep: Path | None, *, only_ours: bool, is_json: bool) -> None:
    """Judge simulated scenes, and those in FOLDERS, and compare with their truth and with simpler judges."""
    names = ("ours",) if only_ours else tuple(JUDGES)
    with tempfile.TemporaryDirectory() as scratch, ProcessPoolExecutor(os.cpu_count()) as workers:
        seeds = range(FIRST_SEED, FIRST_SEED + scenes)
        made = list(workers.map(partial(make_scene, folder=keep or Path(scratch)), seeds))
        given = list(scenes_in(list(folders)))
        found = list(workers.map(partial(judged, names=names), [*given, *made]))
        limit = centre_noise((made or given)[0])
    sets = {"given": found[: len(given)], "tuned on": found[len(given) :: 2], "held out": found[len(given) + 1 :: 2]}
    sets["all"] = found
    told = {
        label: {name: figures([one[name] for one in part]) for name in names} for label, part in sets.items() if part
    }
    if is_json:
        plain = {label: {name: _plain(value) for name, value in one.items()} for label, one in told.items()}
        click.echo(json.dumps({"figures": plain, "centre_noise": limit}))
        return
    _print_figures(told)
    _print_table(table([one["ours"] for one in found]))
    click.echo(
        f"\ncentre of a cap under added noise: {limit['ours_px']:.4f} px an axis, Cramér-Rao bound "
        f"{limit['bound_px']:.4f} px: a factor of {limit['ours_px'] / limit['bound_px']:.1f}"
    )


def _plain(value: Figures) -> dict[str, float]:
    return {name: round(float(getattr(value, name)), 4) for name in Figures.__dataclass_fields__}


def _print_figures(told: dict[str, dict[str, Figures]]) -> None:
    for label, one in told.items():
        click.echo(f"\n{label:18}" + "".join(f"{name:>10}" for name in one) + "".join(
            f"{'ours/' + name:>14}" for name in one if name != "ours"
        ))  # fmt: skip
        for field in Figures.__dataclass_fields__:
            values = {name: float(getattr(value, field)) for name, value in one.items()}
            ratios = [
                values["ours"] / value if value else float("nan") for name, value in values.items() if name != "ours"
            ]
            click.echo(
                f"{field.replace('_', ' '):18}"
                + "".join(f"{value:10.3f}" for value in values.values())
                + "".join(f"{ratio:14.2f}" for ratio in ratios)
            )


def _print_table(rows: list[tuple[str, str, int, float, float, float]]) -> None:
    click.echo(f"\n{'our error by':34}{'calls':>7}{'median px':>11}{'bias px':>9}{'within 95':>11}")
    for name, value, count, median, bias, within in rows:
        click.echo(f"{name:16}{value:18}{count:7d}{median:11.3f}{bias:9.3f}{within:11.3f}")


if __name__ == "__main__":
    main()
