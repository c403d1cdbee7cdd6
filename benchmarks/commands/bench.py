"""`linesies bench`: how fast this machine is at each stage."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from linesies.device.progress import with_time_left

CAMERAS = ("camera-module-2", "camera-module-3", "camera-module-3-wide", "hq-6mm", "global-shutter-6mm")


@click.command("bench")
@click.option("--json", "is_json", is_flag=True, help="Print one line of JSON instead of a table.")
@click.option("--films", type=click.Path(path_type=Path, exists=True), help="Watch a folder of films with their truth.")
@click.option("--camera", type=click.Choice(CAMERAS), help="Referee at the size that a Raspberry Pi's camera gives.")
@click.option("--live", type=click.FloatRange(5), metavar="SECONDS", help="Watch a simulated camera in real time.")
def command(*, is_json: bool, films: Path | None, camera: str | None, live: float | None) -> None:
    """Measure frames a second and milliseconds a stage on this machine, at three picture sizes, and peak memory.

    The frames are a simulated drill of shots, filmed as H.264. Rules are measured beside python-chess where that is
    installed. Takes about a minute; for steady figures let nothing else run.

    --films measures instead how fast and how right films are watched, as `linesies simulate` makes them, beside a plain
    approach and, where it is installed, the tracker norfair; --live how soon after the settled time shots are told;
    --camera what a frame costs from the camera's memory to the film, and how long one turn of the loop takes at most.
    """
    if camera is not None:
        _bench_turns(camera, is_json=is_json)
        return
    if films is not None or live is not None:
        _bench_watching(films, live)
        return
    _bench_stages(is_json=is_json)


def _bench_stages(*, is_json: bool) -> None:
    """Print what each stage and each step costs at three picture sizes, how fast rules are, and peak memory."""
    import cv2  # noqa: PLC0415 - heavy, and --help should answer at once

    from linesies.benchmarks.rules import measure_rules  # noqa: PLC0415
    from linesies.benchmarks.stages import SIZES_PX, measure_stages, peak_memory_mb  # noqa: PLC0415

    cv2.setNumThreads(1)
    measured = {}
    if not is_json:
        click.echo(f"{'milliseconds a frame':22}" + "".join(f"{stage:>10}" for stage in STAGES))
    for width, height in with_time_left(SIZES_PX, "picture sizes", len(SIZES_PX)):
        name = f"{width}x{height}"
        told = measured[name] = measure_stages((width, height))
        if not is_json:
            click.echo(f"{name:22}" + "".join(f"{told.stages_ms[stage]:10.2f}" for stage in STAGES))
    stages = {name: told.stages_ms for name, told in measured.items()}
    frame_steps = {name: told.frame_steps_ms for name, told in measured.items()}
    picture_steps = {name: told.picture_steps_ms for name, told in measured.items()}
    rates, memory_mb = measure_rules(), peak_memory_mb()
    if is_json:
        fps = {name: {stage: round(1000 / ms, 1) for stage, ms in table.items()} for name, table in stages.items()}
        steps = {"steps_ms": frame_steps, "judge_steps_ms": picture_steps}
        click.echo(json.dumps({"ms": stages, "fps": fps, **steps, "rule": rates, "peak_memory_mb": memory_mb}))
        return
    _print_steps("step of a frame", frame_steps)
    _print_steps("step of a picture", picture_steps)
    click.echo(f"rule: {rates['skully_events_per_s']:,.0f} Skully events a second" + _ratio(rates))
    click.echo(f"peak memory: {memory_mb:.0f} MB, the simulator's included")


def _bench_turns(camera: str, *, is_json: bool) -> None:
    """Print what a frame costs at a camera's size, and what that means on a Raspberry Pi."""
    import cv2  # noqa: PLC0415 - heavy, and --help should answer at once

    from linesies.benchmarks.turns import MODES_BY_NAME, PI_TIMES, measure_turns  # noqa: PLC0415
    from linesies.device.memory import hold_little  # noqa: PLC0415

    cv2.setNumThreads(1)
    hold_little()
    told = measure_turns(MODES_BY_NAME[camera])
    if is_json:
        click.echo(json.dumps({**asdict(told), "frame_ms": told.frame_ms}))
        return
    width, height = told.size_px
    click.echo(
        f"{camera}, {width}x{height} at {told.camera_fps}; {told.frames} frames, milliseconds of processor time:"
    )
    click.echo(f"of each frame the least of {len(told.runs_ms)} runs")
    for what, ms in (
        ("copies", told.copies_ms),
        ("watching, at rest", told.resting_ms),
        ("watching, while something moves", told.moving_ms),
        ("film", told.film_ms),
        ("together, while something moves", told.frame_ms),
        ("together in the mean, calls included", told.mean_ms),
    ):
        click.echo(f"  {what:38}{ms:8.2f}")
    click.echo(f"  {'longest turns of the loop':38}" + "".join(f"{ms:8.0f}" for ms in told.longest_ms))
    click.echo(f"  {'together, in each run by itself':38}" + "".join(f"{ms:8.2f}" for ms in told.runs_ms))
    click.echo(f"  {'the longest turn of each run':38}" + "".join(f"{ms:8.0f}" for ms in told.runs_longest_ms))
    for board, times in PI_TIMES.items():
        fps = min(1000 / (told.frame_ms * times), told.camera_fps)
        click.echo(f"  reckoned, a {board} being {times:g} times slower: {fps:.0f} frames a second on one core")


def _bench_watching(films: Path | None, live: float | None) -> None:
    """Print one line of JSON a way of watching, or for the live camera."""
    import cv2  # noqa: PLC0415 - heavy, and --help should answer at once

    from linesies.benchmarks.live import measure_live  # noqa: PLC0415
    from linesies.benchmarks.stages import peak_memory_mb  # noqa: PLC0415
    from linesies.benchmarks.watching import films_in, watch_films  # noqa: PLC0415

    cv2.setNumThreads(1)
    if films is not None:
        for way, score in watch_films(films_in(films)).items():
            click.echo(json.dumps({"way": way, **score.as_json()}))
    if live is not None:
        report = measure_live(live).as_json()
        click.echo(json.dumps({"way": "live", **report, "peak_memory_mb": peak_memory_mb()}))


def _print_steps(title: str, steps: dict[str, dict[str, float]]) -> None:
    """Print what each step of a way took at each size, and its share."""
    click.echo(f"\n{title:22}" + "".join(f"{name:>20}" for name in steps))
    for step in next(iter(steps.values())):
        shares = (f"{ms[step]:9.2f} ms {ms[step] / (sum(ms.values()) or 1.0):6.1%}" for ms in steps.values())
        click.echo(f"{step:22}" + "".join(f"{share:>20}" for share in shares))
    click.echo()


STAGES = ("capture", "detect", "track", "judge", "draw")


def _ratio(rates: dict[str, float]) -> str:
    ratio = rates.get("ratio_to_chess_push_uci")
    return "" if ratio is None else f", {ratio:.1f} times python-chess's push_uci in the same run"
