"""Results of measuring again: a folder of Parquet files, one a batch, each there whole or not at all.

A file is named by the program and the cases of its batch, so that a batch that was measured twice stands there once.
DuckDB writes and reads them; `SELECT change, count(*) FROM 'results/*.parquet' GROUP BY change` works as it is.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from linesies.device.errors import BadInput
from linesies.referee.addresses import place_of

Line = dict[str, Any]  # `Rejudged.as_json`, with the archive

EXTRA = "pip install 'linesies[cases]'"
AT_ONCE = 1000  # lines that are read together
CALL = (  # a `CallFile`
    "STRUCT(xy DOUBLE[], diameter DOUBLE, location VARCHAR, gap DOUBLE, sigma DOUBLE, certain BOOLEAN,"
    " cap_share DOUBLE)"
)
COLUMNS = {
    "archive": "VARCHAR",
    "case": "VARCHAR",
    "change": "VARCHAR",
    "program": "VARCHAR",
    "same_program": "BOOLEAN",
    "was": CALL,
    "now": CALL,
    "settled": "VARCHAR",
    "wrong": "BOOLEAN",
    "why": "VARCHAR",
}


class Results:
    """The folder at an address, which is made when the first batch is kept."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._folder = place_of(address)
        if self._folder.is_file():
            raise BadInput(f"{address}: results are a folder of Parquet files; name another")

    def keep(self, name: str, lines: Sequence[Line]) -> None:
        """Write what was found of a batch of that name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        data = _parquet(lines)
        if not isinstance(self._folder, Path):
            (self._folder / f"{name}.parquet").write_bytes(data)  # a store shows an object once it is whole
            return
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as file:
            file.write(data)
        Path(file.name).replace(self._folder / f"{name}.parquet")

    def lines(self) -> Iterator[Line]:
        """Read everything that was found; raises BadInput where that is no results."""
        duckdb = _duckdb()
        parts = sorted(str(part) for part in self._folder.iterdir() if part.suffix == ".parquet") if self.exists else []
        if not parts:
            return
        with duckdb.connect() as base:
            if not isinstance(self._folder, Path):
                base.register_filesystem(self._folder.fs)
            read = f"SELECT {', '.join(map(_quoted, COLUMNS))} FROM read_parquet(?, union_by_name=true)"  # noqa: S608 - of names above
            try:
                base.execute(read, [parts])  # by name, for earlier releases kept less of a call
            except duckdb.Error as fault:
                raise BadInput(f"{self._address}: holds what is no results: {str(fault).splitlines()[0]}") from None
            while rows := base.fetchmany(AT_ONCE):
                yield from (dict(zip(COLUMNS, row, strict=True)) for row in rows)

    @property
    def exists(self) -> bool:
        """Tell whether anything was kept there yet."""
        return self._folder.is_dir()


def _parquet(lines: Sequence[Line]) -> bytes:
    with tempfile.TemporaryDirectory() as folder, _duckdb().connect() as base:
        source, target = Path(folder) / "lines.json", Path(folder) / "lines.parquet"
        source.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        columns = ", ".join(f"{_quoted(name)}: '{kind}'" for name, kind in COLUMNS.items())
        read = f"read_json('{source}', format='newline_delimited', columns={{{columns}}})"
        base.execute(f"COPY (SELECT * FROM {read}) TO '{target}' (FORMAT parquet)")  # noqa: S608 - of names above
        return target.read_bytes()


def _quoted(name: str) -> str:
    return f'"{name}"'


def _duckdb() -> Any:
    try:
        import duckdb  # noqa: PLC0415 - only who keeps results needs it
    except ImportError:
        raise BadInput(f"results are kept as Parquet by DuckDB: {EXTRA}") from None
    return duckdb
