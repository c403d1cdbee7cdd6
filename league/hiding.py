"""Which parts of what the hub keeps hold names: those are hidden before they are kept, and shown when they are read.

Remembers who was named in each chain of rows so far: in a row of his game somebody may be named where nobody says that
it is a name.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, Text, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY

from linesies.league.names import Names, names_in
from linesies.league.tables import calls, deeds, rows

COLUMNS = ("row", "at", "origin", "kind", "about", "body", "format", "rules", "state", "seal")
WITH_NAMES = frozenset({"origin", "body", "state"})
NUMBER = "\x02(\\d+)\x03"
RAW = "%\x02%"  # what no text without a hidden name is like

Row = Sequence[Any]


class Hiding:
    """Hides the names in rows, and shows them."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._forgotten = 0
        self._people: dict[tuple[str, str], set[str]] = {}

    def hidden(self, connection: Connection, chain: tuple[str, str], fresh: Iterable[Row]) -> list[Row]:
        """Hide the names in rows that follow those that are held of a chain."""
        people = self._people_of(connection, chain)
        told = []
        for row in fresh:
            values = dict(zip(COLUMNS, row, strict=True))
            for key in ("body", "state"):
                people.update(names_in(_read(values[key])))
            told.append(self._each(row, lambda text: self._names.hide(text, people)))
        return told

    def shown(self, row: Row) -> Row:
        """Show the names in a row that was kept."""
        return self._each(row, self._names.show)

    def _each(self, row: Row, change: Any) -> Row:
        named = zip(COLUMNS, row, strict=True)
        return tuple(change(value) if key in WITH_NAMES and value else value for key, value in named)

    def _people_of(self, connection: Connection, chain: tuple[str, str]) -> set[str]:
        if self._forgotten != self._names.forgotten:
            self._people.clear()
            self._forgotten = self._names.forgotten
        if chain not in self._people:
            self._people[chain] = {self._names.show(text) for text in _numbers_in(connection, chain)}
        return self._people[chain]


def _read(text: str | None) -> Any:
    try:
        return json.loads(text or "null")
    except ValueError:
        return None


def _numbers_in(connection: Connection, chain: tuple[str, str]) -> list[str]:
    """List the hidden names that a chain of rows holds, each once."""
    text = rows.c.body + func.coalesce(rows.c.state, "")
    found = select(func.regexp_matches(text, f"({NUMBER})", "g", type_=ARRAY(Text))[1].label("hidden"))
    board, epoch = chain
    asked = found.where(rows.c.board == board, rows.c.epoch == epoch).distinct()
    return list(connection.execute(asked).scalars())


def hide_held(engine: Engine, names: Names) -> None:
    """Hide the names in what an earlier release has kept."""
    hiding = Hiding(names)
    with engine.begin() as connection:
        bare = select(rows.c.board, rows.c.epoch).where(rows.c.kind == "start", rows.c.body.not_like(RAW)).distinct()
        for chain in connection.execute(bare).all():
            this = (rows.c.board == chain.board) & (rows.c.epoch == chain.epoch)
            held = connection.execute(
                select(*(rows.c[name] for name in COLUMNS)).where(this).order_by(rows.c.row)
            ).all()
            for row in hiding.hidden(connection, (chain.board, chain.epoch), held):
                values = {key: value for key, value in zip(COLUMNS, row, strict=True) if key in WITH_NAMES}
                connection.execute(update(rows).where(this, rows.c.row == row[0]).values(**values))
        for column in (deeds.c.body, calls.c.told, calls.c.heard):
            for text in connection.execute(select(column).where(column.not_like(RAW)).distinct()).scalars():
                connection.execute(update(column.table).where(column == text).values({column: names.hide_json(text)}))
