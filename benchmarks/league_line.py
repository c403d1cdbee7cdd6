"""How many rows a second a whole hub takes: of boards that sign them and say them over HTTP, each on its own line.

`python -m linesies.benchmarks.league_line [--boards 1000] [--rows 4]`; `ulimit -n 8192` before it. The hub and its
PostgreSQL run beside the boards on this machine, whose cores they share.
"""

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import click

from linesies.benchmarks.league_fanout import PAGE, Hub, cpu_s, wait_for
from linesies.benchmarks.passing import passing_folder
from linesies.device.announcers.announcing import Announcers
from linesies.device.hub_line import HubLine
from linesies.device.journal.journal import Journal
from linesies.league import HubAnswer, Identity, Pushed
from linesies.league.identity import KEY_BYTES
from linesies.league.wire import Values
from linesies.referee.referee import Referee
from linesies.simulator.evening import MORTAL
from linesies.simulator.league_board import FRIENDS, begin, play_on

EPOCH = "0" * 32


def game(file: Path, count: int) -> tuple[Values, ...]:
    """Play by chance until a journal has so many rows; gives them as boards tell them."""
    with contextlib.closing(Journal(str(file))) as journal:
        referee, chance = Referee(journal, Announcers([]), elsewhere=lambda one: one.location), Random(1)  # noqa: S311
        while journal.last_id() < count:
            if referee.has_game:
                play_on(referee, journal, chance)
            else:
                begin(referee, FRIENDS)
        return tuple(journal.values_after(0, count))


@contextlib.contextmanager
def hub_of(boards: Sequence[Identity], folder: Path) -> Iterator[int]:
    """Serve a hub that these boards have joined; gives its process."""
    hub = Hub()
    with hub.served(folder, port=PAGE) as command:
        for number, one in enumerate(boards):
            hub.admit(one.board, f"Board {number}")
        with subprocess.Popen([*MORTAL, *command], stderr=subprocess.DEVNULL) as process:  # noqa: S603 - our own program
            try:
                wait_for(PAGE)
                yield process.pid
            finally:
                process.terminate()


def tell_all(lines: Sequence[HubLine], rows: Sequence[Values], *, each: int, workers: int) -> float:
    """Let all boards tell these rows, so many at once; gives rows a second."""

    def tell(line: HubLine, first: int) -> None:
        """Tell some rows and ask what is held, as `LeaguePusher` does, on a connection of its own."""
        before, newest = (str(rows[i - 1][-1]) if i else "" for i in (first, first + each))
        with contextlib.closing(line):
            line.say(Pushed(epoch=EPOCH, before=before, rows=tuple(rows[first : first + each])))
            answer = line.say(Pushed(epoch=EPOCH, before=newest))
        assert isinstance(answer, HubAnswer)
        assert answer.seal == newest

    begun_s = time.monotonic()
    with ThreadPoolExecutor(workers) as pool:
        for first in range(0, len(rows), each):  # a board tells more once it was answered
            list(pool.map(tell, lines, [first] * len(lines)))
    return len(lines) * len(rows) / (time.monotonic() - begun_s)


@click.command()
@click.option("--boards", "count", default=1000, show_default=True)
@click.option("--rows", "each", default=4, show_default=True, help="What a board has to tell at once.")
@click.option("--rounds", default=5, show_default=True, help="How often it tells so many.")
@click.option("--workers", default=16, show_default=True, help="How many boards wait for an answer at once.")
def main(count: int, each: int, rounds: int, workers: int) -> None:
    """Print rows a second, and what they cost the hub."""
    boards = [Identity(os.urandom(KEY_BYTES)) for _ in range(count)]
    with passing_folder() as folder, contextlib.ExitStack() as open_parts:
        rows = game(folder / "journal.sqlite", each * rounds)
        process = open_parts.enter_context(hub_of(boards, folder))
        lines = [HubLine(f"http://127.0.0.1:{PAGE}", one) for one in boards]
        began_s = cpu_s(process)
        told = tell_all(lines, rows, each=each, workers=workers)
        a_row_ms = (cpu_s(process) - began_s) / (count * len(rows)) * 1e3
    click.echo(f"{count} boards on lines of their own, {each} rows at once: {told:.0f} rows a second")
    click.echo(f"the hub without its PostgreSQL: {a_row_ms:.2f} ms of processor time a row")


if __name__ == "__main__":
    main()
