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
from numpy.typing import NDArray

from linesies.benchmarks.baselines import careful_judge, plain_judge
from linesies.benchmarks.limit import centre_noise
from linesies.benchmarks.lines import JudgedCap, JudgedScene, Maker, measure, our_judge, scenes_in
from linesies.calibration.standard_boards import STREET, TABLE
from linesies.simulator.street.stage import Wishes, set_stage
from linesies.simulator.street.stills import write_stills

Array = NDArray[np.float64]

SIZE_PX = (1920, 1080)
PICTURES = 4
FIRST_SEED = 1000
HONEST_95 = 1.96
DRAWS = 400
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


def figures(measured: list[JudgedScene]) -> Figures:
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


GROUPS: dict[str, Callable[[JudgedCap], str]] = {
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRow:
    """One group's errors in pixels: how many, the median size, the signed median with its standard error, how honest.

    `apart` is the signed median less that of all calls in the same grouping, in standard errors: beyond 3 it is no
    chance, among some thirty groups.
    """

    by: str
    group: str
    calls: int
    median_px: float
    bias_px: float
    bias_sigma_px: float
    apart: float
    within_95: float


def table(measured: list[JudgedScene]) -> list[ErrorRow]:
    """Break the error down by what may matter: tilt, place, ground, paint, light, kind, colour, side of the sun."""
    counted = [a for one in measured for a in one.answers if a.is_counted]
    px = np.array([a.error_mm / a.mm_per_px for a in counted])
    z = np.array([abs(a.error_mm) / a.call.sigma_mm for a in counted if a.call])
    scenes = np.array([a.scene["name"] for a in counted])
    rows = []
    for name, group in GROUPS.items():
        groups = np.array([group(a) for a in counted])
        for value in sorted(set(groups)):
            own = groups == value
            bias, sigma = float(np.median(px[own])), _median_sigma(px[own], scenes[own])
            rows.append(
                ErrorRow(
                    by=name,
                    group=value,
                    calls=int(own.sum()),
                    median_px=float(np.median(np.abs(px[own]))),
                    bias_px=bias,
                    bias_sigma_px=sigma,
                    apart=(bias - float(np.median(px))) / max(sigma, 1e-9),
                    within_95=float((z[own] < HONEST_95).mean()),
                )
            )
    return rows


def _median_sigma(values: Array, scenes: NDArray[np.str_]) -> float:
    """Give the standard error of a median by drawing whole scenes anew, for their calls share light and survey."""
    parts = [values[scenes == scene] for scene in sorted(set(scenes))]
    rng = np.random.default_rng(0)
    drawn = (np.concatenate([parts[i] for i in rng.integers(len(parts), size=len(parts))]) for _ in range(DRAWS))
    return float(np.std([np.median(some) for some in drawn]))


def make_scene(seed: int, folder: Path) -> Path:
    """Make a simulated scene, every third on a table; kept where it is already there."""
    scene = folder / f"s{seed}"
    if not (scene / "truth.json").exists():
        board = TABLE if seed % 3 == 0 else STREET
        write_stills(set_stage(Wishes(seed=seed, board=board, is_for_stills=True, size_px=SIZE_PX)), PICTURES, scene)
    return scene


def judged(scene: Path, names: tuple[str, ...]) -> dict[str, JudgedScene]:
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


def _print_table(rows: list[ErrorRow]) -> None:
    click.echo(
        f"\n{'our error by':34}{'calls':>7}{'median px':>11}{'bias px':>9}{'+-':>7}{'apart':>7}{'within 95':>11}"
    )
    for row in rows:
        click.echo(
            f"{row.by:16}{row.group:18}{row.calls:7d}{row.median_px:11.3f}{row.bias_px:9.3f}"
            f"{row.bias_sigma_px:7.3f}{row.apart:7.1f}{row.within_95:11.3f}"
        )


if __name__ == "__main__":
    main()
