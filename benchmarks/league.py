"""How many rows a hub takes a second from many boards, beside the plain way: one INSERT a row, each its own commit.

`python -m linesies.benchmarks.league --database URL [--boards 1000] [--rows 4]`; the tables of that database are used
and left as they were. Both ways check every seal; in the same run, on the same rows.
"""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
from sqlalchemy import delete

from linesies.league import HubAnswer, Joining, Pushed
from linesies.league.store import Store
from linesies.league.tables import boards, rows
from linesies.referee.seals import seal

BODY = json.dumps({"event": {"event": "shot", "player": "Ana", "hits": [], "rest": {"Ana": "4"}}, "rulings": [{}] * 3})


def chain(count: int) -> list[tuple[Any, ...]]:
    """Make rows as a journal seals them."""
    made: list[tuple[Any, ...]] = []
    before = ""
    for number in range(1, count + 1):
        values = (number, float(number), "referee", "ruled", None, BODY, 2, 1, BODY)
        before = seal(values, before)
        made.append((*values, before))
    return made


def rows_a_second(store: Store, count: int, push: Callable[[str], None], workers: int) -> float:
    """Let so many boards push at once, and tell how many of them are served a second."""
    names = [f"bench-{number}" for number in range(count)]
    for name in names:
        store.admit(name, Joining(code="", name=name[:24]))
    begun_s = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(push, names))
    took_s = time.perf_counter() - begun_s
    with store.engine.begin() as connection:
        for table in (rows, boards):
            connection.execute(delete(table).where(table.c.board.in_(names)))
    return count / took_s


@click.command()
@click.option("--database", required=True)
@click.option("--boards", "count", default=1000, show_default=True)
@click.option("--rows", "each", default=4, show_default=True, help="What a board has to tell at once.")
@click.option("--workers", default=8, show_default=True, help="How many boards are served side by side.")
def main(database: str, count: int, each: int, workers: int) -> None:
    """Print rows a second, pushed together and one by one, and their ratio."""
    keys = tempfile.TemporaryDirectory()
    store, made = Store(database, Path(keys.name)), chain(each)

    def said(name: str, part: Sequence[tuple[Any, ...]], before: str) -> None:
        assert isinstance(store.push(name, Pushed(epoch="0" * 32, before=before, rows=tuple(part))), HubAnswer)

    def together(name: str) -> None:
        said(name, made, "")

    def one_by_one(name: str) -> None:
        before = ""
        for row in made:
            said(name, [row], before)
            before = row[-1]

    ours = each * rows_a_second(store, count, together, workers)
    plain = each * rows_a_second(store, count, one_by_one, workers)
    click.echo(f"{count} boards, {each} rows each: {ours:.0f} rows a second pushed together, {plain:.0f} one by one")
    click.echo(f"ratio {ours / plain:.2f}")
    store.close()
    keys.cleanup()


if __name__ == "__main__":
    main()
