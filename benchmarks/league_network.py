"""Boards over a bad network, and many of them: whether all that is played comes to the hub, and what slows whom.

`python -m linesies.benchmarks.league_network [--boards 8] [--bad 4] [--loss 0.3] [--delay 0.5] [--cut 60]`. Boards in
processes of their own play; some of them behind a line whose packets are lost and late (as root; `bad_network.py`), and
which is cut for a while. Nothing is killed. In the end all journals are compared with the hub's rows.
"""

import contextlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from linesies.benchmarks.bad_network import BadNetwork
from linesies.benchmarks.league_faults import PORT, Parts, all_play, go_home, held_by, move, tell_rest, told_otherwise
from linesies.benchmarks.passing import passing_folder
from linesies.device.journal.journal import Journal
from linesies.device.places import journal_file
from linesies.league.cluster import running_cluster
from linesies.league.names import keys_folder
from linesies.league.store import Store
from linesies.simulator.evening import EveningWishes, open_evening


def rows_of(states: Sequence[Path]) -> int:
    """Count the rows in boards' journals."""
    count = 0
    for state in states:
        with contextlib.closing(Journal(journal_file(state))) as journal:
            count += journal.last_id()
    return count


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedNetwork:
    """What was asked for on the command line."""

    boards: int
    bad: int
    loss: float
    delay_s: float
    seconds: float
    cut_s: float
    pace_s: float


def play(wanted: WantedNetwork, parts: Parts, line: BadNetwork | None, store: Store) -> dict[str, Any]:
    """Let all play, the bad line cut for a while in the middle; tells who played how much and what had come when."""
    all_play(parts)
    begun, before, begun_s = rows_of(parts.states), held_by(store), time.monotonic()
    time.sleep((wanted.seconds - wanted.cut_s) / 2)
    if line is not None:
        line.is_cut = True
    time.sleep(wanted.cut_s)
    behind_s = {state.name: told_otherwise(state, store) for state in parts.states}
    if line is not None:
        line.is_cut = False
    time.sleep((wanted.seconds - wanted.cut_s) / 2)
    took_s = time.monotonic() - begun_s
    played, came = rows_of(parts.states) - begun, held_by(store) - before
    go_home(parts.states)
    return {
        "rows_a_second": round(played / took_s, 1),
        "at_the_hub_a_second": round(came / took_s, 1),
        "rows_a_bad_board": rows_of(parts.states[: wanted.bad]) // max(1, wanted.bad),
        "rows_another_board": rows_of(parts.states[wanted.bad :]) // max(1, wanted.boards - wanted.bad),
        "untold_when_the_line_came_back": behind_s if line else None,
    }


@click.command()
@click.option("--boards", default=8, show_default=True)
@click.option("--bad", default=4, show_default=True, help="How many of them are behind the bad line.")
@click.option("--loss", default=0.3, show_default=True, help="Part of packets that is lost, each way.")
@click.option("--delay", "delay_s", default=0.5, show_default=True, help="Of a packet there and back.")
@click.option("--seconds", default=120.0, show_default=True, help="How long is played.")
@click.option("--cut", "cut_s", default=60.0, show_default=True, help="For how long of that the bad line is cut.")
@click.option("--pace", "pace_s", default=1.0, show_default=True, help="Seconds from one shot to the next.")
def main(**given: Any) -> None:
    """Play, and print how many rows came when; ends with status 1 where one is missing, twice or another."""
    wanted = WantedNetwork(**given)
    with passing_folder() as folder, contextlib.ExitStack() as open_parts:
        cluster = open_parts.enter_context(running_cluster(folder / "hub"))
        wishes = EveningWishes(folder=folder, boards=wanted.boards, players=min(4 * wanted.boards, 256), port=PORT)
        states = open_evening(wishes, cluster.url)
        line = None
        if wanted.bad:
            bad = BadNetwork("lgbad", loss=wanted.loss, delay_s=wanted.delay_s / 2, seed=1)
            line = open_parts.enter_context(contextlib.closing(bad))
            for state in states[: wanted.bad]:
                move(state)
        before = {state.name: line.command for state in states[: wanted.bad] if line}
        store = open_parts.enter_context(contextlib.closing(Store(cluster.url, keys_folder(folder))))
        parts = Parts(folder, cluster, wanted.boards, pace_s=wanted.pace_s, before=before)
        open_parts.enter_context(contextlib.closing(parts))
        told = play(wanted, parts, line, store)
        begun_s = time.monotonic()
        faults = tell_rest(parts, store) + ([] if held_by(store) else ["nothing was played"])
        told |= {"rows": held_by(store), "rest_told_s": round(time.monotonic() - begun_s), "faults": faults}
    click.echo(json.dumps({**asdict(wanted), **told}))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
