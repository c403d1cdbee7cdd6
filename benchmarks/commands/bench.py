"""`linesies bench`: how fast this machine is at each stage."""

import json
from pathlib import Path

import click

from linesies.device.progress import with_time_left


@click.command("bench")
@click.option("--json", "is_json", is_flag=True, help="Print one line of JSON instead of a table.")
@click.option("--films", type=click.Path(path_type=Path, exists=True), help="Watch a folder of films with their truth.")
@click.option("--live", type=click.FloatRange(5), metavar="SECONDS", help="Watch a simulated camera in real time.")
def command(*, is_json: bool, films: Path | None, live: float | None) -> None:
    """Measure frames a second and milliseconds a stage on this machine, at three picture sizes, and peak memory.

    The frames are a simulated drill of shots, filmed as H.264. Rules are measured beside python-chess where that is
    installed. Takes about a minute; for steady figures let nothing else run.

    --films measures instead how fast and how right films are watched, as `linesies simulate` makes them, beside a plain
    approach and, where it is installed, the tracker norfair; --live how soon after the settled time shots are told.
    """
    if films is not None or live is not None:
        _bench_watching(films, live)
        return
    import cv2  # noqa: PLC0415 - heavy, and --help should answer at once

    from linesies.benchmarks.rules import measure_rules  # noqa: PLC0415
    from linesies.benchmarks.stages import SIZES_PX, measure_stages, peak_memory_mb  # noqa: PLC0415

    cv2.setNumThreads(1)
    stages = {}
    if not is_json:
        click.echo(f"{'milliseconds a frame':22}" + "".join(f"{stage:>10}" for stage in STAGES))
    for width, height in with_time_left(SIZES_PX, "picture sizes", len(SIZES_PX)):
        name = f"{width}x{height}"
        ms = stages[name] = measure_stages((width, height))
        if not is_json:
            click.echo(f"{name:22}" + "".join(f"{ms[stage]:10.2f}" for stage in STAGES))
    rates = measure_rules()
    memory_mb = peak_memory_mb()
    if is_json:
        fps = {name: {stage: round(1000 / ms, 1) for stage, ms in table.items()} for name, table in stages.items()}
        click.echo(json.dumps({"ms": stages, "fps": fps, "rule": rates, "peak_memory_mb": memory_mb}))
        return
    click.echo(f"rule: {rates['skully_events_per_s']:,.0f} Skully events a second" + _ratio(rates))
    click.echo(f"peak memory: {memory_mb:.0f} MB, the simulator's included")


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


STAGES = ("capture", "detect", "track", "judge", "draw")


def _ratio(rates: dict[str, float]) -> str:
    ratio = rates.get("ratio_to_chess_push_uci")
    return "" if ratio is None else f", {ratio:.1f} times python-chess's push_uci in the same run"
