"""A board that was cut off from its hub for a whole day of play: what becomes of its rows, and of the others meanwhile.

`python -m linesies.benchmarks.league_day [--rows 10000]`. Boards in processes of their own; the line of the first (a
namespace of its own, as root) is cut before it plays, and its people play on among themselves, fast, until a day of
rows is in its journal. Then the line comes back. In the end all journals are compared with the hub's rows.
"""

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import click
from sqlalchemy import func, select

from linesies.benchmarks.bad_network import BadNetwork
from linesies.benchmarks.league_faults import PORT, Parts, go_home, move, tell_rest
from linesies.benchmarks.league_network import rows_of
from linesies.benchmarks.passing import passing_folder
from linesies.device.membership import key_file
from linesies.league.cluster import running_cluster
from linesies.league.identity import identity_in
from linesies.league.names import keys_folder
from linesies.league.store import Store
from linesies.league.tables import rows
from linesies.simulator.evening import EveningWishes, open_evening

LOOK_S = 0.5
PATIENCE_S = 400.0
LOSS, DELAY_S = 0.05, 0.1  # of the line once it is back: a phone's in a yard
FAST = ["--restless", "--pace", "0"]


def held_of(store: Store, state: Path) -> int:
    """Count a board's rows at the hub."""
    its = rows.c.board == identity_in(key_file(state)).board
    with store.engine.connect() as connection:
        return int(connection.execute(select(func.count()).where(its)).scalar_one())


def behind(store: Store, states: list[Path]) -> int:
    """Count the rows in these boards' journals that the hub has not yet."""
    return rows_of(states) - sum(held_of(store, state) for state in states)


def play_a_day(parts: Parts, line: BadNetwork, store: Store, many: int) -> dict[str, Any]:
    """Play until so many rows are in the first board's journal, then let it come back; tells how it catches up."""
    cut_off, *others = parts.states
    line.is_cut = True
    parts.kill(cut_off.name)  # so that it has told nothing yet
    begun_s = time.monotonic()
    while rows_of([cut_off]) < many and time.monotonic() < begun_s + PATIENCE_S:
        time.sleep(LOOK_S)
    held, played_s = held_of(store, cut_off), time.monotonic() - begun_s
    go_home([cut_off])
    day = rows_of([cut_off])
    line.is_cut = False
    back_s, first_s, most_behind = time.monotonic(), None, 0
    while (now := held_of(store, cut_off)) < day and time.monotonic() < back_s + PATIENCE_S:
        first_s = first_s or (time.monotonic() if now > held else None)
        most_behind = max(most_behind, behind(store, others))
        time.sleep(LOOK_S)
    took_s = time.monotonic() - (first_s or back_s)
    return {
        "rows_of_the_day": day,
        "played_s": round(played_s),
        "at_the_hub_while_cut": held,
        "told_s": round(took_s, 1),
        "told_a_second": round((day - held) / took_s),
        "others_behind_at_most": most_behind,
    }


@click.command()
@click.option("--boards", default=3, show_default=True)
@click.option("--rows", "many", default=10_000, show_default=True, help="A day: a shot each ten seconds for 14 hours.")
def main(boards: int, many: int) -> None:
    """Play, and print how the board catches up; ends with status 1 where a row is missing, twice or another."""
    with passing_folder() as folder, contextlib.ExitStack() as open_parts:
        cluster = open_parts.enter_context(running_cluster(folder / "hub"))
        states = open_evening(EveningWishes(folder=folder, boards=boards, players=4 * boards, port=PORT), cluster.url)
        bad = BadNetwork("lgday", loss=LOSS, delay_s=DELAY_S / 2, seed=1)
        line = open_parts.enter_context(contextlib.closing(bad))
        move(states[0])
        store = open_parts.enter_context(contextlib.closing(Store(cluster.url, keys_folder(folder))))
        cut_off = states[0].name
        parts = Parts(folder, cluster, boards, pace_s=1.0, before={cut_off: line.command}, more={cut_off: FAST})
        open_parts.enter_context(contextlib.closing(parts))
        told = play_a_day(parts, line, store, many)
        faults = tell_rest(parts, store)
    click.echo(json.dumps({**told, "faults": faults}))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
