"""`linesies games`: whole simulated games, the referee's rulings against the truth."""

import json
import multiprocessing
import signal
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

import click

from linesies.device.progress import with_time_left
from linesies.simulator.commands.people import game_options
from linesies.simulator.customs import Customs

if TYPE_CHECKING:
    from linesies.simulator.whole_games.comparison import GameReport


@click.command("games")
@game_options
@click.option("--games", "count", default=20, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="How many at the same time.")
@click.option("--json", "as_json", is_flag=True, help="Print each game as a line of JSON.")
def command(
    *,
    game: str,
    count: int,
    seed: int,
    customs: Customs,
    jobs: int,
    as_json: bool,
) -> None:
    """Referee whole simulated games and compare the rulings with the truth, shot by shot or card by card.

    Each difference is listed with its cause. Nothing is served, nothing is kept.
    """
    from linesies.device.loop.ending import until_ended  # noqa: PLC0415 - heavy, and --help should answer at once
    from linesies.simulator.whole_games.play import play_game  # noqa: PLC0415

    play = partial(play_game, game, customs)
    told = "shots" if game == "skully" else "events"
    reports: list[GameReport] = []
    if not as_json:
        click.echo(f"  seed players {told:>6}  equal  asked  corrected  seconds  winner")
    with until_ended(click.echo), multiprocessing.get_context("spawn").Pool(jobs, _leave_ending_to_parent) as pool:
        for report in with_time_left(pool.imap(play, range(seed, seed + count)), "games", count):
            reports.append(report)
            click.echo(json.dumps(asdict(report), ensure_ascii=False) if as_json else _line(report))
    shots, equal = sum(r.shots for r in reports), sum(r.equal for r in reports)
    asked = sum(r.asked for r in reports)
    click.echo(
        f"{equal} of {shots} {told} ruled on as true ({equal / max(shots, 1):.1%}); "
        f"people were asked about {asked} of these; of what nobody did {sum(r.invented for r in reports)} "
        f"ruled on without a question, beside {sum(len(r.fidgets) for r in reports)} things done that do not count",
        err=as_json,
    )


def _leave_ending_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _line(report: "GameReport") -> str:
    head = (
        f"{report.seed:6}{report.players:8}{report.shots:7}{report.equal:7}{report.asked:7}{report.corrections:11}"
        f"{report.took_s:9.1f}  {report.winner or 'nobody'}"
    )
    return "\n".join([head, *(f"        {d.t_s:7.1f} s: {d.cause}" for d in report.differences)])
